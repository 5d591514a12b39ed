import CredentialServing
import CryptoCore
import IRMAMessages
import IdemixCore
import JOSEKit
import JSONKit
import Testing

@testable import IRMAServer

/// SD-JWT copies of the credentials of a session.
@Suite struct CopyIssuanceTests {
    private static func key() throws -> JWK { try JWK(PrivateKey.generate(.p256).publicKey) }

    private static func request(cards: UInt?, mails: UInt? = nil) -> SessionRequest {
        var card = ServerScene.cardRequest
        card.sdJWTBatchSize = cards
        var mail = CredentialRequest(
            ServerScene.mail,
            attributes: ["address": "a@example.com", "domain": "example.com"]
        )
        mail.sdJWTBatchSize = mails
        return ServerScene.issuance(card, mail)
    }

    /// The answer to commitments with keys.
    private func answer(
        _ request: SessionRequest,
        keys: [JSONValue]?,
        by issuer: PlayCopyIssuer = PlayCopyIssuer()
    ) async throws -> InMemoryResponse {
        let world = try ServerWorld { $0.copyIssuer = issuer }
        let wallet = world.wallet(try await world.start(request))
        var (commitments, _) = try wallet.commitments(for: try await wallet.request())
        commitments.keyBindingKeys = keys
        return try await wallet.post("commitments", commitments)
    }

    @Test func eachKeyGetsACopyInTheOrderOfTheCredentials() async throws {
        let world = try ServerWorld { $0.copyIssuer = PlayCopyIssuer() }
        let wallet = world.wallet(try await world.start(Self.request(cards: 2, mails: 3)))
        let request = try await wallet.request()
        #expect(request.credentials.map(\.sdJWTBatchSize) == [2, 3])
        var (commitments, _) = try wallet.commitments(for: request)
        let keys = try (0..<5).map { _ in try Self.key() }
        commitments.keyBindingKeys = keys.map { .object($0.members) }
        let body = try await wallet.post("commitments", commitments).json()
        let response = try ServerSessionResponse(json: body)
        #expect(response.signatures?.count == 2)
        let expected = keys.enumerated().map { position, key in
            PlayCopyIssuer.copy(
                of: position < 2 ? ServerScene.card : ServerScene.mail,
                validity: request.credentials[position < 2 ? 0 : 1].validity,
                boundTo: key
            )
        }
        #expect(response.sdJWTs == expected)
        // A repeated message gets the same copies.
        #expect(try await wallet.post("commitments", commitments).json() == body)
    }

    @Test func aWalletWithoutKeysGetsTheCredentialsAlone() async throws {
        let response = try ServerSessionResponse(json: try await answer(Self.request(cards: 2), keys: nil).json())
        #expect(response.signatures?.count == 2)
        #expect(response.sdJWTs == nil)
    }

    @Test(arguments: [nil, 0] as [UInt?])
    func keysWithoutARequestAreIgnored(count: UInt?) async throws {
        let key = JSONValue.object(try Self.key().members)
        let response = try ServerSessionResponse(
            json: try await answer(Self.request(cards: count), keys: [key]).json()
        )
        #expect(response.signatures?.count == 2)
        #expect(response.sdJWTs == nil)
    }

    /// The request was accepted by a process that issues copies, and its answer comes to one that does not.
    @Test func aProcessThatIssuesNoneGivesTheCredentialsAlone() async throws {
        let store = MemorySessionStore(clock: TestTime(ServerScene.now).sessionClock)
        let world = try ServerWorld {
            $0.store = store
            $0.copyIssuer = PlayCopyIssuer()
        }
        let package = try await world.start(Self.request(cards: 1))
        let wallet = world.wallet(package)
        var (commitments, _) = try wallet.commitments(for: try await wallet.request())
        commitments.keyBindingKeys = [.object(try Self.key().members)]
        let other = try ServerWorld { $0.store = store }
        let there = TestWallet(world: other, package: package, authorization: wallet.authorization)
        let response = try ServerSessionResponse(json: try await there.post("commitments", commitments).json())
        #expect(response.signatures?.count == 2)
        #expect(response.sdJWTs == nil)
    }

    @Test(arguments: [0, 1, 3])
    func anotherNumberOfKeysEndsTheSession(count: Int) async throws {
        let keys = try (0..<count).map { _ in JSONValue.object(try Self.key().members) }
        try expectError(.issuanceFailed, in: await answer(Self.request(cards: 2), keys: keys))
    }

    @Test(arguments: [
        "1", "{}", #"{"kty":"oct","k":"AAAA"}"#, #"{"kty":"EC","crv":"P-256","x":"AAAA","y":"AAAA"}"#,
    ])
    func whatIsNoPublicKeyIsRefused(text: String) async throws {
        let key = try JSONValue(parsing: Array(text.utf8))
        let response = try await answer(Self.request(cards: 1), keys: [key])
        try expectError(.malformedInput, in: response)
        #expect(try response.json().member("message").stringValue?.contains("keybinding_pub_keys[0]") == true)
    }

    @Test func copiesThatCannotBeIssuedAreRefusedBeforeTheSession() async throws {
        let world = try ServerWorld { $0.copyIssuer = PlayCopyIssuer(refused: [ServerScene.mail]) }
        await expectError(.invalidRequest, "no SD-JWT copies of demo.bank.mail: not of this type") {
            try await world.server.start(Self.request(cards: 1, mails: 1))
        }
        // Nobody asks for copies of the other type.
        _ = try await world.server.start(Self.request(cards: 1))
    }

    @Test func copiesThatFailEndTheSession() async throws {
        let keys = try (0..<2).map { _ in JSONValue.object(try Self.key().members) }
        let issuer = PlayCopyIssuer(failing: [ServerScene.mail])
        let response = try await answer(Self.request(cards: 1, mails: 1), keys: keys, by: issuer)
        try expectError(.issuanceFailed, in: response)
    }

    @Test func theLargestBatchesFit() async throws {
        let most = CredentialRequest.maximumBatchSize
        let request = Self.request(cards: most, mails: most)
        var key = try Self.key().members
        key["kid"] = .string(String(repeating: "k", count: 800))
        let keys = [JSONValue](repeating: .object(key), count: Int(2 * most))
        let issuer = PlayCopyIssuer(padding: 4000)
        let response = try ServerSessionResponse(json: try await answer(request, keys: keys, by: issuer).json())
        #expect(response.sdJWTs?.count == keys.count)
        key["kid"] = .string(String(repeating: "k", count: 2000))
        let large = [JSONValue](repeating: .object(key), count: keys.count)
        try expectError(.malformedInput, in: await answer(request, keys: large))
    }

    @Test func copiesThatTheStoreDoesNotHoldEndTheSession() async throws {
        let world = try ServerWorld {
            $0.copyIssuer = PlayCopyIssuer(padding: 20_000)
            $0.store = MemorySessionStore(limits: SessionLimits(maximumValueSize: 16_000), clock: $0.time.sessionClock)
        }
        let package = try await world.start(Self.request(cards: 1))
        let wallet = world.wallet(package)
        var (commitments, _) = try wallet.commitments(for: try await wallet.request())
        commitments.keyBindingKeys = [.object(try Self.key().members)]
        try expectError(.malformedInput, in: await wallet.post("commitments", commitments))
        #expect(try await world.server.status(of: package.token) == .cancelled)
    }
}
