import CredentialServing
import CryptoCore
import Foundation
import HTTPTypes
import Harness
import IRMAMessages
import IRMAServer
import IdemixCore

/// An IRMA server with keys of 2048 bits, its holder, and an engine that does nothing.
struct IRMAScene {
    static let card = CredentialTypeIdentifier("demo.bank.card")
    static let pass = CredentialTypeIdentifier("demo.bank.pass")
    static let now = IdemixScene.time

    let keys: IdemixIssuerKeyPair
    let server: SessionServer
    let http: InMemoryServer
    private let secretKey = IdemixHolderSecretKey.random()
    private let credential: IdemixCredential
    private let schemes: SchemeSnapshot

    /// A server, the authority of passes too.
    init(
        keys: IdemixIssuerKeyPair,
        requestors: RequestorRegistry = .unauthenticated(permissions: .all, requiresPrivateKeys: false),
        using random: any RandomSource = .system
    ) throws {
        self.keys = keys
        let types = [
            CredentialTypeDescription(
                id: Self.card,
                attributes: ["name", "city", "birthdate", "number"].map { AttributeDescription($0) }
            ),
            CredentialTypeDescription(
                id: Self.pass,
                attributes: [AttributeDescription("id"), AttributeDescription("", isRevocation: true)],
                revocationServers: ["https://shop.example/irma"]
            ),
        ]
        schemes = try SchemeSnapshot([
            IRMAScheme(
                SchemeDescription(id: "demo", url: "https://schemes.example/demo", isDemo: true),
                issuers: [IssuerDescription(id: "demo.bank")],
                credentialTypes: types,
                publicKeys: ["demo.bank": [keys.publicKey]]
            )
        ])
        var ring = IssuerKeyRing()
        try ring.add(keys.privateKey, of: "demo.bank", schemes: schemes)
        let clock = SessionClock(now: { Self.now }, timer: ContinuousClock())
        let authority = RevocationAuthorityService(
            roles: [Self.pass: [.server, .authority]],
            records: InMemoryRevocationRecords(),
            issuerKeys: ring,
            clock: clock
        )
        server = try SessionServer(
            url: "https://shop.example/irma/",
            material: ServerMaterial(schemes: schemes, issuerKeys: ring),
            requestors: requestors,
            options: SessionServerOptions(mode: .development),
            services: SessionServices(revocationAuthority: authority, clock: clock, using: random)
        )
        http = InMemoryServer(try server.engine())
        credential = try Self.issue(keys, secretKey)
    }

    private static func issue(
        _ keys: IdemixIssuerKeyPair,
        _ secretKey: IdemixHolderSecretKey
    ) throws -> IdemixCredential {
        let metadata = try MetadataAttribute(
            credentialType: card.text,
            keyCounter: 1,
            signedAt: now - 1e6,
            expiresAt: now + 1e7
        )
        let attributes =
            [metadata.integer]
            + ["Alice", "Amsterdam", "1990-01-01", "7"].map { AttributeEncoding.version3.integer(for: $0) }
        let builder = IdemixProofListBuilder()
        let pending = try builder.addIssuance(publicKey: keys.publicKey, secretKey: secretKey)
        let commitment = try IdemixScene.commitment(builder.prove(challenge: IdemixChallenge(nonce: 1)), keys.publicKey)
        let issued = try IdemixIssuer(keys: keys).sign(attributes: attributes, commitment: commitment, nonce: 2)
        return try pending.finish(with: issued, attributes: attributes, nonce: 2)
    }

    static let disclosure = SessionRequest(.disclosing, disclose: [[["demo.bank.card.name"]]])
    static let signature = SessionRequest(.signing(message: "a"), disclose: [[["demo.bank.card.name"]]])
    static let issuance = SessionRequest(
        .issuing([
            CredentialRequest(
                card,
                attributes: ["name": "Alice", "city": "Amsterdam", "birthdate": "1990-01-01", "number": "7"]
            )
        ])
    )

    // MARK: The wallet

    /// Connects a wallet to the session at a path.
    static func connect(_ path: String, of server: InMemoryServer) async throws -> [UInt8] {
        var fields: HTTPFields = [.authorization: "wallet"]
        for (name, version) in [("X-IRMA-MinProtocolVersion", "2.8"), ("X-IRMA-MaxProtocolVersion", "2.8")] {
            if let name = HTTPField.Name(name) { fields[name] = version }
        }
        return try await server.response(to: .get(path, headerFields: fields)).body
    }

    /// Posts a requestor's or a wallet's message.
    static func post(_ body: [UInt8], to path: String, of server: InMemoryServer) async throws -> [UInt8] {
        var fields: HTTPFields = [.contentType: "application/json"]
        if path != "/session" { fields[.authorization] = "wallet" }
        return try await server.response(to: .post(path, headerFields: fields, body: body)).body
    }

    /// The proofs that answer a request.
    func proofs(for request: SessionRequest) throws -> (body: [UInt8], list: IdemixProofList) {
        let builder = IdemixProofListBuilder()
        try builder.add(IdemixDisclosureRequest(credential, disclosing: [2]))
        let list = try builder.prove(challenge: request.parameters.challenge())
        let response = DisclosureResponse(proofs: list, indices: [[AttributePosition(credential: 0, attribute: 2)]])
        return (try response.encoded(), list)
    }

    /// The commitments that answer a request.
    func commitments(for request: SessionRequest) throws -> (body: [UInt8], list: IdemixProofList) {
        let builder = IdemixProofListBuilder()
        _ = try builder.addIssuance(publicKey: keys.publicKey, secretKey: secretKey)
        let list = try builder.prove(challenge: request.parameters.challenge())
        return (try IssuanceCommitments(combinedProofs: list, nonce: 4711).encoded(), list)
    }

    // MARK: The bare work

    /// Verifies the proofs without a server.
    func verify(_ list: IdemixProofList, for request: SessionRequest) throws {
        let expectations = try list.disclosureExpectations(from: schemes).map { IdemixProofExpectation.disclosure($0) }
        let verification = list.verify(
            expecting: expectations,
            challenge: request.parameters.challenge(),
            at: Self.now
        )
        blackHole(try verification.get())
    }

    /// Verifies the commitments and signs the credential without a server.
    func issue(_ list: IdemixProofList, for request: SessionRequest) throws {
        let metadata = try MetadataAttribute(
            credentialType: Self.card.text,
            keyCounter: 1,
            signedAt: Self.now,
            expiresAt: Self.now + 1e7
        )
        let texts = ["Alice", "Amsterdam", "1990-01-01", "7"]
        let order = IdemixIssuanceOrder(
            issuer: IdemixIssuer(keys: keys),
            attributes: [metadata.integer] + texts.map { AttributeEncoding.version3.integer(for: $0) }
        )
        let verification = list.verify(
            expecting: [order.expectation],
            challenge: request.parameters.challenge(),
            at: Self.now
        )
        blackHole(try verification.get().sign([order], nonce: 4711))
    }
}
