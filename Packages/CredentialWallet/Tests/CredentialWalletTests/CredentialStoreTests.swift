import CredentialWallet
import CryptoCore
import Foundation
import Testing

/// The laws of a wallet's store, over every storage.
@Suite struct CredentialStoreTests {
    private typealias Scene = TextScene
    private static let now = TextScene.now

    private func withStore(
        _ kind: StorageKind,
        _ body: (CredentialStore<TextFormat>) async throws -> Void
    ) async throws {
        try await kind.withStorage { try await body(Scene.store($0)) }
    }

    @Test(arguments: StorageKind.allCases)
    func keepsWhatWasAdded(kind: StorageKind) async throws {
        try await withStore(kind) { store in
            let display = [
                CredentialDisplay(name: "Licence", locale: "en", issuerName: "Utopia", textColor: "#fff"),
                CredentialDisplay(name: "Führerschein", locale: "de"),
            ]
            let added = try await store.add(
                Scene.copies("a", "b"),
                display: display,
                rotation: .limited(uses: 3),
                refillThreshold: 1,
                at: Self.now
            )
            let second = try await store.add(Scene.copies("c", of: "other"), rotation: .once, at: Self.now + 1)
            #expect(try await store.credentials() == [added, second])
            #expect(try await store.credential(added.id) == added)
            #expect(try await store.credential(added.id.uppercased())?.id == added.id)
            #expect(added.display(in: ["fr", "de"])?.name == "Führerschein")
            #expect(added.copies.map(\.number) == [1, 2])
            #expect(added.validity == Self.now - Scene.day...Self.now + 30 * Scene.day)
            #expect(try await store.copyToShow(of: added.id)?.text == "b")
            for id in ["", "zz", String(added.id.dropLast()), String(repeating: "0", count: 32)] {
                #expect(try await store.credential(id) == nil)
                #expect(try await store.copyToShow(of: id) == nil)
            }
        }
    }

    @Test(arguments: StorageKind.allCases)
    func presentsEachCopyOnce(kind: StorageKind) async throws {
        try await withStore(kind) { store in
            let copies = Scene.copies("a", "b", "c")
            let added = try await store.add(copies, rotation: .once, refillThreshold: 1, at: Self.now)
            var events = store.events().makeAsyncIterator()
            #expect(try await [store.present(), store.present(), store.present()] == ["a", "b", "c"])
            #expect(try await store.present() == nil)
            #expect(try await store.credentialsToRefill(at: Self.now).map(\.id) == [added.id])
            var seen: [WalletEvent] = []
            for _ in 0..<5 { seen.append(try #require(await events.next())) }
            #expect(
                seen == [
                    .used(added.id, copy: 1), .used(added.id, copy: 2), .copiesLow(added.id, remaining: 1),
                    .used(added.id, copy: 3), .copiesLow(added.id, remaining: 0),
                ]
            )
        }
    }

    /// The issuer's date counts, whatever the number of copies, until newer ones are there.
    @Test(arguments: StorageKind.allCases)
    func tellsThatAnUpdateIsDue(kind: StorageKind) async throws {
        func copies(_ names: [String], update days: Double?) -> [CopyParts] {
            names.map { name in
                var copy = Scene.copies(name)[0]
                copy.expectedUpdate = days.map { Self.now + $0 * Scene.day }
                return copy
            }
        }
        try await withStore(kind) { store in
            let first = copies(["a", "b", "c"], update: 10)
            let added = try await store.add(first, rotation: .untilExpiry, at: Self.now)
            let kept = try #require(try await store.credential(added.id))
            #expect(kept == added)
            let due = Self.now + 10 * Scene.day
            #expect(kept.copies.map(\.expectedUpdate) == [due, due, due])
            #expect(!kept.isUpdateDue(at: due - 1) && kept.isUpdateDue(at: due))
            #expect(try await store.credentialsToRefill(at: due - 1).isEmpty)
            #expect(try await store.credentialsToRefill(at: due).map(\.id) == [added.id])
            // The copies are not few.
            var events = store.events().makeAsyncIterator()
            #expect(try await store.present(at: due) != nil)
            _ = try await store.add(copies(["d"], update: 20), to: added.id, at: due)
            let (used, refilled) = (await events.next(), await events.next())
            #expect(used == .used(added.id, copy: 1) && refilled == .refilled(added.id))
            #expect(try await store.credentialsToRefill(at: due).isEmpty)
            _ = try await store.add(copies(["e"], update: nil), to: added.id, at: due)
            #expect(try await store.credentialsToRefill(at: due + 15 * Scene.day).isEmpty)
        }
    }

    @Test(arguments: [(RotationPolicy.once, 2), (.limited(uses: 3), 6), (.limited(uses: 0), 2)])
    func presentsAsOftenAsThePolicyAllows(rotation: RotationPolicy, presentations: Int) async throws {
        try await withStore(.memory) { store in
            let added = try await store.add(Scene.copies("a", "b"), rotation: rotation, at: Self.now)
            var count = 0
            while try await store.present() != nil { count += 1 }
            #expect(count == presentations)
            let uses = try await store.credential(added.id)?.copies.map(\.uses)
            #expect(uses == [UInt64(presentations / 2), UInt64(presentations / 2)])
        }
    }

    @Test func presentsUntilExpiryByTurns() async throws {
        try await withStore(.memory) { store in
            let copies = Scene.copies("a", days: 1) + Scene.copies("b", days: 20)
            let added = try await store.add(copies, rotation: .untilExpiry, refillThreshold: 1, at: Self.now)
            for _ in 0..<4 { #expect(try await store.present() != nil) }
            #expect(try await store.credential(added.id)?.copies.map(\.uses) == [2, 2])
            #expect(try await store.credentialsToRefill(at: Self.now).isEmpty)
            // The first copy has expired.
            let later = Self.now + 2 * Scene.day
            #expect(try await store.credentialsToRefill(at: later).map(\.id) == [added.id])
            #expect(try await store.present(at: later) == "b")
            #expect(try await store.credential(added.id)?.copies.map(\.uses) == [2, 3])
            #expect(try await store.present(at: Self.now + 21 * Scene.day) == nil)
        }
    }

    @Test(arguments: StorageKind.allCases)
    func refillsInPlaceOfUselessCopies(kind: StorageKind) async throws {
        try await withStore(kind) { store in
            let first = Scene.copies("a") + Scene.copies("b", days: 1)
            let added = try await store.add(first, rotation: .once, at: Self.now)
            #expect(try await store.present() == "a")
            let second = Scene.copies("c", "d")
            let refilled = try await store.add(second, to: added.id, at: Self.now)
            #expect(refilled.credential.copies.map(\.number) == [2, 3, 4])
            #expect(try await store.credential(added.id) == refilled.credential)
            // The spent copy's key, and then that of the expired one; each is what the copy was added with.
            #expect(refilled.removedKeyHandles == [first[0].keyHandle])
            let handles = try await store.keyHandles().handles
            #expect(Set(handles) == [first[1].keyHandle, second[0].keyHandle, second[1].keyHandle])
            let later = Self.now + 2 * Scene.day
            let third = Scene.copies("e")
            let refilledAgain = try await store.add(third, to: added.id, at: later)
            #expect(refilledAgain.removedKeyHandles == [first[1].keyHandle])
            #expect(refilledAgain.credential.copies.map(\.number) == [3, 4, 5])
            #expect(try await store.add(Scene.copies("f"), to: added.id, at: later).removedKeyHandles.isEmpty)
            #expect(try await store.remove(added.id)?.handles.contains(third[0].keyHandle) == true)
            #expect(try await store.keyHandles().handles.isEmpty)
        }
    }

    @Test func refusesWhatDoesNotFit() async throws {
        try await withStore(.memory) { store in
            await expect(.invalidCopies) { try await store.add([], rotation: .once, at: Self.now) }
            let copies = Scene.copies("a")
            await expect(.duplicateCopy) { try await store.add(copies + copies, rotation: .once, at: Self.now) }
            let mixed = copies + Scene.copies("b", of: "other")
            await expect(.invalidCopies) { try await store.add(mixed, rotation: .once, at: Self.now) }
            var long = copies[0]
            long.keyHandle = SecretBytes([UInt8](repeating: 0, count: 65_537))
            await expect(.limitExceeded) { try await store.add([long], rotation: .once, at: Self.now) }
            #expect(try await store.credentials().isEmpty)
            let added = try await store.add(copies, rotation: .once, at: Self.now)
            await expect(.invalidCopies) {
                _ = try await store.add(Scene.copies("b", of: "other"), to: added.id, at: Self.now)
            }
            await expect(.duplicateCopy) { _ = try await store.add(copies, to: added.id, at: Self.now) }
            for id in ["", String(repeating: "0", count: 32)] {
                await expect(.unknownCredential) { _ = try await store.add(Scene.copies("b"), to: id, at: Self.now) }
            }
        }
    }

    @Test(arguments: StorageKind.allCases)
    func removesACredentialWithItsCopies(kind: StorageKind) async throws {
        try await kind.withStorage { storage in
            let store = Scene.store(storage)
            let kept = try await store.add(Scene.copies("a"), rotation: .once, at: Self.now)
            let removed = try await store.add(Scene.copies("b", "c"), rotation: .once, at: Self.now)
            #expect(try await store.remove(removed.id)?.handles.count == 2)
            #expect(try await store.remove(removed.id) == nil)
            #expect(try await store.credentials().map(\.id) == [kept.id])
            #expect(try await storage.entries(in: .copies).count == 1)
        }
    }

    @Test(arguments: StorageKind.allCases)
    func claimsEachUseForOneTaskOnly(kind: StorageKind) async throws {
        try await withStore(kind) { store in
            let added = try await store.add(Scene.copies("a"), rotation: .limited(uses: 5), at: Self.now)
            let claims = await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        do {
                            return try await !store.claim(["\(added.id)/1"], at: Self.now).isEmpty
                        } catch {
                            return false
                        }
                    }
                }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(claims == 5)
            #expect(try await store.credential(added.id)?.copies.map(\.uses) == [5])
        }
    }

    @Test func refusesValuesOfOtherVersions() async throws {
        for (bytes, code) in [
            ([0x81, 0x02], .unsupportedVersion), ([0x80], .storageDamaged), ([], .storageDamaged),
        ] as [([UInt8], CredentialStoreError.Code)] {
            let storage = InMemoryCredentialStorage()
            let place = StoragePlace(.credentials, key: [UInt8](repeating: 7, count: 16))
            try await storage.write([.insert(place, SecretBytes(bytes))])
            await expect(code) { _ = try await Scene.store(storage).credentials() }
        }
    }

    /// A format with collections of its own over the same storage.
    private struct OtherFormat: CopyFormat {
        let credentials = StorageCollection(203, "other credentials")
        let copies = StorageCollection(204, "copies of other credentials")

        func parts(of copy: CopyParts) -> CopyParts { copy }
        func copy(_ stored: StoredCopy) -> String { stored.id }
    }

    @Test(arguments: StorageKind.allCases)
    func sharesAStorageWithOtherFormats(kind: StorageKind) async throws {
        try await kind.withStorage { storage in
            let (store, other) = (Scene.store(storage), CredentialStore(storage, format: OtherFormat()))
            let added = try await store.add(Scene.copies("a"), rotation: .once, at: Self.now)
            let second = try await other.add(Scene.copies("a"), rotation: .once, at: Self.now)
            #expect(try await store.credentials() == [added])
            #expect(try await other.credentials() == [second])
            #expect(try await other.copiesToPresent(at: Self.now).copies == ["\(second.id)/1"])
            await expect(.unknownCredential) { _ = try await store.claim(["\(second.id)/1"], at: Self.now) }
            #expect(try await other.remove(added.id) == nil)
            #expect(try await store.present() == "a")
            #expect(try await other.credential(second.id)?.copies.map(\.uses) == [0])
        }
    }
}
