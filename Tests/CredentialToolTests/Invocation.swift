import CommandTesting
import CredentialTool
import Foundation

extension Invocation {
    /// Runs the command `credential` in this process.
    static func run(_ arguments: String..., now: Date = Date()) async -> Invocation {
        await run(CredentialTool.self, arguments, now: now)
    }

    /// Runs the command `credential` in this process, and tells an observer each piece of output as it comes.
    static func run(
        arguments: [String],
        now: Date = Date(),
        observer: @escaping @Sendable (String) -> Void = { _ in }
    ) async -> Invocation {
        await run(CredentialTool.self, arguments, now: now, observer: observer)
    }
}
