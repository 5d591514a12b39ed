package import Foundation

/// A command's access to the outside world: its output, its errors and the clock.
package struct Console: Sendable {
    /// The console of the command that is running.
    @TaskLocal package static var current = Console.standard

    /// Takes text for standard output; a line break is added.
    package let output: @Sendable (String) -> Void
    /// Takes text for standard error; a line break is added.
    package let error: @Sendable (String) -> Void
    /// The time where `--at` does not say another.
    package let now: @Sendable () -> Date

    /// The process's own console.
    package static let standard = Console(
        output: { FileHandle.standardOutput.write(Data(($0 + "\n").utf8)) },
        error: { FileHandle.standardError.write(Data(($0 + "\n").utf8)) }
    )

    package init(
        output: @escaping @Sendable (String) -> Void,
        error: @escaping @Sendable (String) -> Void,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.output = output
        self.error = error
        self.now = now
    }
}
