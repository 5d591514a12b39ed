import CredentialWallet
import CryptoCore
import Foundation
import IRMAMessages
import Synchronization
import Testing

@testable import IRMAClient

/// Two wallets over one storage, as two processes open it: neither undoes what the other has written.
struct SharedStorageTests {
    private let mail: [ExactText: String] = ["address": "a@example.com", "domain": "example.com"]
    private let storage = InMemoryCredentialStorage()
    private let server: PlayServer

    init() throws {
        server = try PlayServer(try Stage.shared.get())
    }

    private func wallet() async throws -> IRMAWallet {
        try await Stage.shared.get().wallet(server, storage: storage)
    }

    private func finish(_ wallet: IRMAWallet, _ request: SessionRequest) async throws {
        try await wallet.finish(server.start(request))
    }

    @Test func keepsOneOfASingleton() async throws {
        let (first, second) = (try await wallet(), try await wallet())
        try await finish(first, issuing(offer(Stage.card, ["name": "Alice"])))
        try await finish(second, issuing(offer(Stage.card, ["name": "Bob"])))
        #expect(try await storage.places(in: .irmaCredentials).count == 1)
        #expect(await second.credentials().map { $0.values[2] } == ["Bob"])
        #expect(try await second.log().map { $0.removed.count } == [1, 0])
        // The first wallet learns of it with its next change.
        try await finish(first, issuing(offer(Stage.card, ["name": "Carol"])))
        #expect(try await storage.places(in: .irmaCredentials).count == 1)
        #expect(try await wallet().credentials().map { $0.values[2] } == ["Carol"])
        #expect(try await first.log().map(\.number) == [3, 2, 1])
    }

    @Test func deletesACredentialOnce() async throws {
        let first = try await wallet()
        try await finish(first, issuing(offer(Stage.mail, mail)))
        let second = try await wallet()
        let hash = try #require(await second.credentials().first?.hash)
        try await first.delete(credential: hash)
        await expectRefusal(.credentialNotAvailable) { try await second.delete(credential: hash) }
        #expect(await second.credentials().isEmpty)
        #expect(try await second.log().map(\.kind) == [nil, .issuing])
    }

    @Test func bringsBackNothingThatWasDeleted() async throws {
        let first = try await wallet()
        try await finish(first, issuing(offer(Stage.mail, mail)))
        let second = try await wallet()
        let hash = try #require(await second.credentials().first?.hash)
        try await first.delete(credential: hash)
        let schemes = await second.core.schemes.snapshot
        try await second.core.vault.update(hash, witness: nil, schemes: schemes, at: Stage.now)
        #expect(try await storage.places(in: .irmaCredentials).isEmpty)
        #expect(await second.credentials().isEmpty)
    }

    @Test func changesWhatAnotherWalletHasChanged() async throws {
        let first = try await wallet()
        try await finish(first, issuing(offer(Stage.mail, mail)))
        let second = try await wallet()
        let hash = try #require(await first.credentials().first?.hash)
        let schemes = await first.core.schemes.snapshot
        for wallet in [first, second, first] {
            try await wallet.core.vault.update(hash, witness: nil, schemes: schemes, at: Stage.now)
        }
        #expect(await storage.entries(in: .irmaCredentials).map(\.version) == [4])
        #expect(try await wallet().credentials().map(\.isRevoked) == [true])
        try await second.delete(credential: hash)
        #expect(try await storage.places(in: .irmaCredentials).isEmpty)
    }

    @Test func deletesEverythingOfBoth() async throws {
        let (first, second) = (try await wallet(), try await wallet())
        try await finish(second, issuing(offer(Stage.mail, mail)))
        try await first.deleteAll()
        for collection in StorageCollection.irma where collection != .irmaKeys {
            #expect(try await storage.places(in: collection).isEmpty)
        }
    }

    /// The session's own process still runs when another one looks for issuances that were left.
    @Test func finishesAnIssuanceOnce() async throws {
        let first = try await wallet()
        let session = try first.session(with: server.start(issuing(offer(Stage.mail, mail))))
        _ = try await session.request()
        server.fault { $0.lostAnswers = 3 }
        await expectRefusal(.transport) { try await session.answer(WalletChoice()) }
        let second = try await wallet()
        #expect(try await second.resumeIssuances().map { $0.entry?.issued.count } == [1])
        let error = await expectRefusal(.storageConflict) { try await session.resend() }
        #expect(error?.message == "another wallet has ended the issuance")
        #expect(try await storage.places(in: .irmaCredentials).count == 1)
        #expect(try await wallet().credentials().count == 1)
        #expect(try await first.resumeIssuances().isEmpty)
    }

    @Test func haveOneDeviceKey() async throws {
        let (first, second) = (try await wallet(), try await wallet())
        async let one = first.core.vault.softwareDeviceKey().publicKey
        async let other = second.core.vault.softwareDeviceKey().publicKey
        #expect(try await one == (try await other))
    }

    // MARK: Errors

    /// A storage whose writes can be made to fail.
    private final class FailingStorage: StorageOverMemory {
        let base = InMemoryCredentialStorage()
        private let code = Mutex<CredentialStoreError.Code?>(nil)
        private let refusals = Mutex(0)

        var refusalCount: Int { refusals.withLock { $0 } }

        func fail(with code: CredentialStoreError.Code?) { self.code.withLock { $0 = code } }

        func write(_ changes: [StorageChange]) async throws(CredentialStoreError) {
            if let code = code.withLock({ $0 }) {
                refusals.withLock { $0 += 1 }
                throw CredentialStoreError(code, "the write is refused", path: ["wallet"])
            }
            try await base.write(changes)
        }
    }

    private static let errors: [(CredentialStoreError.Code, WalletError.Code)] = [
        (.storageFailed, .storageFailed), (.storageDamaged, .storageDamaged), (.unsupportedVersion, .storageDamaged),
        (.storageRolledBack, .storageRolledBack), (.cancelled, .cancelled), (.limitExceeded, .storageFailed),
    ]

    @Test(arguments: errors) func tellsWhyTheStorageFails(
        code: CredentialStoreError.Code,
        expected: WalletError.Code
    ) async throws {
        let storage = FailingStorage()
        storage.fail(with: code)
        let error = await expectRefusal(expected) {
            try await Stage.shared.get().wallet(server, storage: storage)
        }
        #expect((error?.cause as? CredentialStoreError)?.code == code && error?.path == ["wallet"])
    }

    @Test func givesUpAgainstOthersThatAreFasterEachTime() async throws {
        let storage = FailingStorage()
        let wallet = try await Stage.shared.get().wallet(server, storage: storage)
        try await finish(wallet, issuing(offer(Stage.mail, mail)))
        let hash = try #require(await wallet.credentials().first?.hash)
        storage.fail(with: .storageConflict)
        let error = await expectRefusal(.storageConflict) { try await wallet.delete(credential: hash) }
        #expect((error?.cause as? CredentialStoreError)?.code == .storageConflict)
        #expect(storage.refusalCount == 8)
        #expect(await wallet.credentials().count == 1)
        storage.fail(with: nil)
        try await wallet.delete(credential: hash)
        #expect(await wallet.credentials().isEmpty)
    }

    @Test func asksAgainForAnAnswerAfterAConflict() async throws {
        let storage = FailingStorage()
        let wallet = try await Stage.shared.get().wallet(server, storage: storage)
        try await finish(wallet, issuing(offer(Stage.card, ["name": "Alice"])))
        let session = try wallet.session(with: server.start(disclosing([[["demo.bank.card.name"]]])))
        let choice = try #require(try await session.request().firstChoice)
        storage.fail(with: .storageConflict)
        await expectRefusal(.storageConflict) { try await session.answer(choice) }
        #expect(await session.canResend)
        storage.fail(with: nil)
        _ = try await session.resend()
        #expect(try await wallet.log().map(\.kind) == [.disclosing, .issuing])
    }
}
