import CredentialServing
import Crypto
import Foundation
import ServingContracts
import Testing

@Suite struct EncryptedSessionStoreTests {
    private let time = SessionTestTime()
    private let old = SymmetricKey(data: Array(repeating: UInt8(1), count: 32))
    private let new = SymmetricKey(data: Array(repeating: UInt8(2), count: 32))
    private let plain: MemorySessionStore

    init() {
        plain = MemorySessionStore(clock: time.clock)
    }

    private func store(
        _ sealing: SymmetricKey,
        opening: [SymmetricKey] = [],
        place: String = "test"
    ) throws -> EncryptedSessionStore {
        let keyring = try SessionKeyring(sealing: sealing, opening: opening)
        return EncryptedSessionStore(plain, keyring: keyring, place: place)
    }

    private func entry(_ key: String, secondary: [String] = [], value: String = "secret") -> SessionEntry {
        SessionEntry(
            key: SessionKey(key),
            secondaryKeys: secondary.map { SessionKey($0) },
            value: Array(value.utf8),
            expiry: time.date + 60
        )
    }

    /// The name under which the plain store keeps a session.
    private func sealed(_ key: String, by sealing: SymmetricKey) -> SessionKey {
        SessionNames.primary(key, place: "test", key: sealing)
    }

    @Test(arguments: SessionStoreLaw.all)
    func keeps(_ law: SessionStoreLaw) async throws {
        try await law.check(SessionStoreWorld([try store(new)], time: time) { plain.subscriptionCount })
    }

    @Test(arguments: SessionStoreLaw.all)
    func keepsWhileKeysAreRotated(_ law: SessionStoreLaw) async throws {
        try await law.check(
            SessionStoreWorld([try store(new, opening: [old])], time: time) { plain.subscriptionCount }
        )
    }

    @Test func storesNeitherKeysNorValuesInClear() async throws {
        try await store(new).insert(entry("token-one", secondary: ["token-two"], value: "the value"))
        #expect(try await plain.entry(for: SessionKey("token-one")) == nil)
        #expect(try await plain.entry(forSecondaryKey: SessionKey("token-two")) == nil)
        let stored = try #require(try await plain.entry(for: sealed("token-one", by: new)))
        let bytes = stored.key.bytes + stored.secondaryKeys.flatMap(\.bytes) + stored.value
        for secret in ["token-one", "token-two", "the value"] {
            #expect(Data(bytes).range(of: Data(secret.utf8)) == nil)
        }
    }

    @Test func opensWhatAnEarlierKeySealedAndSealsWithTheNewOne() async throws {
        try await store(old).insert(entry("a", secondary: ["b"]))
        let rotated = try store(new, opening: [old])
        let found = try #require(try await rotated.entry(forSecondaryKey: SessionKey("b")))
        #expect(try await rotated.entry(for: SessionKey("a")) == found)
        var changed = found
        changed.value = [7]
        let swapped = try await rotated.swap(changed)
        #expect(try await rotated.entry(for: SessionKey("a")) == swapped)
        var changes = rotated.changes(of: SessionKey("a")).makeAsyncIterator()
        #expect(try await changes.next() == swapped)
        await expectStoreError(.keyExists) { try await rotated.insert(entry("a")) }
        await expectStoreError(.secondaryKeyExists) { try await rotated.insert(entry("c", secondary: ["b"])) }
        await expectStoreError(.damaged) { try await store(old).entry(for: SessionKey("a")) }
        #expect(try await rotated.delete(SessionKey("a")))
        #expect(try await changes.next() == nil)
        try await rotated.insert(entry("a", secondary: ["b"]))
        #expect(try await store(new).entry(for: SessionKey("a")) != nil)
    }

    @Test func findsNothingWithoutTheKey() async throws {
        try await store(old).insert(entry("a", secondary: ["b"]))
        #expect(try await store(new).entry(for: SessionKey("a")) == nil)
        #expect(try await store(new).entry(forSecondaryKey: SessionKey("b")) == nil)
        #expect(try await store(old, place: "other").entry(for: SessionKey("a")) == nil)
    }

    @Test func opensNoValueThatWasMoved() async throws {
        let encrypted = try store(new)
        let first = entry("a", value: "first")
        try await encrypted.insert(first)
        let name = sealed("a", by: new)
        let atFirst = try #require(try await plain.entry(for: name))
        var second = first
        second.value = Array("second".utf8)
        try await encrypted.swap(second)
        let atSecond = try #require(try await plain.entry(for: name))

        // An old value at a new version.
        var rolledBack = atSecond
        rolledBack.value = atFirst.value
        let third = try await plain.swap(rolledBack)
        await expectStoreError(.damaged) { try await encrypted.entry(for: SessionKey("a")) }
        // A value of the same version under another expiry.
        var extended = third
        extended.value = atSecond.value
        extended.expiry = time.date + 3600
        try await plain.swap(extended)
        await expectStoreError(.damaged) { try await encrypted.entry(for: SessionKey("a")) }
        // A value under the key of another session.
        let other = sealed("b", by: new)
        try await plain.insert(
            SessionEntry(key: other, value: atFirst.value, expiry: first.expiry, version: atFirst.version)
        )
        await expectStoreError(.damaged) { try await encrypted.entry(for: SessionKey("b")) }
        var changes = encrypted.changes(of: SessionKey("b")).makeAsyncIterator()
        do {
            _ = try await changes.next()
            Issue.record("a moved value is not refused")
        } catch {
            #expect(error.code == .damaged)
        }
    }

    @Test(arguments: [0, 1, 8, 9, 20, 21, 30, -1])
    func opensNoValueThatWasChanged(at index: Int) async throws {
        let encrypted = try store(new)
        try await encrypted.insert(entry("a"))
        let name = sealed("a", by: new)
        var stored = try #require(try await plain.entry(for: name))
        try await plain.delete(name)
        stored.value[index < 0 ? stored.value.count - 1 : index] ^= 1
        try await plain.insert(stored)
        await expectStoreError(.damaged) { try await encrypted.entry(for: SessionKey("a")) }
        try await plain.delete(name)
        stored.value = Array(stored.value.prefix(36))
        try await plain.insert(stored)
        await expectStoreError(.damaged) { try await encrypted.entry(for: SessionKey("a")) }
    }

    @Test func refusesUnfitKeys() async {
        let short = SymmetricKey(size: .bits128)
        await expectStoreError(.invalidConfiguration) { try SessionKeyring(sealing: short) }
        await expectStoreError(.invalidConfiguration) { try SessionKeyring(sealing: new, opening: [short]) }
        await expectStoreError(.invalidConfiguration) { try SessionKeyring(sealing: new, opening: [new]) }
        let many = (0..<8).map { _ in SymmetricKey(size: .bits256) }
        await expectStoreError(.invalidConfiguration) { try SessionKeyring(sealing: new, opening: many) }
    }
}

/// The names of keys, derived here as the documentation of the format says.
private enum SessionNames {
    static func primary(_ key: String, place: String, key master: SymmetricKey) -> SessionKey {
        let nameKey = HKDF<SHA256>.expand(
            pseudoRandomKey: master,
            info: Array("session store 1: names".utf8),
            outputByteCount: 32
        )
        let fields: [[UInt8]] = [[1], Array(place.utf8), Array(key.utf8)]
        let input = fields.flatMap { field in
            withUnsafeBytes(of: UInt64(field.count).bigEndian) { Array($0) } + field
        }
        return SessionKey(bytes: HMAC<SHA256>.authenticationCode(for: input, using: nameKey))
    }
}
