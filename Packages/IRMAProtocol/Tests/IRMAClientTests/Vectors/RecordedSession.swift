import CredentialTransport
import CryptoCore
import Foundation
import HTTPTypes
import IRMAMessages
import IdemixCore
import JOSEKit
import JSONKit
import Synchronization
import TestSupport
import Testing

@testable import IRMAClient

extension JSONValue {
    /// The elements of an array, or none.
    var list: [JSONValue] { arrayValue ?? [] }

    /// The member with a name, or null.
    func member(_ name: String) -> JSONValue { self[name] ?? .null }

    /// The text of a string, or the empty text.
    var text: String { stringValue ?? "" }

    /// The integer in decimal text.
    func decimalInteger() throws -> BigInteger { try #require(BigInteger(decimal: text)) }

    /// The value with every string, number and Boolean replaced by its kind.
    var shape: JSONValue {
        switch self {
        case .object(let members): .object(JSONObject(members.map { ($0.name, $0.value.shape) }))
        case .array(let elements): .array(elements.map(\.shape))
        default: .string("\(kind)")
        }
    }
}

/// The recorded sessions of the reference wallet.
enum Recorded {
    static let set = VectorSet("irma")

    static let files = set.files(withExtension: "json").filter { !$0.path.hasPrefix("irma_configuration/") }

    static func schemes() async throws -> SchemeSnapshot {
        let url = try #require(set.url).appendingPathComponent("irma_configuration", isDirectory: true)
        return try await SchemeDirectory(opening: url).snapshot()
    }

    /// The key of a credential: its hash, which leaves the secret key out, and the key of its holder.
    static func key(_ hash: String, of recording: JSONValue) -> String {
        hash + " of " + recording.member("wallet").member("secretKey").text
    }

    /// Every credential of the recordings by its key, as JSON.
    static let credentials: [String: JSONValue] = {
        var found: [String: JSONValue] = [:]
        for file in files {
            guard let bytes = try? file.bytes(), let json = try? JSONValue(parsing: bytes) else { continue }
            for name in ["newCredentials", "usedCredentials"] {
                for credential in json.member("wallet").member(name).list where credential["signature"] != nil {
                    found[key(credential.member("hash").text, of: json)] = credential
                }
            }
        }
        return found
    }()
}

/// Random bytes that a test prescribes for some draws, known by their number.
final class ScriptedRandomSource: RandomSource {
    private let script: Mutex<[Int: [[UInt8]?]]>

    /// Bytes by the size of the draw, in the order of the draws; `nil` leaves a draw to the system.
    init(_ script: [Int: [[UInt8]?]]) {
        self.script = Mutex(script)
    }

    func bytes(_ count: Int) -> [UInt8] {
        let prescribed = script.withLock { script -> [UInt8]? in
            guard script[count]?.isEmpty == false else { return nil }
            return script[count]?.removeFirst()
        }
        return prescribed ?? SystemRandomSource().bytes(count)
    }
}

/// A server that gives the recorded answers in their order.
///
/// Answers that depend on the wallet's own random numbers are made anew, with the same content: a keyshare server's for the
/// challenge, and a timestamp for the proofs.
final class RecordedServer: Sendable {
    struct Exchange: Sendable {
        let role: String
        let method: String
        let url: String
        let request: JSONValue
        let header: JSONValue
        let status: Int
        let response: JSONValue
        let responseText: String?

        init(_ json: JSONValue) {
            role = json.member("role").text
            method = json.member("method").text
            url = json.member("url").text
            request = json.member("requestBody")
            header = json.member("requestHeaders")
            status = (try? json.member("status").numberValue?.integer(as: Int.self)) ?? 200
            response = json.member("responseBody")
            responseText = json["responseText"]?.stringValue
        }

        var isOfWallet: Bool { role.hasPrefix("wallet") }
    }

    private let expected: Mutex<[Exchange]>
    private let faults = Mutex<[String]>([])
    private let comparesBodies: Bool
    let keyshareKey: PrivateKey
    private let timestampKey: PrivateKey

    init(_ exchanges: [Exchange], comparesBodies: Bool, keyshareKey: PrivateKey) throws {
        expected = Mutex(exchanges)
        self.comparesBodies = comparesBodies
        self.keyshareKey = keyshareKey
        timestampKey = try PrivateKey.generate(.ed25519)
    }

    /// The deviations of the wallet from the reference.
    var deviations: [String] { faults.withLock { $0 } + expected.withLock { $0.map { "not asked: \($0.url)" } } }

    func transport() -> InMemoryHTTPTransport {
        let open = AddressGuard(allowing: [.loopback], literalAddresses: true, plainHTTP: true, ports: .any)
        return InMemoryHTTPTransport(addressGuard: open) { request throws(TransportError) in
            do {
                return try await self.answer(request)
            } catch {
                throw TransportError(.exchangeFailed, "\(error)")
            }
        }
    }

    private func answer(_ request: HTTPTransportRequest) async throws -> InMemoryHTTPAnswer {
        // The reference has no events in these recordings, and asks at once.
        guard !request.url.path.hasSuffix("/statusevents") else { return InMemoryHTTPAnswer(status: 404) }
        let next = expected.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        guard let next, next.method == request.method.rawValue, same(next.url, request.url.description) else {
            faults.withLock { $0.append("\(request) instead of \(next?.method ?? "") \(next?.url ?? "nothing")") }
            return InMemoryHTTPAnswer(status: 500)
        }
        let body = (try? JSONValue(parsing: request.body)) ?? .null
        if comparesBodies, body.shape != next.request.shape, !next.request.isNull {
            faults.withLock { $0.append("\(next.url): \(body.shape) instead of \(next.request.shape)") }
        }
        for name in ["X-Irma-Minprotocolversion", "X-Irma-Maxprotocolversion"] {
            guard let value = next.header[name]?.stringValue, let field = HTTPField.Name(name),
                request.headerFields[field] != value
            else { continue }
            faults.withLock { $0.append("\(next.url): \(name) is not \(value)") }
        }
        var text = next.responseText ?? next.response.text()
        if next.url.hasSuffix("getResponse") { text = try await keyshareToken(next, body) }
        if next.role == "wallet-timestamp" { text = try timestamp(next, body) }
        if next.response.isNull, next.responseText == nil, !next.url.hasSuffix("getResponse") { text = "" }
        return InMemoryHTTPAnswer(
            status: next.status,
            headerFields: [.contentType: "application/json"],
            body: Array(text.utf8)
        )
    }

    private func same(_ recorded: String, _ asked: String) -> Bool {
        recorded == asked || recorded + "/" == asked || recorded == asked + "/"
    }

    /// The recorded token, for the challenge that this wallet sent.
    private func keyshareToken(_ exchange: Exchange, _ challenge: JSONValue) async throws -> String {
        let recorded = exchange.responseText ?? exchange.response.text
        let payload = try JWT(compact: recorded).jws.unverifiedPayload
        let claims = try JSONValue(parsing: try #require(payload))
        var proof = try #require(claims.member("ProofP").objectValue)
        proof["c"] = challenge
        var members = try #require(claims.objectValue)
        members["ProofP"] = .object(proof)
        let signer = try SoftwareSigner(keyshareKey, algorithm: .rsaPKCS1SHA256)
        return try await JWT.sign(JWTClaims(members), header: ["typ": "JWT", "kid": "0"], with: signer)
            .compactSerialization()
    }

    /// The recorded timestamp, over the nonce that this wallet sent.
    private func timestamp(_ exchange: Exchange, _ body: JSONValue) throws -> String {
        let nonce = try TimestampRequest(json: body).nonce
        var response = try TimestampResponse(json: exchange.response)
        var stamp = try #require(response.stamp)
        let signer = try SoftwareSigner(timestampKey)
        stamp.signature.publicKey = try #require(timestampKey.publicKey.rawRepresentation)
        stamp.signature.data = try signer.signature(for: stamp.signedBytes(nonce: nonce))
        response.stamp = stamp
        return try response.json().text()
    }
}
