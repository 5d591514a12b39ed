import CredentialServing
import CredentialTransport
import Foundation
import HTTPTypes
import Harness
import JOSEKit
import JSONKit
import OID4VPMessages
import OID4VPVerifier

/// Calls to a server of transactions that cost a stranger little, beside JSONKit reading the JSON in them or as many bytes.
enum OID4VPHostileBenchmarks: LayerBenchmarks {
    static let layer = "OID4VPKit"

    /// A call that is refused.
    private struct Attack {
        let name: String
        /// The path, where `REQUEST` and `ID` stand for the names of the transaction.
        let path: String
        let type: String
        /// The JSON in the body; `nil` without one.
        var json: String?
        let body: (OID4VPHostileTransaction) throws -> [UInt8]
    }

    static func run(_ stopwatch: Stopwatch, report: (Figure) -> Void) async throws {
        let scene = try await OID4VPScene()
        let server = try scene.server()
        let http = InMemoryServer(try server.engine())
        var worst = (name: "", ratio: 0.0)
        for attack in try attacks() {
            let ratio = try await measure(attack, scene, server, http)
            if ProcessInfo.processInfo.environment["OID4VP_ATTACKS"] != nil { print("    \(attack.name): \(ratio)") }
            if ratio > worst.ratio { worst = (attack.name, ratio) }
        }
        report(
            Figure(
                layer: layer,
                name: "the dearest of \(try attacks().count) hostile calls (\(worst.name)) / JSONKit on its bytes",
                value: worst.ratio,
                bar: .atMost(3)
            )
        )
    }

    /// The CPU time of a call as a multiple of that of JSONKit: the median of calls in turn.
    private static func measure(
        _ attack: Attack,
        _ scene: OID4VPScene,
        _ server: TransactionServer,
        _ http: InMemoryServer
    ) async throws -> Double {
        var ratios: [Double] = []
        for round in 0..<12 {
            let transaction = try await OID4VPHostileTransaction(scene, server, http)
            let body = try attack.body(transaction)
            let path = attack.path.replacing("REQUEST", with: transaction.request)
                .replacing("ID", with: transaction.id)
            let json = HostileText.reference(for: Array((attack.json ?? "").utf8), count: body.count)
            var fields: HTTPFields = [.contentType: attack.type]
            fields[.authorization] = "Bearer " + OID4VPScene.token
            let request = InMemoryRequest(.post, path, headerFields: fields, body: body)
            let start = CPUClock.process.now
            let response = try await http.response(to: request)
            let middle = CPUClock.process.now
            blackHole(try HostileText.read(json))
            let end = CPUClock.process.now
            guard response.status.code >= 400 else { throw CocoaError(.coderInvalidValue) }
            if round > 1 { ratios.append((middle - start) / (end - middle)) }
        }
        return ratios.sorted()[ratios.count / 2]
    }

    // MARK: Bodies

    private static let form = "application/x-www-form-urlencoded"

    /// Texts that are large where they are read, below a limit of the server.
    private static func attacks() throws -> [Attack] {
        let limit = (1 << 20) - 512
        return try responses(limit) + metadata((64 << 10) - 512) + calls((256 << 10) - 512) + oversized()
    }

    private static func responses(_ limit: Int) throws -> [Attack] {
        let token: [(String, String)] = [
            ("nested arrays", HostileText.repeated("[", upTo: limit)),
            ("nested objects", HostileText.repeated("{\"a\":", upTo: limit)),
            ("presentations", "{\"pid\":[" + HostileText.repeated("\"x\",", upTo: limit) + "\"x\"]}"),
            ("members", "{" + HostileText.members(upTo: limit) + "}"),
            ("a member twice", "{\"pid\":[\"" + HostileText.repeated("x", upTo: limit) + "\"],\"pid\":[]}"),
            ("one text", "{\"pid\":[\"" + HostileText.repeated("x", upTo: limit) + "\"]}"),
            (
                "disclosures",
                "{\"pid\":[\"e30.e30.e30~" + HostileText.repeated("WyJhIiwiYiIsMV0~", upTo: limit) + "\"]}"
            ),
            ("a payload", "{\"pid\":[\"e30." + HostileText.repeated("eyJh", upTo: limit) + ".e30~\"]}"),
            ("escapes", "{\"pid\":[\"" + HostileText.repeated("\\u00e4", upTo: limit) + "\"]}"),
        ]
        var attacks = token.map { name, text in
            Attack(name: "vp_token: \(name)", path: "/oid4vp/response/REQUEST", type: form, json: text) { transaction in
                Array("state=\(transaction.state)&vp_token=\(text)".utf8)
            }
        }
        let texts: [(String, String)] = [
            ("percent signs", "vp_token=" + HostileText.repeated("%41", upTo: limit)),
            ("no JWE", "response=" + HostileText.repeated("a", upTo: limit)),
            ("dots", "response=" + HostileText.repeated(".", upTo: limit)),
            ("parameters", HostileText.repeated("a=1&", upTo: limit)),
            ("a long name", HostileText.repeated("a", upTo: limit) + "=1"),
        ]
        for (name, text) in texts {
            for path in ["/oid4vp/response/REQUEST", "/oid4vp/response"] {
                attacks.append(Attack(name: "\(path): \(name)", path: path, type: form) { _ in Array(text.utf8) })
            }
        }
        attacks.append(
            Attack(name: "a JWE of another message", path: "/oid4vp/response", type: form) { transaction in
                let text = try transaction.encrypted([UInt8](repeating: 0x41, count: limit * 3 / 4 - 1024))
                return Array("response=\(text)".utf8)
            }
        )
        attacks.append(
            Attack(name: "a JWE with many presentations", path: "/oid4vp/response", type: form) { transaction in
                let many = HostileText.repeated("\"x\",", upTo: limit * 3 / 4 - 4096)
                let content = "{\"state\":\"\(transaction.state)\",\"vp_token\":{\"pid\":[\(many)\"x\"]}}"
                return Array("response=\(try transaction.encrypted(Array(content.utf8)))".utf8)
            }
        )
        return attacks
    }

    private static func metadata(_ limit: Int) -> [Attack] {
        [
            ("nested arrays", HostileText.repeated("[", upTo: limit)),
            ("members", "{" + HostileText.members(upTo: limit) + "}"),
            (
                "formats",
                "{\"vp_formats_supported\":{" + HostileText.members(upTo: limit - 64, value: "{}") + "},\"x\":"
            ),
        ].map { name, text in
            Attack(name: "wallet_metadata: \(name)", path: "/oid4vp/request/REQUEST", type: form, json: text) { _ in
                Array("wallet_metadata=\(text)".utf8)
            }
        }
    }

    private static func calls(_ limit: Int) -> [Attack] {
        let query =
            "{\"dcql_query\":{\"credentials\":[" + HostileText.repeated("{\"id\":\"a\"},", upTo: limit) + "{}]}}"
        let texts: [(String, String)] = [
            ("nested arrays", HostileText.repeated("[", upTo: limit)),
            ("members", "{" + HostileText.members(upTo: limit) + "}"),
            ("queries", query),
        ]
        return texts.flatMap { name, text in
            ["/transactions", "/transactions/ID/result", "/transactions/ID/digital-credential"].map { path in
                Attack(name: "\(path): \(name)", path: path, type: "application/json", json: text) { _ in
                    Array(text.utf8)
                }
            }
        }
    }

    private static func oversized() -> [Attack] {
        let body = [UInt8](repeating: UInt8(ascii: "["), count: 10_000_000)
        return [
            "/transactions", "/transactions/ID/result", "/transactions/ID/digital-credential",
            "/oid4vp/request/REQUEST", "/oid4vp/response/REQUEST", "/oid4vp/response",
        ].map { path in
            Attack(name: "\(path): 10 MB", path: path, type: path.hasPrefix("/oid") ? form : "application/json") { _ in
                body
            }
        }
    }
}

/// An open transaction, as a stranger who saw its link knows it.
struct OID4VPHostileTransaction {
    let id: String
    let request: String
    let state: String
    private let key: JWK

    init(_ scene: OID4VPScene, _ server: TransactionServer, _ http: InMemoryServer) async throws {
        let transaction = try await server.start(TransactionRequest(of: "shop", for: try scene.query()))
        guard case .reference(let reference) = try AuthorizationRequest(url: transaction.qrText ?? "").form else {
            throw CocoaError(.coderInvalidValue)
        }
        let object = try await http.response(to: .get(reference.url.path)).body
        let parameters = try scene.parameters(of: JWS(compact: object))
        id = transaction.id
        request = reference.url.path.split(separator: "/").last.map(String.init) ?? ""
        state = parameters["state"]?.stringValue ?? ""
        key = try JWK(json: parameters["client_metadata"]?["jwks"]?["keys"]?[0] ?? .null)
    }

    func encrypted(_ content: [UInt8]) throws -> String {
        try JWE.encrypt(content, to: .jwk(key, .ecdhES, for: .a256GCM), with: .a256GCM).compactSerialization()
    }
}
