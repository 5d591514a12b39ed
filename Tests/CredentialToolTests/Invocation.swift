import Foundation
import Synchronization

@testable import CredentialTool

/// One run of the command: its exit status and what it printed.
struct Invocation {
    let status: Int32
    let output: String
    let errors: String

    private final class Sink: Sendable {
        private let lines = Mutex<[String]>([])

        var text: String { lines.withLock { $0.joined(separator: "\n") } }

        func take(_ line: String) { lines.withLock { $0.append(line) } }
    }

    /// Runs the command in this process.
    static func run(_ arguments: String..., now: Date = Date()) async -> Invocation {
        await run(arguments: arguments, now: now)
    }

    /// Runs the command in this process, and tells an observer each piece of output as it comes.
    static func run(
        arguments: [String],
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
        let status = await CredentialTool.run(arguments, console: console)
        return Invocation(status: status, output: output.text, errors: errors.text)
    }
}

/// A folder that is removed when the test is over.
final class TemporaryFolder {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("credential-tests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    func path(_ name: String) -> String { url.appendingPathComponent(name).path }

    @discardableResult
    func write(_ text: String, to name: String) throws -> String {
        try Data(text.utf8).write(to: url.appendingPathComponent(name))
        return path(name)
    }
}
