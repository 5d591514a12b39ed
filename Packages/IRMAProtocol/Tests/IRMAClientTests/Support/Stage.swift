import CredentialTesting
import CredentialTransport
import CredentialWallet
import CryptoCore
import Foundation
import IRMAMessages
import IdemixCore
import TestSupport
import Testing

@testable import IRMAClient

/// Two schemes with one issuer each, one of them with a keyshare server, and the keys of all parties.
struct Stage: Sendable {
    static let shared = Result { try Stage() }

    static let now = Date(timeIntervalSince1970: 1_800_000_000)
    static let card = CredentialTypeIdentifier("demo.bank.card")
    static let mail = CredentialTypeIdentifier("demo.bank.mail")
    static let pass = CredentialTypeIdentifier("demo.bank.pass")
    static let vote = CredentialTypeIdentifier("demo.bank.vote")
    static let note = CredentialTypeIdentifier("demo.bank.note")
    static let login = CredentialTypeIdentifier("ks.gov.login")
    static let id = CredentialTypeIdentifier("ks.gov.id")
    static let timestampServer = "https://time.example/atum/"
    static let keyshareServer = "https://keyshare.example/kss"

    let keys: IdemixIssuerKeyPair
    private(set) var schemes: SchemeSnapshot
    let keyshareKey: PrivateKey
    let timestampKey: PrivateKey

    private init() throws {
        let randomness = GeneratorRandomSource(RepeatableRandomNumberGenerator(seed: 17))
        keys = try IdemixIssuerKeyPair.generate(
            .bits1024,
            counter: 3,
            expiryDate: Self.now + 1e8,
            baseCount: 6,
            using: randomness
        )
        // The same numbers with another counter, and an expiry that is over.
        let old = try IdemixIssuerPublicKey(
            counter: 2,
            expiryDate: Self.now - 1,
            elements: keys.publicKey.elements,
            revocationKey: keys.publicKey.revocationKey
        )
        keyshareKey = try PrivateKey.generateRSA(bits: 2048)
        timestampKey = try PrivateKey.generate(.ed25519)
        schemes = try SchemeSnapshot(
            [
                Self.scheme(publicKeys: [keys.publicKey, old]),
                Self.keyshareScheme(publicKeys: [keys.publicKey], keyshareKey: keyshareKey.publicKey),
            ],
            requestorSchemes: []
        )
    }

    /// A scheme without a keyshare server; `card` is a singleton, `pass` can be revoked, `vote` has a random-blind attribute, and those
    /// of `note` are optional.
    static func scheme(publicKeys: [IdemixIssuerPublicKey]) throws -> IRMAScheme {
        var description = SchemeDescription(id: "demo", url: "https://schemes.example/demo", isDemo: true)
        description.timestampServer = timestampServer
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
                attributes: [AttributeDescription("id"), AttributeDescription("", isRevocation: true)],
                revocationServers: ["https://revocation.example/irma"]
            ),
            CredentialTypeDescription(
                id: note,
                attributes: [
                    AttributeDescription("first", isOptional: true), AttributeDescription("second", isOptional: true),
                ]
            ),
            CredentialTypeDescription(
                id: vote,
                attributes: [
                    AttributeDescription("election"), AttributeDescription("number", isRandomBlind: true),
                    AttributeDescription("place"),
                ]
            ),
        ]
        return try IRMAScheme(
            description,
            issuers: [IssuerDescription(id: "demo.bank")],
            credentialTypes: types,
            publicKeys: ["demo.bank": publicKeys]
        )
    }

    /// The stage after an update of the scheme, in which a type has gained optional attributes.
    func gaining(_ names: String..., in type: CredentialTypeIdentifier) throws -> Stage {
        let scheme = try #require(schemes.schemes["demo"])
        var types = scheme.credentialTypes
        types[type]?.attributes += names.map { AttributeDescription($0, isOptional: true) }
        var stage = self
        stage.schemes = try schemes.replacing(
            IRMAScheme(
                scheme.description,
                issuers: Array(scheme.issuers.values),
                credentialTypes: Array(types.values),
                publicKeys: ["demo.bank": [keys.publicKey]]
            )
        )
        return stage
    }

    static func keyshareScheme(publicKeys: [IdemixIssuerPublicKey], keyshareKey: PublicKey) throws -> IRMAScheme {
        var description = SchemeDescription(
            id: "ks",
            url: "https://schemes.example/ks",
            isDemo: true,
            keyshareServer: keyshareServer
        )
        description.timestampServer = timestampServer
        description.keyshareAttribute = AttributeIdentifier(login, attribute: "user")
        var locked = CredentialTypeDescription(id: login, attributes: [AttributeDescription("user")], isSingleton: true)
        locked.disallowsDeletion = true
        return try IRMAScheme(
            description,
            issuers: [IssuerDescription(id: "ks.gov")],
            credentialTypes: [locked, CredentialTypeDescription(id: id, attributes: [AttributeDescription("name")])],
            publicKeys: ["ks.gov": publicKeys],
            keyshareKeys: [0: keyshareKey]
        )
    }

    /// A wallet over a server.
    func wallet(
        _ server: PlayServer,
        storage: any CredentialStorage = InMemoryCredentialStorage(),
        schemes: SchemeSnapshot? = nil,
        copyHolder: (any SDJWTCopyHolder)? = nil,
        options: WalletOptions = WalletOptions(pairingInterval: .zero),
        timer: any Clock<Duration> = ContinuousClock()
    ) async throws -> IRMAWallet {
        try await IRMAWallet(
            storage: storage,
            schemes: WalletSchemes(schemes ?? self.schemes),
            transport: server.transport,
            copyHolder: copyHolder,
            options: options,
            clock: WalletClock(now: { server.now }, timer: timer)
        )
    }
}

/// A request to show attributes.
func disclosing(_ disclose: Condiscon) -> SessionRequest { SessionRequest(.disclosing, disclose: disclose) }

/// A request to issue credentials.
func issuing(_ credentials: CredentialRequest..., showing disclose: Condiscon = []) -> SessionRequest {
    SessionRequest(.issuing(credentials), disclose: disclose)
}

/// A credential that a server offers.
func offer(
    _ type: CredentialTypeIdentifier,
    _ attributes: [ExactText: String],
    counter: UInt = 3,
    validity: TimeInterval = 2e7
) -> CredentialRequest {
    let expiry = Int64((Stage.now + validity).timeIntervalSince1970)
    return CredentialRequest(type, attributes: attributes, validity: expiry, keyCounter: counter)
}

extension IRMAWallet {
    /// Runs a session to its end, with the first usable candidates.
    @discardableResult
    func finish(_ pointer: SessionPointer, pin: String? = nil) async throws -> SessionOutcome {
        let session = try session(with: pointer)
        let request = try await session.request()
        let choice = try #require(request.firstChoice)
        return try await session.answer(choice) { _ in pin }
    }
}

extension ResumedIssuance {
    /// The reason that an issuance is kept for the next attempt, or nil.
    var kept: WalletError? {
        if case .kept(let error) = self { error } else { nil }
    }

    /// The reason that an issuance is forgotten, or nil.
    var forgotten: WalletError? {
        if case .forgotten(let error) = self { error } else { nil }
    }
}

/// Expects an error of a code.
@discardableResult
func expectRefusal<Value>(
    _ code: WalletError.Code,
    isolation: isolated (any Actor)? = #isolation,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () async throws -> Value
) async -> WalletError? {
    let error = await #expect(throws: WalletError.self, sourceLocation: sourceLocation) { _ = try await body() }
    #expect(error?.code == code, "\(error.map { "\($0)" } ?? "no error")", sourceLocation: sourceLocation)
    return error
}
