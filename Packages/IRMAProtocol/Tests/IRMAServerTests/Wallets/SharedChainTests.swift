import CredentialServing
import CredentialTransport
import HTTPTypes
import IRMAMessages
import Synchronization
import TestSupport
import Testing

@testable import IRMAServer

/// Chains of sessions whose store several processes share.
@Suite struct SharedChainTests {
    /// A requestor that answers with the next session when a test lets it.
    private final class SlowRequestor: Sendable {
        private let gate = AsyncStream<Void>.makeStream()
        private let asked = AsyncStream<Void>.makeStream()

        func answer() async throws(TransportError) -> InMemoryHTTPAnswer {
            asked.continuation.yield()
            for await _ in gate.stream {}
            let next = SessionRequest(.disclosing, disclose: [[["demo.bank.mail.address"]]])
            guard let body = try? RequestorMessage(next).encoded() else {
                throw TransportError(.cancelled, "no request")
            }
            return .ok(body, type: .json)
        }

        func waitForQuestion() async {
            for await _ in asked.stream { return }
        }

        func release() { gate.continuation.finish() }
    }

    private let requestor = SlowRequestor()
    private let time = TestTime(ServerScene.now)

    /// Two processes over one store and one clock.
    private func worlds() throws -> (ServerWorld, ServerWorld) {
        let store = MemorySessionStore(clock: time.sessionClock)
        func world() throws -> ServerWorld {
            try ServerWorld {
                $0.store = store
                $0.time = time
                $0.options.allowsUnsignedCallbacks = true
                $0.callbackHandler = { [requestor] _ throws(TransportError) in try await requestor.answer() }
            }
        }
        return (try world(), try world())
    }

    private func showingName(_ package: SessionPackage, _ world: ServerWorld) async throws -> InMemoryRequest {
        let wallet = world.wallet(package)
        let proofs = try wallet.proofs([(world.scene.card(), [2])], [[(0, 2)]], for: try await wallet.request())
        return .post(
            wallet.path + "/proofs",
            headerFields: [.authorization: "wallet"],
            body: try proofs.encoded()
        )
    }

    @Test func oneProcessAsksForTheNextSession() async throws {
        let (first, second) = try worlds()
        let package = try await first.start { $0.nextSessionURL = "https://shop.example/next" }
        let message = try await showingName(package, first)
        async let answer = first.http.response(to: message)
        await requestor.waitForQuestion()
        async let repeated = second.http.response(to: message)
        await time.waitForSleeper(SessionServer.claimInterval)
        requestor.release()
        let next = try #require(try ServerSessionResponse(decoding: await answer.body).nextSession)
        time.advance(by: SessionServer.claimInterval)
        #expect(try ServerSessionResponse(decoding: await repeated.body).nextSession == next)
        #expect(first.callbacks.requests.count == 1 && second.callbacks.requests.isEmpty)
        #expect(try await first.server.result(of: package.token).status == .done)
    }

    /// The first process ends after its claim: the wallet's repetition finds another one.
    @Test func anotherProcessContinuesAfterACrash() async throws {
        let (first, second) = try worlds()
        let package = try await first.start { $0.nextSessionURL = "https://shop.example/next" }
        let message = try await showingName(package, first)
        let session = try await first.server.loaded(.requestor(package.token))
        _ = try #require(try await first.server.claim(session, .requestor(package.token)))
        requestor.release()
        async let answer = second.http.response(to: message)
        await time.waitForSleeper(SessionServer.claimInterval)
        time.advance(by: .seconds(6))
        #expect(try await answer.status == .serviceUnavailable)
        time.advance(by: .milliseconds(SessionServer.claimTime))
        await second.server.finishDeliveries()
        let again = try await second.http.response(to: message)
        #expect(try ServerSessionResponse(decoding: again.body).nextSession != nil)
        #expect(second.callbacks.requests.count == 1)
    }

    /// A session without a chain is written once for an answer.
    @Test func noClaimWithoutAChain() async throws {
        let (first, _) = try worlds()
        let package = try await first.start()
        let session = try await first.server.loaded(.requestor(package.token))
        let claimed = try #require(try await first.server.claim(session, .requestor(package.token)))
        #expect(claimed.entry.version == session.entry.version)
    }
}
