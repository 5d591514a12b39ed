import ArgumentParser
import CommandSupport

/// `credential mdoc engage`: a wallet in proximity, over a socket.
struct MdocEngageCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "engage",
        abstract: "Shows an engagement, and presents documents to the reader that connects.",
        discussion: """
            The first line of output is the engagement, for `credential mdoc read` in another terminal. The reader's request \
            is shown, and answered if the user says y, or always with --yes. The session ends when the reader ends it.
            """
    )

    @Argument(help: "The documents of the wallet: each an IssuerSigned; none with --wallet.")
    var documents: [InputFile] = []

    @Option(name: .long, help: "The private key that the documents are bound to: PEM.")
    var deviceKey: InputFile?

    @Option(
        name: .customLong("wallet"),
        help: "The file of a wallet of `credential wallet` to present from; it counts the copies.",
        completion: .file()
    )
    var storedWallet: String?

    @Option(name: .long, help: "The file of the wallet's key.")
    var walletKey: InputFile?

    @Option(name: .long, help: "The address to listen at: the path of a socket to make, or ADDRESS:PORT.")
    var listen: SocketAddress

    @OptionGroup var wallet: ProximityWallet

    @OptionGroup var outputOptions: OutputOptions

    func validate() throws {
        let isFromFiles = !documents.isEmpty && deviceKey != nil && storedWallet == nil && walletKey == nil
        let isFromWallet = documents.isEmpty && deviceKey == nil && storedWallet != nil && walletKey != nil
        guard isFromFiles || isFromWallet else {
            throw ValidationError("name documents with --device-key, or --wallet with --wallet-key")
        }
    }

    func outcome() async throws -> Outcome {
        if let storedWallet, let walletKey {
            let store = try StoredCredentials(at: storedWallet, key: walletKey).mdocs
            return try await wallet.present(from: .store(store), at: listen)
        }
        guard let deviceKey else { throw ToolError("--device-key is missing") }
        return try await wallet.present(documents, deviceKey: deviceKey, at: listen)
    }
}
