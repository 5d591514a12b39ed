import CredentialWallet
import CryptoCore
import Foundation
import IRMAMessages
import IdemixCore
import JOSEKit
import JSONKit
import Synchronization
import Testing

@testable import IRMAClient

/// SD-JWT copies that an issuer sends along with the signatures.
struct CopyTests {
    /// A holder that takes copies of its own keys' `x`.
    private final class PlayHolder: SDJWTCopyHolder {
        struct State {
            var keys: [String] = []
            var kept: [String] = []
            var credentials: [[LoggedCredential]] = []
            var refusals: [WalletError] = []
            var removed: [String] = []
        }

        let state = Mutex(State())

        func makeKeys(_ count: Int) throws(WalletError) -> [JWK] {
            do {
                let keys = try (0..<count).map { _ in try JWK(PrivateKey.generate(.p256).publicKey) }
                state.withLock { $0.keys += keys.compactMap { $0.members["x"]?.stringValue } }
                return keys
            } catch {
                throw WalletError(.crypto, "no key", cause: error)
            }
        }

        func keep(_ copies: [String], of credentials: [LoggedCredential]) throws(WalletError) {
            let refusal: WalletError? = state.withLock { state in
                state.credentials.append(credentials)
                if !state.refusals.isEmpty { return state.refusals.removeFirst() }
                guard copies == state.keys else { return WalletError(.crypto, "not the copies of the keys") }
                state.kept = copies
                return nil
            }
            if let refusal { throw refusal }
        }

        func removeKeys(_ keys: [JWK]) {
            state.withLock { $0.removed += keys.compactMap { $0.members["x"]?.stringValue } }
        }
    }

    private static func request(cards: UInt?, mails: UInt? = nil) -> SessionRequest {
        var card = offer(Stage.card, ["name": "Alice"])
        card.sdJWTBatchSize = cards
        var mail = offer(Stage.mail, ["address": "a@example.com", "domain": "example.com"])
        mail.sdJWTBatchSize = mails
        return issuing(card, mail)
    }

    /// The credentials as the holder of copies sees them, with absent attributes.
    private static let issued = [
        LoggedCredential(
            Stage.card,
            attributes: [
                LoggedAttribute(AttributeIdentifier(Stage.card, attribute: "name"), value: "Alice"),
                LoggedAttribute(AttributeIdentifier(Stage.card, attribute: "level"), value: nil),
            ]
        ),
        LoggedCredential(
            Stage.mail,
            attributes: [
                LoggedAttribute(AttributeIdentifier(Stage.mail, attribute: "address"), value: "a@example.com"),
                LoggedAttribute(AttributeIdentifier(Stage.mail, attribute: "domain"), value: "example.com"),
            ]
        ),
    ]

    /// A server that sends the `x` of each key as its copy.
    private static func server() throws -> PlayServer {
        let server = try PlayServer(try Stage.shared.get())
        server.fault { $0.copies = { keys in keys.map { $0["x"]?.stringValue ?? "" } } }
        return server
    }

    @Test func copiesAreKeptWithTheCredentials() async throws {
        let (server, holder) = (try Self.server(), PlayHolder())
        let wallet = try await Stage.shared.get().wallet(server, copyHolder: holder)
        let session = try wallet.session(with: server.start(Self.request(cards: 2, mails: 3)))
        let request = try await session.request()
        #expect(request.credentials.map(\.copyCount) == [2, 3])
        _ = try await session.answer(try #require(request.firstChoice))
        let state = holder.state.withLock { $0 }
        #expect(state.keys.count == 5 && state.kept == state.keys && state.removed.isEmpty)
        #expect(state.credentials == [Self.issued])
        #expect(await wallet.credentials().count == 2)
    }

    @Test func noKeysAreMadeForNothing() async throws {
        let (server, holder) = (try Self.server(), PlayHolder())
        server.fault { $0.copies = { keys in keys.isEmpty ? [] : ["unasked"] } }
        let wallet = try await Stage.shared.get().wallet(server, copyHolder: holder)
        try await wallet.finish(server.start(Self.request(cards: nil, mails: 0)))
        #expect(holder.state.withLock { $0.keys.isEmpty && $0.credentials.isEmpty })
        // A wallet without a holder asks for none, and keeps none.
        let plain = try await Stage.shared.get().wallet(server)
        server.fault { $0.copies = { _ in ["unasked"] } }
        let outcome = try await plain.finish(server.start(Self.request(cards: 1)))
        #expect(await plain.credentials().count == 2)
        #expect(outcome.entry.copyRefusal == nil)
    }

    /// The server counts the credentials as issued.
    @Test func refusedCopiesLeaveTheCredentials() async throws {
        let (server, holder, storage) = (try Self.server(), PlayHolder(), InMemoryCredentialStorage())
        server.fault { $0.copies = { _ in ["forged"] } }
        let wallet = try await Stage.shared.get().wallet(server, storage: storage, copyHolder: holder)
        let outcome = try await wallet.finish(server.start(Self.request(cards: 1)))
        #expect(outcome.entry.copyRefusal?.contains("not the copies of the keys") == true)
        #expect(try await wallet.log().first == outcome.entry)
        #expect(await wallet.credentials().count == 2)
        #expect(try await storage.places(in: .irmaIssuances).isEmpty)
        #expect(holder.state.withLock { $0.removed == $0.keys && $0.removed.count == 1 && $0.kept.isEmpty })
    }

    @Test func refusedCopiesLeaveTheCredentialsAfterARestart() async throws {
        let (server, holder, storage) = (try Self.server(), PlayHolder(), InMemoryCredentialStorage())
        server.fault {
            $0.copies = { _ in ["forged"] }
            $0.lostAnswers = 3
        }
        let wallet = try await Stage.shared.get().wallet(server, storage: storage, copyHolder: holder)
        await expectRefusal(.transport) { try await wallet.finish(server.start(Self.request(cards: 1))) }
        let again = try await Stage.shared.get().wallet(server, storage: storage, copyHolder: holder)
        let entries = try await again.resumeIssuances().compactMap(\.entry)
        #expect(entries.map { $0.copyRefusal != nil && $0.issued.count == 2 } == [true])
        #expect(holder.state.withLock { $0.removed == $0.keys && $0.removed.count == 1 })
    }

    /// The credentials come, and the log says what was lost.
    @Test func copiesAreLostWithTheirHolder() async throws {
        let (server, storage) = (try Self.server(), InMemoryCredentialStorage())
        let wallet = try await Stage.shared.get().wallet(server, storage: storage, copyHolder: PlayHolder())
        server.fault { $0.lostAnswers = 3 }
        await expectRefusal(.transport) { try await wallet.finish(server.start(Self.request(cards: 1))) }
        let again = try await Stage.shared.get().wallet(server, storage: storage)
        let entries = try await again.resumeIssuances().compactMap(\.entry)
        #expect(entries.map(\.issued.count) == [2])
        #expect(entries.first?.copyRefusal?.contains("has none now") == true)
        #expect(try await again.log().first?.copyRefusal == entries.first?.copyRefusal)
    }

    /// A failure of the holder's own that is neither the copies' nor the store's.
    @Test func otherErrorsOfTheHolderEndTheSession() async throws {
        let (server, holder, storage) = (try Self.server(), PlayHolder(), InMemoryCredentialStorage())
        holder.state.withLock { $0.refusals = [WalletError(.invalidState, "the holder is closed")] }
        let wallet = try await Stage.shared.get().wallet(server, storage: storage, copyHolder: holder)
        await expectRefusal(.invalidState) { try await wallet.finish(server.start(Self.request(cards: 1))) }
        #expect(await wallet.credentials().isEmpty)
        #expect(try await storage.places(in: .irmaIssuances).isEmpty)
        #expect(holder.state.withLock { $0.removed == $0.keys && $0.removed.count == 1 })
    }

    @Test func keysGoWhereTheServerSendsNoCopies() async throws {
        let (server, holder) = (try Self.server(), PlayHolder())
        server.fault { $0.copies = nil }
        let wallet = try await Stage.shared.get().wallet(server, copyHolder: holder)
        try await wallet.finish(server.start(Self.request(cards: 2)))
        #expect(await wallet.credentials().count == 2)
        #expect(holder.state.withLock { $0.removed == $0.keys && $0.removed.count == 2 })
    }

    @Test func keysGoWithAnIssuanceThatTheServerRefuses() async throws {
        let (server, holder) = (try Self.server(), PlayHolder())
        server.fault { $0.proofStatus = .invalid }
        let wallet = try await Stage.shared.get().wallet(server, copyHolder: holder)
        await expectRefusal(.rejected) { try await wallet.finish(server.start(Self.request(cards: 1))) }
        #expect(holder.state.withLock { $0.removed == $0.keys && $0.removed.count == 1 })
    }

    @Test func keysGoWithAnIssuanceThatCouldNotBeStored() async throws {
        let (server, holder) = (try Self.server(), PlayHolder())
        let wallet = try await Stage.shared.get().wallet(server, storage: StorageWithoutIssuances(), copyHolder: holder)
        await expectRefusal(.storageFailed) { try await wallet.finish(server.start(Self.request(cards: 1))) }
        #expect(holder.state.withLock { $0.removed == $0.keys && $0.removed.count == 1 })
    }

    @Test func keysGoWithAnIssuanceThatTheServerForgot() async throws {
        let (server, holder, storage) = (try Self.server(), PlayHolder(), InMemoryCredentialStorage())
        let wallet = try await Stage.shared.get().wallet(server, storage: storage, copyHolder: holder)
        let pointer = server.start(Self.request(cards: 1))
        server.fault { $0.lostAnswers = 3 }
        await expectRefusal(.transport) { try await wallet.finish(pointer) }
        #expect(holder.state.withLock { $0.removed.isEmpty })
        server.change(pointer) { $0.replay = nil }
        server.fault { $0.lostAnswers = 0 }
        let again = try await Stage.shared.get().wallet(server, storage: storage, copyHolder: holder)
        #expect(try await again.resumeIssuances().count == 1)
        #expect(holder.state.withLock { $0.removed == $0.keys && $0.removed.count == 1 })
    }

    /// A storage in which another wallet ends an issuance once this one has read it.
    private final class RacedStorage: StorageOverMemory {
        let base: InMemoryCredentialStorage
        private let race: Mutex<(@Sendable () async -> Void)?>

        init(_ base: InMemoryCredentialStorage, race: @escaping @Sendable () async -> Void) {
            self.base = base
            self.race = Mutex(race)
        }

        func entry(at place: StoragePlace) async throws(CredentialStoreError) -> StorageEntry? {
            let entry = await base.entry(at: place)
            if place.collection == .irmaIssuances, let race = race.withLock({ $0.take() }) { await race() }
            return entry
        }

        func write(_ changes: [StorageChange]) async throws(CredentialStoreError) {
            try await base.write(changes)
        }
    }

    @Test func keysStayWithTheWalletThatEndedTheIssuance() async throws {
        let (server, holder, storage) = (try Self.server(), PlayHolder(), InMemoryCredentialStorage())
        let wallet = try await Stage.shared.get().wallet(server, storage: storage, copyHolder: holder)
        let pointer = server.start(Self.request(cards: 1))
        server.fault { $0.lostAnswers = 3 }
        await expectRefusal(.transport) { try await wallet.finish(pointer) }
        let other = try await Stage.shared.get().wallet(server, storage: storage, copyHolder: holder)
        let raced = RacedStorage(storage) {
            let results = try? await other.resumeIssuances()
            #expect(results?.count == 1)
            server.change(pointer) { $0.replay = nil }
        }
        let again = try await Stage.shared.get().wallet(server, storage: raced, copyHolder: holder)
        let results = try await again.resumeIssuances()
        guard case .endedElsewhere = try #require(results.first) else {
            Issue.record("\(results)")
            return
        }
        #expect(holder.state.withLock { $0.removed.isEmpty && $0.kept == $0.keys })
        #expect(await other.credentials().count == 2)
    }

    @Test func keysGoWithEverything() async throws {
        let (server, holder) = (try Self.server(), PlayHolder())
        let wallet = try await Stage.shared.get().wallet(server, copyHolder: holder)
        server.fault { $0.lostAnswers = 3 }
        await expectRefusal(.transport) { try await wallet.finish(server.start(Self.request(cards: 1))) }
        try await wallet.deleteAll()
        #expect(holder.state.withLock { $0.removed == $0.keys && $0.removed.count == 1 })
    }

    /// A storage without room for issuances.
    private struct StorageWithoutIssuances: StorageOverMemory {
        let base = InMemoryCredentialStorage()

        func write(_ changes: [StorageChange]) async throws(CredentialStoreError) {
            guard !changes.contains(where: { $0.place.collection == .irmaIssuances }) else {
                throw CredentialStoreError(.storageFailed, "no room on the disk")
            }
            try await base.write(changes)
        }
    }

    @Test func copiesThatCouldNotBeStoredComeAgain() async throws {
        let (server, holder) = (try Self.server(), PlayHolder())
        holder.state.withLock { $0.refusals = [WalletError(.storageFailed, "the disk is full")] }
        let wallet = try await Stage.shared.get().wallet(server, copyHolder: holder)
        let session = try wallet.session(with: server.start(Self.request(cards: 1)))
        let choice = try #require(try await session.request().firstChoice)
        await expectRefusal(.storageFailed) { try await session.answer(choice) }
        #expect(await wallet.credentials().isEmpty)
        _ = try await session.resend()
        #expect(holder.state.withLock { $0.kept.count } == 1)
        #expect(await wallet.credentials().count == 2)
    }

    @Test func copiesComeAfterARestart() async throws {
        let (server, holder, storage) = (try Self.server(), PlayHolder(), InMemoryCredentialStorage())
        let wallet = try await Stage.shared.get().wallet(server, storage: storage, copyHolder: holder)
        let session = try wallet.session(with: server.start(Self.request(cards: 1, mails: 1)))
        let choice = try #require(try await session.request().firstChoice)
        server.fault { $0.lostAnswers = 3 }
        await expectRefusal(.transport) { try await session.answer(choice) }
        let again = try await Stage.shared.get().wallet(server, storage: storage, copyHolder: holder)
        // Of two calls at once a single one finishes it.
        async let first = again.resumeIssuances()
        async let second = again.resumeIssuances()
        #expect(try await (first + second).map { $0.entry?.issued.count } == [2])
        let state = holder.state.withLock { $0 }
        #expect(state.kept == state.keys && state.credentials == [Self.issued] && state.removed.isEmpty)
    }

    @Test func aBatchBeyondTheLimitIsRefused() async throws {
        let (server, holder) = (try Self.server(), PlayHolder())
        let wallet = try await Stage.shared.get().wallet(server, copyHolder: holder)
        let session = try wallet.session(with: server.start(Self.request(cards: 201)))
        await expectRefusal(.invalidRequest) { try await session.request() }
        #expect(holder.state.withLock { $0.keys.isEmpty })
    }
}
