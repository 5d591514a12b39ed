import ArgumentParser
import CryptoCore

/// The message about a command line that cannot be read: one line that says what is wrong, and what would be right.
struct UsageError {
    /// The line, its invisible characters escaped.
    let message: String

    /// Makes the line for an error of the argument parser.
    ///
    /// - Parameters:
    ///   - error: The error.
    ///   - arguments: The words of the command line, which come from anywhere.
    ///   - secretOptions: The options whose value the line does not show.
    ///   - command: The command at the root.
    init<Command: ParsableCommand>(
        _ error: any Error,
        of arguments: [String],
        withholding secretOptions: Set<String> = [],
        to command: Command.Type
    ) {
        if let unknown = UnknownSubcommand(in: arguments, of: command) {
            message = "error: \(unknown.description)"
            return
        }
        let secrets = SecretWords(in: arguments, of: secretOptions)
        func shown(_ message: String) -> String { Self.escaped(secrets.withheld(from: message), arguments) }
        let lines = shown(command.fullMessage(for: error)).split(separator: "\n")
        let help = lines.first { $0.hasPrefix(Self.helpLabel) }?.dropFirst(Self.helpLabel.count)
        let parts: [String?] = [
            Self.sentence(shown(command.message(for: error))),
            help.map { Self.sentence(Self.text(ofHelp: $0)) },
            lines.last { $0.hasPrefix("  See '") }
                .map { String($0.dropFirst(2)).replacing(" for more information", with: "") },
        ]
        message = "error: " + parts.compactMap { $0 }.joined(separator: " ").escapedForDisplay()
    }

    private static let helpLabel = "Help:  "

    /// The text after the name of the option, which the message names already.
    private static func text(ofHelp help: Substring) -> String {
        help.firstRange(of: "  ").map { String(help[$0.upperBound...]) } ?? String(help)
    }

    /// A text on one line, with an end.
    private static func sentence(_ text: String) -> String {
        let line = text.split(separator: "\n").joined(separator: " ")
        return line.last.map { ".?!".contains($0) } == true ? line : line + "."
    }

    /// The message with invisible characters escaped in the words of the command line, since file names come from anywhere.
    private static func escaped(_ message: String, _ arguments: [String]) -> String {
        var message = message
        for word in arguments.flatMap({ [$0[...]] + $0.split(separator: "=", maxSplits: 1).dropFirst() }) {
            let escaped = word.escapedForDisplay()
            if escaped != word { message = message.replacing(word, with: escaped) }
        }
        return message
    }
}
