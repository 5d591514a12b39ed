#if Server && Client && SQLite
import CommandSupport
import CommandTesting
import CryptoCore
import Foundation
import TestSupport
import Testing

@testable import IRMATool

/// Two commands `irma wallet` with one wallet.
@Suite struct WalletLockTests {
    private let disk: SchemeOnDisk
    private let clock = ManualClock()

    init() async throws {
        disk = try await SchemeOnDisk()
    }

    private func held() throws -> WalletLock { try #require(try WalletLock(file: WalletLock.path(of: disk.wallet))) }

    /// Starts a command whose pauses the test passes.
    private func command(_ name: String) -> Task<Invocation, Never> {
        let words = disk.walletWords([name])
        return Task { [clock] in
            await Invocation.run(IRMATool.self, words, now: SchemeOnDisk.now, timer: clock)
        }
    }

    @Test func oneCommandWaitsForAnother() async throws {
        var lock: WalletLock? = try held()
        let waiting = command("list")
        await clock.waitForSleeper(WalletLock.pause)
        #expect(!FileManager.default.fileExists(atPath: disk.wallet))
        withExtendedLifetime(lock) {}
        lock = nil
        clock.advance(by: WalletLock.pause)
        let listed = await waiting.value
        #expect(listed.status == 0, "\(listed.errors)")
        #expect(listed.errors == "waiting for another command that works with the wallet")
        // The command gave it back.
        #expect(await disk.wallet(["list"]).errors.isEmpty)
    }

    @Test func aCommandGivesUpAtLast() async throws {
        let lock = try held()
        let waiting = command("log")
        for _ in 1..<WalletLock.maximumAttempts {
            await clock.waitForSleeper(WalletLock.pause)
            clock.advance(by: WalletLock.pause)
        }
        let refused = await waiting.value
        #expect(refused.status == 2)
        #expect(refused.errors.contains("another command works with the wallet"), "\(refused.errors)")
        #expect(!FileManager.default.fileExists(atPath: disk.wallet))
        withExtendedLifetime(lock) {}
    }

    @Test func aProcessThatIsKilledGivesTheLockBack() async throws {
        let key = try PrivateKey.generateRSA(bits: 2048)
        let disk = try await SchemeOnDisk(keyshare: ("https://127.0.0.1:1", key.publicKey))
        let process = Process()
        process.executableURL = try ServerProcess.binary()
        process.arguments = disk.walletWords(["enrol", "demo"])
        let (input, errors) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardError = errors
        try process.run()
        // It has the wallet, and asks for a PIN.
        let question = String(decoding: errors.fileHandleForReading.availableData, as: UTF8.self)
        #expect(question.contains("New PIN:"))
        #expect(try WalletLock(file: WalletLock.path(of: disk.wallet)) == nil)
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        #expect(try WalletLock(file: WalletLock.path(of: disk.wallet)) != nil)
        #expect(await disk.wallet(["list"]).errors.isEmpty)
        withExtendedLifetime(input) {}
    }

    @Test func oneWalletHasOneLock() throws {
        let folder = try TemporaryFolder()
        try folder.write("", to: "wallet.db")
        let manager = FileManager.default
        try manager.createSymbolicLink(atPath: folder.path("link.db"), withDestinationPath: folder.path("wallet.db"))
        try manager.createSymbolicLink(atPath: folder.path("self"), withDestinationPath: folder.url.path)
        let path = WalletLock.path(of: folder.path("wallet.db"))
        for other in ["link.db", "self/wallet.db", "self/link.db", "../\(folder.url.lastPathComponent)/wallet.db"] {
            #expect(WalletLock.path(of: folder.path(other)) == path)
        }
        // Before the first command makes it.
        #expect(WalletLock.path(of: folder.path("self/new.db")) == WalletLock.path(of: folder.path("new.db")))
        #expect(WalletLock.path(of: folder.path("new.db")) != path)
    }

    @Test func aFolderThatIsMissingIsTold() async throws {
        let refused = await Invocation.irma(
            "wallet",
            "list",
            "-w",
            disk.folder.path("missing/wallet.db"),
            "--wallet-key",
            disk.folder.path("wallet.key"),
            "-s",
            disk.schemes
        )
        #expect(refused.status == 2)
        #expect(refused.errors.contains("missing/wallet.db.lock: No such file or directory"), "\(refused.errors)")
    }
}
#endif
