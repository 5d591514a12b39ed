import CredentialServing
import Foundation
import HTTPTypes
import JSONKit
import Synchronization
import TestSupport
import Testing

@testable import OID4VPVerifier

/// Every endpoint with calls that no honest peer makes: each is answered as the description of the endpoints says, and leaves the
/// transaction as it was.
struct HostileCallTests {
    /// A body with its content type.
    struct Attack: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let body: [UInt8]
        let type: String

        static let form = "application/x-www-form-urlencoded"

        private init(_ name: String, _ body: [UInt8], _ type: String) {
            testDescription = name
            self.body = body
            self.type = type
        }

        private init(_ name: String, _ text: String, _ type: String) {
            self.init(name, Array(text.utf8), type)
        }

        private static func repeated(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

        private static let nested = repeated("[", 100_000) + repeated("]", 100_000)
        private static let nestedObjects = repeated("{\"a\":", 50_000) + "1" + repeated("}", 50_000)

        static let all: [Attack] = [
            Attack("nothing of a form", [0x00, 0xff, 0xfe, 0x80, 0x0a], form),
            Attack("bytes that are not UTF-8", Array("vp_token=".utf8) + [0xc3, 0x28], form),
            Attack("half an escape", "vp_token=%4", form),
            Attack("an escape without digits", "vp_token=%zz&state=%", form),
            Attack("bytes that are not UTF-8, escaped", "vp_token=%c3%28&wallet_nonce=%ff", form),
            Attack("a parameter twice", "vp_token=1&vp_token=1&wallet_nonce=1&wallet_nonce=1", form),
            Attack("a parameter twice, escaped", "vp_token=1&v%70_token=1&wallet_nonce=1&wallet%5Fnonce=1", form),
            Attack("a member twice", "vp_token={\"a\":[\"x\"],\"a\":[\"y\"]}&wallet_metadata={\"a\":1,\"a\":1}", form),
            Attack(
                "a member twice, escaped",
                "vp_token={\"a\":[],\"\\u0061\":[]}&wallet_metadata={\"a\":1,\"\\u0061\":1}",
                form
            ),
            Attack("nested arrays", "vp_token=\(nested)&wallet_metadata=\(nested)", form),
            Attack("nested objects", "vp_token=\(nestedObjects)&wallet_metadata=\(nestedObjects)", form),
            Attack("many parameters", repeated("a=1&", 10_000) + "a=1", form),
            Attack("many names", (0..<10_000).map { "p\($0)=1" }.joined(separator: "&"), form),
            Attack("dots", "response=" + repeated(".", 100_000) + "&wallet_metadata=" + repeated(".", 100_000), form),
            Attack("10 MB of a form", "response=" + repeated("a", 10_000_000), form),
            Attack("10 MB of brackets", repeated("[", 10_000_000), "application/json"),
            Attack("nested arrays in JSON", nested, "application/json"),
            Attack("nested objects in JSON", nestedObjects, "application/json"),
            Attack(
                "a member twice in JSON",
                "{\"response_code\":\"a\",\"response_code\":\"b\",\"data\":{},\"data\":{}}",
                "application/json"
            ),
            Attack("half of JSON", "{\"origin\":\"https://shop.example\",\"data\":{", "application/json"),
            Attack("JSON that is not UTF-8", [0x22, 0xff, 0x22], "application/json"),
            Attack("a number of JSON", "1e999999999", "application/json"),
            Attack("another content type", "vp_token=x", "text/plain"),
            Attack("a malformed content type", "vp_token=x", ";;/=\"\u{7f}"),
        ]
    }

    /// An endpoint that takes a body.
    enum Endpoint: String, CaseIterable {
        case startTransaction, takeResult, answerWithDigitalCredential, fetchRequestByPost, respond,
            respondToCommonAddress
    }

    private let document: OpenAPIDocument
    private let operations: [String: OpenAPIDocument.Operation]

    init() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        document = try OpenAPIDocument(atPath: folder.appending(path: "../../../openapi.yaml").standardized.path)
        operations = document.operations
    }

    @Test func everyEndpointWithABodyIsHere() {
        let posts = operations.filter { $0.value.method == "POST" }.keys
        #expect(Set(posts) == Set(Endpoint.allCases.map(\.rawValue)))
    }

    private func call(
        _ name: String,
        _ token: String,
        of world: EngineWorld,
        _ attack: Attack
    ) async throws -> InMemoryResponse {
        let operation = try #require(operations[name])
        var fields: HTTPFields = [.authorization: "Bearer " + EngineWorld.token]
        fields[.contentType] = attack.type
        let response = try await world.http.response(
            to: InMemoryRequest(
                try #require(HTTPRequest.Method(operation.method)),
                operation.path.replacing("{token}", with: token),
                headerFields: fields,
                body: attack.body
            )
        )
        let faults = document.faults(
            in: response.body,
            contentType: response.headerFields[.contentType],
            status: response.status.code,
            of: operation
        )
        #expect(faults.isEmpty, "\(name), \(attack.testDescription): \(faults) \(response.text)")
        return response
    }

    @Test(arguments: Endpoint.allCases, Attack.all)
    func bodies(endpoint: Endpoint, attack: Attack) async throws {
        let world = try EngineWorld()
        let isPlatform = endpoint == .answerWithDigitalCredential
        let transaction = try await world.begin(isPlatform ? #""form": "digital_credentials""# : "")
        let isWallets = endpoint == .fetchRequestByPost || endpoint == .respond
        let token = isWallets ? String(transaction.requestPath.split(separator: "/").last ?? "") : transaction.id
        let response = try await call(endpoint.rawValue, token, of: world, attack)
        // What is in a body counts for nothing before its end: a transaction without an end has no result.
        let codes: Set<TransactionError.Code> = [.invalidRequest, .tooLarge, .refusedResponse, .notEnded]
        let statuses = Set(codes.map(\.status))
        #expect(statuses.contains(response.status), "\(response.text)")
        #expect(try await transaction.status() == "created")
        #expect(world.party.verifications.withLock { $0 } == 0)
        // It takes the right answer afterwards.
        guard !isPlatform else { return }
        #expect(try await transaction.answer().status == .ok)
    }

    // MARK: Names

    /// Tokens that are none, or those of another kind.
    @Test(arguments: [
        "..", "%2e%2e%2fkeys", "%00", "a%2Fb", "%", "AAAAAAAAAAAAAAAAAAAAA", "AAAAAAAAAAAAAAAAAAAAAAA", "🦊",
        "AAAAAAAAAAAAAAAAAAAAA=", "AAAAAAAAAAAAAAAAAAAAA\u{301}", String(repeating: "A", count: 100_000),
    ])
    func malformedTokens(token: String) async throws {
        let world = try EngineWorld()
        let transaction = try await world.begin()
        for (name, operation) in operations where operation.path.contains("{token}") {
            var fields: HTTPFields = [.authorization: "Bearer " + EngineWorld.token]
            if operation.method == "POST" { fields[.contentType] = Attack.form }
            let response = try await world.http.response(
                to: InMemoryRequest(
                    try #require(HTTPRequest.Method(operation.method)),
                    operation.path.replacing("{token}", with: token),
                    headerFields: fields,
                    body: []
                )
            )
            let refusals: [HTTPResponse.Status] = [.notFound, .badRequest, .uriTooLong]
            #expect(refusals.contains(response.status), "\(name): \(response.status) \(response.text)")
        }
        #expect(try await transaction.status() == "created")
    }

    // MARK: Order

    /// A response before the request was fetched is one to an open transaction: links by value are never fetched.
    @Test func aResponseBeforeTheFetch() async throws {
        let world = try EngineWorld()
        let transaction = try await world.begin()
        let state = try #require(try await world.server.record(.requestor(transaction.id)).state)
        let form = TestTransaction.form("good", state: state)
        #expect(try await transaction.post(transaction.responsePath, form).status == .ok)
        #expect(try await transaction.events() == ["created", "response_received", "verified"])
    }

    @Test func everythingAfterTheEnd() async throws {
        let world = try EngineWorld()
        let transaction = try await world.begin()
        let form = TestTransaction.form("good", state: try await transaction.state())
        try expectRefusal(.notEnded, try await transaction.result())
        #expect(try await transaction.post(transaction.responsePath, form).status == .ok)
        let other = form + "&n=2"
        for _ in 0..<2 {
            try expectRefusal(.refusedResponse, try await transaction.post(transaction.responsePath, other))
            try expectRefusal(.refusedResponse, try await transaction.post("/oid4vp/response", other))
            try expectRefusal(.unknownRequest, try await transaction.fetch())
            try expectRefusal(.unknownRequest, try await transaction.post(transaction.requestPath, "wallet_nonce=n"))
            #expect(try await world.call(.delete, transaction.path).status == .noContent)
            #expect(try await transaction.status() == "verified")
        }
        #expect(try await transaction.result().status == .ok)
        try expectRefusal(.alreadyFetched, try await transaction.result())
        #expect(world.party.verifications.withLock { $0 } == 1)
    }

    /// The requestor gave up while the wallet answered.
    @Test func aResponseAfterTheCancellation() async throws {
        let world = try EngineWorld()
        let transaction = try await world.begin()
        let form = TestTransaction.form("good", state: try await transaction.state())
        #expect(try await world.call(.delete, transaction.path).status == .noContent)
        try expectRefusal(.refusedResponse, try await transaction.post(transaction.responsePath, form))
        try expectRefusal(.unknownRequest, try await transaction.fetch())
        #expect(try await transaction.result().json()["status"] == "cancelled")
        #expect(world.party.verifications.withLock { $0 } == 0)
    }

    /// The answer of the Digital Credentials API twice.
    @Test func aSecondDigitalCredential() async throws {
        let world = try EngineWorld()
        let transaction = try await world.begin(#""form": "digital_credentials""#)
        let body = #"{"origin": "https://shop.example", "data": {"vp_token": {"pid": ["good"]}}}"#
        let path = transaction.path + "/digital-credential"
        #expect(try await world.call(.post, path, body).status == .ok)
        try expectRefusal(.alreadyEnded, try await world.call(.post, path, body))
        #expect(world.party.verifications.withLock { $0 } == 1)
    }
}
