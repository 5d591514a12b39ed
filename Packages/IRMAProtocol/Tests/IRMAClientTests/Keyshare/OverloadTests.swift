import CredentialTransport
import CryptoCore
import IRMAMessages
import Synchronization
import Testing

@testable import IRMAClient

/// A keyshare server that has too much to do, and one whose answers to PINs are lost.
struct OverloadTests {
    private static let answers = [
        InMemoryHTTPAnswer(status: 429), InMemoryHTTPAnswer(status: 503), PlayServer.error(.tooManyRequests),
    ]

    private func logins(_ scene: KeyshareTests.Scene) -> Int {
        scene.keyshare.current.paths.filter { $0 == "users/verify/pin_challengeresponse" }.count
    }

    @Test(arguments: answers.indices) func triesNoPINAgain(position: Int) async throws {
        let scene = try await KeyshareTests.Scene()
        scene.keyshare.change { $0.overloads["pin_challengeresponse"] = Self.answers[position] }
        let error = await expectRefusal(.keyshareOverloaded) { try await scene.wallet.logIn(at: "ks", pin: "12345") }
        #expect(error?.keyshareRefusal == nil && error?.code.kind == .keyshare)
        #expect(logins(scene) == 1)
        // A session does not ask for another PIN.
        let prompts = Mutex(0)
        let session = try scene.wallet.session(with: scene.server.start(disclosing([[["ks.gov.login.user"]]])))
        let choice = try #require(try await session.request().firstChoice)
        await expectRefusal(.keyshareOverloaded) {
            try await session.answer(choice) { _ in
                prompts.withLock { $0 += 1 }
                return "12345"
            }
        }
        #expect(prompts.withLock { $0 } == 1 && logins(scene) == 2)
        scene.keyshare.change { $0.overloads = [:] }
        try await scene.wallet.logIn(at: "ks", pin: "12345")
    }

    /// A login with the new PIN would count as a wrong one.
    @Test(arguments: answers.indices) func triesNoPINWhereTheChangeWasNotMade(position: Int) async throws {
        let scene = try await KeyshareTests.Scene()
        scene.keyshare.change { $0.overloads["pin"] = Self.answers[position] }
        await expectRefusal(.keyshareOverloaded) {
            try await scene.wallet.changePIN(at: "ks", from: "12345", to: "67890")
        }
        #expect(scene.keyshare.current.paths == ["users/change/pin"])
        #expect(scene.keyshare.current.failures == 0)
    }

    /// The reference answers with 503 when its time has passed, and goes on: the attempt counts, and the change is made.
    @Test func triesNoPINAgainAfterATimeout() async throws {
        let scene = try await KeyshareTests.Scene()
        scene.keyshare.change { $0.timedOut = ["pin_challengeresponse"] }
        await expectRefusal(.keyshareOverloaded) { try await scene.wallet.logIn(at: "ks", pin: "x") }
        #expect(logins(scene) == 1 && scene.keyshare.current.failures == 1)
        scene.keyshare.change { $0.timedOut = ["pin"] }
        await expectRefusal(.keyshareOverloaded) {
            try await scene.wallet.changePIN(at: "ks", from: "12345", to: "67890")
        }
        #expect(scene.keyshare.current.paths.last == "users/change/pin" && logins(scene) == 1)
        scene.keyshare.change { $0.timedOut = [] }
        try await scene.wallet.logIn(at: "ks", pin: "67890")
    }

    /// The reference's wallet goes on after two lost answers in a row, too; a wrong PIN counts with each of them.
    @Test(arguments: [1, 2]) func asksForAnotherChallengeAfterALostAnswer(lost: Int) async throws {
        let scene = try await KeyshareTests.Scene()
        scene.keyshare.change { $0.lostLogins = lost }
        try await scene.wallet.logIn(at: "ks", pin: "12345")
        let login = ["users/verify_start", "users/verify/pin_challengeresponse"]
        #expect(scene.keyshare.current.paths == Array(repeating: login, count: lost + 1).flatMap(\.self))
    }

    @Test func asksForNoFourthChallenge() async throws {
        let scene = try await KeyshareTests.Scene()
        scene.keyshare.change { $0.lostLogins = 4 }
        await expectRefusal(.transport) { try await scene.wallet.logIn(at: "ks", pin: "x") }
        #expect(scene.keyshare.current.failures == 3 && logins(scene) == 3)
    }

    @Test func pausesBeforeItAsksForAnotherChallenge() async throws {
        let scene = try await KeyshareTests.Scene()
        let clock = RecordingClock()
        let wallet = try await Stage.shared.get().wallet(scene.server, storage: scene.storage, timer: clock)
        scene.keyshare.change { $0.lostLogins = 2 }
        try await wallet.logIn(at: "ks", pin: "12345")
        #expect(clock.pauses.count == 2)
        #expect(clock.pauses.allSatisfy { $0 >= .milliseconds(100) && $0 <= .milliseconds(200) })
    }

    /// The new PIN is wrong where the change did not arrive.
    @Test func countsTwoWrongPINsAtMostAfterALostChange() async throws {
        let scene = try await KeyshareTests.Scene()
        scene.keyshare.change { ($0.lostChanges, $0.lostLogins) = ((1, 0), 2) }
        await expectRefusal(.transport) { try await scene.wallet.changePIN(at: "ks", from: "12345", to: "67890") }
        #expect(scene.keyshare.current.failures == 2 && !scene.keyshare.current.isBlocked)
    }

    /// The reference's wallet looks at the status alone.
    @Test func beginsAgainAfterAConflictWithoutABody() async throws {
        let scene = try await KeyshareTests.Scene()
        scene.keyshare.change { $0.conflicts = ["pin_challengeresponse": 2] }
        try await scene.wallet.logIn(at: "ks", pin: "12345")
        #expect(logins(scene) == 3)
        scene.keyshare.change { $0.conflicts = ["getResponse": 2] }
        let pointer = try await scene.finish(disclosing([[["ks.gov.login.user"]]]))
        #expect(scene.server.session(pointer)?.proofStatus == .valid)
        scene.keyshare.change { $0.conflicts = ["getResponse": 3] }
        await expectRefusal(.keyshare) { try await scene.finish(disclosing([[["ks.gov.login.user"]]])) }
        // Three challenges are enough, in a session as well: the user gives the PIN once.
        await scene.wallet.core.tokens.removeAll()
        scene.keyshare.change { ($0.conflicts, $0.paths) = (["pin_challengeresponse": 9], []) }
        await expectRefusal(.keyshare) { try await scene.finish(disclosing([[["ks.gov.login.user"]]])) }
        #expect(logins(scene) == 3)
    }

    @Test func registersNoKeyWhereTheServerIsOverloaded() async throws {
        let scene = try await KeyshareTests.Scene(enrolled: false)
        let nonce = [UInt8](repeating: 9, count: 32)
        let hashed = KeysharePIN.hashed("12345", nonce: nonce)
        scene.keyshare.change { state in
            (state.username, state.pin) = ("old", hashed)
            state.overloads["register_publickey"] = Self.answers[2]
        }
        try await scene.wallet.migrateAccount(at: "ks", username: "old", nonce: SecretBytes(nonce))
        await expectRefusal(.keyshareOverloaded) { try await scene.wallet.logIn(at: "ks", pin: "12345") }
        #expect(scene.keyshare.current.paths == ["users/verify_start", "users/register_publickey"])
        scene.keyshare.change { $0.overloads = [:] }
        try await scene.wallet.logIn(at: "ks", pin: "12345")
    }
}

/// A clock that stands still, waits for nothing, and notes down the pauses that it was asked for.
private final class RecordingClock: Clock {
    let now = ContinuousClock.now
    let minimumResolution = Duration.zero
    private let noted = Mutex<[Duration]>([])

    var pauses: [Duration] { noted.withLock { $0 } }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        noted.withLock { $0.append(now.duration(to: deadline)) }
    }
}
