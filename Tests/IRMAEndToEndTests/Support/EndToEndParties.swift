#if Server && Client
import CredentialTesting
import CredentialServing
import CryptoCore
import Foundation
import IRMAMessages
import IRMAServer
import IdemixCore
import TestSupport

/// The keys of all parties, and the schemes that they are in.
struct EndToEndParties: Sendable {
    static let shared = Result {
        try EndToEndParties(
            .generate(
                .bits1024,
                counter: 1,
                expiryDate: now + 1e8,
                baseCount: 6,
                using: GeneratorRandomSource(RepeatableRandomNumberGenerator(seed: 23))
            )
        )
    }
    /// With a key of 4096 bits, which takes too long to make anew: `irma scheme issuer keygen -l 4096 -a 6` made it.
    static let large = Result {
        try EndToEndParties(
            IdemixIssuerKeyPair(
                publicKey: IdemixIssuerPublicKey(
                    xml: [UInt8](Data(contentsOf: OwnVectors.url("irma-key-4096/public.xml")))
                ),
                privateKey: IdemixIssuerPrivateKey(
                    xml: [UInt8](Data(contentsOf: OwnVectors.url("irma-key-4096/private.xml")))
                )
            )
        )
    }
    static let now = Date(timeIntervalSince1970: 1_800_000_000)

    static let card = CredentialTypeIdentifier("demo.bank.card")
    static let mail = CredentialTypeIdentifier("demo.bank.mail")
    static let pass = CredentialTypeIdentifier("demo.bank.pass")
    static let vote = CredentialTypeIdentifier("demo.bank.vote")
    static let login = CredentialTypeIdentifier("ks.gov.login")
    static let id = CredentialTypeIdentifier("ks.gov.id")

    let schemes: SchemeSnapshot
    let issuerKeys: IssuerKeyRing
    let keyshareSigner: SoftwareSigner
    let timestampKey: TimestampKey
    private let keys: IdemixIssuerKeyPair
    private let timestampSigner: SoftwareSigner

    private init(_ keys: IdemixIssuerKeyPair) throws {
        let keyshareSigner = try SoftwareSigner(PrivateKey.generateRSA(bits: 2048), algorithm: .rsaPKCS1SHA256)
        let timestampSigner = try SoftwareSigner(PrivateKey.generate(.ed25519))
        try self.init(keys, keyshareSigner, timestampSigner, url: "http://127.0.0.1:1")
    }

    private init(
        _ keys: IdemixIssuerKeyPair,
        _ keyshareSigner: SoftwareSigner,
        _ timestampSigner: SoftwareSigner,
        url: String
    ) throws {
        self.keys = keys
        self.keyshareSigner = keyshareSigner
        self.timestampSigner = timestampSigner
        timestampKey = try TimestampKey(rawRepresentation: timestampSigner.publicKey.rawRepresentation ?? [])
        schemes = try SchemeSnapshot([
            Self.demo(keys.publicKey, url), Self.keyshare(keys.publicKey, keyshareSigner.publicKey, url),
        ])
        var ring = IssuerKeyRing()
        try ring.add(keys.privateKey, of: "demo.bank", schemes: schemes)
        try ring.add(keys.privateKey, of: "ks.gov", schemes: schemes)
        issuerKeys = ring
    }

    /// The same parties, whose servers are at a URL.
    func at(_ url: String) throws -> EndToEndParties {
        try EndToEndParties(keys, keyshareSigner, timestampSigner, url: url)
    }

    /// `card` is a singleton, `pass` can be revoked, `vote` has an attribute that both sides choose.
    private static func demo(_ key: IdemixIssuerPublicKey, _ url: String) throws -> IRMAScheme {
        var description = SchemeDescription(id: "demo", url: url + "/demo", isDemo: true)
        description.timestampServer = url + "/atum"
        let types = [
            CredentialTypeDescription(
                id: card,
                attributes: [AttributeDescription("name"), AttributeDescription("level", isOptional: true)],
                isSingleton: true
            ),
            CredentialTypeDescription(
                id: mail,
                attributes: [AttributeDescription("address"), AttributeDescription("domain")]
            ),
            CredentialTypeDescription(
                id: pass,
                attributes: [AttributeDescription("number"), AttributeDescription("", isRevocation: true)],
                revocationServers: [url + "/irma"]
            ),
            CredentialTypeDescription(
                id: vote,
                attributes: [AttributeDescription("election"), AttributeDescription("ballot", isRandomBlind: true)]
            ),
        ]
        return try IRMAScheme(
            description,
            issuers: [IssuerDescription(id: "demo.bank")],
            credentialTypes: types,
            publicKeys: ["demo.bank": [key]]
        )
    }

    /// A scheme whose users' keys are shared with the keyshare server.
    private static func keyshare(
        _ key: IdemixIssuerPublicKey,
        _ keyshareKey: PublicKey,
        _ url: String
    ) throws -> IRMAScheme {
        var description = SchemeDescription(id: "ks", url: url + "/ks", isDemo: true, keyshareServer: url + "/kss")
        description.timestampServer = url + "/atum"
        description.keyshareAttribute = AttributeIdentifier(login, attribute: "user")
        return try IRMAScheme(
            description,
            issuers: [IssuerDescription(id: "ks.gov")],
            credentialTypes: [
                CredentialTypeDescription(id: login, attributes: [AttributeDescription("user")], isSingleton: true),
                CredentialTypeDescription(id: id, attributes: [AttributeDescription("name")]),
            ],
            publicKeys: ["ks.gov": [key]],
            keyshareKeys: [0: keyshareKey]
        )
    }

    /// The timestamp server, which signs whatever it gets.
    func timestampEngine(url: String) throws -> RoutedEngine {
        try RoutedEngine([
            .post("/") { [timestampSigner, timestampKey] request in
                let message = try TimestampRequest(decoding: try await request.body.collect(upTo: 1 << 16))
                var stamp = SignatureTimestamp(
                    time: Int64(Self.now.timeIntervalSince1970),
                    serverURL: url,
                    signature: SignatureTimestamp.Signature(
                        algorithm: SignatureTimestamp.ed25519,
                        data: [],
                        publicKey: timestampKey.publicKey.rawRepresentation ?? []
                    )
                )
                stamp.signature.data = try timestampSigner.signature(for: stamp.signedBytes(nonce: message.nonce))
                return .json(try TimestampResponse(stamp: stamp).encoded())
            }
        ])
    }

    // MARK: Requests

    static func disclosing(_ disclose: Condiscon) -> SessionRequest { SessionRequest(.disclosing, disclose: disclose) }

    static func issuing(_ credentials: CredentialRequest..., showing disclose: Condiscon = []) -> SessionRequest {
        SessionRequest(.issuing(credentials), disclose: disclose)
    }

    static let nameRequest = disclosing([[["demo.bank.card.name"]]])
    static let cardIssuance = issuing(CredentialRequest(card, attributes: ["name": "Alice", "level": "7"]))
    static let mailIssuance = issuing(
        CredentialRequest(mail, attributes: ["address": "a@example.com", "domain": "example.com"])
    )
    static let signing = SessionRequest(.signing(message: "I owe you"), disclose: [[["demo.bank.card.name"]]])

    static func passIssuance(_ key: String) -> SessionRequest {
        issuing(CredentialRequest(pass, attributes: ["number": key], revocationKey: key))
    }

    /// A request to show a pass, and that it is not revoked.
    static let passRequest: SessionRequest = {
        var request = disclosing([[["demo.bank.pass.number"]]])
        request.parameters.revocation = NonRevocationDemands([pass: NonRevocationDemand()], isList: true)
        return request
    }()
}
#endif
