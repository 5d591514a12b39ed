@_spi(Layers) import CredentialTransport
import MdocKit
import Synchronization

/// One direction of an in-memory channel, with what happens to messages on the way.
final class MemoryLine: Sendable {
    private struct State {
        var count = 0
        /// A message that waits to be overtaken.
        var held: [UInt8]?
        /// The last message that is under way, which those after it must not overtake.
        var last: Task<Void, Never>?
        var isClosed = false
    }

    private let state = Mutex(State())
    private let buffer: MessageBuffer
    private let clock: any Clock<Duration>
    private let fate: @Sendable (Int) -> TransmissionFate

    init(
        to buffer: MessageBuffer,
        _ clock: any Clock<Duration>,
        fate: @escaping @Sendable (Int) -> TransmissionFate
    ) {
        self.buffer = buffer
        self.clock = clock
        self.fate = fate
    }

    /// Lets a message meet its fate; false if the line is closed.
    func send(_ message: [UInt8]) -> Bool {
        state.withLock { state in
            guard !state.isClosed else { return false }
            let fate = fate(state.count)
            state.count += 1
            guard !fate.isLost else { return true }
            guard !fate.isOvertaken || state.held != nil else {
                state.held = message
                return true
            }
            let messages = [message] + (state.held.take().map { [$0] } ?? [])
            return deliver(messages, after: fate.delay, &state)
        }
    }

    /// Delivers at once where nothing is under way, else in turn.
    private func deliver(_ messages: [[UInt8]], after delay: Duration, _ state: inout State) -> Bool {
        guard delay > .zero || state.last != nil else {
            return messages.allSatisfy(buffer.append)
        }
        let previous = state.last
        state.last = Task { [buffer, clock] in
            try? await clock.sleep(for: delay.boundedForTimers)
            await previous?.value
            for message in messages { _ = buffer.append(message) }
        }
        return true
    }

    /// Ends the line after what is under way; a message that waits to be overtaken arrives last.
    func close() {
        state.withLock { state in
            guard !state.isClosed else { return }
            state.isClosed = true
            let held = state.held.take()
            guard let previous = state.last else {
                return finish(held)
            }
            state.last = Task { [self] in
                await previous.value
                finish(held)
            }
        }
    }

    private func finish(_ held: [UInt8]?) {
        if let held { _ = buffer.append(held) }
        buffer.end(with: .success(nil), droppingMessages: false)
    }
}
