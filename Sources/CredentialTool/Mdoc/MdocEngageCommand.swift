import ArgumentParser
import CommandSupport

/// `credential mdoc engage`: a wallet in proximity, over a socket.
struct MdocEngageCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "engage",
        abstract: "Shows an engagement, and presents documents to the reader that takes it up.",
        discussion: """
            The first line of output is the engagement, for `credential mdoc read` in another terminal. The reader's request \
            is shown, and answered if the user says y, or always with --yes. The session ends when the reader ends it.
            """
    )

    @Argument(help: "The documents of the wallet: each an IssuerSigned.")
    var documents: [InputFile]

    @Option(name: .long, help: "The private key that the documents are bound to: PEM.")
    var deviceKey: InputFile

    @Option(name: .long, help: "The address to listen at: the path of a socket to make, or ADDRESS:PORT.")
    var listen: SocketAddress

    @OptionGroup var wallet: ProximityWallet

    @OptionGroup var outputOptions: OutputOptions

    func outcome() async throws -> Outcome {
        try await wallet.present(documents, deviceKey: deviceKey, at: listen)
    }
}
