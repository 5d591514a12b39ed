import CredentialServing
import CryptoCore
import Foundation
import HTTPTypes
import IRMAMessages
import IdemixCore
import JSONKit
import KeyshareServer
import TestSupport
import Testing

/// Hostile bodies at each endpoint: a documented error, and never a trap.
@Suite struct HostileInputTests {
    private static let open = [
        "/client/register", "/users/verify_start", "/users/verify/pin_challengeresponse", "/users/verify/pin",
        "/users/change/pin", "/users/register_publickey",
    ].flatMap { [$0, "/api/v1" + $0] }

    private static let authorized = [
        "/prove/getCommitments", "/prove/getResponse", "/api/v1/prove/getCommitments", "/api/v1/prove/getResponse",
        "/api/v2/prove/getPs", "/api/v2/prove/getCommitments", "/api/v2/prove/getResponse",
        "/api/v2/prove/getResponseLinkable",
    ]

    private static let bodies: [[UInt8]] = {
        let deep = String(repeating: "[", count: 100_000)
        let number = String(repeating: "9", count: 50_000)
        let texts = [
            "", " ", "asdlkzdsf;lskajl", "{", "{}", "[]", "null", "true", "\"\"", "{\"a\":1}", deep,
            "{\"a\":" + String(repeating: "{\"a\":", count: 5000) + "1" + String(repeating: "}", count: 5001),
            "{\"id\":1,\"pin\":[]}", "{\"id\":\"x\",\"ID\":\"y\",\"pin\":\"z\"}", "{\"id\":\"x\",\"pin\":\"\"}",
            "{\"enrollment_jwt\":\"\",\"auth_request_jwt\":\"\"}", "{\"enrollment_jwt\":null}",
            "{\"enrollment_jwt\":\"a.b.c\"}", "{\"auth_request_jwt\":\"a.b.c\"}", "{\"auth_response_jwt\":\"a.b.c\"}",
            "{\"change_pin_jwt\":\"..\"}", "{\"jwt\":\"eyJhbGciOiJub25lIn0.e30.\"}",
            "{\"enrollment_jwt\":\"eyJhbGciOiJub25lIn0.e30.\"}",
            "{\"auth_request_jwt\":\"eyJhbGciOiJIUzI1NiJ9.e30.AA\"}",
            "{\"auth_request_jwt\":\"" + String(repeating: "a", count: 30_000) + "\"}",
            "[1]", "[null]", "[\"\"]", "[\"-1\"]", "[\"a-99999999999999999999999\"]", "[\"\\u0000-1\"]",
            "{\"keys\":[\"demo.bank-1\"]}", "{\"keys\":1,\"hw\":2}",
            "{\"keys\":[\"demo.bank-1\"],\"hw\":{\"hashedComms\":\"?\"}}", "-5", "1.5", "1e9", number, "-" + number,
            "{\"nonce\":\"\",\"resp\":\"\",\"sig\":1,\"UserChallengeInput\":[]}",
            "{\"nonce\":\(number),\"resp\":\"\",\"sig\":true,\"UserChallengeInput\":[]}",
            "{\"nonce\":\"AQ==\",\"resp\":\"AQ==\",\"sig\":true,\"UserChallengeInput\":[{\"val\":\"\"}]}",
            "{\"nonce\":\"AQ==\",\"resp\":\"AQ==\",\"sig\":true,\"UserChallengeInput\":{}}",
        ]
        return texts.map { Array($0.utf8) } + [[0xff, 0xfe], [0], [UInt8](repeating: 0x20, count: 10 << 20)]
    }()

    private static let documented = [
        "400 INVALID_REQUEST", "403 USER_NOT_REGISTERED", "403 UNEXPECTED_REQUEST", "409 MISSING_COMMITMENT",
        "413 INVALID_REQUEST",
    ]

    @Test(arguments: open)
    func refusesStrangers(path: String) async throws {
        let world = try World()
        for body in Self.bodies {
            let answer = try await world.post(path, body)
            let expected =
                path.hasSuffix("/users/verify/pin")
                ? Set(Self.documented) : ["400 INVALID_REQUEST", "413 INVALID_REQUEST"]
            #expect(
                expected.contains(answer.outcome),
                "\(answer.outcome): \(String(decoding: body.prefix(80), as: UTF8.self))"
            )
            #expect(answer.contentType == "application/json; charset=UTF-8")
        }
    }

    @Test(arguments: authorized)
    func refusesOwners(path: String) async throws {
        let world = try World()
        let wallet = try await SharedWallet(world)
        for body in Self.bodies {
            // The one body that is an empty challenge of zero.
            let isChallenge = body == Array("\"\"".utf8) && path.hasSuffix("/prove/getResponse")
            let answer = try await world.post(path, body, username: wallet.phone.username, token: wallet.token)
            #expect(
                Self.documented.contains(answer.outcome),
                "\(answer.outcome): \(String(decoding: body.prefix(80), as: UTF8.self))"
            )
            if isChallenge, !path.contains("v2") { #expect(answer.outcome == "409 MISSING_COMMITMENT") }
            // A stranger's body is not even read.
            let stranger = try await world.post(path, body)
            #expect(["403 USER_NOT_REGISTERED", "413 INVALID_REQUEST"].contains(stranger.outcome))
        }
    }

    @Test func refusesTokensWithHostileClaims() async throws {
        let world = try World()
        let phone = try await Phone.enrolled(at: world)
        let name = JSONValue.string(phone.username)
        let long = JSONValue.string(String(repeating: "x", count: 9000))
        let claims: [JSONValue] = [
            [:], ["id": name], ["id": name, "exp": "soon"], ["id": 1, "exp": 1], ["id": name, "exp": -1],
            ["id": name, "exp": .number(try JSONNumber(text: "1e400"))],
            ["id": name, "exp": .number(try JSONNumber(text: "99999999999999999999999999"))], ["id": long, "exp": 1],
            ["id": name, "pin": long, "challenge": "AA=="], ["id": name, "pin": "a", "challenge": "?"],
            ["id": name, "oldpin": "a"], ["id": name, "oldpin": long, "newpin": long],
            ["id": name, "pin": "a", "publickey": "AAAA"], ["pin": "a", "language": "en", "publickey": long],
            ["id": name, "exp": .integer(world.time.seconds + 60), "nbf": .integer(world.time.seconds + 30)],
            ["id": name, "exp": .integer(world.time.seconds + 60), "iat": .integer(world.time.seconds + 30)],
        ]
        let purposes: [(String, KeyshareTokenMessage.Purpose)] = [
            ("/client/register", .enrollment), ("/users/verify_start", .login), ("/users/change/pin", .pinChange),
            ("/users/register_publickey", .keyRegistration),
        ]
        for claims in claims {
            let token = try await phone.sign(RawClaims(json: claims))
            for (path, purpose) in purposes {
                let answer = try await world.post(path, KeyshareTokenMessage(purpose, token: token).json())
                #expect(answer.status == 400 || answer.status == 403, "\(path) \(claims): \(answer.outcome)")
                #expect(answer.error != nil)
            }
            let login = KeyshareLoginResponse(token: token).json()
            let answer = try await world.post("/users/verify/pin_challengeresponse", login)
            #expect([400, 403, 409].contains(answer.status), "\(claims): \(answer.outcome)")
        }
        // None of it counted as an attempt.
        #expect(try await world.accounts.account(named: phone.username)?.account.pinCounter == 0)
    }

    @Test func longNamesAreNotEchoed() async throws {
        let world = try World()
        let wallet = try await SharedWallet(world)
        let key = KeyshareKeyIdentifier(issuer: "demo." + String(repeating: "a", count: 1 << 19), counter: 1)
        let contributions = IdemixProofContributions(value: 1, commitment: 2)
        let inputs = [KeyshareChallengeInput(key: key, contributions: contributions)]
        let hash = KeyshareChallengeInput.hash(inputs)
        let commitments = KeyshareCommitmentRequest(keys: [TestKeys.names[0]], inputHash: hash)
        try #require(try await wallet.post("/api/v2/prove/getCommitments", commitments.json()).status == 200)
        let request = KeyshareCommitment.ChallengeRequest(
            challenge: IdemixChallenge(nonce: 1),
            userResponse: 1,
            inputs: inputs
        )
        let answer = try await wallet.post("/api/v2/prove/getResponse", try request.json())
        #expect(answer.outcome == "400 INVALID_REQUEST" && answer.body.count < 2000)
    }

    @Test func namesUnknownPathsAndMethods() async throws {
        let world = try World()
        #expect(try await world.get("/nowhere").outcome == "404 INVALID_REQUEST")
        #expect(try await world.get("/client/register").outcome == "405 INVALID_REQUEST")
        #expect(try await world.post("/api/v2/client/register", [:]).outcome == "404 INVALID_REQUEST")
        #expect(try await world.post("/prove/getPs", []).outcome == "404 INVALID_REQUEST")
        #expect(try await world.get("/health/").status == 200)
    }

    @Test func saysNothingAboutAFaultOfItsOwn() async throws {
        let world = try World()
        let phone = try await Phone.enrolled(at: world)
        await world.sessions.close()
        let answer = try await phone.startLogin()
        #expect(answer.outcome == "500 INTERNAL_ERROR")
        #expect(answer.json == ["status": 500, "error": "INTERNAL_ERROR", "description": "Internal server error"])
    }

    @Test func keepsSecretsOutOfTheSessionStore() async throws {
        let recorder = RecordingSessionStore()
        let world = try World(sessions: recorder)
        let phone = try await Phone.enrolled(at: world)
        let challenge = try await phone.challenge()
        let values = recorder.values
        #expect(!values.isEmpty)
        for value in values {
            #expect(value.firstRange(of: challenge) == nil)
            #expect(value.firstRange(of: Array(phone.username.utf8)) == nil)
        }
    }
}
