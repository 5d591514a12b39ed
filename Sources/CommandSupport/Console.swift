import Dispatch
package import Foundation

/// A command's access to the outside world: its output, its errors and the clock.
package struct Console: Sendable {
    /// The console of the command that is running.
    @TaskLocal package static var current = Console.standard

    /// Takes text for standard output; a line break is added.
    package let output: @Sendable (String) -> Void
    /// Takes text for standard error; a line break is added.
    package let error: @Sendable (String) -> Void
    /// Waits for a line that the user types; nil at the end of the input.
    package let readLine: @Sendable () async -> String?
    /// The time where `--at` does not say another.
    package let now: @Sendable () -> Date
    /// The clock for time limits, polling and sweeps.
    package let timer: any Clock<Duration>
    /// The environment variables by which the network is reached.
    package let environment: [String: String]

    /// The process's own console.
    package static let standard = Console(
        output: { text in
            do {
                try FileHandle.standardOutput.write(contentsOf: Data((text + "\n").utf8))
            } catch {
                // A closed pipe ends the process by its signal (SIGPIPE), and does not come here.
                complain("error: cannot write to standard output: \(reason(of: error))")
                exit(2)
            }
        },
        error: { complain($0) },
        readLine: {
            // Reading blocks its thread, which must not be one of the concurrency's own; a cancelled task waits no longer.
            let (lines, continuation) = AsyncStream.makeStream(of: String.self)
            Thread.detachNewThread {
                if let line = Swift.readLine(strippingNewline: true) { continuation.yield(line) }
                continuation.finish()
            }
            return await lines.first { _ in true }
        }
    )

    /// Writes a line to standard error; where that cannot be written either, nobody can be told.
    private static func complain(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data((text + "\n").utf8))
    }

    /// The system's reason for a failed write, such as "No space left on device".
    private static func reason(of error: any Error) -> String {
        let underlying = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
        guard let underlying, underlying.domain == NSPOSIXErrorDomain else { return error.localizedDescription }
        return String(cString: strerror(Int32(truncatingIfNeeded: underlying.code)))
    }

    package init(
        output: @escaping @Sendable (String) -> Void,
        error: @escaping @Sendable (String) -> Void,
        readLine: @escaping @Sendable () async -> String? = { nil },
        now: @escaping @Sendable () -> Date = { Date() },
        timer: any Clock<Duration> = ContinuousClock(),
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) {
        self.output = output
        self.error = error
        self.readLine = readLine
        self.now = now
        self.timer = timer
        self.environment = environment
    }
}

extension Console {
    /// Asks a question on standard error, and reads the answer; anything but y or yes is a no.
    package func confirms(_ question: [String]) async -> Bool {
        for line in question { error(line) }
        let answer = await readLine()?.trimmingCharacters(in: .whitespaces).lowercased()
        return answer == "y" || answer == "yes"
    }
}

/// Runs a closure where the user presses Ctrl-C (SIGINT), instead of ending the process at once.
package final class Interruption {
    private let source: any DispatchSourceSignal

    /// Takes the signal over until ``end()``.
    package init(_ handler: @escaping @Sendable () -> Void) {
        // Without this the signal would still end the process.
        signal(SIGINT, SIG_IGN)
        source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
        source.setEventHandler(handler: handler)
        source.resume()
    }

    /// Runs a computation in a task, which Ctrl-C cancels.
    package static func cancelling<Value: Sendable>(
        _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let task = Task { try await work() }
        let interruption = Interruption { task.cancel() }
        defer { interruption.end() }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    /// Gives the signal back to the system.
    package func end() {
        source.cancel()
        signal(SIGINT, SIG_DFL)
    }
}
