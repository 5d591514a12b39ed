import ArgumentParser
import JSONKit

/// Options that every command takes.
struct OutputOptions: ParsableArguments {
    @Flag(name: .long, help: "Print JSON for machines.")
    var json = false
}

/// The outcome of a command.
struct Outcome {
    /// The report to print.
    let report: Outline
    /// Indicates a negative outcome: the command then exits with 1.
    var isRefusal = false
}

/// A command that prints one report, as text or as JSON.
protocol ReportingCommand: AsyncParsableCommand {
    var outputOptions: OutputOptions { get }

    /// Does the work; throws where the input cannot be processed.
    func outcome() async throws -> Outcome
}

extension ReportingCommand {
    mutating func run() async throws {
        try outputOptions.print(try await outcome())
    }
}

extension OutputOptions {
    /// Prints what a command found.
    ///
    /// - Throws: `ExitCode` where the answer is no.
    func print(_ outcome: Outcome) throws {
        Console.current.output(json ? outcome.report.json : outcome.report.lines.joined(separator: "\n"))
        if outcome.isRefusal { throw ExitCode(1) }
    }
}
