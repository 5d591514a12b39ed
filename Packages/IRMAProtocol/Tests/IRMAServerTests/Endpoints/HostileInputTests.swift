import CredentialServing
import CredentialTransport
import CryptoCore
import Foundation
import HTTPTypes
import IRMAMessages
import IdemixCore
import JSONKit
import Testing

@testable import IRMAServer

/// Input that no honest peer sends: a documented error, and a server that goes on.
@Suite struct HostileInputTests {
    /// Bodies that are no message of any endpoint.
    private static let bodies: [(String, [UInt8])] = {
        let deep = String(repeating: "[", count: 100_000)
        let huge = "1" + String(repeating: "0", count: 100_000)
        let texts = [
            ("empty", ""), ("no JSON", "\u{0}\u{1}"), ("cut off", "{\"a\":"), ("deep", deep),
            ("deep object", String(repeating: "{\"a\":", count: 50_000)), ("huge number", "{\"n_2\":\(huge)}"),
            ("wrong type", "[1,2,3]"), ("a text", "\"x\""), ("null", "null"), ("a number", huge),
            ("twice", "{\"proofs\":[],\"proofs\":[]}"), ("other case", "{\"proofs\":[],\"PROOFS\":[]}"),
            ("negative place", "{\"proofs\":[],\"indices\":[[{\"cred\":-1,\"attr\":1}]]}"),
            ("huge place", "{\"proofs\":[],\"indices\":[[{\"cred\":9223372036854775808,\"attr\":1}]]}"),
            ("wrong members", "{\"proofs\":{\"c\":1},\"combinedProofs\":1,\"@context\":2,\"content\":3}"),
        ]
        return texts.map { ($0.0, Array($0.1.utf8)) } + [("no UTF-8", [0xff, 0xfe, 0x22, 0x80])]
    }()

    private static let signing = SessionRequest(
        .signing(message: "x"),
        disclose: [[[AttributeRequest(ServerScene.name)]]]
    )

    @Test func everyEndpointWithABody() async throws {
        let world = try ServerWorld()
        let disclosing = try await world.start()
        let signing = try await world.start(Self.signing)
        let issuing = try await world.start(ServerScene.issuance(ServerScene.cardRequest))
        for package in [disclosing, signing, issuing] { _ = try await world.wallet(package).connect() }
        let waiting = try await world.start()
        let frontend: HTTPFields = [.authorization: try #require(waiting.frontend?.authorization)]
        let json: HTTPFields = [.contentType: "application/json"]
        let wallet: HTTPFields = [.authorization: "wallet"]
        let endpoints: [(String, HTTPFields, RemoteError.Name)] = [
            (world.wallet(disclosing).path + "/proofs", wallet, .malformedInput),
            (world.wallet(signing).path + "/proofs", wallet, .malformedInput),
            (world.wallet(issuing).path + "/commitments", wallet, .malformedInput),
            (world.wallet(waiting).path + "/frontend/options", frontend, .malformedInput),
            ("/session", json, .invalidRequest), ("/revocation", json, .invalidRequest),
            ("/session", [.contentType: "text/plain"], .invalidRequest),
        ]
        for (path, fields, name) in endpoints {
            for (what, body) in Self.bodies {
                let response = try await world.response(.post, path, fields, body)
                let error = try RemoteError(decoding: response.body)
                #expect(error.name == name, "\(path): \(what): \(response.text.prefix(200))")
                #expect(response.status.code == name.status, "\(path): \(what)")
                // What is told of a message is short.
                #expect(response.body.count < 1000, "\(path): \(what)")
            }
        }
        for package in [disclosing, signing, issuing] {
            #expect(try await world.server.status(of: package.token) == .connected)
        }
        #expect(try await world.server.status(of: waiting.token) == .initialized)
    }

    @Test func bodiesOverTheLimitAreNotRead() async throws {
        let world = try ServerWorld()
        let package = try await world.start()
        let wallet = world.wallet(package)
        _ = try await wallet.connect()
        let large = [UInt8](repeating: 0x20, count: (10 << 20) + 1)
        try expectError(.malformedInput, in: await wallet.post("proofs", large))
        let json: HTTPFields = [.contentType: "application/json"]
        try expectError(.invalidRequest, in: await world.response(.post, "/session", json, large))
        #expect(try await world.server.status(of: package.token) == .connected)
        // At the limit it is read, and is no message.
        try expectError(.malformedInput, in: await wallet.post("proofs", large.dropLast()))
    }

    @Test func proofsThatFitNothingAreInvalidWithoutAnError() async throws {
        let world = try ServerWorld()
        for indices in [[[(0, 0)]], [[(1, 2)]], [[(0, 99)]], [[(0, 2)], [(0, 2)]], [[(0, 2), (0, 2)]]] {
            let package = try await world.start()
            let wallet = world.wallet(package)
            let request = try await wallet.request()
            let proofs = try wallet.proofs([(world.scene.card(), [2])], indices, for: request)
            let answer = try await wallet.post("proofs", proofs).json().member("proofStatus").stringValue
            #expect(["INVALID", "MISSING_ATTRIBUTES"].contains(answer), "\(indices): \(answer ?? "")")
            #expect(try await world.server.status(of: package.token) == .done)
        }
    }

    @Test func moreProofsThanTheRequestCanUseAreRefusedBeforeTheyAreComputed() async throws {
        let world = try ServerWorld()
        let package = try await world.start()
        let wallet = world.wallet(package)
        let request = try await wallet.request()
        let one = try wallet.proofs([(world.scene.card(), [2])], [[(0, 2)]], for: request)
        func many(_ count: Int) -> DisclosureResponse {
            let proofs = IdemixProofList(Array(repeating: one.proofs.proofs[0], count: count))
            return DisclosureResponse(proofs: proofs, indices: one.indices)
        }
        // So many are too long for an answer.
        try expectError(.malformedInput, in: await wallet.post("proofs", many(500)))
        #expect(try await wallet.post("proofs", many(50)).json() == ["proofStatus": "INVALID"])
        let result = try await world.server.result(of: package.token)
        #expect(result.proofStatus == .invalid && result.status == .done)
        // They are not even read.
        for (request, member) in [(ServerScene.nameRequest, "proofs"), (Self.signing, "signature")] {
            let wallet = world.wallet(try await world.start(request))
            _ = try await wallet.connect()
            let unread = try await wallet.post("proofs", Array("{\"\(member)\":[{},{}]}".utf8))
            #expect(try unread.json() == ["proofStatus": "INVALID"])
        }
        let issuing = world.wallet(try await world.start(ServerScene.issuance(ServerScene.cardRequest)))
        _ = try await issuing.connect()
        let commitments = Array("{\"combinedProofs\":[{},{}]}".utf8)
        try expectError(.invalidProofs, in: await issuing.post("commitments", commitments))
    }

    @Test func aProofServesOneSession() async throws {
        let world = try ServerWorld()
        let first = try await world.start()
        let wallet = world.wallet(first)
        let proofs = try wallet.proofs([(world.scene.card(), [2])], [[(0, 2)]], for: await wallet.request())
        #expect(try await wallet.post("proofs", proofs).json() == ["proofStatus": "VALID"])
        let second = world.wallet(try await world.start())
        _ = try await second.request()
        #expect(try await second.post("proofs", proofs).json() == ["proofStatus": "INVALID"])
    }

    @Test func oneOfManyWalletsAtOnceGetsTheSession() async throws {
        let world = try ServerWorld()
        let package = try await world.start()
        let statuses = try await withThrowingTaskGroup { group in
            for number in 0..<16 {
                group.addTask {
                    try await world.wallet(package, authorization: "wallet \(number)").connect().status.code
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.filter { $0 == 200 }.count == 1)
        #expect(statuses.filter { $0 == 403 }.count == 15)
    }

    @Test func theSameProofsAtOnceGiveOneResult() async throws {
        let world = try ServerWorld()
        let package = try await world.start(ServerScene.issuance(ServerScene.cardRequest))
        let wallet = world.wallet(package)
        let (commitments, _) = try wallet.commitments(for: await wallet.request())
        let body = try commitments.encoded()
        let bodies = try await withThrowingTaskGroup { group in
            for _ in 0..<8 { group.addTask { try await wallet.post("commitments", body) } }
            return try await group.reduce(into: Set<[UInt8]>()) { bodies, response in
                #expect(response.status == .ok)
                bodies.insert(response.body)
            }
        }
        // One set of signatures left the server.
        #expect(bodies.count == 1)
    }

    @Test func cancellationAndProofsAtOnceLeaveOneState() async throws {
        let world = try ServerWorld()
        for _ in 0..<8 {
            let package = try await world.start()
            let wallet = world.wallet(package)
            let proofs = try wallet.proofs([(world.scene.card(), [2])], [[(0, 2)]], for: await wallet.request())
            async let answer = wallet.post("proofs", proofs)
            async let cancelled: Void = world.server.cancel(package.token)
            let status = try await answer.status.code
            try await cancelled
            let state = try await world.server.status(of: package.token)
            #expect(state == (status == 200 ? .done : .cancelled))
        }
    }

    @Test func aRequestThatTakesTooLongEndsAtItsDeadline() async throws {
        let world = try ServerWorld {
            $0.options.allowsUnsignedCallbacks = true
            $0.callbackHandler = { _ throws(TransportError) in
                try? await Task.sleep(for: .seconds(3600))
                throw TransportError(.cancelled, "given up")
            }
        }
        let package = try await world.start { $0.nextSessionURL = "https://shop.example/next" }
        let wallet = world.wallet(package)
        let request = try await wallet.request()
        let proofs = try wallet.proofs([(world.scene.card(), [2])], [[(0, 2)]], for: request)
        async let answer = wallet.post("proofs", proofs)
        while world.callbacks.requests.isEmpty { await Task.yield() }
        world.time.advance(by: .seconds(6))
        let response = try await answer
        #expect(response.status.code == 503)
        #expect(try response.json().member("error") == "INTERNAL_ERROR")
    }

    @Test func tokensAreUnbiased() {
        var counts: [Character: Int] = [:]
        for _ in 0..<500 {
            let token = SessionTokens.makeToken(using: SystemRandomSource())
            #expect(SessionTokens.isToken(token))
            for character in token { counts[character, default: 0] += 1 }
        }
        #expect(counts.count == 62)
        // 161 of each on average.
        #expect(counts.values.allSatisfy { (80..<260).contains($0) })
    }

    @Test func longNamesAreNotEchoed() async throws {
        let world = try ServerWorld {
            $0.requestors = .unauthenticated(permissions: RequestorPermissions(disclose: ["demo.*"]))
        }
        let name = String(repeating: "a", count: 1 << 20)
        let bodies = [
            "{\"@context\":\"https://irma.app/ld/request/disclosure/v2\",\"disclose\":[[[\"demo.bank.\(name)\"]]]}",
            "{\"@context\":\"https://irma.app/ld/request/disclosure/v2\",\"disclose\":[[[\"other.\(name).b.c\"]]]}",
            "{\"@context\":\"https://irma.app/ld/request/disclosure/v2\",\"labels\":{\"\(name)\":1}}",
        ]
        for body in bodies {
            let response = try await world.response(
                .post,
                "/session",
                [.contentType: "application/json"],
                Array(body.utf8)
            )
            #expect(response.status.code >= 400)
            #expect(response.body.count < 2000)
        }
    }

    @Test func whateverAMessageHoldsTheSessionCanBeReadAgain() async throws {
        let world = try ServerWorld()
        let package = try await world.start(
            SessionRequest(.signing(message: "x"), disclose: [[[AttributeRequest(ServerScene.name)]]])
        )
        let wallet = world.wallet(package)
        _ = try await wallet.connect(from: "2.5")
        let deep = String(repeating: "[", count: 30) + String(repeating: "]", count: 30)
        let body = """
            {"@context":"https://irma.app/ld/signature/v2","signature":[],"indices":[],"message":"x",
            "timestamp":{"Time":1,"ServerUrl":"a","Sig":{"Alg":"ed25519","Data":"","PublicKey":""},"Hashing":\(deep)}}
            """
        #expect(try await wallet.post("proofs", Array(body.utf8)).json().member("proofStatus") == "INVALID")
        #expect(try await world.server.result(of: package.token).signature?.timestamp?.hashing != nil)
        #expect(try await world.server.status(of: package.token) == .done)
    }

    @Test func copiesAsSDJWTAreDeclined() async throws {
        let world = try ServerWorld()
        var card = ServerScene.cardRequest
        card.sdJWTBatchSize = 10
        let wallet = world.wallet(try await world.start(ServerScene.issuance(card)))
        let request = try await wallet.request()
        #expect(request.credentials.first?.sdJWTBatchSize == nil)
        var (commitments, _) = try wallet.commitments(for: request)
        commitments.keyBindingKeys = [["kty": "EC"]]
        let answer = try await wallet.post("commitments", commitments)
        #expect(answer.status == .ok)
        #expect(try answer.json()["sdjwts"] == nil)
    }
}
