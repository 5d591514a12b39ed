import CredentialServing
import CryptoCore
import Foundation
import HTTPTypes
import IRMAMessages
import IdemixCore
import JOSEKit
import JSONKit
import Testing

@testable import IRMAServer

/// Messages that a wallet sends again, because it did not get the answer.
@Suite struct RepeatedRequestTests {
    @Test func theSameWalletGetsTheSameAnswers() async throws {
        let world = try ServerWorld()
        let package = try await world.start(ServerScene.issuance(ServerScene.cardRequest))
        let wallet = world.wallet(package)
        let first = try await wallet.connect()
        let again = try await wallet.connect()
        #expect(again.body == first.body)
        #expect(first.headerFields[.contentType] == "application/json; charset=UTF-8")
        #expect(again.headerFields[.contentType] == nil)

        let request = try #require(SessionRequest.firstMessage(decoding: first.body).request)
        let (commitments, _) = try wallet.commitments(for: request)
        let body = try commitments.encoded()
        let issued = try await wallet.post("commitments", body)
        #expect(issued.status == .ok)
        world.time.advance(by: .seconds(10))
        // The signatures are random: the same ones come from what was kept.
        #expect(try await wallet.post("commitments", body).body == issued.body)
        #expect(try await world.server.status(of: package.token) == .done)
    }

    @Test func givesRepeatedAnswersToTheSameClientOnly() async throws {
        let world = try ServerWorld()
        let package = try await world.start(ServerScene.issuance(ServerScene.cardRequest))
        let wallet = world.wallet(package)
        let (commitments, _) = try wallet.commitments(for: await wallet.request())
        let body = try commitments.encoded()
        try expectError(.unexpectedRequest, in: await world.wallet(package, authorization: "other").connect())
        #expect(try await wallet.post("commitments", body).status == .ok)
        for other in ["other", nil, ""] {
            let thief = world.wallet(package, authorization: other)
            try expectError(.unexpectedRequest, in: await thief.post("commitments", body))
            try expectError(.unexpectedRequest, in: await thief.connect())
        }
    }

    @Test func anotherBodyAnotherEndpointOrALaterTimeIsNoRepetition() async throws {
        let world = try ServerWorld()
        let package = try await world.start()
        let wallet = world.wallet(package)
        let request = try await wallet.request()
        let proofs = try wallet.proofs([(world.scene.card(), [2])], [[(0, 2)]], for: request).encoded()
        #expect(try await wallet.post("proofs", proofs).status == .ok)
        try expectError(.unexpectedRequest, in: await wallet.post("proofs", proofs + [0x20]))
        try expectError(.unexpectedRequest, in: await wallet.post("commitments", proofs))
        try expectError(.unexpectedRequest, in: await wallet.connect())
        world.time.advance(by: .seconds(11))
        try expectError(.unexpectedRequest, in: await wallet.post("proofs", proofs))
    }

    /// A large body that was refused is known again by its size and its ends.
    @Test func theRefusalOfALargeBodyIsRepeated() async throws {
        let world = try ServerWorld()
        let package = try await world.start()
        let wallet = world.wallet(package)
        _ = try await wallet.connect()
        func body(_ end: String) -> [UInt8] {
            Array("{\"proofs\":[],\"indices\":[]\(String(repeating: " ", count: 2 * BodyMark.endSize))\(end)".utf8)
        }
        let first = try await wallet.post("proofs", body("}"))
        #expect(try first.json().member("proofStatus") == "MISSING_ATTRIBUTES")
        world.time.advance(by: .seconds(10))
        #expect(try await wallet.post("proofs", body("}")).body == first.body)
        for other in ["} ", "]"] { try expectError(.unexpectedRequest, in: await wallet.post("proofs", body(other))) }
        let thief = world.wallet(package, authorization: "other")
        try expectError(.unexpectedRequest, in: await thief.post("proofs", body("}")))
        world.time.advance(by: .seconds(1))
        try expectError(.unexpectedRequest, in: await wallet.post("proofs", body("}")))
    }

    @Test func errorsAreRepeatedToo() async throws {
        let world = try ServerWorld()
        let package = try await world.start()
        let wallet = world.wallet(package)
        let first = try await wallet.connect(to: "2.7")
        try expectError(.protocolVersion, in: first)
        let again = try await wallet.connect(to: "2.7")
        #expect(again.status.code == 400)
        #expect(again.body == first.body)
        #expect(try await world.server.result(of: package.token).error?.name == .protocolVersion)
    }
}
