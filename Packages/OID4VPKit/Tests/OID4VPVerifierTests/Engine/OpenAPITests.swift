import CredentialServing
import CryptoCore
import Foundation
import HTTPTypes
import JSONKit
import TestSupport
import Testing

@testable import OID4VPVerifier

/// Every answer that the description of the endpoints names, from a server that gives it.
struct OpenAPITests {
    /// Calls of servers, and the operations and statuses that were seen.
    private final class Caller {
        let document: OpenAPIDocument
        private let operations: [String: OpenAPIDocument.Operation]
        private(set) var seen: Set<String> = []

        init() throws {
            let folder = URL(filePath: #filePath).deletingLastPathComponent()
            document = try OpenAPIDocument(atPath: folder.appending(path: "../../../openapi.yaml").standardized.path)
            operations = document.operations
        }

        /// Every operation with each of its statuses.
        var documented: Set<String> {
            Set(operations.flatMap { name, operation in operation.statuses.map { "\(name) \($0)" } })
        }

        /// Calls an operation, and expects a status and an answer as the document describes it.
        @discardableResult
        func call(
            _ name: String,
            _ token: String = "",
            of world: EngineWorld,
            authorization: String? = EngineWorld.token,
            _ body: String = "",
            type: String = "application/json",
            expecting status: Int,
            sourceLocation: SourceLocation = #_sourceLocation
        ) async throws -> InMemoryResponse {
            let operation = try #require(operations[name], sourceLocation: sourceLocation)
            let path = operation.path.replacing("{token}", with: token)
            var fields: HTTPFields = body.isEmpty ? [:] : [.contentType: type]
            fields[.authorization] = authorization.map { "Bearer " + $0 }
            let method = try #require(HTTPRequest.Method(operation.method))
            let request = InMemoryRequest(method, path, headerFields: fields, body: Array(body.utf8))
            let response: InMemoryResponse
            if name.hasSuffix("Events"), status == 200 {
                // The rest of a stream comes when something happens.
                let exchange = world.http.open(request)
                response = InMemoryResponse(head: try await exchange.head(), body: [])
                exchange.disconnect()
            } else {
                response = try await world.http.response(to: request)
            }
            #expect(response.status.code == status, "\(name): \(response.text)", sourceLocation: sourceLocation)
            let faults = document.faults(
                in: response.body,
                contentType: response.headerFields[.contentType],
                status: response.status.code,
                of: operation
            )
            #expect(faults.isEmpty, "\(name) \(status): \(faults) \(response.text)", sourceLocation: sourceLocation)
            seen.insert("\(name) \(response.status.code)")
            return response
        }

        /// Posts a form as a wallet does.
        @discardableResult
        func post(
            _ name: String,
            _ token: String = "",
            of world: EngineWorld,
            _ form: String,
            expecting status: Int,
            sourceLocation: SourceLocation = #_sourceLocation
        ) async throws -> InMemoryResponse {
            let type = "application/x-www-form-urlencoded"
            return try await call(
                name,
                token,
                of: world,
                authorization: nil,
                form,
                type: type,
                expecting: status,
                sourceLocation: sourceLocation
            )
        }
    }

    private static let unknown = "AAAAAAAAAAAAAAAAAAAAAA"
    private static let large = String(repeating: "x", count: 5000)

    @Test func everyAnswerIsAsDescribed() async throws {
        let caller = try Caller()
        let world = try EngineWorld()
        try await start(caller, world)
        try await follow(caller, world)
        try await takeResults(caller, world)
        try await answerFromThePlatform(caller, world)
        try await callWalletEndpoints(caller, world)
        #expect(caller.seen == caller.documented)
        #expect(caller.documented.count > 50)
    }

    private func small() throws -> EngineWorld {
        try EngineWorld {
            $0.options.maximumCallSize = 1000
            $0.options.maximumResponseSize = 1000
            $0.options.maximumWalletMetadataSize = 1000
        }
    }

    private func start(_ caller: Caller, _ world: EngineWorld) async throws {
        let wish = EngineWorld.wish()
        let bank = EngineWorld.wish(#""relying_party": "bank""#)
        let full = try EngineWorld { $0.options.maximumOpenTransactions = 1 }
        _ = try await full.begin()
        let closed = MemorySessionStore()
        await closed.close()
        let broken = try EngineWorld { $0.store = closed }
        try await caller.call("startTransaction", of: world, wish, expecting: 201)
        let platform = EngineWorld.wish(#""form": "digital_credentials""#)
        try await caller.call("startTransaction", of: world, platform, expecting: 201)
        try await caller.call("startTransaction", of: world, "{", expecting: 400)
        try await caller.call("startTransaction", of: world, authorization: nil, wish, expecting: 401)
        try await caller.call("startTransaction", of: world, bank, expecting: 403)
        let without = try EngineWorld()
        without.server.removeRelyingParty(named: "shop")
        try await caller.call("startTransaction", of: without, wish, expecting: 404)
        try await caller.call("startTransaction", of: small(), Self.large, expecting: 413)
        try await caller.call("startTransaction", of: full, wish, expecting: 429)
        try await caller.call(
            "startTransaction",
            of: world,
            EngineWorld.wish(#""intended_use": "fail""#),
            expecting: 500
        )
        try await caller.call("startTransaction", of: broken, wish, expecting: 503)
        let signer = try SoftwareSigner(PrivateKey.generate(.p256))
        try await caller.call("keys", of: try EngineWorld { $0.signer = signer }, expecting: 200)
        try await caller.call("keys", of: world, authorization: nil, expecting: 401)
        try await caller.call("keys", of: world, expecting: 501)
    }

    private func follow(_ caller: Caller, _ world: EngineWorld) async throws {
        let transaction = try await world.begin()
        let page = try #require(
            transaction.json["status_uri"]?.stringValue?.split(separator: "/").last.map(String.init)
        )
        for operation in ["transactionStatus", "transactionEvents", "transactionLog"] {
            try await caller.call(operation, transaction.id, of: world, expecting: 200)
            try await caller.call(operation, transaction.id, of: world, authorization: "x", expecting: 401)
            try await caller.call(operation, Self.unknown, of: world, expecting: 404)
        }
        for operation in ["pageStatus", "pageEvents"] {
            try await caller.call(operation, page, of: world, authorization: nil, expecting: 200)
            try await caller.call(operation, Self.unknown, of: world, authorization: nil, expecting: 404)
        }
        try await caller.call("cancelTransaction", transaction.id, of: world, authorization: "x", expecting: 401)
        try await caller.call("cancelTransaction", transaction.id, of: world, expecting: 204)
        try await caller.call("cancelTransaction", Self.unknown, of: world, expecting: 404)
        let damaged = try EngineWorld()
        let entry = try await damaged.begin()
        try await damaged.store.update(SessionKey(entry.id)) { $0.value = [] }
        try await caller.call("transactionStatus", entry.id, of: damaged, expecting: 500)
        await damaged.store.close()
        try await caller.call("transactionStatus", entry.id, of: damaged, expecting: 503)
    }

    private func takeResults(_ caller: Caller, _ world: EngineWorld) async throws {
        let transaction = try await world.begin(EngineWorld.redirect)
        try await caller.call("takeResult", transaction.id, of: world, expecting: 409)
        let code = try await transaction.answer().responseCode()
        try await caller.call("takeResult", transaction.id, of: world, "[]", expecting: 400)
        try await caller.call("takeResult", transaction.id, of: world, authorization: "x", expecting: 401)
        try await caller.call("takeResult", transaction.id, of: world, expecting: 403)
        try await caller.call("takeResult", Self.unknown, of: world, expecting: 404)
        try await caller.call("takeResult", transaction.id, of: world, Self.large, expecting: 413)
        let body = #"{"response_code": "\#(code)"}"#
        try await caller.call("takeResult", transaction.id, of: world, body, expecting: 200)
        try await caller.call("takeResult", transaction.id, of: world, body, expecting: 410)
        // The log has every kind of entry that these calls make.
        try await caller.call("transactionLog", transaction.id, of: world, expecting: 200)
        let failed = try await world.begin()
        try await failed.answer("bad")
        try await caller.call("takeResult", failed.id, of: world, expecting: 200)
    }

    private func answerFromThePlatform(_ caller: Caller, _ world: EngineWorld) async throws {
        let name = "answerWithDigitalCredential"
        let transaction = try await world.begin(#""form": "digital_credentials""#)
        let body = #"{"origin": "https://shop.example", "data": {"vp_token": {"pid": ["good"]}}}"#
        try await caller.call(name, transaction.id, of: world, "{}", expecting: 400)
        try await caller.call(name, transaction.id, of: world, authorization: "x", body, expecting: 401)
        try await caller.call(name, Self.unknown, of: world, body, expecting: 404)
        try await caller.call(name, transaction.id, of: world, body, expecting: 200)
        try await caller.call(name, transaction.id, of: world, body, expecting: 409)
        let small = try small()
        let other = try await small.begin(#""form": "digital_credentials""#)
        try await caller.call(name, other.id, of: small, Self.large, expecting: 413)
    }

    private func callWalletEndpoints(_ caller: Caller, _ world: EngineWorld) async throws {
        let transaction = try await world.begin()
        let token = try #require(transaction.requestPath.split(separator: "/").last.map(String.init))
        try await caller.call("fetchRequest", token, of: world, authorization: nil, expecting: 200)
        try await caller.call("fetchRequest", Self.unknown, of: world, authorization: nil, expecting: 404)
        try await caller.post("fetchRequestByPost", token, of: world, "wallet_nonce=1", expecting: 200)
        try await caller.post("fetchRequestByPost", token, of: world, "wallet_metadata=1", expecting: 400)
        try await caller.post("fetchRequestByPost", Self.unknown, of: world, "wallet_nonce=1", expecting: 404)
        try await caller.post("fetchRequestByPost", token, of: world, "wallet_nonce=unsigned", expecting: 500)
        let small = try small()
        try await caller.post("fetchRequestByPost", token, of: small, Self.large, expecting: 413)
        try await caller.post("respond", token, of: small, Self.large, expecting: 413)
        try await caller.post("respondToCommonAddress", of: small, Self.large, expecting: 413)
        try await caller.post("respond", token, of: world, "state=1", expecting: 400)
        try await caller.post("respondToCommonAddress", of: world, "state=1", expecting: 400)
        let form = TestTransaction.form("good", state: try await transaction.state())
        try await caller.post("respond", token, of: world, form, expecting: 200)
        let other = try await world.begin(EngineWorld.redirect)
        let second = TestTransaction.form("good", state: try await other.state())
        try await caller.post("respondToCommonAddress", of: world, second, expecting: 200)
    }
}
