import CredentialTesting
import CryptoCore
import Foundation
import IRMAMessages
import IdemixCore
import TestSupport
import Testing

@testable import IRMAServer

/// A demo scheme with an issuer whose key is here, a scheme with a keyshare server, and a holder.
struct ServerScene: Sendable {
    static let shared = Result { try ServerScene() }
    static let now = Date(timeIntervalSince1970: 1_800_000_000)

    static let card = CredentialTypeIdentifier("demo.bank.card")
    static let mail = CredentialTypeIdentifier("demo.bank.mail")
    static let pass = CredentialTypeIdentifier("demo.bank.pass")
    static let vote = CredentialTypeIdentifier("demo.bank.vote")
    static let member = CredentialTypeIdentifier("club.house.member")
    static let name = AttributeIdentifier("demo.bank.card.name")

    let keys: IdemixIssuerKeyPair
    let keyshareKey: PrivateKey
    let timestampSigner: SoftwareSigner
    let material: ServerMaterial
    let secretKey = IdemixHolderSecretKey.random()

    static let timestampServer = "https://time.example/atum"

    private init() throws {
        let randomness = GeneratorRandomSource(RepeatableRandomNumberGenerator(seed: 17))
        keys = try IdemixIssuerKeyPair.generate(
            .bits1024,
            counter: 3,
            expiryDate: Self.now + 1e8,
            baseCount: 6,
            using: randomness
        )
        keyshareKey = try PrivateKey.generateRSA(bits: 2048)
        timestampSigner = try SoftwareSigner(PrivateKey.generate(.ed25519))
        let schemes = try SchemeSnapshot(
            [
                Self.demo([keys.publicKey]), Self.shared("club", "club.house", keys.publicKey, keyshareKey.publicKey),
                Self.shared("guild", "guild.hall", keys.publicKey, keyshareKey.publicKey),
            ]
        )
        var ring = IssuerKeyRing()
        try ring.add(keys.privateKey, of: "demo.bank", schemes: schemes)
        try ring.add(keys.privateKey, of: "club.house", schemes: schemes)
        try ring.add(keys.privateKey, of: "guild.hall", schemes: schemes)
        material = ServerMaterial(schemes: schemes, issuerKeys: ring)
    }

    /// The issuer's keys under another counter, with or without material for revocation.
    func copy(counter: UInt, withRevocation: Bool) throws -> IdemixIssuerKeyPair {
        try copy(counter: counter, revocationKey: withRevocation ? keys.privateKey.revocationKey : nil)
    }

    /// The issuer's keys under a counter, with a key for revocation.
    func copy(counter: UInt, revocationKey: PrivateKey?) throws -> IdemixIssuerKeyPair {
        let (elements, factors) = (keys.publicKey.elements, keys.privateKey.factors)
        return try IdemixIssuerKeyPair(
            publicKey: IdemixIssuerPublicKey(
                counter: counter,
                expiryDate: keys.publicKey.expiryDate,
                elements: elements,
                revocationKey: revocationKey?.publicKey
            ),
            privateKey: IdemixIssuerPrivateKey(
                counter: counter,
                expiryDate: keys.privateKey.expiryDate,
                p: factors.p,
                q: factors.q,
                revocationKey: revocationKey,
                validation: .arithmetic
            )
        )
    }

    static func demo(_ keys: [IdemixIssuerPublicKey]) throws -> IRMAScheme {
        var description = SchemeDescription(id: "demo", url: "https://schemes.example/demo", isDemo: true)
        description.timestampServer = timestampServer
        let types = [
            CredentialTypeDescription(
                id: card,
                attributes: [
                    AttributeDescription("name"), AttributeDescription("level", isOptional: true),
                    AttributeDescription("number"), AttributeDescription("note", isOptional: true),
                ],
                isSingleton: true
            ),
            CredentialTypeDescription(
                id: mail,
                attributes: [AttributeDescription("address"), AttributeDescription("domain")]
            ),
            CredentialTypeDescription(
                id: pass,
                attributes: [AttributeDescription("id"), AttributeDescription("", isRevocation: true)],
                revocationServers: ["https://revocation.example/irma"]
            ),
            CredentialTypeDescription(
                id: vote,
                attributes: [
                    AttributeDescription("election"), AttributeDescription("ballot", isRandomBlind: true),
                    AttributeDescription("hall"),
                ]
            ),
        ]
        return try IRMAScheme(
            description,
            issuers: [IssuerDescription(id: "demo.bank")],
            credentialTypes: types,
            publicKeys: ["demo.bank": keys]
        )
    }

    /// A scheme that is no demonstration, and whose users' keys are shared with a server.
    static func shared(
        _ id: SchemeIdentifier,
        _ issuer: IssuerIdentifier,
        _ key: IdemixIssuerPublicKey,
        _ keyshareKey: PublicKey
    ) throws -> IRMAScheme {
        var description = SchemeDescription(id: id, url: "https://schemes.example/\(id.text)", isDemo: false)
        description.keyshareServer = "https://keyshare.example/\(id.text)"
        let member = CredentialTypeDescription(
            id: CredentialTypeIdentifier("\(issuer.text).member"),
            attributes: [AttributeDescription("number")]
        )
        return try IRMAScheme(
            description,
            issuers: [IssuerDescription(id: issuer)],
            credentialTypes: [member],
            publicKeys: [issuer: [key]],
            keyshareKeys: [0: keyshareKey]
        )
    }

    /// A credential of the holder.
    func credential(
        _ type: CredentialTypeIdentifier,
        _ values: [String?],
        keys: IdemixIssuerKeyPair? = nil,
        expiresAt: Date = now + 1e7
    ) throws -> IdemixCredential {
        let keys = keys ?? self.keys
        let metadata = try MetadataAttribute(
            credentialType: type.text,
            keyCounter: keys.publicKey.counter,
            signedAt: Self.now - 1e6,
            expiresAt: expiresAt
        )
        let attributes = [metadata.integer] + values.map { AttributeEncoding.version3.integer(for: $0) }
        let builder = IdemixProofListBuilder()
        let pending = try builder.addIssuance(publicKey: keys.publicKey, secretKey: secretKey)
        let verified = try builder.prove(challenge: IdemixChallenge(nonce: 1)).verify(
            expecting: [.issuance(IdemixIssuanceExpectation(publicKey: keys.publicKey))],
            challenge: IdemixChallenge(nonce: 1),
            at: Self.now
        ).get()
        let commitment = try #require(verified.commitments.first)
        let issued = try IdemixIssuer(keys: keys).sign(attributes: attributes, commitment: commitment, nonce: 2)
        return try pending.finish(with: issued, attributes: attributes, nonce: 2)
    }

    func card(_ name: String = "Alice", expiresAt: Date = now + 1e7) throws -> IdemixCredential {
        try credential(Self.card, [name, "7", "1", nil], expiresAt: expiresAt)
    }

    func mail(_ address: String = "a@example.com") throws -> IdemixCredential {
        try credential(Self.mail, [address, "example.com"])
    }

    /// A request to show the name on the card.
    static let nameRequest = SessionRequest(.disclosing, disclose: [[[AttributeRequest(name)]]])

    /// A request to issue credentials.
    static func issuance(_ credentials: CredentialRequest..., disclose: Condiscon = []) -> SessionRequest {
        SessionRequest(.issuing(credentials), disclose: disclose)
    }

    static let cardRequest = CredentialRequest(card, attributes: ["name": "Alice", "number": "1"])
}
