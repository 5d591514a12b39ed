import MdocKit
import MdocProximity
import Synchronization

/// A card and its reader within the process: every command waits for its response.
final class MemoryCard: NFCReaderLink, NFCDeviceLink {
    enum Refusal: Error {
        case gone, nothingToAnswer
    }

    private struct State {
        var pending: CheckedContinuation<[UInt8], any Error>?
        var responses: [[UInt8]] = []
        var longest = (command: 0, response: 0)
        var isClosed = false
    }

    let commands: AsyncThrowingStream<[UInt8], any Error>
    private let continuation: AsyncThrowingStream<[UInt8], any Error>.Continuation
    private let state = Mutex(State())

    init() {
        (commands, continuation) = AsyncThrowingStream.makeStream()
    }

    /// The longest command and response that went through, as they travelled.
    var longest: (command: Int, response: Int) { state.withLock { $0.longest } }
    /// The responses that went through.
    var responses: [[UInt8]] { state.withLock { $0.responses } }
    var isClosed: Bool { state.withLock { $0.isClosed } }

    func transceive(_ command: [UInt8]) async throws -> [UInt8] {
        try await withCheckedThrowingContinuation { response in
            let isThere = state.withLock { state in
                guard !state.isClosed else { return false }
                state.longest.command = max(state.longest.command, command.count)
                state.pending = response
                return true
            }
            if isThere { continuation.yield(command) } else { response.resume(throwing: Refusal.gone) }
        }
    }

    func respond(_ response: [UInt8]) async throws {
        let pending = try state.withLock { state in
            guard !state.isClosed else { throw Refusal.gone }
            guard let pending = state.pending.take() else { throw Refusal.nothingToAnswer }
            state.responses.append(response)
            state.longest.response = max(state.longest.response, response.count)
            return pending
        }
        pending.resume(returning: response)
    }

    func close() async {
        lose()
    }

    /// Takes the card out of the field, with an error of the radio or without.
    func lose(_ error: (any Error)? = nil) {
        let pending = state.withLock { state in
            state.isClosed = true
            return state.pending.take()
        }
        pending?.resume(throwing: error ?? Refusal.gone)
        continuation.finish(throwing: error)
    }
}
