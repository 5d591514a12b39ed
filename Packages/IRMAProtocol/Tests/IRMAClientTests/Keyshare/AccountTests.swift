import CryptoCore
import Foundation
import IRMAMessages
import IdemixCore
import Testing

@testable import IRMAClient

/// The end of an account, the renewal of its login attribute, and a registration whose answer was lost.
struct AccountTests {
    private static let user = AttributeIdentifier("ks.gov.login.user")

    /// The request by which a keyshare server renews the login attribute.
    private static func renewal(
        of username: String,
        to issued: String? = nil,
        showing more: Condiscon = []
    ) -> SessionRequest {
        var request = issuing(
            offer(Stage.login, ["user": issued ?? username], validity: 6e7),
            showing: [[[AttributeRequest(user, value: username)]]]
        )
        request.disclose.disjunctions += more.disjunctions
        request.skipExpiryCheck = [Stage.login]
        return request
    }

    private func expiry(in scene: KeyshareTests.Scene) async throws -> [Date] {
        await scene.wallet.credentials().filter { $0.type == Stage.login }.map(\.expiresAt)
    }

    /// Also where it has expired already.
    @Test(arguments: [1.85e7, 2.1e7])
    func renewsTheLoginAttribute(after seconds: TimeInterval) async throws {
        let scene = try await KeyshareTests.Scene()
        scene.keyshare.renewing { scene.server.start(Self.renewal(of: $0)) }
        let first = try await expiry(in: scene)
        #expect(first.count == 1)
        #expect(try await scene.wallet.renewLoginAttribute(at: "ks") == nil)
        #expect(scene.keyshare.current.paths.isEmpty)
        scene.passTime(seconds)
        await expectRefusal(.pinRequired) { try await scene.wallet.renewLoginAttribute(at: "ks") }
        let outcome = try await scene.wallet.renewLoginAttribute(at: "ks") { _ in "12345" }
        #expect(outcome?.entry.issued.map(\.type) == [Stage.login])
        #expect(outcome?.entry.disclosed == [[LoggedAttribute(Self.user, value: "user1")]])
        let second = try await expiry(in: scene)
        #expect(second.count == 1 && second[0] > scene.server.now + 30 * 86_400)
        #expect(try await scene.wallet.renewLoginAttribute(at: "ks") == nil)
    }

    @Test func showsNothingElseToRenewTheLoginAttribute() async throws {
        let scene = try await KeyshareTests.Scene()
        try await scene.finish(issuing(offer(Stage.id, ["name": "Alice"], validity: 6e7)))
        scene.passTime(1.9e7)
        var returning = Self.renewal(of: "user1")
        returning.parameters.clientReturnURL = "https://shop.example/"
        let wrong = [
            Self.renewal(of: "user1", to: "user2"),
            Self.renewal(of: "user1", showing: [[["ks.gov.id.name"]]]),
            issuing(offer(Stage.id, ["name": "Bob"], validity: 6e7)),
            issuing(
                offer(Stage.login, ["user": "user1"], validity: 6e7),
                offer(Stage.id, ["name": "Bob"], validity: 6e7)
            ),
            disclosing([[["ks.gov.login.user"]]]),
            // It expires no later than the one that it replaces.
            issuing(offer(Stage.login, ["user": "user1"], validity: 2e7)),
            returning,
        ]
        for request in wrong {
            let pointer = scene.server.start(request)
            scene.keyshare.renewing { _ in pointer }
            await expectRefusal(.keyshare) {
                try await scene.wallet.renewLoginAttribute(at: "ks") { _ in "12345" }
            }
            #expect(scene.server.session(pointer)?.posts == 0)
            #expect(scene.server.session(pointer)?.deletions == 1)
        }
        #expect(await scene.wallet.credentials().count == 2)
    }

    /// Nobody is there to type a code.
    @Test func pairsWithNoServerToRenewTheLoginAttribute() async throws {
        let scene = try await KeyshareTests.Scene()
        scene.passTime(1.9e7)
        let pointer = scene.server.start(Self.renewal(of: "user1"), pairingCode: "1234")
        scene.keyshare.renewing { _ in pointer }
        await expectRefusal(.keyshare) { try await scene.wallet.renewLoginAttribute(at: "ks") { _ in "12345" } }
        #expect(scene.server.session(pointer)?.deletions == 1)
    }

    /// The issuance is left to the next run.
    @Test func leavesARenewalWhoseAnswerWasLost() async throws {
        let scene = try await KeyshareTests.Scene()
        scene.passTime(1.9e7)
        let pointer = scene.server.start(Self.renewal(of: "user1"))
        scene.keyshare.renewing { _ in pointer }
        scene.server.fault { $0.lostAnswers = 100 }
        await expectRefusal(.transport) { try await scene.wallet.renewLoginAttribute(at: "ks") { _ in "12345" } }
        scene.server.fault { $0.lostAnswers = 0 }
        let results = try await scene.wallet.resumeIssuances()
        #expect(results.map { $0.entry?.issued.map(\.type) } == [[Stage.login]])
    }

    /// An issuance under way ends with its account.
    @Test func forgetsTheIssuancesOfAnAccount() async throws {
        let scene = try await KeyshareTests.Scene()
        let pointer = scene.server.start(issuing(offer(Stage.id, ["name": "Alice"])))
        scene.server.fault { $0.lostAnswers = 100 }
        let session = try scene.wallet.session(with: pointer)
        let choice = try #require(try await session.request().firstChoice)
        await expectRefusal(.transport) { try await session.answer(choice) { _ in "12345" } }
        try await scene.wallet.removeAccount(at: "ks")
        scene.server.fault { $0.lostAnswers = 0 }
        await expectRefusal(.keyshareUnenrolled) { try await session.resend() }
        #expect(await scene.wallet.credentials().isEmpty)
        #expect(try await scene.wallet.resumeIssuances().isEmpty)
    }

    @Test func renewsNoLoginAttributeThatIsNotThere() async throws {
        let scene = try await KeyshareTests.Scene(enrolled: false)
        await expectRefusal(.keyshareUnenrolled) { try await scene.wallet.renewLoginAttribute(at: "ks") }
        let nonce = SecretBytes([UInt8](repeating: 9, count: 32))
        try await scene.wallet.migrateAccount(at: "ks", username: "old", nonce: nonce)
        await expectRefusal(.credentialNotAvailable) { try await scene.wallet.renewLoginAttribute(at: "ks") }
    }

    @Test func forgetsAnAccountWithItsCredentials() async throws {
        let scene = try await KeyshareTests.Scene()
        try await scene.finish(issuing(offer(Stage.id, ["name": "Alice"])))
        try await scene.finish(issuing(offer(Stage.card, ["name": "Alice"])))
        let entry = try await scene.wallet.removeAccount(at: "ks")
        #expect(Set(entry.removed.map(\.type)) == [Stage.login, Stage.id])
        #expect(try await scene.wallet.log(limit: 1) == [entry])
        #expect(await scene.wallet.credentials().map(\.type) == [Stage.card])
        #expect(try await scene.wallet.accounts().isEmpty)
        await expectRefusal(.keyshareUnenrolled) { try await scene.finish(issuing(offer(Stage.id, ["name": "Alice"]))) }
        await expectRefusal(.keyshareUnenrolled) { try await scene.wallet.removeAccount(at: "ks") }
        // The storage forgot them as well.
        let again = try await Stage.shared.get().wallet(scene.server, storage: scene.storage)
        #expect(await again.credentials().map(\.type) == [Stage.card])
    }

    /// The server has deleted the account: the user enrols anew.
    @Test func enrollsAnewAfterTheServerDeletedTheAccount() async throws {
        let scene = try await KeyshareTests.Scene()
        scene.keyshare.change { $0.username = nil }
        await expectRefusal(.keyshareUnenrolled) { try await scene.wallet.logIn(at: "ks", pin: "12345") }
        await expectRefusal(.keyshare) { try await scene.wallet.enroll(at: "ks", pin: "54321") }
        try await scene.wallet.removeAccount(at: "ks")
        let session = try await scene.wallet.enroll(at: "ks", pin: "54321")
        _ = try await session.answer(try #require(try await session.request().firstChoice))
        try await scene.finish(issuing(offer(Stage.id, ["name": "Alice"])), pin: "54321")
        #expect(await scene.wallet.credentials().count == 2)
    }

    /// The server has the key, which a challenge shows: another registration would count as an attempt.
    @Test func logsInAfterALostRegistration() async throws {
        let scene = try await KeyshareTests.Scene(enrolled: false)
        let nonce = [UInt8](repeating: 9, count: 32)
        let hashed = KeysharePIN.hashed("12345", nonce: nonce)
        scene.keyshare.change { ($0.username, $0.pin, $0.losesRegistration) = ("old", hashed, true) }
        try await scene.wallet.migrateAccount(at: "ks", username: "old", nonce: SecretBytes(nonce))
        try await scene.wallet.logIn(at: "ks", pin: "12345")
        #expect(try await scene.wallet.accounts().map(\.hasRegisteredKey) == [true])
        #expect(scene.keyshare.current.paths.filter { $0 == "users/register_publickey" }.count == 1)
    }

    /// The server has the key, and counts an attempt for each registration: nothing is registered, whatever the PIN.
    @Test func registersNoKeyThatTheServerHas() async throws {
        let scene = try await KeyshareTests.Scene()
        let nonce = [UInt8](repeating: 9, count: 32)
        scene.keyshare.change { $0.pin = KeysharePIN.hashed("12345", nonce: nonce) }
        try await scene.wallet.removeAccount(at: "ks")
        try await scene.wallet.migrateAccount(at: "ks", username: "user1", nonce: SecretBytes(nonce))
        let before = scene.keyshare.current.paths.count
        for pin in ["1", "2"] {
            await expectRefusal(.keyshare) { try await scene.wallet.logIn(at: "ks", pin: pin) }
        }
        #expect(try await scene.wallet.accounts().map(\.hasRegisteredKey) == [false])
        try await scene.wallet.logIn(at: "ks", pin: "12345")
        #expect(try await scene.wallet.accounts().map(\.hasRegisteredKey) == [true])
        #expect(!scene.keyshare.current.paths[before...].contains("users/register_publickey"))
    }

    /// Another refusal is no sign of a key.
    @Test func endsALoginWhoseRegistrationFails() async throws {
        let scene = try await KeyshareTests.Scene(enrolled: false)
        let nonce = [UInt8](repeating: 9, count: 32)
        let hashed = KeysharePIN.hashed("12345", nonce: nonce)
        scene.keyshare.change { state in
            (state.username, state.pin) = ("old", hashed)
            state.refusals["register_publickey"] = [.internalError]
        }
        try await scene.wallet.migrateAccount(at: "ks", username: "old", nonce: SecretBytes(nonce))
        await expectRefusal(.keyshare) { try await scene.wallet.logIn(at: "ks", pin: "12345") }
        #expect(
            scene.keyshare.current.paths == ["users/verify_start", "users/register_publickey", "users/verify_start"]
        )
    }
}

extension KeyshareTests.Scene {
    /// Lets time pass at all parties.
    fileprivate func passTime(_ seconds: TimeInterval) {
        server.now += seconds
        let now = server.now
        keyshare.change { $0.now = now }
    }
}
