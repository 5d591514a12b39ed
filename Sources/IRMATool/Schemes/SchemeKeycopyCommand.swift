import ArgumentParser
import CommandSupport

/// `irma scheme keycopy`: copies the private key of a scheme.
struct SchemeKeycopyCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "keycopy",
        abstract: "Copies the private key of a scheme.",
        discussion: "Keys are written without a passphrase: protect the file. A file that is there is never replaced."
    )

    @Option(name: [.customShort("i"), .customLong("in")], help: "The file of the private key.")
    var input = InputFile(argument: "sk.pem")

    @Option(name: [.customShort("o"), .customLong("out")], help: "The file for the copy.")
    var output = "sk-copy.pem"

    @Option(name: .long, help: "Seal the copy with a passphrase, which is not supported: say false.")
    var pass = true

    @OptionGroup var outputOptions: OutputOptions

    func validate() throws {
        guard !pass else {
            throw ValidationError("Passphrases are not supported: --pass=false writes the copy without one.")
        }
    }

    func outcome() async throws -> Outcome {
        let file = OutputFile(path: output)
        try file.requireAbsence()
        try SchemeKey.write(try SchemeKey.read(input), to: file)
        return Outcome(report: .fields(["private key": .verbatim(output)]))
    }
}
