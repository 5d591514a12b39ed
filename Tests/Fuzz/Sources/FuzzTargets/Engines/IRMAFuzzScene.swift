import CredentialServing
import CryptoCore
import Foundation
import HTTPTypes
import IRMAMessages
import IRMAServer
import IdemixCore
import JSONKit
import Synchronization
import TestSupport

/// A scheme with one issuer, its server's keys, and a holder of a card.
struct IRMAFuzzScene: Sendable {
    static let shared: IRMAFuzzScene = {
        do { return try IRMAFuzzScene() } catch { fatalError("\(error)") }
    }()

    static let card = CredentialTypeIdentifier("demo.bank.card")
    static let pass = CredentialTypeIdentifier("demo.bank.pass")

    let keys: IdemixIssuerKeyPair
    let material: ServerMaterial
    let secretKey: IdemixHolderSecretKey
    let holding: IdemixCredential

    var schemes: SchemeSnapshot { material.schemes }

    private init() throws {
        let random = FuzzKeys.randomness(80)
        keys = IdemixListFuzzScene.shared.keys
        var description = SchemeDescription(id: "demo", url: "https://schemes.example/demo", isDemo: true)
        description.timestampServer = "https://time.example/atum"
        let types = [
            CredentialTypeDescription(
                id: Self.card,
                attributes: [AttributeDescription("name"), AttributeDescription("level", isOptional: true)]
            ),
            CredentialTypeDescription(
                id: Self.pass,
                attributes: [AttributeDescription("id"), AttributeDescription("", isRevocation: true)],
                revocationServers: ["https://shop.example/irma"]
            ),
        ]
        let schemes = try SchemeSnapshot([
            IRMAScheme(
                description,
                issuers: [IssuerDescription(id: "demo.bank")],
                credentialTypes: types,
                publicKeys: ["demo.bank": [keys.publicKey]]
            )
        ])
        var ring = IssuerKeyRing()
        try ring.add(keys.privateKey, of: "demo.bank", schemes: schemes)
        material = ServerMaterial(schemes: schemes, issuerKeys: ring)
        secretKey = IdemixHolderSecretKey.random(using: random)
        holding = try Self.issue(keys, secretKey, random)
    }

    private static func issue(
        _ keys: IdemixIssuerKeyPair,
        _ secretKey: IdemixHolderSecretKey,
        _ random: some RandomSource
    ) throws -> IdemixCredential {
        let metadata = try MetadataAttribute(
            credentialType: card.text,
            keyCounter: 1,
            signedAt: FuzzKeys.time - 1e6,
            expiresAt: FuzzKeys.time + 1e7
        )
        let attributes = [metadata.integer] + ["Alice", "7"].map { AttributeEncoding.version3.integer(for: $0) }
        let builder = IdemixProofListBuilder(using: random)
        let pending = try builder.addIssuance(publicKey: keys.publicKey, secretKey: secretKey)
        let challenge = IdemixChallenge(nonce: 1)
        let verified = try builder.prove(challenge: challenge)
            .verify(
                expecting: [.issuance(IdemixIssuanceExpectation(publicKey: keys.publicKey))],
                challenge: challenge,
                at: FuzzKeys.time
            )
            .get()
        guard case .issuance(let commitment)? = verified.proofs.first else { throw CocoaError(.coderInvalidValue) }
        let issued = try IdemixIssuer(keys: keys).sign(attributes: attributes, commitment: commitment, nonce: 2)
        return try pending.finish(with: issued, attributes: attributes, nonce: 2)
    }

    // MARK: Requests

    static let disclosure = SessionRequest(.disclosing, disclose: [[["demo.bank.card.name"]]])
    static let signature = SessionRequest(.signing(message: "a"), disclose: [[["demo.bank.card.name"]]])
    static let issuance = SessionRequest(
        .issuing([CredentialRequest(card, attributes: ["name": "Bob", "level": "1"])])
    )
    static let requests = [disclosure, signature, issuance]

    // MARK: The server

    /// A server that is the authority of the pass too.
    func server(at time: @escaping @Sendable () -> Date) throws -> SessionServer {
        let clock = SessionClock(now: time, timer: ManualClock())
        let authority = RevocationAuthorityService(
            roles: [Self.pass: [.server, .authority]],
            records: InMemoryRevocationRecords(),
            issuerKeys: material.issuerKeys,
            clock: clock
        )
        var options = SessionServerOptions(mode: .development, minimumVersion: .v2_4)
        options.offersEventStreams = false
        return try SessionServer(
            url: "https://shop.example/irma/",
            material: material,
            requestors: .unauthenticated(permissions: .all),
            options: options,
            services: SessionServices(
                revocationAuthority: authority,
                clock: clock,
                using: FuzzKeys.randomness(81)
            )
        )
    }

    // MARK: The holder

    /// The proofs that answer a request for the name on the card.
    func proofs(for request: SessionRequest) throws -> IdemixProofList {
        let builder = IdemixProofListBuilder(using: FuzzKeys.randomness(82))
        try builder.add(IdemixDisclosureRequest(holding, disclosing: [2]))
        return try builder.prove(challenge: request.parameters.challenge())
    }

    /// The commitment that answers a request to issue the card.
    func commitments(for request: SessionRequest) throws -> IdemixProofList {
        let builder = IdemixProofListBuilder(using: FuzzKeys.randomness(83))
        for _ in request.credentials {
            _ = try builder.addIssuance(publicKey: keys.publicKey, secretKey: secretKey)
        }
        return try builder.prove(challenge: request.parameters.challenge())
    }
}

/// The time of a run, which a script advances.
final class FuzzTime: Sendable {
    private let current = Mutex(FuzzKeys.time)

    var now: Date { current.withLock { $0 } }

    func advance(by seconds: TimeInterval) {
        current.withLock { $0 += seconds }
    }
}

/// An engine that a script calls.
struct FuzzedEngine: Sendable {
    let engine: any HTTPEngine
    /// A short form of the answer's error, which must be a documented one.
    let errorName: @Sendable (_ path: String, _ status: Int, _ body: [UInt8]) -> RemoteError.Name?

    /// Sends a request; a path that no header can hold is not sent.
    func response(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ fields: HTTPFields = [:],
        _ body: [UInt8] = []
    ) async -> (status: Int, body: [UInt8]) {
        let head = HTTPRequest(
            method: method,
            scheme: "https",
            authority: "shop.example",
            path: path,
            headerFields: fields
        )
        let response = await engine.response(to: ServerRequest(head: head, body: ServerRequestBody(bytes: body)))
        let (status, bytes) = (response.status.code, response.body.bytesIfReady ?? [])
        guard status >= 400, method != .head else { return (status, bytes) }
        let name = errorName(path, status, bytes)
        FuzzTarget.require(name != nil, "\(method) \(path): \(status) without an error")
        FuzzTarget.require(name != .internalError, "\(method) \(path): a fault of the server")
        FuzzTarget.require(bytes.count < 8192, "\(method) \(path): an error of \(bytes.count) bytes")
        return (status, bytes)
    }
}

extension HTTPFields {
    /// A field, unless no header can hold it.
    mutating func set(_ name: String, _ value: String) {
        guard let name = HTTPField.Name(name), HTTPField.isValidValue(value) else { return }
        self[name] = value
    }
}

extension JSONValue {
    /// The value, with changes where the script's next byte asks for them.
    func perhapsEdited(by script: inout FuzzScript) -> JSONValue {
        script.byte() < 160 ? self : edited(by: &script)
    }
}
