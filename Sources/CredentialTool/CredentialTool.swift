package import ArgumentParser

/// The `credential` command: `inspect`, and a group of commands for each credential format.
package struct CredentialTool: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "credential",
        abstract: "Inspects, issues, presents and verifies digital credentials.",
        discussion: """
            Files are read as binary, hex, base64, base64url or PEM, whichever they are; - is standard input.
            Exit status: 0 verified or done; 1 refused, with the reason on standard output; 2 the input could not be \
            processed, with the error on standard error.
            """,
        subcommands: [
            InspectCommand.self, MdocCommand.self, JWTCommand.self, SDJWTCommand.self, IdemixCommand.self,
        ]
    )

    package init() {}

    /// Runs one command line and gives its exit status.
    ///
    /// - Parameters:
    ///   - arguments: the words after the command's name
    ///   - console: where output goes, and what stands for the system's clock
    package static func run(_ arguments: [String], console: Console = .standard) async -> Int32 {
        await Console.$current.withValue(console) {
            do {
                var command = try parseAsRoot(arguments)
                if var asynchronous = command as? any AsyncParsableCommand {
                    try await asynchronous.run()
                } else {
                    try command.run()
                }
                return 0
            } catch {
                return report(error, to: console)
            }
        }
    }

    /// Help goes to standard output; everything else that is thrown is an input that could not be processed.
    private static func report(_ error: any Error, to console: Console) -> Int32 {
        if let refusal = error as? ExitCode { return refusal.rawValue }
        if exitCode(for: error).isSuccess {
            console.output(fullMessage(for: error))
            return 0
        }
        console.error(exitCode(for: error) == .validationFailure ? fullMessage(for: error) : "error: \(error)")
        return 2
    }
}
