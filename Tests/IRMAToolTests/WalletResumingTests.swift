#if Server && Client && SQLite
import CommandSupport
import CommandTesting
import CredentialTransport
import CredentialWallet
import CredentialWalletSQLite
import CryptoCore
import Foundation
import HTTPTypes
import IRMAClient
import IRMAMessages
import Synchronization
import Testing

@testable import IRMATool

/// Issuances whose answers one command lost, and the next command finishes.
@Suite struct WalletResumingTests {
    private let disk: SchemeOnDisk

    init() async throws {
        disk = try await SchemeOnDisk()
    }

    private func list() async -> Invocation { await disk.wallet(["list"]) }

    private func issuing(of server: String) async throws -> RunningCommand {
        try await RunningCommand([
            "session", "--server", server, "--issue", "demo.bank.card=Bob", "-s", disk.schemes,
            "--disable-schemes-update", "--noqr",
        ])
    }

    private func wallet(
        over storage: any CredentialStorage,
        _ transport: DeafTransport
    ) async throws -> IRMAWallet {
        let directory = try SchemeDirectory(opening: URL(fileURLWithPath: disk.schemes, isDirectory: true))
        return try await IRMAWallet(
            storage: storage,
            schemes: try await WalletSchemes(directory, transport: LocalHTTP.transport, pinned: [:]),
            transport: transport,
            options: WalletOptions(isDeveloperMode: true, retries: 0, preparedDisclosures: 0),
            clock: WalletClock(now: { SchemeOnDisk.now }, timer: ContinuousClock())
        )
    }

    /// Issues a card to a wallet that is gone before the server's answer arrives.
    private func loseAnIssuance(of server: String) async throws {
        let issuing = try await issuing(of: server)
        let key = SecretBytes([UInt8](SchemeOnDisk.walletKey))
        let storage = try SQLiteCredentialStorage(path: disk.wallet, key: key)
        let wallet = try await wallet(over: storage, DeafTransport())
        let session = try wallet.session(scanned: issuing.readyLine)
        let choice = try #require(try await session.request().firstChoice)
        await #expect(throws: WalletError.self) { try await session.answer(choice) }
        // As the command does after every failure.
        await session.cancel()
        #expect(await wallet.credentials().isEmpty)
        storage.close()
        #expect(await issuing.end().status == 0)
    }

    @Test func theNextCommandFinishesAnIssuance() async throws {
        try await withServer(of: disk) { server in
            try await loseAnIssuance(of: server)
            let resumed = await list()
            #expect(resumed.errors.contains("An earlier issuance is finished now: demo.bank.card"), "\(resumed.errors)")
            #expect(resumed.output.contains("type: demo.bank.card"))
            #expect(await list().errors.isEmpty)
        }
    }

    @Test func anIssuanceThatCannotBeFinishedIsTold() async throws {
        try await withServer(of: disk) { server in
            try await loseAnIssuance(of: server)
        }
        let kept = await list()
        #expect(kept.status == 0)
        let message = "An earlier issuance is not finished yet; the next command tries again: "
        #expect(kept.errors.contains(message), "\(kept.errors)")
        #expect(kept.output.contains("credentials: none"))
    }

    @Test func anIssuanceThatTheServerForgotIsTold() async throws {
        let port = try await withServer(of: disk) { server in
            try await loseAnIssuance(of: server)
            return try #require(URL(string: server)?.port)
        }
        // Another server at the same place knows nothing of the session.
        let again = [
            "server", "-s", disk.schemes, "--schemes-update", "0", "-p", "\(port)", "-l", "127.0.0.1", "-u",
            "http://127.0.0.1:port",
        ]
        try await withRunning(again) { _ in
            let forgotten = await list()
            #expect(
                forgotten.errors.contains("An earlier issuance cannot be finished and is forgotten: api in "),
                "\(forgotten.errors)"
            )
            #expect(await list().errors.isEmpty)
        }
    }

    /// Runs a session as the command does, with what it says on standard error.
    private func run(_ session: WalletSession) async -> (outcome: Result<Outcome, any Error>, errors: [String]) {
        let errors = Mutex<[String]>([])
        let console = Console(
            output: { _ in },
            error: { line in errors.withLock { $0.append(line) } },
            now: { SchemeOnDisk.now }
        )
        let outcome = await Console.$current.withValue(console) { () async -> Result<Outcome, any Error> in
            do {
                return .success(try await WalletSessionRun(choose: nil, answersAtOnce: true).run(session))
            } catch {
                return .failure(error)
            }
        }
        return (outcome, errors.withLock { $0 })
    }

    @Test func anAnswerThatWasLostIsSentOnceMore() async throws {
        try await withServer(of: disk) { server in
            let issuing = try await issuing(of: server)
            let wallet = try await wallet(over: InMemoryCredentialStorage(), DeafTransport(losses: 1))
            let (outcome, errors) = await run(try wallet.session(scanned: issuing.readyLine))
            #expect(try !outcome.get().isRefusal)
            #expect(errors.contains { $0.hasPrefix("The answer is sent once more: transport") }, "\(errors)")
            #expect(await wallet.credentials().count == 1)
            #expect(await issuing.end().status == 0)
        }
    }

    @Test func anAnswerThatStaysLostIsTold() async throws {
        try await withServer(of: disk) { server in
            let issuing = try await issuing(of: server)
            let wallet = try await wallet(over: InMemoryCredentialStorage(), DeafTransport(losses: 2))
            let (outcome, _) = await run(try wallet.session(scanned: issuing.readyLine))
            let error = #expect(throws: ToolError.self) { try outcome.get() }
            #expect(error?.description.hasPrefix("the server may have the answer; its own did not come: ") == true)
            #expect(await issuing.end().status == 0)
        }
    }

    /// The server has accepted the answer, and the disk is full.
    @Test(arguments: [1, 2]) func anOutcomeThatIsNotKeptIsTold(failures: Int) async throws {
        try await withServer(of: disk) { server in
            let issuing = try await issuing(of: server)
            let storage = FullStorage(failures: failures)
            let wallet = try await wallet(over: storage, DeafTransport(losses: 0))
            let (outcome, errors) = await run(try wallet.session(scanned: issuing.readyLine))
            #expect(errors.contains { $0.hasPrefix("The answer is sent once more: storageFailed") }, "\(errors)")
            if failures == 1 {
                #expect(try !outcome.get().isRefusal)
            } else {
                let error = #expect(throws: ToolError.self) { try outcome.get() }
                let message = "the server has the answer, and the wallet did not keep the outcome: storageFailed"
                #expect(error?.description.hasPrefix(message) == true)
            }
            #expect(await wallet.credentials().count == 2 - failures)
            #expect(await issuing.end().status == 0)
        }
    }
}

/// A storage that refuses the first changes of credentials.
private final class FullStorage: CredentialStorage {
    private let base = InMemoryCredentialStorage()
    private let failures: Mutex<Int>

    init(failures: Int) {
        self.failures = Mutex(failures)
    }

    func entry(at place: StoragePlace) async throws(CredentialStoreError) -> StorageEntry? {
        await base.entry(at: place)
    }

    func entries(in collection: StorageCollection) async throws(CredentialStoreError) -> [StorageEntry] {
        await base.entries(in: collection)
    }

    func write(_ changes: [StorageChange]) async throws(CredentialStoreError) {
        let isFull = failures.withLock { left in
            guard left > 0, changes.contains(where: { $0.place.collection == .irmaCredentials }) else { return false }
            left -= 1
            return true
        }
        guard !isFull else { throw CredentialStoreError(.storageFailed, "no room on the disk") }
        try await base.write(changes)
    }
}

/// A transport that does not hear the first answers to commitments.
private struct DeafTransport: HTTPStreamingTransport {
    /// The number of answers that are still lost.
    private final class Losses: Sendable {
        private let left: Mutex<Int>

        init(_ count: Int) {
            left = Mutex(count)
        }

        /// Takes the next one.
        func next() -> Bool {
            left.withLock { left in
                left -= 1
                return left >= 0
            }
        }
    }

    private var base: any HTTPStreamingTransport = LocalHTTP.transport
    private let losses: Losses

    init(losses: Int = .max) {
        self.losses = Losses(losses)
    }

    func response(to request: HTTPTransportRequest) async throws(TransportError) -> HTTPTransportResponse {
        let response = try await base.response(to: request)
        guard !request.url.path.hasSuffix("/commitments") || !losses.next() else {
            throw TransportError(.exchangeFailed, "the answer is lost")
        }
        return response
    }

    func stream(for request: HTTPTransportRequest) async throws(TransportError) -> HTTPResponseStream {
        try await base.stream(for: request)
    }

    func keepingConnection(to url: HTTPURL) -> any HTTPStreamingTransport {
        var kept = self
        kept.base = base.keepingConnection(to: url)
        return kept
    }

    func close() async {
        await base.close()
    }
}
#endif
