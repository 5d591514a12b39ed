import ArgumentParser
import CommandSupport
import CryptoCore

/// `irma scheme keycopy`: copies the private key of a scheme under another passphrase, or without one.
struct SchemeKeycopyCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "keycopy",
        abstract: "Copies the private key of a scheme under a new passphrase.",
        discussion: "An existing file is never replaced. Protect the file of a key without a passphrase."
    )

    @Option(name: [.customShort("i"), .customLong("in")], help: "The file of the private key.")
    var input = InputFile(argument: "sk.pem")

    @Option(name: [.customShort("o"), .customLong("out")], help: "The file for the copy.")
    var output = "sk-copy.pem"

    @Option(name: .long, help: "Ask for a passphrase that seals the copy.")
    var pass = true

    @OptionGroup var outputOptions: OutputOptions

    func outcome() async throws -> Outcome {
        let file = OutputFile(path: output, replacedBy: nil)
        try file.requireAbsence()
        let key = try await SchemeKey.read(input)
        try SchemeKey.write(key, to: file, passphrase: pass ? try await SchemeKey.newPassphrase() : nil)
        return Outcome(report: .fields(["private key": .verbatim(output)]))
    }
}
