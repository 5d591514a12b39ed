import CryptoCore
import MdocKit
import MdocWallet
import MdocWalletContracts
import Testing

/// Copies that a store cannot read: refused when they are added, and in nobody's way later.
@Suite struct UnreadableCopyTests {
    private static let now = WalletScene.now

    /// A copy with a deviation that strict reading refuses: a signature with its tag.
    private func deviatingCopy(_ scene: WalletScene, of docType: DocType = .mDL) async throws -> NewCopy {
        let key = try PrivateKey.generate(.p256)
        var bytes = [UInt8](try await scene.licence(for: key, docType).encodedBytes)
        let member = try #require(bytes.firstRange(of: Array("issuerAuth".utf8)))
        bytes.insert(0xd2, at: member.upperBound)
        let verified = try scene.verifier.verifyForStorage(IssuerSigned(decoding: bytes, options: .deployed)).get()
        return try NewCopy(verified, deviceKey: key.publicKey, keyHandle: key.pkcs8)
    }

    @Test func refusesACopyThatItCouldNotReadAgain() async throws {
        let scene = try await WalletScene()
        let storage = InMemoryMdocStorage()
        let store = MdocCredentialStore(storage)
        let copy = try await deviatingCopy(scene)
        await expect(.deviation) { try await store.add([copy], at: Self.now) }
        #expect(try await store.credentials().isEmpty)
        let added = try await store.add(try await scene.copies(1), at: Self.now)
        await expect(.deviation) { _ = try await store.add([copy], to: added.id, at: Self.now) }
        #expect(try await store.credential(added.id)?.copies.count == 1)
        let tolerant = MdocCredentialStore(storage, options: .deployed)
        _ = try await tolerant.add([copy], to: added.id, at: Self.now)
        #expect(try await tolerant.document(of: added.id)?.deviations.count == 1)
        // A strict store of the same storage has the other copy.
        #expect(try await store.document(of: added.id)?.deviations.isEmpty == true)
    }

    @Test func offersOtherCredentialsBesideAnUnreadableOne() async throws {
        let scene = try await WalletScene()
        let storage = InMemoryMdocStorage()
        let tolerant = MdocCredentialStore(storage, options: .deployed)
        let deviating = try await tolerant.add([try await deviatingCopy(scene)], at: Self.now)
        let store = MdocCredentialStore(storage)
        let alone = try await store.match(try scene.request(), at: Self.now)
        #expect(alone.docRequests.first?.obstacle == .noCredential)
        #expect(alone.unreadableCredentials.map(\.id) == ["\(deviating.id)/1"])
        let other = try await store.add(try await scene.copies(1), at: Self.now)
        let match = try await store.match(try scene.request(), at: Self.now)
        #expect(match.docRequests.first?.candidates.map(\.credential.id) == ["\(other.id)/1"])
        #expect(match.unreadableCredentials.map(\.error.code) == [.deviation])
        #expect(try await scene.present(from: store) != nil)
        await expect(.deviation) { _ = try await store.document(of: deviating.id) }
        let tolerated = try await tolerant.match(try scene.request(), at: Self.now)
        #expect(tolerated.docRequests.first?.candidates.count == 2)
        #expect(tolerated.unreadableCredentials.isEmpty)
    }

    @Test func offersAnotherCopyForADamagedOne() async throws {
        let scene = try await WalletScene()
        let storage = InMemoryMdocStorage()
        let store = MdocCredentialStore(storage)
        let added = try await store.add(try await scene.copies(2), at: Self.now)
        let first = try #require(await storage.entries(in: .copies).first)
        try await storage.write([.replace(first.place, SecretBytes([9]), version: first.version)])
        let match = try await store.match(try scene.request(), at: Self.now)
        #expect(match.docRequests.first?.candidates.map(\.credential.id) == ["\(added.id)/2"])
        #expect(match.unreadableCredentials.map(\.id) == ["\(added.id)/1"])
        #expect(match.unreadableCredentials.map(\.error.code) == [.storageDamaged])
    }

    @Test func offersOtherCredentialsBesideADamagedOne() async throws {
        let scene = try await WalletScene()
        let storage = InMemoryMdocStorage()
        let store = MdocCredentialStore(storage)
        let added = try await store.add(try await scene.copies(1), at: Self.now)
        let place = MdocStoragePlace(.credentials, key: [UInt8](repeating: 7, count: 16))
        try await storage.write([.insert(place, SecretBytes([0x80]))])
        let match = try await store.match(try scene.request(), at: Self.now)
        #expect(match.docRequests.first?.candidates.map(\.credential.id) == ["\(added.id)/1"])
        #expect(match.unreadableCredentials.map(\.id) == [String(repeating: "07", count: 16)])
        await expect(.storageDamaged) { _ = try await store.credentials() }
    }

    /// A storage that fails as a whole offers nothing.
    @Test func throwsTheFailureOfAStorage() async throws {
        let scene = try await WalletScene()
        let storage = InMemoryMdocStorage()
        try await MdocCredentialStore(storage).add(try await scene.copies(1), at: Self.now)
        let store = MdocCredentialStore(FailingStorage(base: storage))
        await expect(.storageFailed) { _ = try await store.match(try scene.request(), at: Self.now) }
        let credential = try #require(try await store.credentials().first)
        await expect(.storageFailed) { _ = try await store.document(of: credential.id) }
    }

    /// A storage whose copies cannot be had.
    private struct FailingStorage: MdocStorage {
        let base: InMemoryMdocStorage

        func entry(at place: MdocStoragePlace) async throws(MdocError) -> MdocStorageEntry? {
            guard place.collection == .credentials else { throw MdocError(.storageFailed, "no access") }
            return await base.entry(at: place)
        }

        func entries(in collection: MdocStorageCollection) async throws(MdocError) -> [MdocStorageEntry] {
            await base.entries(in: collection)
        }

        func write(_ changes: [MdocStorageChange]) async throws(MdocError) { try await base.write(changes) }
    }
}
