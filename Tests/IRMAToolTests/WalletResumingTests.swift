#if Server && Client && SQLite
import CommandTesting
import CredentialTransport
import CredentialWalletSQLite
import CryptoCore
import Foundation
import HTTPTypes
import IRMAClient
import IRMAMessages
import Testing

/// Issuances whose answers one command lost, and the next command finishes.
@Suite struct WalletResumingTests {
    private let disk: SchemeOnDisk

    init() async throws {
        disk = try await SchemeOnDisk()
    }

    private func list() async -> Invocation { await disk.wallet(["list"]) }

    /// Issues a card to a wallet that is gone before the server's answer arrives.
    private func loseAnIssuance(of server: String) async throws {
        let issuing = try await RunningCommand([
            "session", "--server", server, "--issue", "demo.bank.card=Bob", "-s", disk.schemes,
            "--disable-schemes-update", "--noqr",
        ])
        let key = SecretBytes([UInt8](SchemeOnDisk.walletKey))
        let storage = try SQLiteCredentialStorage(path: disk.wallet, key: key)
        let directory = try SchemeDirectory(opening: URL(fileURLWithPath: disk.schemes, isDirectory: true))
        let wallet = try await IRMAWallet(
            storage: storage,
            schemes: try await WalletSchemes(directory, transport: LocalHTTP.transport, pinned: [:]),
            transport: DeafTransport(),
            options: WalletOptions(isDeveloperMode: true, retries: 0, preparedDisclosures: 0),
            clock: WalletClock(now: { SchemeOnDisk.now }, timer: ContinuousClock())
        )
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
        #expect(kept.errors.contains("An earlier issuance is not finished: "), "\(kept.errors)")
        #expect(kept.output.contains("credentials: none"))
    }
}

/// A transport that never hears the answer to commitments.
private struct DeafTransport: HTTPStreamingTransport {
    var base: any HTTPStreamingTransport = LocalHTTP.transport

    func response(to request: HTTPTransportRequest) async throws(TransportError) -> HTTPTransportResponse {
        let response = try await base.response(to: request)
        guard !request.url.path.hasSuffix("/commitments") else {
            throw TransportError(.exchangeFailed, "the answer is lost")
        }
        return response
    }

    func stream(for request: HTTPTransportRequest) async throws(TransportError) -> HTTPResponseStream {
        try await base.stream(for: request)
    }

    func keepingConnection(to url: HTTPURL) -> any HTTPStreamingTransport {
        DeafTransport(base: base.keepingConnection(to: url))
    }

    func close() async {
        await base.close()
    }
}
#endif
