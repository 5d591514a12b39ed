package import ArgumentParser
import JSONKit

/// Options that every command takes.
package struct OutputOptions: ParsableArguments {
    @Flag(name: .long, help: "Print JSON for machines.")
    package var json = false

    package init() {}
}

/// The outcome of a command.
package struct Outcome {
    /// The report to print.
    package let report: Outline
    /// Indicates a negative outcome: the command then exits with 1.
    package var isRefusal = false

    package init(report: Outline, isRefusal: Bool = false) {
        self.report = report
        self.isRefusal = isRefusal
    }
}

/// A command that prints one report, as text or as JSON.
package protocol ReportingCommand: AsyncParsableCommand {
    var outputOptions: OutputOptions { get }

    /// Does the work; throws where the input cannot be processed.
    func outcome() async throws -> Outcome
}

extension ReportingCommand {
    package mutating func run() async throws {
        try outputOptions.print(try await outcome())
    }
}

extension OutputOptions {
    /// Prints a command's outcome.
    ///
    /// - Throws: `ExitCode` if the answer is no.
    package func print(_ outcome: Outcome) throws {
        Console.current.output(json ? outcome.report.json : outcome.report.lines.joined(separator: "\n"))
        if outcome.isRefusal { throw ExitCode(1) }
    }
}

/// The version of the commands, which `--version` prints.
package enum CommandVersion {
    /// The version of the next release; the first one has not been made yet.
    package static let text = "0.1.0-unreleased"
}
