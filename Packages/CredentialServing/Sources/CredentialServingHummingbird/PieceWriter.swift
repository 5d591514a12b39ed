#if Server
import CredentialServing
import Hummingbird
import HummingbirdCore
import NIOCore
import Synchronization

/// Hummingbird's writer for the pieces of one body.
///
/// It is unchecked because Hummingbird's writers need not be `Sendable`: one task at a time writes, by the contract of
/// ``ServerBodyWriter``, and `finish()` comes after.
final class PieceWriter: @unchecked Sendable {
    private var writer: any ResponseBodyWriter
    private let progress = Mutex((count: 0, isWriting: false))

    init(_ writer: any ResponseBodyWriter) {
        self.writer = writer
    }

    /// Sends a piece, and returns when it was taken.
    func write(_ piece: [UInt8]) async throws {
        progress.withLock { $0 = ($0.count &+ 1, true) }
        defer { progress.withLock { $0.isWriting = false } }
        try await writer.write(ByteBuffer(bytes: piece))
    }

    func finish() async throws {
        try await writer.finish(nil)
    }

    /// Sends a body, and gives up when a client takes nothing of one piece for too long.
    func run(_ body: ServerResponseBody, stallingAtMost limit: Duration) async throws {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask {
                try await body.write { try await self.write($0) }
                return true
            }
            group.addTask {
                try await self.waitForStall(limit)
                return false
            }
            defer { group.cancelAll() }
            guard try await group.next() == true else {
                throw ServingError(.cancelled, "the client reads nothing of the response")
            }
        }
    }

    /// Returns when one and the same piece is being written at the beginning and at the end of an interval.
    private func waitForStall(_ limit: Duration) async throws {
        while true {
            let before = progress.withLock { $0 }
            try await Task.sleep(for: limit)
            let after = progress.withLock { $0 }
            if before.isWriting, after == before { return }
        }
    }
}
#endif
