import IRMAMessages
import Synchronization
import Testing

@testable import IRMAClient

/// Logins side by side, at a server that has one challenge for each account.
struct LoginTurnTests {
    private static let answerPath = "users/verify/pin_challengeresponse"

    private let request = disclosing([[["ks.gov.login.user"]]])

    private final class Counter: Sendable {
        private let state = Mutex(0)
        var value: Int { state.withLock { $0 } }
        func increase() { state.withLock { $0 += 1 } }
    }

    /// Waits until a condition holds, or another challenge has taken the place of this one.
    private func wait(_ scene: KeyshareTests.Scene, until condition: @Sendable () -> Bool) async {
        let challenge = scene.keyshare.current.challenge
        while !condition(), scene.keyshare.current.challenge == challenge { await Task.yield() }
    }

    @Test func asksForOnePINInSessionsSideBySide() async throws {
        let scene = try await KeyshareTests.Scene()
        let core = scene.wallet.core
        let pointers = [scene.server.start(request), scene.server.start(request)]
        let prompts = Counter()
        scene.keyshare.afterNextChallenge {
            // The other session waits for its turn now, or its challenge takes the place of the first one's.
            await wait(scene) { core.prompts.waitingCount == 1 }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for pointer in pointers {
                group.addTask {
                    let session = try scene.wallet.session(with: pointer)
                    let choice = try #require(try await session.request().firstChoice)
                    _ = try await session.answer(choice) { _ in
                        prompts.increase()
                        return "12345"
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(pointers.allSatisfy { scene.server.session($0)?.proofStatus == .valid })
        #expect(prompts.value == 1)
        #expect(core.prompts.waitingCount == 0)
    }

    @Test func logsInBesideASession() async throws {
        let scene = try await KeyshareTests.Scene()
        let core = scene.wallet.core
        let pointer = scene.server.start(request)
        try await withThrowingTaskGroup(of: Void.self) { group in
            let (begins, beginning) = AsyncStream<Void>.makeStream()
            scene.keyshare.afterNextChallenge {
                // Out of turn, the login's challenge takes this one's place, and is there when this one is answered.
                scene.keyshare.afterNextChallenge {
                    while !scene.keyshare.current.paths.contains(Self.answerPath) { await Task.yield() }
                }
                beginning.finish()
                await wait(scene) { core.logins.waitingCount == 1 }
            }
            group.addTask { try await scene.wallet.finish(pointer, pin: "12345") }
            for await _ in begins {}
            group.addTask { try await scene.wallet.logIn(at: "ks", pin: "12345") }
            try await group.waitForAll()
        }
        #expect(scene.server.session(pointer)?.proofStatus == .valid)
    }

    @Test func logsInWhileAPINIsAskedFor() async throws {
        let scene = try await KeyshareTests.Scene()
        let pointer = scene.server.start(request)
        let session = try scene.wallet.session(with: pointer)
        let choice = try #require(try await session.request().firstChoice)
        _ = try await session.answer(choice) { _ in
            try? await scene.wallet.logIn(at: "ks", pin: "12345")
            return "12345"
        }
        #expect(scene.server.session(pointer)?.proofStatus == .valid)
    }

    @Test func leavesTheLineWhenCancelled() async throws {
        let scene = try await KeyshareTests.Scene()
        let core = scene.wallet.core
        let first = try scene.wallet.session(with: scene.server.start(request))
        let second = try scene.wallet.session(with: scene.server.start(request))
        let choice = try #require(try await first.request().firstChoice)
        let other = try #require(try await second.request().firstChoice)
        _ = try await first.answer(choice) { _ in
            // The user is asked by the first session, and ends the second one.
            let waiting = Task {
                try await second.answer(other) { _ in
                    Issue.record("a cancelled session asks for a PIN")
                    return nil
                }
            }
            while core.prompts.waitingCount == 0 { await Task.yield() }
            #expect(await second.cancel())
            await expectRefusal(.cancelled) { try await waiting.value }
            #expect(core.prompts.waitingCount == 0)
            return "12345"
        }
    }

    @Test func waitsForNoOtherScheme() async throws {
        let scene = try await KeyshareTests.Scene()
        try await scene.wallet.core.prompts.begin(at: ["other"])
        let pointer = scene.server.start(request)
        try await scene.wallet.finish(pointer, pin: "12345")
        #expect(scene.server.session(pointer)?.proofStatus == .valid)
    }

    @Test func keepsATokenThatTookTheRefusedOnesPlace() async throws {
        let scene = try await KeyshareTests.Scene()
        let core = scene.wallet.core
        let account = try await core.account(of: "ks")
        await core.tokens.put("new", expiresAt: 1e12, of: account)
        await core.tokens.remove("old", of: "ks")
        #expect(await core.tokens.token(of: account, at: 0) == "new")
        await core.tokens.remove("new", of: "ks")
        #expect(await core.tokens.token(of: account, at: 0) == nil)
    }
}
