package import ArgumentParser
package import Foundation

/// A server command that runs in this process until it is stopped.
package final class RunningCommand: Sendable {
    private let task: Task<Invocation, Never>
    /// The line that it printed when it was ready.
    package let readyLine: String

    /// Starts a command, and waits for its first line.
    ///
    /// - Parameters:
    ///   - command: The command.
    ///   - arguments: The words after the command's name.
    ///   - input: The lines that the user types.
    ///   - now: The time.
    package init<Command: AsyncParsableCommand>(
        _ command: Command.Type,
        _ arguments: [String],
        input: [String] = [],
        now: Date = Date()
    ) async throws {
        let (lines, continuation) = AsyncStream.makeStream(of: String.self)
        let task = Task {
            let invocation = await Invocation.run(command, arguments, input: input, now: now) {
                continuation.yield($0)
            }
            continuation.finish()
            return invocation
        }
        guard let line = await lines.first(where: { _ in true }) else {
            let ended = await task.value
            throw CommandFailure(description: "the command ended with \(ended.status): \(ended.errors)")
        }
        self.task = task
        readyLine = line
    }

    /// The number behind a word of the ready line.
    package func port(behind word: String = "port ") throws -> Int {
        let rest = readyLine.ranges(of: word).last.map { readyLine[$0.upperBound...] } ?? ""
        guard let port = Int(rest.prefix { $0.isNumber }) else {
            throw CommandFailure(description: "no port in: \(readyLine)")
        }
        return port
    }

    /// Waits until the command ends by itself.
    package func end() async -> Invocation { await task.value }

    /// Ends the command.
    @discardableResult
    package func stop() async -> Invocation {
        task.cancel()
        return await task.value
    }
}

/// The reason that a command did not run.
package struct CommandFailure: Error, CustomStringConvertible {
    package let description: String

    package init(description: String) {
        self.description = description
    }
}
