import MdocKit
import MdocProximity
import Synchronization

/// An L2CAP channel within the process, which delivers in pieces of some length.
final class MemoryPipe: Sendable {
    private typealias Bytes = AsyncStream<[UInt8]>

    private let pieceLength: Int
    private let streams = [Bytes.makeStream(), Bytes.makeStream()]
    private let isClosed = Mutex(false)

    /// - Parameter pieceLength: The number of bytes that come at once.
    init(pieceLength: Int) {
        self.pieceLength = pieceLength
    }

    /// One end of the channel.
    struct End: L2CAPLink {
        let pipe: MemoryPipe
        let index: Int

        func read() async throws -> [UInt8] {
            var bytes = pipe.streams[index].stream.makeAsyncIterator()
            return await bytes.next() ?? []
        }

        func write(_ bytes: [UInt8]) async throws {
            guard !pipe.isClosed.withLock({ $0 }) else { throw MemoryGATT.Refusal.closed }
            var rest = bytes[...]
            while !rest.isEmpty {
                pipe.streams[1 - index].continuation.yield([UInt8](rest.prefix(pipe.pieceLength)))
                rest = rest.dropFirst(pipe.pieceLength)
            }
        }

        func close() async {
            pipe.isClosed.withLock { $0 = true }
            for stream in pipe.streams { stream.continuation.finish() }
        }
    }

    var first: End { End(pipe: self, index: 0) }
    var second: End { End(pipe: self, index: 1) }
    var wasClosed: Bool { isClosed.withLock { $0 } }
}
