import CryptoCore
import Foundation
import MdocKit
import MdocWallet
import MdocWalletContracts
import Testing

/// The copies that a store offers for queries of any kind, and their counting.
@Suite struct CopyOfferTests {
    private static let now = WalletScene.now

    @Test func offersACopyOfEachCredential() async throws {
        let scene = try await WalletScene()
        let store = MdocCredentialStore(InMemoryMdocStorage())
        let licence = try await store.add(try await scene.copies(2), rotation: .once, at: Self.now)
        let other = try await store.add(try await scene.copies(1, of: "other"), at: Self.now + 1)
        let offer = try await store.copiesToPresent(at: Self.now)
        #expect(offer.copies.map(\.id) == ["\(licence.id)/1", "\(other.id)/1"])
        #expect(offer.unreadable.isEmpty)
        let licences = try await store.copiesToPresent(of: [.mDL], at: Self.now)
        #expect(licences.copies.map(\.docType) == [.mDL])
        #expect(try await store.copiesToPresent(of: [], at: Self.now).copies.isEmpty)
    }

    @Test func countsTheClaimedCopiesAlone() async throws {
        let scene = try await WalletScene()
        let store = MdocCredentialStore(InMemoryMdocStorage())
        let copies = try await scene.copies(2)
        let licence = try await store.add(copies, rotation: .once, at: Self.now)
        _ = try await store.add(try await scene.copies(1, of: "other"), at: Self.now + 1)
        let copy = try #require(try await store.copiesToPresent(of: [.mDL], at: Self.now).copies.first)
        let handles = try await store.claim([copy.id, copy.id], at: Self.now)
        #expect(handles.map(\.key) == [copy.id])
        let key = try PrivateKey(pkcs8: try #require(handles[copy.id]))
        #expect(try key.publicKey == PrivateKey(pkcs8: copies[0].keyHandle).publicKey)
        #expect(try await store.credentials().map { $0.copies.map(\.uses) } == [[1, 0], [0]])
        let next = try await store.copiesToPresent(of: [.mDL], at: Self.now)
        #expect(next.copies.map(\.id) == ["\(licence.id)/2"])
        #expect(try await store.claim([StoredMdoc.ID](), at: Self.now).isEmpty)
    }

    @Test func refusesCopiesThatCannotBePresented() async throws {
        let scene = try await WalletScene()
        let store = MdocCredentialStore(InMemoryMdocStorage())
        let added = try await store.add(try await scene.copies(2, days: 1), rotation: .once, at: Self.now)
        _ = try await store.claim(["\(added.id)/1"], at: Self.now)
        let both = ["\(added.id)/1", "\(added.id)/2"]
        await expect(.spentCopy) { _ = try await store.claim(both, at: Self.now) }
        #expect(try await store.credential(added.id)?.copies.map(\.uses) == [1, 0], "all or none")
        let later = Self.now + 2 * WalletScene.day
        await expect(.outsideValidity) { _ = try await store.claim(["\(added.id)/2"], at: later) }
        #expect(try await store.copiesToPresent(at: later).copies.isEmpty)
        await expect(.spentCopy) { _ = try await store.claim(["\(added.id)/9"], at: Self.now) }
        for name in ["", added.id, "\(added.id)/x"] {
            await expect(.unknownCredential) { _ = try await store.claim([name], at: Self.now) }
        }
    }

    @Test func offersAnotherCopyForADamagedOne() async throws {
        let scene = try await WalletScene()
        let storage = InMemoryMdocStorage()
        let store = MdocCredentialStore(storage)
        let added = try await store.add(try await scene.copies(2), at: Self.now)
        let first = try #require(await storage.entries(in: .copies).first)
        try await storage.write([.replace(first.place, SecretBytes([9]), version: first.version)])
        let offer = try await store.copiesToPresent(at: Self.now)
        #expect(offer.copies.map(\.id) == ["\(added.id)/2"])
        #expect(offer.unreadable.map(\.id) == ["\(added.id)/1"])
        #expect(offer.unreadable.map(\.error.code) == [.storageDamaged])
    }
}
