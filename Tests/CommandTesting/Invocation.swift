package import ArgumentParser
import CommandSupport
package import Foundation
import Synchronization

/// One run of a command: its exit status and what it printed.
package struct Invocation: Sendable {
    package let status: Int32
    package let output: String
    package let errors: String

    private final class Sink: Sendable {
        private let lines = Mutex<[String]>([])

        var text: String { lines.withLock { $0.joined(separator: "\n") } }

        func take(_ line: String) { lines.withLock { $0.append(line) } }
    }

    private final class Typed: Sendable {
        private let lines: Mutex<ArraySlice<String>>

        init(_ lines: [String]) {
            self.lines = Mutex(lines[...])
        }

        func next() -> String? { lines.withLock { $0.popFirst() } }
    }

    /// Runs a command in this process, and tells an observer each piece of output as it comes.
    ///
    /// - Parameters:
    ///   - command: The command.
    ///   - arguments: The words after the command's name.
    ///   - input: The lines that the user types.
    ///   - now: The time.
    ///   - timer: The clock for time limits and pauses; by default one on which limits of seconds come after minutes.
    ///   - environment: The environment variables by which the network is reached.
    ///   - observer: Takes each piece of output.
    package static func run<Command: AsyncParsableCommand>(
        _ command: Command.Type,
        _ arguments: [String],
        input: [String] = [],
        now: Date = Date(),
        timer: (any Clock<Duration>)? = nil,
        environment: [String: String] = [:],
        observer: @escaping @Sendable (String) -> Void = { _ in }
    ) async -> Invocation {
        let output = Sink()
        let errors = Sink()
        let typed = Typed(input)
        let console = Console(
            output: { text in
                output.take(text)
                observer(text)
            },
            error: errors.take,
            readLine: { typed.next() },
            now: { now },
            timer: timer ?? LateClock(),
            environment: environment
        )
        let status = await command.run(arguments, console: console)
        return Invocation(status: status, output: output.text, errors: errors.text)
    }
}
