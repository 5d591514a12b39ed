#if os(Linux)
import CSQLiteTesting
import Foundation
import Glibc
import Synchronization

/// The system calls with which SQLite writes in this process.
///
/// An exit test kills its process at one call after the other, and then looks at what it left:
///
/// ```swift
/// let outcome = await #expect(processExitsWith: .failure) { [step = step as Int] in
///     WriteCalls.killAfter(step)
///     try await write()
///     exit(3)
/// }
/// ```
public enum WriteCalls {
    /// The number of calls until the process is killed, or 0 for never.
    fileprivate static let rest = Atomic(0)

    /// Kills the process in the middle of one of the next calls, when half of its bytes are written.
    ///
    /// - Parameter count: The number of the call, from 1.
    public static func killAfter(_ count: Int) {
        guard let system = sqlite3_vfs_find(nil) else { return }
        let write: @convention(c) (Int32, UnsafeRawPointer?, Int) -> Int = { file, bytes, count in
            if WriteCalls.isLast() {
                _ = Glibc.write(file, bytes, count / 2)
                kill(getpid(), SIGKILL)
            }
            return Glibc.write(file, bytes, count)
        }
        let pwrite: @convention(c) (Int32, UnsafeRawPointer?, Int, off_t) -> Int = { file, bytes, count, offset in
            if WriteCalls.isLast() {
                _ = Glibc.pwrite(file, bytes, count / 2, offset)
                kill(getpid(), SIGKILL)
            }
            return Glibc.pwrite(file, bytes, count, offset)
        }
        rest.store(count, ordering: .sequentiallyConsistent)
        set(system, "write", unsafeBitCast(write, to: sqlite3_syscall_ptr.self))
        set(system, "pwrite", unsafeBitCast(pwrite, to: sqlite3_syscall_ptr.self))
        set(system, "pwrite64", unsafeBitCast(pwrite, to: sqlite3_syscall_ptr.self))
    }

    fileprivate static func isLast() -> Bool {
        rest.subtract(1, ordering: .sequentiallyConsistent).newValue == 0
    }

    private static func set(_ system: UnsafeMutablePointer<sqlite3_vfs>, _ name: String, _ call: sqlite3_syscall_ptr) {
        // A call that this build of SQLite does not make stays absent.
        guard system.pointee.xGetSystemCall?(system, name) != nil else { return }
        _ = system.pointee.xSetSystemCall?(system, name, call)
    }
}
#endif
