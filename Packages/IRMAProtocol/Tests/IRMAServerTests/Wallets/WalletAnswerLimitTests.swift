import CredentialServing
import HTTPTypes
import IRMAMessages
import IdemixCore
import JSONKit
import Testing

@testable import IRMAServer

/// Answers of wallets that are larger than any honest one.
@Suite struct WalletAnswerLimitTests {
    private static func text(_ count: Int) -> String { String(repeating: "x", count: count) }

    /// A wallet that has the request for a name.
    private func wallet(_ request: SessionRequest = ServerScene.nameRequest) async throws -> TestWallet {
        let world = try ServerWorld()
        let wallet = world.wallet(try await world.start(request))
        _ = try await wallet.connect()
        return wallet
    }

    private func refuses(_ body: String, _ request: SessionRequest = ServerScene.nameRequest) async throws {
        let wallet = try await wallet(request)
        let endpoint = request.kind == .issuing ? "commitments" : "proofs"
        try expectError(.malformedInput, in: await wallet.post(endpoint, Array(body.utf8)))
        // The session goes on: the user's own wallet may still answer.
        #expect(try await wallet.world.server.status(of: wallet.package.token) == .connected)
    }

    @Test func theSizeFollowsFromTheRequest() async throws {
        let one = WalletAnswerLimits(ServerScene.nameRequest).size
        let two = SessionRequest(.disclosing, disclose: [[["demo.bank.card.name"]], [["demo.bank.mail.address"]]])
        #expect(one < 1 << 20 && WalletAnswerLimits(two).size > one)
        let message = SessionRequest(.signing(message: Self.text(1 << 20)), disclose: [[["demo.bank.card.name"]]])
        #expect(WalletAnswerLimits(message).size > 6 << 20)
        let body = "{\"proofs\":[],\"indices\":[]}"
        try await refuses(body + String(repeating: " ", count: one + 1 - body.utf8.count))
        // At the limit it is read.
        let wallet = try await wallet()
        let response = try await wallet.post(
            "proofs",
            Array((body + String(repeating: " ", count: one - body.utf8.count)).utf8)
        )
        #expect(try response.json().member("proofStatus") == "MISSING_ATTRIBUTES")
    }

    @Test func unknownMembersAreBounded() async throws {
        let large = Self.text(40_000)
        for member in [
            "\"\(large)\"", "[[\"\(large)\"]]", "{\"\(large)\":1}", "[\(String(repeating: "1,", count: 999))1]",
        ] {
            let isLarge = member.utf8.count > 32 << 10
            let body = "{\"proofs\":[],\"indices\":[],\"x\":\(member)}"
            if isLarge {
                try await refuses(body)
            } else {
                let answer = try await wallet().post("proofs", Array(body.utf8))
                #expect(answer.status == .ok)
            }
        }
        let members = (0..<65).map { "\"m\($0)\":1" }.joined(separator: ",")
        try await refuses("{\(members)}")
        try await refuses(
            "{\"n_2\":\"AQ==\",\"proofPJwt\":\"\(large)\"}",
            ServerScene.issuance(ServerScene.cardRequest)
        )
    }

    @Test func partsOfProofsAreBounded() async throws {
        let members = (0..<65).map { "\"m\($0)\":1" }.joined(separator: ",")
        let responses = (0..<50).map { "\"\($0)\":\"\(Self.text(2000))\"" }.joined(separator: ",")
        let disclosed = (0..<2).map { "\"\($0)\":\"\(Self.text(270_000))\"" }.joined(separator: ",")
        let digits = String(repeating: "9", count: BigInteger.maximumJSONDigits + 1)
        for proof in [
            "{\(members)}", "{\"x\":\"\(Self.text(70_000))\"}", "{\"a_responses\":{\(responses)}}",
            "{\"a_disclosed\":{\(disclosed)}}", "{\"A_DISCLOSED\":{\(disclosed)}}", "{\"A\":\(digits)}",
        ] {
            try await refuses("{\"proofs\":[\(proof)],\"indices\":[]}")
        }
    }

    /// Integers of a proof may be bare numbers instead of base64.
    @Test func aProofOfBareNumbersIsValid() async throws {
        let wallet = try await wallet()
        let request = try await wallet.request()
        let answer = try wallet.proofs([(wallet.world.scene.card(), [2])], [[(0, 2)]], for: request).json()
        var object = try #require(answer.objectValue)
        object["proofs"] = try Self.withBareNumbers(#require(answer["proofs"]))
        let response = try await wallet.post("proofs", JSONValue.object(object).encoded())
        #expect(try response.json().member("proofStatus") == "VALID")
    }

    private static func withBareNumbers(_ json: JSONValue) throws -> JSONValue {
        switch json {
        case .string: .number(try JSONNumber(text: BigInteger(json: json).decimal))
        case .array(let elements): .array(try elements.map(withBareNumbers))
        case .object(let members): .object(JSONObject(try members.map { ($0.name, try withBareNumbers($0.value)) }))
        default: json
        }
    }

    @Test func morePlacesThanTheRequestCanUseAreInvalid() async throws {
        let places = String(repeating: "{\"cred\":0,\"attr\":1},", count: 100) + "{\"cred\":0,\"attr\":1}"
        for indices in ["[[\(places)]]", "[\(String(repeating: "[],", count: 100))[]]"] {
            let wallet = try await wallet()
            let answer = try await wallet.post("proofs", Array("{\"proofs\":[],\"indices\":\(indices)}".utf8))
            #expect(try answer.json() == ["proofStatus": "INVALID"])
        }
    }

    @Test func aMessageMuchLongerThanTheRequestsIsRefused() async throws {
        let request = SessionRequest(.signing(message: "x"), disclose: [[["demo.bank.card.name"]]])
        func body(_ count: Int) -> String {
            "{\"@context\":\"\(MessageContext.signedMessage.text)\",\"signature\":[],\"indices\":[],"
                + "\"message\":\"\(Self.text(count))\"}"
        }
        try await refuses(body(40_000), request)
        let answer = try await wallet(request).post("proofs", Array(body(2).utf8))
        #expect(try answer.json().member("proofStatus") == "INVALID")
    }

    @Test func aPictureIsShown() async throws {
        let world = try ServerWorld()
        let picture = Self.text(120_000)
        let wallet = world.wallet(try await world.start())
        let answer = try await wallet.showName(world.scene.card(picture))
        #expect(try answer.json().member("proofStatus") == "VALID")
        let result = try await world.server.result(of: wallet.package.token)
        #expect(result.disclosed.first??.first?.rawValue == picture)
    }

    @Test func optionsAndRevocationsAreShort() async throws {
        let world = try ServerWorld()
        let package = try await world.start()
        let frontend: HTTPFields = [.authorization: try #require(package.frontend?.authorization)]
        let options = Array("{\"pairingMethod\":\"pin\",\"x\":\"\(Self.text(4096))\"}".utf8)
        try expectError(
            .malformedInput,
            in: await world.response(.post, world.wallet(package).path + "/frontend/options", frontend, options)
        )
        #expect(try await world.server.status(of: package.token) == .initialized)
        let revocation = "{\"@context\":\"\(MessageContext.revocationRequest.text)\",\"type\":\"demo.bank.pass\","
        for key in [Self.text(66_000), Self.text(100)] {
            let body = Array((revocation + "\"revocationKey\":\"\(key)\"}").utf8)
            let response = try await world.response(.post, "/revocation", [.contentType: "application/json"], body)
            try expectError(key.utf8.count > 1000 ? .invalidRequest : .unauthorized, in: response)
        }
    }
}
