import CredentialServing
import CryptoCore
import Foundation
import HTTPTypes
import IRMAMessages
import IdemixCore
import JSONKit
import Testing

@testable import IRMAServer

/// Bodies that a session's state, or its token, refuses before they are read; and bodies that cost much to read.
@Suite struct HostileStateTests {
    private static let wallet: HTTPFields = [.authorization: "wallet"]

    @Test func strangersBodiesAreNotRead() async throws {
        let world = try ServerWorld()
        let disclosing = world.wallet(try await world.start())
        let issuing = world.wallet(try await world.start(ServerScene.issuance(ServerScene.cardRequest)))
        for wallet in [disclosing, issuing] { _ = try await wallet.connect() }
        let stranger: HTTPFields = [.authorization: "stranger"]
        for path in [disclosing.path + "/proofs", issuing.path + "/commitments", disclosing.path + "/frontend/options"]
        {
            let (code, wasRead) = try await world.statusOfWatchedBody(path, stranger)
            #expect(code == 403 && !wasRead, "\(path)")
        }
        let unknown = "/irma/session/" + String(repeating: "a", count: 20)
        for path in [unknown + "/proofs", unknown + "/commitments", unknown + "/frontend/options"] {
            let (code, wasRead) = try await world.statusOfWatchedBody(path, Self.wallet)
            #expect(code == 400 && !wasRead, "\(path)")
        }
    }

    @Test func bodiesOutOfStateAreNotRead() async throws {
        let world = try ServerWorld()
        let waiting = world.wallet(try await world.start())
        let pairing = world.wallet(try await world.start())
        _ = try await world.server.setPairing(.pin, of: pairing.package.token)
        _ = try await pairing.connect()
        let cancelled = world.wallet(try await world.start())
        _ = try await cancelled.connect()
        try await world.server.cancel(cancelled.package.token)
        let done = world.wallet(try await world.start())
        #expect(try await done.showName().status == .ok)
        world.time.advance(by: .seconds(11))
        for wallet in [waiting, pairing, cancelled, done] {
            let status = try await world.server.status(of: wallet.package.token)
            let (code, wasRead) = try await world.statusOfWatchedBody(wallet.path + "/proofs", Self.wallet)
            #expect(code == 400 || code == 403, "\(status): \(code)")
            #expect(!wasRead, "\(status)")
        }
        // A repetition is read while it may still be one.
        let repeated = world.wallet(try await world.start())
        #expect(try await repeated.showName().status == .ok)
        #expect(try await world.statusOfWatchedBody(repeated.path + "/proofs", Self.wallet).wasRead)
    }

    @Test func requestsOfUnknownRequestorsAreNotRead() async throws {
        let token = Requestor("shop", authentication: .token(SecretBytes(Array("correct horse".utf8))))
        let world = try ServerWorld { $0.requestors = RequestorRegistry([token], permissions: .all) }
        let json = "application/json"
        let refused: [(HTTPFields, Int)] = [
            ([.contentType: json, .authorization: "battery staple"], 403), ([.contentType: json], 400),
            ([.contentType: "text/html"], 400), ([:], 400),
            ([.contentType: "text/plain", .authorization: "correct horse"], 400),
        ]
        for path in ["/session", "/revocation"] {
            for (fields, expected) in refused {
                let (code, wasRead) = try await world.statusOfWatchedBody(path, fields)
                #expect(code == expected && !wasRead, "\(path) \(fields)")
            }
            let known: HTTPFields = [.contentType: json, .authorization: "correct horse"]
            #expect(try await world.statusOfWatchedBody(path, known).wasRead)
        }
    }

    @Test func anotherBodyIsNoRepetition() async throws {
        let world = try ServerWorld()
        let wallet = world.wallet(try await world.start())
        let request = try await wallet.request()
        let proofs = try wallet.proofs([(world.scene.card(), [2])], [[(0, 2)]], for: request)
        let body = try proofs.encoded()
        let first = try await wallet.post("proofs", body)
        #expect(try await wallet.post("proofs", body).body == first.body)
        for other in [body + [0x20], body.map { $0 == UInt8(ascii: "0") ? UInt8(ascii: "1") : $0 }] {
            try expectError(.unexpectedRequest, in: await wallet.post("proofs", other))
        }
        #expect(try await wallet.post("proofs", body).body == first.body)
    }

    @Test func hugeIntegersAreNotConverted() async throws {
        let world = try ServerWorld()
        let disclosing = world.wallet(try await world.start())
        let issuing = world.wallet(try await world.start(ServerScene.issuance(ServerScene.cardRequest)))
        for wallet in [disclosing, issuing] { _ = try await wallet.connect() }
        for number in ["\"\(String(repeating: "A", count: 4100))\"", String(repeating: "9", count: 2501), "1e4000000"] {
            let proof = """
                {"c":\(number),"A":"AQ==","e_response":"AQ==","v_response":"AQ==","a_responses":{"0":"AQ=="},
                "a_disclosed":{"1":"AQ=="}}
                """
            let proofs = Array("{\"proofs\":[\(proof)],\"indices\":[]}".utf8)
            try expectError(.malformedInput, in: await disclosing.post("proofs", proofs))
            let commitments = Array("{\"combinedProofs\":[],\"n_2\":\(number)}".utf8)
            try expectError(.malformedInput, in: await issuing.post("commitments", commitments))
        }
        for wallet in [disclosing, issuing] {
            #expect(try await world.server.status(of: wallet.package.token) == .connected)
        }
    }

    @Test func messagesOfTooManyValuesAreNotRead() async throws {
        let world = try ServerWorld()
        let wallet = world.wallet(try await world.start())
        _ = try await wallet.connect()
        func body(_ count: Int) -> [UInt8] {
            Array("{\"proofs\":[],\"x\":[\(Array(repeating: "1", count: count).joined(separator: ","))]}".utf8)
        }
        // The request for one name allows about 3,300 values.
        let response = try await wallet.post("proofs", body(3_400))
        try expectError(.malformedInput, in: response)
        #expect(try await world.server.status(of: wallet.package.token) == .connected)
        #expect(try await wallet.post("proofs", body(3_000)).json().member("proofStatus") == "MISSING_ATTRIBUTES")
    }
}
