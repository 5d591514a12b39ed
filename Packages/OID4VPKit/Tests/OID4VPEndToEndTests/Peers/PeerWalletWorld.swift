import CredentialServing
import CredentialTesting
import CryptoCore
import Foundation
import HTTPTypes
import JOSEKit
import JSONKit
import LinkedDataKit
import MdocKit
import OID4VPMessages
import OID4VPTesting
import OID4VPVerifier
import SDJWTKit
import TestSupport

/// The peer's wallet with credentials of its own making, and a server of transactions that trusts their issuers.
struct PeerWalletWorld: Sendable {
    static let shared = Task { try await PeerWalletWorld() }

    let server: TransactionServer
    private let peer: PythonPeer
    private let http: InMemoryServer

    /// The clients that the peer's wallet knows.
    static let clients: [Combination.Client] = [.redirectURI, .did, .x509SANDNS, .x509Hash]

    init() async throws {
        let scene = try await EndToEndScene(at: Date())
        peer = try await PythonPeer()
        let issuers = try await peer.run([
            "do": "make_wallet",
            "anchors": [.string(scene.root.certificate.derBytes.hex)],
            "signer": .string(scene.pki.documentSigner.derBytes.hex),
            "signer_key": .string(scene.pki.documentSignerKey.pkcs8.withUnsafeBytes { [UInt8]($0) }.hex),
        ])
        let issuer = try JWK(json: issuers["issuer"] ?? .null)
        let verifiers = FormatVerifiers(
            mdoc: MdocVerifier(trustAnchors: [TrustAnchor(scene.pki.iaca.certificate)]),
            sdJWT: SDJWTVerifier(
                policy: .credential(algorithms: [.es256]),
                issuerKeys: KnownIssuerKeys(try issuer.publicKey())
            ),
            w3c: W3CCredentialVerifier(
                policy: EndToEndScene.credentialPolicy,
                trust: .issuers([ExactText(issuers["issuer_did"]?.stringValue ?? "")])
            )
        )
        var parties: [String: ServedRelyingParty] = [:]
        for client in Self.clients {
            let combination = Combination(
                client: client,
                mode: .directPost,
                delivery: client == .redirectURI ? .unsignedValue : .post,
                format: .sdJWT
            )
            parties[client.rawValue] = ServedRelyingParty(try scene.relyingParty(combination, trusting: verifiers))
        }
        // Deadlines never come: a busy machine does not decide about a test.
        let clock = SessionClock(now: { Date() }, timer: ManualClock())
        server = try TransactionServer(
            url: EndToEndScene.origin + "/oid4vp",
            relyingParties: parties,
            services: TransactionServices(clock: clock)
        )
        http = InMemoryServer(try server.engine())
    }

    /// The peer's wallet answers a transaction.
    ///
    /// - Parameters:
    ///   - transaction: The transaction.
    ///   - members: Further members of the task: `fetches` and `posts`, the numbers of calls, and `nonce`, the nonce in place of
    ///     the request's.
    /// - Returns: The server's answers to the posted responses.
    func answer(_ transaction: StartedTransaction, _ members: JSONObject = [:]) async throws -> [JSONValue] {
        var task = members
        task["do"] = "answer"
        task["link"] = .string(transaction.qrText ?? "")
        let http = http
        let answer = try await peer.run(.object(task)) { call in
            let path = (call["url"]?.stringValue ?? "").dropFirst(EndToEndScene.origin.count)
            var fields: HTTPFields = [:]
            for (name, value) in call["headers"]?.objectValue ?? [:] {
                if let name = HTTPField.Name(name) { fields[name] = value.stringValue }
            }
            let method: HTTPRequest.Method = call["method"] == "POST" ? .post : .get
            let body = Array((call["body"]?.stringValue ?? "").utf8)
            let response = try await http.response(
                to: InMemoryRequest(method, String(path), headerFields: fields, body: body)
            )
            return [
                "status": .integer(Int64(response.status.code)),
                "type": .string(response.headerFields[.contentType] ?? ""),
                "body": .string(String(decoding: response.body, as: UTF8.self)),
            ]
        }
        return answer["answers"]?.arrayValue ?? []
    }

    /// A query for one claim of each format, named after the format.
    static func query(_ formats: [CredentialFormat]) throws -> DCQLQuery {
        let queries = try formats.map { format in
            let combination = Combination(client: .did, mode: .directPost, delivery: .post, format: format)
            var query = try combination.dcql().json["credentials"]?[0]?.objectValue ?? [:]
            query["id"] = .string(format.text.filter { $0 != "+" })
            return JSONValue.object(query)
        }
        return try DCQLQuery(json: ["credentials": .array(queries)])
    }
}
