#if Server
@_spi(Layers) import CredentialTransport
import CredentialServing
import Hummingbird
import HummingbirdCore
import NIOCore
import Synchronization

/// Hummingbird's writer for the pieces of one body.
///
/// It is unchecked because Hummingbird's writers need not be `Sendable`: one task at a time writes, by the contract of
/// ``ServerBodyWriter``, and the end comes after.
final class PieceWriter: @unchecked Sendable {
    /// The number of bytes that are handed over at once to a stream of HTTP/2, of which a connection has a hundred.
    static let streamSize = 16 * 1024

    private let size: Int

    private var writer: any ResponseBodyWriter
    private let channel: (any Channel)?
    /// The number of bytes that the channel may not have taken yet.
    private var unsettled = 0
    private let progress = Mutex((count: 0, isWriting: false))

    init(_ writer: any ResponseBodyWriter, on channel: (any Channel)?) {
        self.writer = writer
        self.channel = channel
        size = channel?.isStream == true ? Self.streamSize : 64 * 1024
    }

    /// Sends a piece, and returns when it was taken.
    private func write(_ piece: [UInt8]) async throws {
        defer { progress.withLock { $0.isWriting = false } }
        var rest = piece[...]
        while !rest.isEmpty {
            let part = rest.prefix(size)
            rest = rest.dropFirst(size)
            progress.withLock { $0 = ($0.count &+ 1, true) }
            try await writer.write(ByteBuffer(bytes: part))
            try await settle(part.count)
        }
    }

    /// Waits for the channel once in a while.
    ///
    /// Pieces are handed to the channel's event loop, which alone tells that no more are wanted. While it has no processor, a
    /// producer could fill the memory.
    private func settle(_ count: Int) async throws {
        // A piece takes some memory however short it is.
        unsettled += max(count, 256)
        guard unsettled >= size, let channel else { return }
        unsettled = 0
        try await channel.eventLoop.submit {}.get()
    }

    private func finish() async throws {
        progress.withLock { $0 = ($0.count &+ 1, true) }
        defer { progress.withLock { $0.isWriting = false } }
        try await writer.finish(nil)
    }

    /// Sends a body and its end, and gives up when a client takes nothing of one piece for too long.
    func run(_ body: ServerResponseBody, stallingAtMost limit: Duration) async throws {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask {
                try await body.write { try await self.write($0) }
                try await self.finish()
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
            try await Task.sleep(for: limit.boundedForTimers)
            let after = progress.withLock { $0 }
            if before.isWriting, after == before { return }
        }
    }
}
#endif
