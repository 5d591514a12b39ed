package import ArgumentParser
import CryptoCore

extension AsyncParsableCommand {
    /// Runs one command line and gives its exit status.
    ///
    /// - Parameters:
    ///   - arguments: the words after the command's name
    ///   - console: where output goes, and what stands for the system's clock
    package static func run(_ arguments: [String], console: Console = .standard) async -> Int32 {
        await Console.$current.withValue(console) {
            do {
                var command = try parseAsRoot(joiningValues(in: arguments))
                if var asynchronous = command as? any AsyncParsableCommand {
                    try await asynchronous.run()
                } else {
                    try command.run()
                }
                return 0
            } catch {
                return report(error, of: arguments, to: console)
            }
        }
    }

    private static var secretOptions: Set<String> {
        (Self.self as? any CommandWithSecrets.Type)?.secretOptions ?? []
    }

    /// Help goes to standard output; everything else that is thrown is an input that could not be processed.
    private static func report(_ error: any Error, of arguments: [String], to console: Console) -> Int32 {
        if let refusal = error as? ExitCode { return refusal.rawValue }
        if exitCode(for: error).isSuccess {
            console.output(fullMessage(for: error))
            return 0
        }
        let isUsage = exitCode(for: error) == .validationFailure
        console.error(
            isUsage
                ? UsageError(error, of: arguments, withholding: secretOptions, to: Self.self).message
                : "error: \(text(of: error))"
        )
        return 2
    }
}

/// The words with values that begin with three dashes or more joined to their options, as in `--key=-----BEGIN`.
///
/// No option begins so, and the argument parser refuses such a word before it looks at the option in front of it.
private func joiningValues(in arguments: [String]) -> [String] {
    var words: [String] = []
    for word in arguments {
        if word.hasPrefix("---"), let option = words.last, option.hasPrefix("--"), option.count > 2,
            !option.contains("=")
        {
            words[words.count - 1] = "\(option)=\(word)"
        } else {
            words.append(word)
        }
    }
    return words
}

/// A command at the root whose subcommands take secrets on the command line.
package protocol CommandWithSecrets: AsyncParsableCommand {
    /// The options whose value is a secret, as they are written: no message shows it.
    static var secretOptions: Set<String> { get }
}

/// An error whose description has a line for each fault, with invisible characters escaped in each.
package protocol ErrorOfManyFaults: Error, CustomStringConvertible {}

/// The description of an error, on one line unless it has several faults.
private func text(of error: any Error) -> String {
    (error as? any ErrorOfManyFaults)?.description ?? "\(error)".escapedForDisplay()
}

/// The reason that an input cannot be processed at all; it goes to standard error, and the command exits with 2.
package struct ToolError: Error, CustomStringConvertible, Sendable {
    package let description: String

    /// Makes an error of a sentence, with invisible characters escaped.
    package init(_ description: String) {
        self.description = description.escapedForDisplay()
    }
}
