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

    /// Runs a command in this process, and tells an observer each piece of output as it comes.
    package static func run<Command: AsyncParsableCommand>(
        _ command: Command.Type,
        _ arguments: [String],
        now: Date = Date(),
        observer: @escaping @Sendable (String) -> Void = { _ in }
    ) async -> Invocation {
        let output = Sink()
        let errors = Sink()
        let console = Console(
            output: { text in
                output.take(text)
                observer(text)
            },
            error: errors.take,
            now: { now }
        )
        let status = await command.run(arguments, console: console)
        return Invocation(status: status, output: output.text, errors: errors.text)
    }
}
