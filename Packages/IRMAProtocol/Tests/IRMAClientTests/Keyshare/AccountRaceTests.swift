import CredentialWallet
import CryptoCore
import Foundation
import IRMAMessages
import IdemixCore
import Testing

@testable import IRMAClient

/// Accounts that are removed, replaced or completed while something is under way, and servers that have another key of them.
struct AccountRaceTests {
    private let id = issuing(offer(Stage.id, ["name": "Alice"]))

    private func finish(_ session: WalletSession) async throws {
        _ = try await session.answer(try #require(try await session.request().firstChoice)) { _ in "12345" }
    }

    private func expectNothing(in scene: KeyshareTests.Scene) async throws {
        #expect(try await scene.wallet.accounts().isEmpty)
        #expect(await scene.wallet.credentials().isEmpty)
        #expect(try await scene.storage.places(in: .irmaIssuances).isEmpty)
    }

    // MARK: Removed accounts

    @Test func issuesNothingToARemovedAccount() async throws {
        let scene = try await KeyshareTests.Scene()
        scene.keyshare.afterNextCommitment { _ = try? await scene.wallet.removeAccount(at: "ks") }
        let pointer = scene.server.start(id)
        await expectRefusal(.keyshareUnenrolled) { try await scene.wallet.finish(pointer, pin: "12345") }
        #expect(scene.server.session(pointer)?.posts == 0)
        #expect(scene.server.session(pointer)?.status == .cancelled)
        try await expectNothing(in: scene)
    }

    @Test func endsAnEnrolmentWhoseAccountWasRemoved() async throws {
        let scene = try await KeyshareTests.Scene(enrolled: false)
        let session = try await scene.wallet.enroll(at: "ks", pin: "12345")
        scene.keyshare.afterNextCommitment { _ = try? await scene.wallet.removeAccount(at: "ks") }
        await expectRefusal(.keyshareUnenrolled) { try await finish(session) }
        try await expectNothing(in: scene)
        try await finish(try await scene.wallet.enroll(at: "ks", pin: "54321"))
        #expect(try await scene.wallet.accounts().map(\.username) == ["user2"])
    }

    /// The token of a login that ended too late is of another account.
    @Test func usesNoTokenOfARemovedAccount() async throws {
        let scene = try await KeyshareTests.Scene()
        let core = scene.wallet.core
        let account = try #require(try await core.vault.account(of: "ks"))
        scene.keyshare.afterNextLogin { _ = try? await scene.wallet.removeAccount(at: "ks") }
        try await scene.wallet.logIn(at: "ks", pin: "12345")
        #expect(try await scene.wallet.accounts().isEmpty)
        #expect(await core.tokens.token(of: account, at: 0) == nil)
        let session = try await scene.wallet.enroll(at: "ks", pin: "54321")
        scene.keyshare.change { $0.paths = [] }
        try await finish(session)
        #expect(scene.keyshare.current.paths.filter { $0.hasSuffix("getPs") }.count == 1)
    }

    /// The login of a migrated account registers its key; the account that takes its place keeps its own state.
    @Test func bringsNoRemovedAccountBack() async throws {
        let scene = try await KeyshareTests.Scene(enrolled: false)
        let nonce = [UInt8](repeating: 9, count: 32)
        scene.keyshare.change { ($0.username, $0.pin) = ("old", KeysharePIN.hashed("12345", nonce: nonce)) }
        try await scene.wallet.migrateAccount(at: "ks", username: "old", nonce: SecretBytes(nonce))
        scene.keyshare.afterNextLogin { _ = try? await scene.wallet.removeAccount(at: "ks") }
        try await scene.wallet.logIn(at: "ks", pin: "12345")
        #expect(try await scene.wallet.accounts().isEmpty)
        try await scene.wallet.migrateAccount(at: "ks", username: "old", nonce: SecretBytes(nonce))
        scene.keyshare.afterNextLogin {
            _ = try? await scene.wallet.removeAccount(at: "ks")
            try? await scene.wallet.migrateAccount(at: "ks", username: "other", nonce: SecretBytes(nonce))
        }
        try await scene.wallet.logIn(at: "ks", pin: "12345")
        let accounts = try await scene.wallet.accounts()
        #expect(accounts.map(\.username) == ["other"] && accounts.map(\.hasRegisteredKey) == [false])
    }

    // MARK: Two enrolments

    @Test(arguments: [false, true]) func ofTwoEnrolmentsTheLaterOneCounts(isAnswerLost: Bool) async throws {
        let scene = try await KeyshareTests.Scene(enrolled: false)
        let first = try await scene.wallet.enroll(at: "ks", pin: "12345")
        if isAnswerLost {
            scene.server.fault { $0.lostAnswers = 3 }
            await expectRefusal(.transport) { try await finish(first) }
        } else {
            _ = try await first.request()
        }
        let second = try await scene.wallet.enroll(at: "ks", pin: "54321")
        let request = try await second.request()
        await expectRefusal(.keyshareUnenrolled) {
            isAnswerLost ? try await first.resend() : try await first.answer(WalletChoice())
        }
        #expect(await scene.wallet.credentials().isEmpty)
        _ = try await second.answer(try #require(request.firstChoice))
        let accounts = try await scene.wallet.accounts()
        #expect(accounts.map(\.username) == ["user2"] && accounts.map(\.isComplete) == [true])
        #expect(await scene.wallet.credentials().map { $0.values[2] } == ["user2"])
        #expect(try await scene.storage.places(in: .irmaIssuances).isEmpty)
    }

    @Test func replacesNoAccountThatIsComplete() async throws {
        let scene = try await KeyshareTests.Scene(enrolled: false)
        let late = try await scene.wallet.enroll(at: "ks", pin: "54321")
        try await finish(try await scene.wallet.enroll(at: "ks", pin: "12345"))
        await expectRefusal(.keyshare) { try await late.request() }
        #expect(try await scene.wallet.accounts().map(\.username) == ["user2"])
    }

    // MARK: The storage

    /// A storage that fails after it has taken a credential.
    private actor BreakingStorage: StorageOverMemory {
        nonisolated let base = InMemoryCredentialStorage()
        private var isBroken = false

        func write(_ changes: [StorageChange]) async throws(CredentialStoreError) {
            guard !isBroken else { throw CredentialStoreError(.storageFailed, "broken") }
            try await base.write(changes)
            isBroken = changes.contains { $0.place.collection == .irmaCredentials }
        }
    }

    /// The process may end as soon as the login attribute is stored.
    @Test func completesTheAccountWithItsLoginAttribute() async throws {
        let scene = try await KeyshareTests.Scene(enrolled: false)
        let storage = BreakingStorage()
        let wallet = try await Stage.shared.get().wallet(scene.server, storage: storage)
        try await finish(try await wallet.enroll(at: "ks", pin: "12345"))
        let again = try await Stage.shared.get().wallet(scene.server, storage: storage)
        #expect(try await again.accounts().map(\.isComplete) == [true])
        #expect(await again.credentials().map(\.type) == [Stage.login])
    }

    // MARK: Another key

    private static let answers = [
        RemoteError(.internalError, message: "crypto/ecdsa: verification error"),
        RemoteError(.invalidRequest, message: "the token is not signed with the account's key"),
    ]

    /// An account whose server has another key of it, and answers like this.
    private func sceneOfAnotherKey(_ answer: RemoteError, isRegistered: Bool) async throws -> KeyshareTests.Scene {
        let scene = try await KeyshareTests.Scene()
        if !isRegistered {
            try await scene.wallet.removeAccount(at: "ks")
            let nonce = SecretBytes([UInt8](repeating: 9, count: 32))
            try await scene.wallet.migrateAccount(at: "ks", username: "user1", nonce: nonce)
        }
        let other = try PrivateKey.generate(.p256).publicKey
        scene.keyshare.change { ($0.publicKey, $0.otherKey, $0.paths) = (other, answer, []) }
        return scene
    }

    /// No attempt is used up.
    @Test(arguments: answers, [true, false])
    func reportsAServerThatHasAnotherKey(answer: RemoteError, isRegistered: Bool) async throws {
        let scene = try await sceneOfAnotherKey(answer, isRegistered: isRegistered)
        for _ in 0..<4 {
            let error = await expectRefusal(.keyshare) { try await scene.wallet.logIn(at: "ks", pin: "12345") }
            #expect(error?.remoteError?.name == answer.name && error?.keyshareRefusal == nil)
            #expect(error?.message.contains("this device's key") == true, "\(error?.message ?? "")")
        }
        #expect(Set(scene.keyshare.current.paths) == ["users/verify_start"])
        #expect(!scene.keyshare.current.isBlocked)
        #expect(try await scene.wallet.accounts().map(\.hasRegisteredKey) == [isRegistered])
        // The way out.
        try await scene.wallet.removeAccount(at: "ks")
        try await finish(try await scene.wallet.enroll(at: "ks", pin: "54321"))
        #expect(try await scene.wallet.accounts().map(\.isComplete) == [true])
    }

    private static let refusals = [
        RemoteError(.internalError, message: "token has invalid claims: token is expired"),
        RemoteError(.invalidRequest, message: "the token is not valid now"),
    ]

    /// A wrong clock is no reason to give the account up, and no key is registered for it.
    @Test(arguments: refusals, [true, false])
    func takesNoOtherRefusalForOneOfTheKey(answer: RemoteError, isRegistered: Bool) async throws {
        let scene = try await sceneOfAnotherKey(answer, isRegistered: isRegistered)
        let error = await expectRefusal(.keyshare) { try await scene.wallet.logIn(at: "ks", pin: "12345") }
        #expect(error?.remoteError?.message == answer.message && error?.keyshareRefusal == nil)
        #expect(error?.message == "the keyshare server answered with an error")
        #expect(scene.keyshare.current.paths == ["users/verify_start"])
    }
}
