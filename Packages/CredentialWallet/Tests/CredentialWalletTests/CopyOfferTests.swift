import CredentialWallet
import CryptoCore
import Foundation
import Testing

/// The copies that a store offers, and their counting.
@Suite struct CopyOfferTests {
    private typealias Scene = TextScene
    private static let now = TextScene.now

    @Test func offersACopyOfEachCredential() async throws {
        let store = Scene.store(InMemoryCredentialStorage())
        let licence = try await store.add(Scene.copies("a", "b"), rotation: .once, at: Self.now)
        let other = try await store.add(Scene.copies("c", of: "other"), rotation: .once, at: Self.now + 1)
        let offer = try await store.copiesToPresent(at: Self.now)
        #expect(offer.copies.map(\.id) == ["\(licence.id)/1", "\(other.id)/1"])
        #expect(offer.unreadable.isEmpty && offer.exhausted.isEmpty)
        let licences = try await store.copiesToPresent(ofTypes: ["licence"], at: Self.now)
        #expect(licences.copies.map(\.text) == ["a"])
        #expect(try await store.copiesToPresent(ofTypes: [], at: Self.now).copies.isEmpty)
    }

    @Test func offersACredentialByItsFurtherTypes() async throws {
        let storage = InMemoryCredentialStorage()
        let store = Scene.store(storage)
        let added = try await store.add(
            Scene.copies("a", of: "licence", "e\u{301}") + Scene.copies("b", of: "licence", "permit", "e\u{301}"),
            rotation: .once,
            at: Self.now
        )
        #expect(added.furtherTypes == ["e\u{301}", "permit"])
        #expect(try await store.credential(added.id) == added)
        for types in [["permit"], ["x", "e\u{301}"], ["licence"]] {
            #expect(try await store.copiesToPresent(ofTypes: types, at: Self.now).copies.count == 1, "\(types)")
        }
        // Types are compared by their bytes.
        #expect(try await store.copiesToPresent(ofTypes: ["\u{e9}"], at: Self.now).copies.isEmpty)
    }

    /// A credential of an earlier version has no further types, until it gets copies that have some.
    @Test func readsACredentialThatWasStoredWithoutFurtherTypes() async throws {
        let storage = InMemoryCredentialStorage()
        let store = Scene.store(storage)
        let added = try await store.add(Scene.copies("a", of: "licence", "permit"), rotation: .once, at: Self.now)
        let entry = try #require(await storage.entries(in: .credentials).first)
        let stored = entry.value.withUnsafeBytes { [UInt8]($0) }
        let further: [UInt8] = [0x81, 0x66] + Array("permit".utf8)
        #expect(stored.first == 0x89 && stored.suffix(further.count) == further[...])
        let earlier = [0x88] + stored.dropFirst().dropLast(further.count)
        try await storage.write([.replace(entry.place, SecretBytes(earlier), version: entry.version)])
        let found = try #require(try await store.credential(added.id))
        #expect(found.furtherTypes.isEmpty)
        #expect(found.copies == added.copies)
        #expect(try await store.copiesToPresent(ofTypes: ["licence"], at: Self.now).copies.count == 1)
        #expect(try await store.copiesToPresent(ofTypes: ["permit"], at: Self.now).copies.isEmpty)
        // It is written as it was read.
        _ = try await store.claim(["\(added.id)/1"], at: Self.now)
        let written = try #require(await storage.entries(in: .credentials).first)
        #expect(written.value.withUnsafeBytes { $0.first } == 0x88)
        _ = try await store.add(Scene.copies("b", of: "licence", "permit"), to: added.id, at: Self.now)
        #expect(try await store.copiesToPresent(ofTypes: ["permit"], at: Self.now).copies.map(\.text) == ["b"])
    }

    /// Copies may be for keys on different curves, of which a verifier takes one.
    @Test func offersTheNextCopyThatAVerifierTakes() async throws {
        let store = Scene.store(InMemoryCredentialStorage())
        try await store.add(Scene.copies("a", "b", "c"), rotation: .once, at: Self.now)
        try await store.add(Scene.copies("x", "y", of: "other"), rotation: .once, at: Self.now + 1)
        let offer = try await store.copiesToPresent(at: Self.now) { ["b", "c"].contains($0.text) }
        #expect(offer.copies.map(\.text) == ["b", "x"], "the next one where the verifier takes none")
        #expect(offer.exhausted.isEmpty && offer.unreadable.isEmpty)
        let others = try await store.copiesToPresent(ofTypes: ["other"], at: Self.now) { $0.text == "y" }
        #expect(others.copies.map(\.text) == ["y"])
        _ = try await store.claim([try #require(offer.copies.first).id], at: Self.now)
        let next = try await store.copiesToPresent(at: Self.now) { ["b", "c"].contains($0.text) }
        #expect(next.copies.first?.text == "c")
    }

    /// A wallet tells a credential that needs copies from one that it never had.
    @Test func namesTheExhaustedCredentials() async throws {
        let store = Scene.store(InMemoryCredentialStorage())
        let spent = try await store.add(Scene.copies("a"), rotation: .once, at: Self.now)
        let expiring = try await store.add(Scene.copies("b", of: "other", days: 1), rotation: .once, at: Self.now + 1)
        #expect(try await store.present() == "a")
        let offer = try await store.copiesToPresent(at: Self.now)
        #expect(offer.exhausted.map(\.id) == [spent.id])
        #expect(offer.copies.map(\.text) == ["b"])
        let later = try await store.copiesToPresent(at: Self.now + 2 * Scene.day)
        #expect(later.exhausted.map(\.id) == [spent.id, expiring.id])
        let others = try await store.copiesToPresent(ofTypes: ["other"], at: Self.now + 2 * Scene.day)
        #expect(others.exhausted.map(\.id) == [expiring.id])
    }

    @Test func countsTheClaimedCopiesAlone() async throws {
        let store = Scene.store(InMemoryCredentialStorage())
        let copies = Scene.copies("a", "b")
        let licence = try await store.add(copies, rotation: .once, at: Self.now)
        try await store.add(Scene.copies("c", of: "other"), rotation: .once, at: Self.now + 1)
        let copy = try #require(try await store.copiesToPresent(ofTypes: ["licence"], at: Self.now).copies.first)
        let handles = try await store.claim([copy.id, copy.id], at: Self.now)
        #expect(handles == [copy.id: copies[0].keyHandle])
        #expect(try await store.credentials().map { $0.copies.map(\.uses) } == [[1, 0], [0]])
        let next = try await store.copiesToPresent(ofTypes: ["licence"], at: Self.now)
        #expect(next.copies.map(\.id) == ["\(licence.id)/2"])
        #expect(try await store.claim([], at: Self.now).isEmpty)
    }

    @Test func refusesCopiesThatCannotBePresented() async throws {
        let store = Scene.store(InMemoryCredentialStorage())
        let added = try await store.add(Scene.copies("a", "b", days: 1), rotation: .once, at: Self.now)
        _ = try await store.claim(["\(added.id)/1"], at: Self.now)
        let both = ["\(added.id)/1", "\(added.id)/2"]
        await expect(.spentCopy) { _ = try await store.claim(both, at: Self.now) }
        #expect(try await store.credential(added.id)?.copies.map(\.uses) == [1, 0], "all or none")
        let later = Self.now + 2 * Scene.day
        await expect(.outsideValidity) { _ = try await store.claim(["\(added.id)/2"], at: later) }
        await expect(.spentCopy) { _ = try await store.claim(["\(added.id)/9"], at: Self.now) }
        let unknown = String(repeating: "0", count: 32) + "/1"
        for name in ["", added.id, "\(added.id)/x", "a/1/2", "\(added.id)/1/2", unknown] {
            await expect(.unknownCredential) { _ = try await store.claim([name], at: Self.now) }
        }
    }

    @Test func offersAnotherCopyForADamagedOne() async throws {
        let storage = InMemoryCredentialStorage()
        let store = Scene.store(storage)
        let added = try await store.add(Scene.copies("a", "b"), rotation: .once, at: Self.now)
        let first = try #require(await storage.entries(in: .copies).first)
        try await storage.write([.replace(first.place, SecretBytes([9]), version: first.version)])
        let offer = try await store.copiesToPresent(at: Self.now)
        #expect(offer.copies.map(\.id) == ["\(added.id)/2"])
        #expect(offer.unreadable.map(\.id) == ["\(added.id)/1"])
        #expect(offer.unreadable.map(\.error.code) == [.storageDamaged])
    }

    /// A copy that the format refuses to read: not added, and in nobody's way where others with other options added it.
    @Test func refusesCopiesThatTheFormatCannotRead() async throws {
        let storage = InMemoryCredentialStorage()
        let store = Scene.store(storage, refusing: ["bad"])
        await expect(.unreadableCopy) { try await store.add(Scene.copies("bad"), rotation: .once, at: Self.now) }
        #expect(try await store.credentials().isEmpty)
        let tolerant = Scene.store(storage)
        let bad = try await tolerant.add(Scene.copies("bad"), rotation: .once, at: Self.now)
        let offer = try await store.copiesToPresent(at: Self.now)
        #expect(offer.copies.isEmpty)
        #expect(offer.exhausted.map(\.id) == [bad.id])
        #expect(offer.unreadable.map(\.id) == ["\(bad.id)/1"])
        #expect(offer.unreadable.first?.error.cause as? TextFormat.Refusal == TextFormat.Refusal(text: "bad"))
        await expect(.unreadableCopy) { _ = try await store.copyToShow(of: bad.id) }
        await expect(.unreadableCopy) { _ = try await store.claim(["\(bad.id)/1"], at: Self.now) }
        #expect(try await store.contents().unreadable.map(\.id) == ["\(bad.id)/1"])
        #expect(try await store.credentialsToRefill(at: Self.now).map(\.id) == [bad.id])
        #expect(try await tolerant.present() == "bad")
    }

    /// A storage that fails as a whole offers nothing.
    @Test func throwsTheFailureOfAStorage() async throws {
        let storage = InMemoryCredentialStorage()
        let added = try await Scene.store(storage).add(Scene.copies("a"), rotation: .once, at: Self.now)
        let store = Scene.store(FailingStorage(base: storage))
        await expect(.storageFailed) { _ = try await store.copiesToPresent(at: Self.now) }
        await expect(.storageFailed) { _ = try await store.copyToShow(of: added.id) }
    }

    /// A storage whose copies cannot be had.
    private struct FailingStorage: CredentialStorage {
        let base: InMemoryCredentialStorage

        func entry(at place: StoragePlace) async throws(CredentialStoreError) -> StorageEntry? {
            guard place.collection == .credentials else { throw CredentialStoreError(.storageFailed, "no access") }
            return await base.entry(at: place)
        }

        func entries(in collection: StorageCollection) async throws(CredentialStoreError) -> [StorageEntry] {
            await base.entries(in: collection)
        }

        func write(_ changes: [StorageChange]) async throws(CredentialStoreError) { try await base.write(changes) }
    }
}
