import CredentialTesting
import CredentialWallet
import CryptoCore
import Foundation
import IRMAMessages
import IdemixCore
import Synchronization
import TestSupport
import Testing

@testable import IRMAClient

/// Stored credentials, replacement and deletion.
struct CredentialStorageTests {
    private let mail: [ExactText: String] = ["address": "a@example.com", "domain": "example.com"]

    private func scene(
        _ storage: any CredentialStorage = InMemoryCredentialStorage()
    ) async throws -> (PlayServer, IRMAWallet) {
        let server = try PlayServer(try Stage.shared.get())
        return (server, try await Stage.shared.get().wallet(server, storage: storage))
    }

    @Test func replacesASingleton() async throws {
        let (server, wallet) = try await scene()
        try await wallet.finish(server.start(issuing(offer(Stage.card, ["name": "Alice"]))))
        let old = await wallet.credentials()
        let session = try wallet.session(with: server.start(issuing(offer(Stage.card, ["name": "Bob"]))))
        let request = try await session.request()
        #expect(request.credentials.first?.replaces == old.first?.hash)
        let outcome = try await session.answer(WalletChoice())
        #expect(outcome.entry.removed.first?.attributes.first?.value == "Alice")
        #expect(await wallet.credentials().map { $0.values[2] } == ["Bob"])
    }

    /// The old credential cannot be read: the new one takes its place all the same.
    @Test func replacesAnUnreadableSingleton() async throws {
        let storage = InMemoryCredentialStorage()
        let (server, first) = try await scene(storage)
        try await first.finish(server.start(issuing(offer(Stage.card, ["name": "Alice"]))))
        let place = try #require(try await storage.places(in: .irmaCredentials).first)
        let value = try #require(try await storage.value(at: place)).withUnsafeBytes { [UInt8]($0) }
        try await storage.put(SecretBytes(Array(value.dropLast())), at: place)
        let (again, wallet) = try await scene(storage)
        #expect(await wallet.unreadableCredentials().map(\.type) == [Stage.card])
        // Of a type that may be held twice, nothing is replaced.
        try await wallet.finish(again.start(issuing(offer(Stage.mail, mail))))
        #expect(await wallet.unreadableCredentials().map(\.place) == [place])
        try await wallet.finish(again.start(issuing(offer(Stage.card, ["name": "Bob"]))))
        #expect(await wallet.unreadableCredentials().isEmpty)
        #expect(await wallet.credentials().filter { $0.type == Stage.card }.map { $0.values[2] } == ["Bob"])
        #expect(try await wallet.log().first?.removed.map(\.type) == [Stage.card])
        #expect(try await storage.places(in: .irmaCredentials).count == 2)
    }

    @Test func replacesTheLastSingletonOfOneSession() async throws {
        let (server, wallet) = try await scene()
        let pointer = server.start(
            issuing(offer(Stage.card, ["name": "Alice"]), offer(Stage.card, ["name": "Bob"]))
        )
        try await wallet.finish(pointer)
        #expect(await wallet.credentials().map { $0.values[2] } == ["Bob"])
    }

    @Test func replacesWhatHasTheSameValues() async throws {
        let (server, wallet) = try await scene()
        try await wallet.finish(server.start(issuing(offer(Stage.mail, mail))))
        // The same values with another expiry.
        try await wallet.finish(server.start(issuing(offer(Stage.mail, mail, validity: 1e7))))
        #expect(await wallet.credentials().count == 1)
        #expect(try await wallet.log().first?.removed.count == 1)
        // Equal in every integer.
        try await wallet.finish(server.start(issuing(offer(Stage.mail, mail, validity: 1e7))))
        #expect(await wallet.credentials().count == 1)
    }

    /// The older of them is without the attribute that the type has gained.
    @Test func replacesWhatHasTheSameValuesAfterAnUpdateOfTheScheme() async throws {
        let storage = InMemoryCredentialStorage()
        let (server, first) = try await scene(storage)
        try await first.finish(server.start(issuing(offer(Stage.mail, mail))))
        let updated = try Stage.shared.get().gaining("note", in: Stage.mail)
        let newer = try PlayServer(updated)
        let wallet = try await updated.wallet(newer, storage: storage)
        try await wallet.finish(newer.start(issuing(offer(Stage.mail, mail, validity: 1e7))))
        #expect(await wallet.credentials().map(\.values) == [[2: "a@example.com", 3: "example.com", 4: nil]])
        #expect(try await wallet.log().first?.removed.count == 1)
    }

    @Test func keepsRevocableCredentialsWithTheSameValues() async throws {
        let (server, wallet) = try await scene()
        for _ in 0..<2 {
            var pass = offer(Stage.pass, ["id": "a"])
            pass.isRevocationSupported = true
            try await wallet.finish(server.start(issuing(pass)))
        }
        #expect(await wallet.credentials().map { $0.values[2] } == ["a", "a"])
        #expect(try await wallet.log().first?.removed.isEmpty == true)
    }

    /// An absent attribute has no bytes.
    @Test func tellsCredentialsApartByThePlaceOfAValue() async throws {
        let storage = InMemoryCredentialStorage()
        let (server, wallet) = try await scene(storage)
        for name in ["first", "second"] as [ExactText] {
            try await wallet.finish(server.start(issuing(offer(Stage.note, [name: "x"]))))
        }
        let held = await wallet.credentials()
        #expect(Set(held.map(\.hash)).count == 2)
        let second = try #require(held.first { ($0.values[3] ?? nil) == "x" })
        // Another start gives the same identities.
        let (_, again) = try await scene(storage)
        #expect(await Set(again.credentials()) == Set(held))
        try await again.delete(credential: second.hash)
        #expect(await again.credentials().map { $0.values[2] } == ["x"])
    }

    @Test func usesNoPreparedDisclosureOfAnotherCredential() async throws {
        let (server, wallet) = try await scene()
        for name in ["first", "second"] as [ExactText] {
            try await wallet.finish(server.start(issuing(offer(Stage.note, [name: "x"]))))
        }
        let requests = try await wallet.core.vault.credentials(wallet.core.schemes.snapshot).map {
            try IdemixDisclosureRequest($0.credential, disclosing: [1], provingNonRevocation: false)
        }
        let prepared = PreparedDisclosures(size: 1, using: SystemRandomSource())
        let kind = PreparedDisclosures.Kind(hash: [1], disclosed: [1], provesNonRevocation: false)
        await prepared.prepare(kind, for: requests[0])
        #expect(await prepared.take(kind, for: requests[1]) == nil)
        #expect(await prepared.take(kind, for: requests[0]) != nil)
        await prepared.prepare(kind, for: requests[0])
        await prepared.prepare(kind, for: requests[1])
        #expect(await prepared.take(kind, for: requests[1]) != nil)
    }

    @Test func keepsTheOrderOfASession() async throws {
        let storage = InMemoryCredentialStorage()
        let (server, wallet) = try await scene(storage)
        let addresses = (0..<8).map { "\($0)@example.com" }
        let offers = addresses.map { offer(Stage.mail, ["address": $0, "domain": "example.com"]) }
        try await wallet.finish(server.start(SessionRequest(.issuing(offers))))
        #expect(await wallet.credentials().map { $0.values[2] } == addresses)
        // The places in the storage have the order, too.
        let (_, again) = try await scene(storage)
        #expect(await again.credentials().map { $0.values[2] } == addresses)
    }

    @Test func keepsOthersOfTheType() async throws {
        let (server, wallet) = try await scene()
        try await wallet.finish(server.start(issuing(offer(Stage.mail, mail))))
        try await wallet.finish(server.start(issuing(offer(Stage.mail, ["address": "b@example.com", "domain": "x"]))))
        #expect(await wallet.credentials().count == 2)
        let request = try await wallet.session(with: server.start(disclosing([[["demo.bank.mail.domain"]]]))).request()
        #expect(request.disjunctions[0].usableCandidates.count == 2)
    }

    @Test func deletes() async throws {
        let (server, wallet) = try await scene()
        try await wallet.finish(server.start(issuing(offer(Stage.mail, mail))))
        let hash = try #require(await wallet.credentials().first?.hash)
        try await wallet.delete(credential: hash)
        #expect(await wallet.credentials().isEmpty)
        let entry = try #require(try await wallet.log().first)
        #expect(entry.kind == nil && entry.removed.map(\.type) == [Stage.mail])
        await expectRefusal(.credentialNotAvailable) { try await wallet.delete(credential: hash) }
    }

    @Test func deletesEverything() async throws {
        let storage = InMemoryCredentialStorage()
        let (server, wallet) = try await scene(storage)
        try await wallet.finish(server.start(issuing(offer(Stage.mail, mail))))
        try await wallet.deleteAll()
        #expect(await wallet.credentials().isEmpty)
        #expect(try await wallet.log().isEmpty)
        for collection in StorageCollection.irma where collection != .irmaKeys {
            #expect(try await storage.places(in: collection).isEmpty)
        }
        try await wallet.finish(server.start(issuing(offer(Stage.mail, mail))))
        #expect(await wallet.credentials().count == 1)
    }

    @Test func keepsEverythingOverARestart() async throws {
        let storage = InMemoryCredentialStorage()
        let (server, wallet) = try await scene(storage)
        try await wallet.finish(server.start(issuing(offer(Stage.card, ["name": "Alice"]))))
        let (_, again) = try await scene(storage)
        #expect(await again.credentials() == (await wallet.credentials()))
        let other = try await Stage.shared.get().wallet(server, storage: storage)
        let pointer = server.start(disclosing([[["demo.bank.card.name"]]]))
        try await other.finish(pointer)
        #expect(server.session(pointer)?.proofStatus == .valid)
        #expect(try await other.log().map(\.number) == [2, 1])
        #expect(try await other.log(before: 2, limit: 5).map(\.kind) == [.issuing])
        #expect(try await other.log(limit: 1).map(\.kind) == [.disclosing])
    }

    @Test func hasOneSecretKeyForWalletsOfOneStore() async throws {
        let storage = InMemoryCredentialStorage()
        let server = try PlayServer(try Stage.shared.get())
        async let first = Stage.shared.get().wallet(server, storage: storage)
        async let second = Stage.shared.get().wallet(server, storage: storage)
        let keys = try await [first, second].map { $0.core.vault.secretKey.secretInteger }
        #expect(keys[0] == keys[1])
    }

    @Test func losesNothingOfTwoWalletsOverOneStore() async throws {
        let storage = InMemoryCredentialStorage()
        let (server, first) = try await scene(storage)
        let second = try await Stage.shared.get().wallet(server, storage: storage)
        try await first.finish(server.start(issuing(offer(Stage.mail, mail))))
        try await second.finish(server.start(issuing(offer(Stage.card, ["name": "Alice"]))))
        let (_, third) = try await scene(storage)
        #expect(await third.credentials().count == 2)
        #expect(try await third.log().map(\.number) == [2, 1])
    }

    @Test func passesOverTypesThatTheSchemesLack() async throws {
        let storage = InMemoryCredentialStorage()
        let (server, wallet) = try await scene(storage)
        try await wallet.finish(server.start(issuing(offer(Stage.mail, mail))))
        let bare = try await Stage.shared.get().wallet(server, storage: storage, schemes: SchemeSnapshot())
        #expect(await bare.credentials().isEmpty)
        #expect(try await storage.places(in: .irmaCredentials).count == 1)
    }

    @Test func runsSessionsSideBySide() async throws {
        let (server, wallet) = try await scene()
        try await wallet.finish(server.start(issuing(offer(Stage.card, ["name": "Alice"]))))
        let disclosures = (0..<4).map { _ in server.start(disclosing([[["demo.bank.card.name"]]])) }
        let issuances = (0..<4).map { number in
            server.start(issuing(offer(Stage.mail, ["address": "\(number)", "domain": "x"])))
        }
        let cards = (0..<4).map { server.start(issuing(offer(Stage.card, ["name": "Alice", "level": "\($0)"]))) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for pointer in issuances + cards { group.addTask { _ = try await wallet.finish(pointer) } }
            try await group.waitForAll()
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for pointer in disclosures { group.addTask { _ = try await wallet.finish(pointer) } }
            try await group.waitForAll()
        }
        #expect(disclosures.allSatisfy { server.session($0)?.proofStatus == .valid })
        let held = await wallet.credentials()
        #expect(held.filter { $0.type == Stage.mail }.count == 4)
        #expect(held.filter { $0.type == Stage.card }.count == 1, "a singleton, whichever session came last")
        #expect(try await wallet.log().map(\.number) == (1...13).reversed().map { UInt64($0) })
    }

    @Test func reportsDamage() async throws {
        let storage = InMemoryCredentialStorage()
        let (server, wallet) = try await scene(storage)
        try await wallet.finish(server.start(issuing(offer(Stage.mail, mail))))
        let place = try #require(try await storage.places(in: .irmaCredentials).first)
        let value = try #require(try await storage.value(at: place)).withUnsafeBytes { [UInt8]($0) }
        for length in [0, 1, 27, 28, 40, value.count - 1] {
            try await storage.put(SecretBytes(Array(value.prefix(length))), at: place)
            try await expectDamage(storage)
        }
        for position in [0, 1] {
            var changed = value
            changed[position] ^= 0x80
            try await storage.put(SecretBytes(changed), at: place)
            try await expectDamage(storage)
        }
        try await storage.put(SecretBytes([1]), at: StoragePlace(.irmaKeys, key: Array("secret key".utf8)))
        await expectRefusal(.storageDamaged) { try await scene(storage) }
    }

    private func expectDamage(_ storage: InMemoryCredentialStorage) async throws {
        let (_, wallet) = try await scene(storage)
        #expect(await wallet.credentials().isEmpty)
        #expect(await wallet.unreadableCredentials().map(\.reason.code) == [.storageDamaged])
    }

    /// A storage that authenticates its values, one of which was changed.
    private struct TamperedStorage: StorageOverMemory {
        let base: InMemoryCredentialStorage
        let place: StoragePlace
        let error: CredentialStoreError

        init(_ base: InMemoryCredentialStorage, _ place: StoragePlace, _ code: CredentialStoreError.Code) {
            (self.base, self.place) = (base, place)
            error = CredentialStoreError(code, "the value is not the one that was written")
        }

        func entry(at place: StoragePlace) async throws(CredentialStoreError) -> StorageEntry? {
            guard place != self.place else { throw error }
            return await base.entry(at: place)
        }

        func records(in collection: StorageCollection) async throws(CredentialStoreError) -> [StorageRecord] {
            guard error.code == .storageDamaged || collection != place.collection else { throw error }
            return await base.entries(in: collection).map { entry in
                guard entry.place == place else { return StorageRecord(entry) }
                return StorageRecord(place, version: entry.version, .failure(error))
            }
        }

        func write(_ changes: [StorageChange]) async throws(CredentialStoreError) { try await base.write(changes) }
    }

    @Test func opensAStorageWithAChangedValue() async throws {
        let storage = InMemoryCredentialStorage()
        let (server, first) = try await scene(storage)
        try await first.finish(server.start(issuing(offer(Stage.mail, mail))))
        let place = try #require(try await storage.places(in: .irmaCredentials).first)
        let (again, wallet) = try await scene(TamperedStorage(storage, place, .storageDamaged))
        #expect(await wallet.unreadableCredentials().map(\.place) == [place])
        try await wallet.finish(again.start(issuing(offer(Stage.card, ["name": "Alice"]))))
        try await wallet.delete(unreadable: place)
        #expect(await wallet.unreadableCredentials().isEmpty)
        #expect(await storage.entry(at: place) == nil)
        try await storage.put(SecretBytes([1]), at: place)
        // A storage that cannot be read at all is another matter.
        await expectRefusal(.storageFailed) { try await scene(TamperedStorage(storage, place, .storageFailed)) }
    }

    /// The value has its head, so that the type is known, or not even that.
    @Test(arguments: [false, true]) func goesOnWithoutACredentialThatCannotBeRead(hasHead: Bool) async throws {
        let storage = InMemoryCredentialStorage()
        let (server, first) = try await scene(storage)
        try await first.finish(server.start(issuing(offer(Stage.mail, mail))))
        let place = try #require(try await storage.places(in: .irmaCredentials).first)
        var vote = offer(Stage.vote, ["election": "x", "place": "y"])
        vote.randomBlindNames = ["place"]
        try await first.finish(server.start(issuing(vote)))
        let value = try #require(try await storage.value(at: place)).withUnsafeBytes { [UInt8]($0) }
        let damaged = hasHead ? Array(value.dropLast()) : [0]
        try await storage.put(SecretBytes(damaged), at: place)
        let (again, wallet) = try await scene(storage)
        let unreadable = await wallet.unreadableCredentials()
        #expect(unreadable.map(\.place) == [place] && unreadable.map(\.type) == [hasHead ? Stage.mail : nil])
        // Sessions of every kind, and the removal of others.
        try await wallet.finish(again.start(disclosing([[["demo.bank.vote.place"]]])))
        try await wallet.finish(again.start(issuing(offer(Stage.card, ["name": "Alice"]))))
        #expect(Set(await wallet.credentials().map(\.type)) == [Stage.vote, Stage.card])
        for credential in await wallet.credentials() {
            try await wallet.delete(credential: credential.hash)
        }
        await expectRefusal(.credentialNotAvailable) {
            try await wallet.delete(unreadable: StoragePlace(.irmaCredentials, key: [1]))
        }
        try await wallet.delete(unreadable: place)
        #expect(try await wallet.log().first?.removed.map(\.type) == (hasHead ? [Stage.mail] : []))
        #expect(await wallet.unreadableCredentials().isEmpty)
        #expect(try await storage.places(in: .irmaCredentials).isEmpty)
    }

    /// An update of the schemes changes a key under its counter, and a later one mends it.
    @Test func goesOnWithoutTheCredentialsOfAChangedKey() async throws {
        let storage = InMemoryCredentialStorage()
        let (server, first) = try await scene(storage)
        try await first.finish(server.start(issuing(offer(Stage.mail, mail))))
        let stage = try Stage.shared.get()
        let other = try IdemixIssuerKeyPair.generate(
            .bits1024,
            counter: stage.keys.publicKey.counter,
            expiryDate: stage.keys.publicKey.expiryDate,
            baseCount: 6,
            using: GeneratorRandomSource(RepeatableRandomNumberGenerator(seed: 18))
        ).publicKey
        let changed = try SchemeSnapshot([Stage.scheme(publicKeys: [other])], requestorSchemes: [])
        // The wallet that has the credential in memory learns of it as well.
        #expect(await first.core.vault.credentials(changed).isEmpty)
        #expect(await first.core.vault.unreadable(changed).map(\.type) == [Stage.mail])
        let wallet = try await stage.wallet(server, storage: storage, schemes: changed)
        #expect(await wallet.credentials().isEmpty)
        #expect(await wallet.unreadableCredentials().map(\.type) == [Stage.mail])
        let request = try await wallet.session(with: server.start(disclosing([[["demo.bank.mail.domain"]]]))).request()
        #expect(request.firstChoice == nil)
        let (_, mended) = try await scene(storage)
        #expect(await mended.credentials().map(\.type) == [Stage.mail])
        #expect(await mended.unreadableCredentials().isEmpty)
    }

    @Test func reportsADamagedLog() async throws {
        let storage = InMemoryCredentialStorage()
        let (_, wallet) = try await scene(storage)
        for text in ["", "{", "{}", #"{"time":"x"}"#] {
            let place = StoragePlace(.irmaLog, key: [0, 0, 0, 0, 0, 0, 0, 1])
            try await storage.put(SecretBytes(Array(text.utf8)), at: place)
            await expectRefusal(.storageDamaged) { try await wallet.log() }
        }
    }

    /// A storage that notes the collections whose values are read as a whole.
    private final class ObservedStorage: StorageOverMemory {
        let base: InMemoryCredentialStorage
        private let collections = Mutex<Set<StorageCollection>>([])

        var read: Set<StorageCollection> { collections.withLock { $0 } }

        init(_ base: InMemoryCredentialStorage) {
            self.base = base
        }

        func entry(at place: StoragePlace) async throws(CredentialStoreError) -> StorageEntry? {
            _ = collections.withLock { $0.insert(place.collection) }
            return await base.entry(at: place)
        }

        func entries(in collection: StorageCollection) async throws(CredentialStoreError) -> [StorageEntry] {
            _ = collections.withLock { $0.insert(collection) }
            return await base.entries(in: collection)
        }

        func places(in collection: StorageCollection) async throws(CredentialStoreError) -> [StoragePlace] {
            try await base.places(in: collection)
        }

        func write(_ changes: [StorageChange]) async throws(CredentialStoreError) {
            try await base.write(changes)
        }
    }

    /// A log of years costs nothing at the start of the app: its values stay sealed.
    @Test func readsNoLogWhenItIsOpened() async throws {
        let base = InMemoryCredentialStorage()
        let (server, first) = try await scene(base)
        try await first.finish(server.start(issuing(offer(Stage.mail, mail))))
        let storage = ObservedStorage(base)
        let (_, wallet) = try await scene(storage)
        #expect(storage.read.contains(.irmaCredentials) && !storage.read.contains(.irmaLog))
        #expect(try await wallet.log().count == 1)
        #expect(storage.read.contains(.irmaLog))
    }
}
