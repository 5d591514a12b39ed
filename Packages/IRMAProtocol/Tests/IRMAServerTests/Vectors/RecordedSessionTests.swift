import CredentialServing
import CredentialTransport
import CryptoCore
import Foundation
import HTTPTypes
import IRMAServer
import IdemixCore
import JOSEKit
import JSONKit
import Synchronization
import TestSupport
import Testing

/// The server driven with the recorded messages of requestors, frontends and wallets: same statuses, same JSON.
@Suite(.enabled(if: VectorSet("irma").isAvailable, VectorSet.absence))
struct RecordedSessionTests {
    @Test(arguments: RecordedSession.files)
    func answersAsRecorded(file: VectorFile) async throws {
        guard let session = try await RecordedSession(file) else {
            return file.report(ran: 0, passedOver: [(file.path, "has no exchange with a session server")])
        }
        let replay = try session.replay(minimumVersion: .v2_4)
        for exchange in session.exchanges { try await replay.check(exchange) }
        file.report(ran: replay.count, passedOver: session.passedOver)
        #expect(replay.count > 0)
    }

    @Test(arguments: RecordedSession.files.filter { $0.path.contains("legacy-protocol/") })
    func refusesOlderVersionsByDefault(file: VectorFile) async throws {
        let session = try #require(await RecordedSession(file))
        let replay = try session.replay(minimumVersion: .v2_8)
        for exchange in session.exchanges {
            let response = try await replay.response(to: exchange)
            guard exchange.isFirstOfWallet else { continue }
            #expect(response.status.code == 400)
            #expect(try JSONValue(parsing: response.body).member("error") == "PROTOCOL_VERSION")
            let token = try #require(session.results.first?.member("token").stringValue)
            #expect(try await replay.server.status(of: token) == .cancelled)
            break
        }
        file.report(ran: 1)
    }
}

/// A recorded exchange with a session server.
struct SessionExchange {
    let json: JSONValue

    var role: String { json.member("role").stringValue ?? "" }
    var path: String {
        (json.member("url").stringValue ?? "").split(separator: "/").dropFirst(2).joined(separator: "/")
    }
    var isFirstOfWallet: Bool { role == "wallet" && path.split(separator: "/").count == 3 && method == .get }
    var method: HTTPRequest.Method { HTTPRequest.Method(json.member("method").stringValue ?? "") ?? .get }
    var status: Int { json.member("status").numberValue.flatMap { try? $0.integer(as: Int.self) } ?? 0 }
    var requestBody: [UInt8] {
        if let body = json["requestBody"], !body.isNull { return body.encoded() }
        return Array((json.member("requestText").stringValue ?? "").utf8)
    }

    /// The request, whose path has the slash at its end that wallets write.
    var request: InMemoryRequest {
        var fields = HTTPFields()
        for (name, value) in json.member("requestHeaders").objectValue ?? JSONObject() {
            guard let name = HTTPField.Name(name), let value = value.stringValue else { continue }
            fields[name] = value
        }
        let isRoot = json.member("url").stringValue?.hasSuffix("/") == true
        return InMemoryRequest(method, "/" + path + (isRoot ? "/" : ""), headerFields: fields, body: requestBody)
    }
}

/// One recorded session, or a chain of them.
struct RecordedSession {
    static let set = VectorSet("irma")
    static let files = set.files(withExtension: "json").filter { !$0.path.hasPrefix("irma_configuration/") }

    let json: JSONValue
    let material: ServerMaterial
    let exchanges: [SessionExchange]
    let passedOver: [(name: String, reason: String)]

    var results: [JSONValue] { json.member("sessionResults").list }

    init?(_ file: VectorFile) async throws {
        json = try JSONValue(parsing: file.bytes())
        let all = json.member("exchanges").list.map { SessionExchange(json: $0) }
        exchanges = all.filter { ["requestor", "frontend", "wallet"].contains($0.role) }
        guard !exchanges.isEmpty else { return nil }
        let others = Dictionary(grouping: all.map(\.role).filter { $0.hasPrefix("wallet-") }) { $0 }
        passedOver = others.sorted { $0.key < $1.key }.map { ("\($1.count) of \($0)", "with another server") }
        material = try await Self.material.value
    }

    static let material = Task {
        let root = try #require(set.url)
        let folder = root.appendingPathComponent("irma_configuration", isDirectory: true)
        let schemes = try await SchemeDirectory(opening: folder).snapshot()
        var keys = IssuerKeyRing()
        try keys.add(schemesFolder: folder, schemes: schemes)
        try keys.add(folder: root.appendingPathComponent("privatekeys"), schemes: schemes)
        return ServerMaterial(schemes: schemes, issuerKeys: keys)
    }

    static func bytes(_ path: String) throws -> [UInt8] { try #require(set.file(path)).bytes() }
    static func text(_ path: String) throws -> String { String(decoding: try bytes(path), as: UTF8.self) }

    /// A server with the recorded tokens, nonces, keys and time.
    func replay(minimumVersion: ProtocolVersion) throws -> Replay {
        let authority = try #require(json.member("exchanges").list.first?.member("url").stringValue)
            .split(separator: "/")[1]
        let created = try Date(#require(json.member("created").stringValue), strategy: .iso8601)
        let time = TestTime(created)
        var options = SessionServerOptions(mode: .development, minimumVersion: minimumVersion)
        options.augmentsReturnURLs = true
        let signer = try SoftwareSigner(
            PrivateKey(pem: Self.text("jwtkeys/sk.pem")),
            algorithm: .rsaPKCS1SHA256
        )
        let services = SessionServices(
            resultSigner: signer,
            transport: callbacks,
            timestampKeys: TrustedTimestampKeys(try timestampKeys()),
            revocation: RecordedUpdates(sessions: json.member("irmaSessions").list),
            revocationAuthority: RevocationAuthorityService(
                roles: ["irma-demo.MijnOverheid.root": [.server, .authority]],
                records: InMemoryRevocationRecords(),
                issuerKeys: material.issuerKeys,
                clock: time.sessionClock
            ),
            clock: time.sessionClock,
            using: try randomness()
        )
        let server = try SessionServer(
            url: "http://\(authority)/irma/",
            material: material,
            requestors: authority.hasSuffix("48682")
                ? try Self.requestors() : .unauthenticated(permissions: .all, requiresPrivateKeys: false),
            options: options,
            services: services
        )
        return Replay(server: server, http: InMemoryServer(try server.engine()), time: time, session: self)
    }

    /// The requestors of the server that demands authentication.
    private static func requestors() throws -> RequestorRegistry {
        let key = try JSONBase64.base64.decode(text("jwtkeys/requestor3.b64").trimmingCharacters(in: .newlines))
        return RequestorRegistry(
            [
                Requestor(
                    "requestor1",
                    authentication: .publicKey(try PublicKey(pem: text("jwtkeys/requestor1.pem"))),
                    permissions: .all
                ),
                Requestor(
                    "requestor2",
                    authentication: .token(SecretBytes(Array("xa6=*&9?8jeUu5>.f-%rVg`f63pHim".utf8))),
                    permissions: .all
                ),
                Requestor(
                    "requestor3",
                    authentication: .hmac(SecretBytes(key), allowsShortKey: true),
                    permissions: .all
                ),
                Requestor(
                    "requestor4",
                    authentication: .token(SecretBytes(Array("token-of-requestor-four".utf8))),
                    permissions: RequestorPermissions(disclose: ["irma-demo.MijnOverheid.*"])
                ),
            ]
        )
    }

    /// The tokens and nonces in the order in which sessions were started.
    private func randomness() throws -> ScriptedRandomness {
        var tokens: [String] = []
        let frontend = exchanges.first?.json.member("responseBody").member("frontendRequest").member("authorization")
        for (position, session) in json.member("irmaSessions").list.enumerated() {
            guard results.indices.contains(position) else { continue }
            tokens.append(try #require(results[position].member("token").stringValue))
            tokens.append(try #require(session.member("clientToken").stringValue))
            if position == 0 { tokens.append(try #require(frontend?.stringValue)) }
        }
        let codes = json.member("exchanges").list.compactMap {
            $0.member("responseBody").member("pairingCode").stringValue
        }
        let nonces = try json.member("irmaSessions").list.map { try $0.member("nonce").decimalInteger() }
        return ScriptedRandomness(tokens: tokens, codes: codes, nonces: nonces)
    }

    private func timestampKeys() throws -> TimestampKeys {
        var keys = TimestampKeys()
        for exchange in json.member("exchanges").list where exchange["role"] == "wallet-timestamp" {
            let stamp = try #require(TimestampResponse(json: exchange.member("responseBody")).stamp)
            keys.add(try TimestampKey(rawRepresentation: stamp.signature.publicKey), of: stamp.serverURL)
        }
        return keys
    }

    /// The requestor's answers to results.
    private var callbacks: InMemoryHTTPTransport {
        let answers = Dictionary(
            json.member("exchanges").list.filter { $0["role"] == "callback" }.map {
                ($0.member("url").stringValue ?? "", $0.member("responseBody").encoded())
            },
            uniquingKeysWith: { $1 }
        )
        return InMemoryHTTPTransport(addressGuard: AddressGuard(plainHTTP: true, ports: .any)) {
            request throws(TransportError) in
            guard let body = answers[request.url.description] else { return InMemoryHTTPAnswer(status: 404) }
            return .ok(body, type: .json)
        }
    }
}

/// The updates of accumulators that the recorded requests carry.
struct RecordedUpdates: RevocationUpdateSource {
    let sessions: [JSONValue]

    func updates(
        of type: CredentialTypeIdentifier,
        lastEvents count: Int,
        tolerance: UInt64?,
        schemes: SchemeSnapshot
    ) async throws(IRMAServerError) -> [UInt: RevocationUpdate] {
        for session in sessions {
            guard let json = session.member("request")["revocation"],
                let demands = try? NonRevocationDemands(json: json)
            else { continue }
            return demands[type]?.updates ?? [:]
        }
        throw IRMAServerError(.revocationFailed, "nothing was recorded")
    }
}

/// A server that answers recorded messages.
final class Replay: Sendable {
    let server: SessionServer
    private let http: InMemoryServer
    private let time: TestTime
    private let session: RecordedSession
    private let checked = Mutex(0)

    init(server: SessionServer, http: InMemoryServer, time: TestTime, session: RecordedSession) {
        self.server = server
        self.http = http
        self.time = time
        self.session = session
    }

    var count: Int { checked.withLock { $0 } }

    func response(to exchange: SessionExchange) async throws -> InMemoryResponse {
        try await http.response(to: exchange.request)
    }

    /// Sends a recorded request, and compares the answer with the recorded one.
    func check(_ exchange: SessionExchange) async throws {
        let response = try await response(to: exchange)
        let place: Comment =
            "\(exchange.role) \(exchange.path): \(String(decoding: response.body.prefix(300), as: UTF8.self))"
        #expect(response.status.code == exchange.status, place)
        let recordedType = exchange.json.member("responseHeaders").member("Content-Type").stringValue
        if let recordedType { #expect(response.headerFields[.contentType] == recordedType, place) }
        if let text = exchange.json["responseText"]?.stringValue {
            try compareTokens(String(decoding: response.body, as: UTF8.self), text, place)
        } else if let recorded = exchange.json["responseBody"], !recorded.isNull {
            try compare(try JSONValue(parsing: response.body), recorded, exchange, place)
        } else {
            #expect(response.body.isEmpty, place)
        }
        checked.withLock { $0 += 1 }
    }

    private func compare(
        _ own: JSONValue,
        _ recorded: JSONValue,
        _ exchange: SessionExchange,
        _ place: Comment
    ) throws {
        if exchange.status >= 400 {
            // The detail is for people; name, status and description are the protocol's.
            for name in ["status", "error", "description"] { #expect(own[name] == recorded[name], place) }
            #expect((own["message"] == nil) == (recorded["message"] == nil), place)
        } else if exchange.path.hasSuffix("commitments") {
            #expect(own.shape == recorded.shape, place)
            #expect(own["nextSession"] == recorded["nextSession"], place)
        } else {
            #expect(own.withoutMoment == recorded.withoutMoment, place)
        }
    }

    /// Compares tokens by their claims, of which the times are those of the replay.
    private func compareTokens(_ own: String, _ recorded: String, _ place: Comment) throws {
        var claims: [JSONObject] = []
        for text in [own, recorded] {
            let token = try JWT(compact: text)
            var object = try #require(JSONValue(parsing: token.jws.unverifiedPayload ?? []).objectValue)
            let issued = try #require(object["iat"]?.numberValue).integer(as: Int64.self)
            let expiry = try #require(object["exp"]?.numberValue).integer(as: Int64.self)
            #expect(expiry - issued == 120, place)
            (object["iat"], object["exp"]) = (nil, nil)
            claims.append(object)
        }
        #expect(JSONValue.object(claims[0]) == JSONValue.object(claims[1]), place)
    }
}

extension JSONValue {
    /// The same message with validities in whole hours, which follow from the moment of the start.
    fileprivate var withoutMoment: JSONValue {
        switch self {
        case .object(let object):
            var copy = JSONObject()
            for (name, value) in object {
                if name == "validity", let number = try? value.numberValue?.integer(as: Int64.self) {
                    copy[name] = .integer(number / 3600)
                } else {
                    copy[name] = value.withoutMoment
                }
            }
            return .object(copy)
        case .array(let elements): return .array(elements.map(\.withoutMoment))
        default: return self
        }
    }
}
