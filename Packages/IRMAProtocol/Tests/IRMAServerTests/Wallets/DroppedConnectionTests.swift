import CredentialServing
import CredentialTransport
import CryptoCore
import HTTPTypes
import IRMAMessages
import IdemixCore
import JSONKit
import Synchronization
import Testing

@testable import IRMAServer

/// Wallets that go away while the server asks others, and send their message again.
@Suite struct DroppedConnectionTests {
    /// Others that are asked, and answer when a test lets them.
    private final class Others: Sendable {
        private let gate = AsyncStream<Void>.makeStream()
        private let asked = AsyncStream<Void>.makeStream()

        /// Waits for the test.
        ///
        /// - Throws: `CancellationError` if the question is cancelled before.
        func answer() async throws {
            asked.continuation.yield()
            for await _ in gate.stream {}
            try Task.checkCancellation()
        }

        /// Waits until the others are asked.
        func waitForQuestion() async {
            for await _ in asked.stream { return }
        }

        func release() { gate.continuation.finish() }
    }

    private struct SlowTimestampKeys: TimestampKeySource {
        let others: Others
        let keys: TimestampKeys

        func keys(for timestamp: SignatureTimestamp, of server: String) async -> TimestampKeys {
            do { try await others.answer() } catch { return TimestampKeys() }
            return keys
        }
    }

    private struct SlowRevocation: RevocationUpdateSource {
        let others: Others

        func updates(
            of type: CredentialTypeIdentifier,
            lastEvents count: Int,
            tolerance: UInt64?,
            schemes: SchemeSnapshot
        ) async throws(IRMAServerError) -> [UInt: RevocationUpdate] {
            do { try await others.answer() } catch { throw IRMAServerError(.cancelled, "the task was cancelled") }
            return [:]
        }
    }

    /// Sends a message whose connection drops while the others are asked, and again; returns the second answer.
    private func answer(
        to message: InMemoryRequest,
        _ package: SessionPackage,
        asking others: Others,
        _ world: ServerWorld
    ) async throws -> InMemoryResponse {
        let token = world.wallet(package).token
        let first = world.http.open(message)
        await others.waitForQuestion()
        first.disconnect()
        await first.end()
        try #require(await world.server.status(of: package.token).isFinal == false)
        async let second = world.http.response(to: message)
        while world.server.work.waiterCount(of: token) == 0 { await Task.yield() }
        others.release()
        return try await second
    }

    private func chainWorld(_ others: Others) throws -> ServerWorld {
        let next = SessionRequest(.disclosing, disclose: [[["demo.bank.mail.address"]]])
        let body = try RequestorMessage(next).encoded()
        return try ServerWorld {
            $0.options.allowsUnsignedCallbacks = true
            $0.callbackHandler = { _ throws(TransportError) in
                do { try await others.answer() } catch { throw TransportError(.cancelled, "the task was cancelled") }
                return .ok(body, type: .json)
            }
        }
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

    @Test func aChainGoesOn() async throws {
        let others = Others()
        let world = try chainWorld(others)
        let package = try await world.start { $0.nextSessionURL = "https://shop.example/next" }
        let message = try await showingName(package, world)
        let answer = try await answer(to: message, package, asking: others, world)
        #expect(try ServerSessionResponse(decoding: answer.body).nextSession != nil)
        // The requestor was asked once, and the session that it wants was started once.
        #expect(world.callbacks.requests.count == 1)
        let result = try await world.server.result(of: package.token)
        #expect(result.status == .done && result.nextSession != nil && result.error == nil)
    }

    /// The time for the request is over before that for the requestor.
    @Test func aLateAnswerIsKept() async throws {
        let others = Others()
        let world = try chainWorld(others)
        let package = try await world.start { $0.nextSessionURL = "https://shop.example/next" }
        let message = try await showingName(package, world)
        async let first = world.http.response(to: message)
        await others.waitForQuestion()
        world.time.advance(by: .seconds(6))
        #expect(try await first.status == .serviceUnavailable)
        world.time.advance(by: .seconds(5))
        others.release()
        await world.server.finishDeliveries()
        #expect(world.server.work.count == 0)
        let second = try await world.http.response(to: message)
        #expect(try ServerSessionResponse(decoding: second.body).nextSession != nil)
    }

    @Test func anotherMessageOfTheSessionWaitsAndIsRefused() async throws {
        let others = Others()
        let world = try chainWorld(others)
        let package = try await world.start { $0.nextSessionURL = "https://shop.example/next" }
        let message = try await showingName(package, world)
        async let first = world.http.response(to: message)
        await others.waitForQuestion()
        let wallet = world.wallet(package)
        async let other = wallet.post("proofs", Array("{\"proofs\":[],\"indices\":[]}".utf8))
        while world.server.work.waiterCount(of: wallet.token) == 0 { await Task.yield() }
        others.release()
        #expect(try await first.status == .ok)
        try expectError(.unexpectedRequest, in: await other)
    }

    @Test func aTimestampIsVerified() async throws {
        let others = Others()
        var keys = TimestampKeys()
        let signer = try ServerScene.shared.get().timestampSigner
        let key = try #require(signer.publicKey.rawRepresentation)
        keys.add(try TimestampKey(rawRepresentation: key), of: ServerScene.timestampServer)
        let world = try ServerWorld { [keys] in
            $0.timestampKeys = SlowTimestampKeys(others: others, keys: keys)
        }
        let signing = SessionRequest(.signing(message: "x"), disclose: [[[AttributeRequest(ServerScene.name)]]])
        let package = try await world.start(signing)
        let wallet = world.wallet(package)
        let signed = try await world.signature(of: wallet)
        let message = InMemoryRequest.post(
            wallet.path + "/proofs",
            headerFields: [.authorization: "wallet"],
            body: try signed.encoded()
        )
        #expect(try await answer(to: message, package, asking: others, world).json() == ["proofStatus": "VALID"])
    }

    @Test func aWalletConnects() async throws {
        let others = Others()
        let world = try ServerWorld { $0.revocation = SlowRevocation(others: others) }
        let package = try await world.start(RevocationWorld.passRequest)
        var fields: HTTPFields = [.authorization: "wallet"]
        fields[.irmaMinimumVersion] = "2.4"
        fields[.irmaMaximumVersion] = "2.9"
        let message = InMemoryRequest.get(world.wallet(package).path, headerFields: fields)
        let answer = try await answer(to: message, package, asking: others, world)
        #expect(answer.status == .ok, "\(answer.text)")
        #expect(try await world.server.status(of: package.token) == .connected)
    }

    @Test func tooManyWaitingRequestsAreRefused() async throws {
        let (others, work) = (Others(), WalletWork())
        async let first = work.outcome(for: "token") { try? await others.answer() }
        await others.waitForQuestion()
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<WalletWork.maximumWaiters {
                group.addTask {
                    do { return try await work.outcome(for: "token") { true } == nil } catch { return false }
                }
            }
            while work.waiterCount(of: "token") < WalletWork.maximumWaiters { await Task.yield() }
            await expectError(.internalError) { try await work.outcome(for: "token") { true } }
            others.release()
            for await isWithoutWork in group { #expect(isWithoutWork) }
        }
        _ = try await first
        #expect(work.count == 0)
    }

    /// Beyond the bound, work ends with its request.
    @Test func tooManySessionsHaveTheTasksOfTheirRequests() async throws {
        let (others, work) = (Others(), WalletWork())
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<WalletWork.maximumCount {
                group.addTask { _ = try? await work.outcome(for: "\(number)") { try? await others.answer() } }
            }
            while work.count < WalletWork.maximumCount { await Task.yield() }
            let last = Task {
                try await work.outcome(for: "last") {
                    while !Task.isCancelled { await Task.yield() }
                    return true
                }
            }
            last.cancel()
            #expect(await (try? last.value) == true)
            others.release()
        }
        await work.finish()
        #expect(work.count == 0)
    }
}
