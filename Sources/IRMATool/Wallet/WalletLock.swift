#if Client && SQLite
import CommandSupport
import Foundation

/// The lock by which one command at a time works with a wallet.
///
/// It lies on a file of its own beside the wallet's, which is never removed: another command may hold its lock. The system gives the
/// lock back when the process ends, however it ends. It is advisory: programs that do not ask for it are not kept out.
final class WalletLock {
    private let descriptor: Int32

    /// The suffix of the lock's file.
    static let suffix = ".lock"
    /// The time between two attempts.
    static let pause = Duration.milliseconds(500)
    /// The largest number of attempts: ten seconds of them.
    static let maximumAttempts = 21

    /// Takes the lock of a wallet, and waits for another command that holds it.
    ///
    /// - Parameters:
    ///   - wallet: The path of the wallet's file, which need not be there.
    ///   - console: The clock, and the errors, which tell of the wait.
    /// - Throws: ``ToolError`` for a lock that stays taken, and a file that cannot be made.
    static func take(of wallet: String, console: Console = .current) async throws -> WalletLock {
        let path = Self.path(of: wallet)
        for attempt in 1...maximumAttempts {
            if let lock = try WalletLock(file: path) { return lock }
            if attempt == 1 { console.error("waiting for another command that works with the wallet") }
            if attempt < maximumAttempts { try await console.timer.sleep(for: pause) }
        }
        throw ToolError("another command works with the wallet \(wallet): wait for its end, and try again")
    }

    /// The path of the lock's file: one for all paths that lead to a wallet.
    static func path(of wallet: String) -> String {
        let url = URL(fileURLWithPath: wallet)
        if FileManager.default.fileExists(atPath: wallet) { return url.resolvingSymlinksInPath().path + suffix }
        // Links are resolved in paths of files alone that are there.
        let folder = url.deletingLastPathComponent().resolvingSymlinksInPath()
        return folder.appendingPathComponent(url.lastPathComponent).path + suffix
    }

    /// Takes the lock of a file, which is made if it is missing; nil if it is taken.
    init?(file path: String) throws(ToolError) {
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.failure(path) }
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            switch errno {
            case EINTR: continue
            case EWOULDBLOCK: return nil
            default: throw Self.failure(path)
            }
        }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    private static func failure(_ path: String) -> ToolError {
        ToolError("cannot lock the wallet with \(path): \(String(cString: strerror(errno)))")
    }
}
#endif
