import CredentialServing
import CryptoCore
import Foundation
import HTTPTypes
import IRMAMessages
import IdemixCore
import JOSEKit
import JSONKit
import KeyshareServer
import TestSupport
import Testing

/// The protocols of proofs, with IdemixCore as the wallet and its verifier at the end.
@Suite struct ProofFlowTests {
    private let world: World

    init() throws {
        world = try World()
    }

    private func expectations(_ positions: [Int]) -> [IdemixProofExpectation] {
        positions.map { position in
            let key = world.keys[position].publicKey
            return .disclosure(IdemixDisclosureExpectation(publicKey: key, keyshareServer: "demo"))
        }
    }

    @Test func olderProtocolIssuesAndShows() async throws {
        let wallet = try await SharedWallet(world)
        let credentials = try await [wallet.issue(0), wallet.issue(1)]
        let builder = IdemixProofListBuilder()
        for credential in credentials { try builder.add(IdemixDisclosureRequest(credential, disclosing: [2])) }
        let commitments = try await wallet.olderCommitments([0, 1])
        let challenge = IdemixChallenge(nonce: 42)
        let own = try builder.prove(challenge: challenge, keyshareCommitments: commitments.mapValues(\.commitment))
        #expect(own.verify(expecting: expectations([0, 1]), challenge: challenge, at: world.time.date).verified == nil)
        let answer = try await wallet.post("/prove/getResponse", own.proofs[0].challenge.json())
        let response = try wallet.response(answer)
        // P belongs to the last key.
        #expect(response.P == commitments[1]?.share)
        let keys = [0: world.keys[0].publicKey, 1: world.keys[1].publicKey]
        let merged = try own.merging(response, at: keys, multiplyingShare: false)
        #expect(
            merged.verify(expecting: expectations([0, 1]), challenge: challenge, at: world.time.date).verified != nil
        )
        let events = try await world.accounts.events(of: wallet.phone.username, atMost: 3)
        #expect(events.map(\.kind) == [.session, .session, .session])
    }

    @Test(arguments: [false, true])
    func newerProtocolShows(linkable: Bool) async throws {
        let wallet = try await SharedWallet(world)
        let credentials = try await [(0, wallet.issue(0)), (1, wallet.issue(1))]
        let newer = try await wallet.newerCommitments(credentials)
        let challenge = IdemixChallenge(nonce: 42)
        let own = try newer.builder.prove(challenge: challenge, keyshareCommitments: newer.commitments)
        let path = "/api/v2/prove/" + (linkable ? "getResponseLinkable" : "getResponse")
        let body = try wallet.request(newer, own, nonce: 42)
        let response = try wallet.response(try await wallet.post(path, body))
        #expect(response.challenge == own.proofs[0].challenge && (response.P != nil) == linkable)
        let keys = [0: world.keys[0].publicKey, 1: world.keys[1].publicKey]
        let merged = try own.merging(response, at: keys, multiplyingShare: false)
        #expect(
            merged.verify(expecting: expectations([0, 1]), challenge: challenge, at: world.time.date).verified != nil
        )
        // Neither form is answered again.
        for name in ["getResponse", "getResponseLinkable"] {
            #expect(try await wallet.post("/api/v2/prove/" + name, body).outcome == "409 MISSING_COMMITMENT")
        }
    }

    @Test func answersACommitmentOnceAmongManyRequests() async throws {
        let other = try World(sharing: world)
        let wallet = try await SharedWallet(world)
        _ = try await wallet.olderCommitments([0])
        let (username, token) = (wallet.phone.username, wallet.token)
        let outcomes = try await withThrowingTaskGroup(of: String.self) { group in
            for challenge in 1...20 {
                let world = challenge.isMultiple(of: 2) ? world : other
                group.addTask {
                    let body = try BigInteger(challenge).json()
                    return try await world.post("/prove/getResponse", body, username: username, token: token).outcome
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.filter { $0 == "200 -" }.count == 1)
        #expect(outcomes.filter { $0 == "409 MISSING_COMMITMENT" }.count == 19)
    }

    @Test func neverAnswersUnderTheOtherProtocol() async throws {
        let wallet = try await SharedWallet(world)
        let credential = try await wallet.issue(0)
        let newer = try await wallet.newerCommitments([(0, credential)])
        #expect(try await wallet.post("/prove/getResponse", "AQ==").outcome == "409 MISSING_COMMITMENT")
        let own = try newer.builder.prove(challenge: IdemixChallenge(nonce: 1), keyshareCommitments: newer.commitments)
        let body = try wallet.request(newer, own, nonce: 1)
        #expect(try await wallet.post("/api/v2/prove/getResponse", body).outcome == "409 MISSING_COMMITMENT")
        for name in ["getResponse", "getResponseLinkable"] {
            _ = try await wallet.olderCommitments([0])
            #expect(try await wallet.post("/api/v2/prove/" + name, body).outcome == "409 MISSING_COMMITMENT")
            #expect(try await wallet.post("/prove/getResponse", "AQ==").outcome == "409 MISSING_COMMITMENT")
        }
    }

    @Test func answersWhatTheWalletCommittedToAlone() async throws {
        let wallet = try await SharedWallet(world)
        let credential = try await wallet.issue(0)
        for change in 0..<3 {
            var newer = try await wallet.newerCommitments([(0, credential)])
            let own = try newer.builder.prove(
                challenge: IdemixChallenge(nonce: 1),
                keyshareCommitments: newer.commitments
            )
            let input = newer.inputs[0]
            switch change {
            case 0: newer.inputs.append(input)
            case 1: newer.inputs = []
            default: newer.inputs = [KeyshareChallengeInput(key: nil, contributions: input.contributions)]
            }
            let body = try wallet.request(newer, own, nonce: 1)
            #expect(try await wallet.post("/api/v2/prove/getResponse", body).outcome == "400 INVALID_REQUEST")
            // The commitment is gone, so that nothing can be tried out on it.
            #expect(try await wallet.post("/api/v2/prove/getResponse", body).outcome == "409 MISSING_COMMITMENT")
        }
    }

    @Test func forgetsACommitmentAfterTenSeconds() async throws {
        let wallet = try await SharedWallet(world)
        #expect(try await wallet.post("/prove/getResponse", "AQ==").outcome == "409 MISSING_COMMITMENT")
        _ = try await wallet.olderCommitments([0])
        world.time.advance(by: 9.9)
        #expect(try await wallet.post("/prove/getResponse", "AQ==").status == 200)
        _ = try await wallet.olderCommitments([0])
        world.time.advance(by: 10)
        #expect(try await wallet.post("/prove/getResponse", "AQ==").outcome == "409 MISSING_COMMITMENT")
    }

    /// A later commitment of the account takes the place of an earlier one.
    @Test func keepsTheLastCommitment() async throws {
        let wallet = try await SharedWallet(world)
        let first = try await wallet.olderCommitments([0])
        let second = try await wallet.olderCommitments([1])
        let answer = try await wallet.post("/prove/getResponse", "AQ==")
        #expect(try wallet.response(answer).P == second[1]?.share && first[0]?.share != second[1]?.share)
        #expect(try await wallet.post("/prove/getResponse", "AQ==").outcome == "409 MISSING_COMMITMENT")
    }

    @Test func takesACommitmentOnToAnotherInstanceWithItsKeys() async throws {
        let wallet = try await SharedWallet(world)
        _ = try await wallet.olderCommitments([0])
        let without = try World(sharing: world, issuerKeys: KeyshareIssuerKeys([:]))
        let answer = try await without.post(
            "/prove/getResponse",
            "AQ==",
            username: wallet.phone.username,
            token: wallet.token
        )
        #expect(answer.outcome == "409 MISSING_COMMITMENT")
    }

    @Test func servesOwnersOfValidTokensAlone() async throws {
        let (wallet, other) = try await (SharedWallet(world), SharedWallet(world))
        let body = wallet.names([0])
        let paths = ["/prove/getCommitments", "/api/v1/prove/getCommitments", "/api/v2/prove/getPs"]
        for path in paths {
            func outcome(_ username: String?, _ token: String?) async throws -> String {
                try await world.post(path, body, username: username, token: token).outcome
            }
            let name = wallet.phone.username
            #expect(try await outcome(name, wallet.token) == "200 -")
            #expect(try await outcome(name, "Bearer " + wallet.token) == "200 -")
            #expect(try await outcome(name, nil) == "400 INVALID_REQUEST")
            #expect(try await outcome(name, "fakeauthorization") == "400 INVALID_REQUEST")
            #expect(try await outcome(name, other.token) == "400 INVALID_REQUEST")
            #expect(try await outcome(name, String(wallet.token.dropLast(3)) + "AAA") == "400 INVALID_REQUEST")
            #expect(try await outcome(name, String(repeating: "a", count: 100_000)) == "400 INVALID_REQUEST")
            #expect(try await outcome(nil, wallet.token) == "403 USER_NOT_REGISTERED")
            #expect(try await outcome("doesnotexist", wallet.token) == "403 USER_NOT_REGISTERED")
        }
    }

    @Test func refusesTokensOfOtherKeysPurposesAndTimes() async throws {
        let wallet = try await SharedWallet(world)
        func outcome(_ token: String) async throws -> String {
            try await world.post(
                "/prove/getCommitments",
                wallet.names([0]),
                username: wallet.phone.username,
                token: token
            )
            .outcome
        }
        let payload = try #require(try JWT(compact: wallet.token).jws.unverifiedPayload)
        let claims = try JWTClaims(decoding: payload)
        let signer = try TestKeys.signer.get()
        func signed(_ change: (inout JWTClaims) -> Void, with signer: any Signer) async throws -> String {
            var claims = claims
            change(&claims)
            return try await JWT.sign(claims, with: signer).compactSerialization()
        }
        #expect(try await outcome(try await signed({ _ in }, with: signer)) == "200 -")
        let foreign = try SoftwareSigner(PrivateKey.generateRSA(bits: 2048), algorithm: .rsaPKCS1SHA256)
        #expect(try await outcome(try await signed({ _ in }, with: foreign)) == "400 INVALID_REQUEST")
        #expect(try await outcome(try await signed({ _ in }, with: wallet.phone.signer)) == "400 INVALID_REQUEST")
        let changes: [(inout JWTClaims) -> Void] = [
            { $0["sub"] = "ProofP" }, { $0["sub"] = nil }, { $0["iss"] = "another" }, { $0["token_id"] = nil },
            { $0["token_id"] = "AAAA" }, { $0["token_id"] = 7 }, { $0["exp"] = nil }, { $0["exp"] = "never" },
        ]
        for (number, change) in changes.enumerated() {
            #expect(try await outcome(try await signed(change, with: signer)) == "400 INVALID_REQUEST", "\(number)")
        }
        world.time.advance(by: 299)
        #expect(try await outcome(wallet.token) == "200 -")
        world.time.advance(by: 1)
        #expect(try await outcome(wallet.token) == "400 INVALID_REQUEST")
    }

    @Test func takesPartForItsKeysAloneAndForSoMany() async throws {
        let wallet = try await SharedWallet(world)
        let hash = JSONValue.string(JSONBase64.base64.encode([UInt8](repeating: 1, count: 32)))
        func outcomes(_ keys: JSONValue) async throws -> Set<String> {
            [
                try await wallet.post("/prove/getCommitments", keys).outcome,
                try await wallet.post("/api/v2/prove/getPs", keys).outcome,
                try await wallet.post("/api/v2/prove/getCommitments", ["keys": keys, "hw": ["hashedComms": hash]])
                    .outcome,
            ]
        }
        let name: JSONValue = "demo.bank-1"
        #expect(try await outcomes([name]) == ["200 -"])
        #expect(try await outcomes([name, name, name]) == ["200 -"])
        for keys: JSONValue in [[], ["demo.bank-2"], ["demo.other-1"], [name, "demo.bank-9"], ["demo.bank-x"], .null] {
            #expect(try await outcomes(keys) == ["400 INVALID_REQUEST"], "\(keys)")
        }
        #expect(try await outcomes(.array(Array(repeating: name, count: 64))) == ["200 -"])
        #expect(try await outcomes(.array(Array(repeating: name, count: 65))) == ["400 INVALID_REQUEST"])
        let short: JSONValue = ["keys": [name], "hw": ["hashedComms": "AQ=="]]
        #expect(try await wallet.post("/api/v2/prove/getCommitments", short).outcome == "400 INVALID_REQUEST")
    }

    /// The last key of the list counts, also where it stands in it twice.
    @Test func answersForTheLastKey() async throws {
        let wallet = try await SharedWallet(world)
        let commitments = try await wallet.olderCommitments([0, 1])
        _ = try await wallet.post("/prove/getCommitments", wallet.names([0, 1, 0]))
        let response = try wallet.response(try await wallet.post("/prove/getResponse", "AQ=="))
        #expect(response.P == commitments[0]?.share)
    }

    @Test func boundsChallenges() async throws {
        let wallet = try await SharedWallet(world)
        _ = try await wallet.olderCommitments([0])
        let long = BigInteger.powerOfTwo(256)
        for body: JSONValue in [try long.json(), .null, [], "?", true, .string(String(repeating: "A", count: 4000))] {
            #expect(try await wallet.post("/prove/getResponse", body).outcome == "400 INVALID_REQUEST")
        }
        // A refusal before the commitment is looked for leaves it alone; numbers may be written in decimal.
        let answer = try await wallet.world.post(
            "/prove/getResponse",
            Array("12345678".utf8),
            username: wallet.phone.username,
            token: wallet.token
        )
        #expect(try wallet.response(answer).challenge == 12_345_678)
    }
}
