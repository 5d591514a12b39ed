import CredentialServing
import Crypto
import Foundation
import HTTPTypes
import JOSEKit
import JSONKit
import Synchronization
import TestSupport
import Testing

@testable import OID4VPVerifier

/// The content of the store at any time, looked at from below.
struct TransactionStoreTests {
    /// The stored value of a transaction, as text.
    private func stored(_ transaction: TestTransaction, in store: any SessionStore) async throws -> String {
        let entry = try #require(try await store.entry(for: SessionKey(transaction.id)))
        return String(decoding: entry.value, as: UTF8.self)
    }

    @Test func claimsLeaveTheStoreWhenTheyAreFetched() async throws {
        let world = try EngineWorld()
        let transaction = try await world.begin()
        try await transaction.answer()
        #expect(try await stored(transaction, in: world.store).contains(ScriptedParty.claim))
        #expect(try await transaction.result().text.contains(ScriptedParty.claim))
        #expect(try await !stored(transaction, in: world.store).contains(ScriptedParty.claim))
    }

    @Test func claimsLeaveTheStoreAfterTheLimit() async throws {
        let clock = ManualClock()
        let store = MemorySessionStore(clock: EngineWorld.sessionClock(clock))
        let world = try EngineWorld {
            $0.clock = clock
            $0.store = store
            $0.options.resultLifetime = .seconds(120)
        }
        let transaction = try await world.begin()
        try await transaction.answer()
        world.wait(.seconds(119))
        #expect(try await stored(transaction, in: store).contains(ScriptedParty.claim))
        world.wait(.seconds(1))
        #expect(try await store.entry(for: SessionKey(transaction.id)) == nil)
        try expectRefusal(.unknownTransaction, try await transaction.result())
        // The memory is freed, too.
        let run = Task { await world.server.run() }
        await clock.waitForSleeper(.seconds(10))
        clock.advance(by: .seconds(10))
        await clock.waitForSleeper(.seconds(10))
        #expect(store.count == 0)
        run.cancel()
        await run.value
    }

    @Test(arguments: ["good", "bad", "error"])
    func secretsLeaveTheStoreWithTheResponse(presentation: String) async throws {
        let world = try EngineWorld()
        let transaction = try await world.begin(#""encrypted": true"#)
        let record = try await world.server.record(.requestor(transaction.id))
        let expectation = try world.server.request(of: record).expectation
        let key = try #require(expectation.decryption?.key.membersWithSecrets()["d"]?.stringValue)
        let before = try await stored(transaction, in: world.store)
        #expect(before.contains(key))
        #expect(before.contains(expectation.nonce))
        if presentation == "error" {
            let form = "error=access_denied&state=\(try await transaction.state())"
            _ = try await transaction.post(transaction.responsePath, form)
        } else {
            try await transaction.answer(presentation)
        }
        let after = try await stored(transaction, in: world.store)
        #expect(!after.contains(key))
        #expect(!after.contains(expectation.nonce))
    }

    @Test func secretsLeaveTheStoreBeforeTheVerificationEnds() async throws {
        let gate = Gate()
        let world = try EngineWorld { $0.party = ScriptedParty(gate: gate) }
        let transaction = try await world.begin(#""encrypted": true"#)
        let answer = Task { try await transaction.answer() }
        await gate.waitForTasks(1)
        #expect(try await !stored(transaction, in: world.store).contains("\"d\":"))
        gate.open()
        #expect(try await answer.value.status == .ok)
    }

    @Test(arguments: [true, false])
    func secretsLeaveTheStoreWithoutAResponse(isCancelled: Bool) async throws {
        let world = try EngineWorld()
        let transaction = try await world.begin(#""encrypted": true"#)
        #expect(try await stored(transaction, in: world.store).contains("\"d\":"))
        if isCancelled { try await world.server.cancel(transaction.id) } else { world.wait(.seconds(300)) }
        #expect(try await ["cancelled", "expired"].contains(transaction.status()))
        #expect(try await !stored(transaction, in: world.store).contains("\"d\":"))
    }

    @Test func anEncryptedStoreShowsNothing() async throws {
        let clock = ManualClock()
        let inner = RecordingStore(MemorySessionStore(clock: EngineWorld.sessionClock(clock)))
        let world = try EngineWorld {
            $0.clock = clock
            $0.store = EncryptedSessionStore(
                inner,
                keyring: try SessionKeyring(sealing: SymmetricKey(size: .bits256)),
                place: "oid4vp"
            )
        }
        let transaction = try await world.begin(EngineWorld.redirect + #", "encrypted": true"#)
        let record = try await world.server.record(.requestor(transaction.id))
        let code = try await transaction.answer().responseCode()
        #expect(try await transaction.result(code).text.contains(ScriptedParty.claim))
        let secrets = [
            ScriptedParty.claim, code, record.id, record.requestID, record.frontendToken, try #require(record.state),
            try #require(record.keyID), "\"d\":", "nonce",
        ]
        let values = inner.bytes
        #expect(values.count >= 4)
        for value in values {
            for secret in secrets { #expect(value.firstRange(of: Array(secret.utf8)) == nil) }
        }
    }

    @Test func theLogHasNeitherClaimsNorTokens() async throws {
        let world = try EngineWorld()
        let transaction = try await world.begin(EngineWorld.redirect)
        let code = try await transaction.answer().responseCode()
        let record = try await world.server.record(.requestor(transaction.id))
        let log = try await world.call(.get, transaction.path + "/log").text
        for secret in [
            ScriptedParty.claim, code, record.id, record.requestID, record.frontendToken, try #require(record.state),
        ] {
            #expect(!log.contains(secret))
        }
        #expect(log.contains("verified"))
    }

    @Test func aDamagedEntryIsTheServersFault() async throws {
        let world = try EngineWorld()
        let transaction = try await world.begin()
        for value in ["{}", "x", #"{"status": "created"}"#, #"{"status": "else"}"#] {
            try await world.store.update(SessionKey(transaction.id)) { $0.value = Array(value.utf8) }
            try expectRefusal(.internalError, try await world.call(.get, transaction.path))
        }
    }

    @Test func aDamagedRequestIsTheServersFault() async throws {
        let world = try EngineWorld()
        let transaction = try await world.begin()
        try await world.store.update(SessionKey(transaction.id)) { entry in
            var object = try JSONValue(parsing: entry.value).objectValue ?? [:]
            object["message"] = [:]
            entry.value = JSONValue.object(object).encoded()
        }
        try expectRefusal(.internalError, try await transaction.fetch())
    }
}

/// A store that remembers every key and value that came.
private final class RecordingStore: SessionStore {
    private let base: MemorySessionStore
    private let seen = Mutex<[[UInt8]]>([])

    init(_ base: MemorySessionStore) {
        self.base = base
    }

    var bytes: [[UInt8]] { seen.withLock { $0 } }

    private func note(_ entry: SessionEntry) {
        seen.withLock { $0 += [entry.value, entry.key.bytes] + entry.secondaryKeys.map(\.bytes) }
    }

    var limits: SessionLimits { base.limits }
    func insert(_ entry: SessionEntry) async throws(SessionStoreError) {
        note(entry)
        try await base.insert(entry)
    }
    func entry(for key: SessionKey) async throws(SessionStoreError) -> SessionEntry? { try await base.entry(for: key) }
    func entry(forSecondaryKey key: SessionKey) async throws(SessionStoreError) -> SessionEntry? {
        try await base.entry(forSecondaryKey: key)
    }
    func swap(_ entry: SessionEntry) async throws(SessionStoreError) -> SessionEntry {
        note(entry)
        return try await base.swap(entry)
    }
    func delete(_ key: SessionKey, version: SessionVersion?) async throws(SessionStoreError) -> Bool {
        try await base.delete(key, version: version)
    }
    func changes(of key: SessionKey, after version: SessionVersion?) -> SessionChanges {
        base.changes(of: key, after: version)
    }
    func check() async throws(SessionStoreError) { try await base.check() }
    func run() async { await base.run() }
    func close() async { await base.close() }
}
