import ArgumentParser
import CommandSupport
import CryptoCore
import MdocKit

/// `credential mdoc present`: selects elements of an issued document and binds them to a session.
struct MdocPresentCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "present",
        abstract: "Presents elements of a document: prints the DeviceResponse, or sends it to a reader in proximity.",
        discussion: """
            The device key signs; with --reader-key it makes a MAC with a key agreed with the reader's.

            With --listen the document is presented to a reader over a socket: the first line of output is the engagement, \
            for `credential mdoc read` in another terminal. The reader's request is shown, and answered if the user \
            says y, or always with --yes. `credential mdoc engage` does the same with several documents.
            """
    )

    @Argument(help: "The IssuerSigned, or - for standard input.")
    var document = InputFile(argument: "-")

    @Option(name: .long, help: "The private key that the document is bound to: PEM.")
    var deviceKey: InputFile

    @Option(name: .long, help: "The DeviceRequest to answer.")
    var request: InputFile?

    @Option(name: .long, help: "An element to present, as NAMESPACE/ELEMENT; may be repeated.")
    var element: [String] = []

    @Option(
        name: .long,
        help: "Present in proximity: the path of a socket to make, or ADDRESS:PORT, where a reader connects."
    )
    var listen: SocketAddress?

    @OptionGroup var wallet: ProximityWallet

    @Option(name: .long, help: "The reader's public key, for a device MAC: PEM or COSE_Key.")
    var readerKey: InputFile?

    @OptionGroup var transcriptOptions: TranscriptOptions

    @OptionGroup var encoding: BinaryOutputOptions

    func validate() throws {
        let ways = [request != nil, !element.isEmpty, listen != nil].count { $0 }
        guard ways == 1 else {
            throw ValidationError("say what to present, with one of --request, --element and --listen")
        }
        if listen == nil {
            guard !wallet.yes, wallet.trustReaders.isEmpty else {
                throw ValidationError("--yes and --trust-readers belong to --listen")
            }
        } else {
            guard readerKey == nil, !transcriptOptions.isGiven else {
                throw ValidationError("with --listen the session and the reader's key come from the reader")
            }
            guard wallet.yes || !document.isStandardInput else {
                throw ValidationError("with --listen standard input is for the answer: name a file, or say --yes")
            }
        }
    }

    func run() async throws {
        if let listen {
            try encoding.outputOptions.print(try await wallet.present([document], deviceKey: deviceKey, at: listen))
        } else {
            encoding.print(try await response().encodedBytes, as: "mdoc DeviceResponse")
        }
    }

    /// The response for a session that is known.
    private func response() async throws -> DeviceResponse {
        let issuerSigned = try document.issuerSigned()
        guard issuerSigned.mobileSecurityObject.validityInfo.contains(Console.current.now()) else {
            throw ToolError("the document is expired or not yet valid: it is not presented")
        }
        guard let transcript = try transcriptOptions.sessionTranscript() else {
            throw ToolError(
                "a presentation is bound to a session: say which with --transcript, or with --nonce and its kin"
            )
        }
        let prepared = try PreparedMdocDocument(try selected(issuerSigned), sessionTranscript: transcript)
        let key = try deviceKey.privateKey()
        let document =
            if let readerKey {
                try await prepared.authenticated(with: key, readerKey: try readerKey.publicKey())
            } else {
                try await prepared.signed(with: try SoftwareSigner(key))
            }
        return try DeviceResponse(documents: [document])
    }

    private func selected(_ issuerSigned: IssuerSigned) throws -> IssuerSigned {
        if let request {
            let requests = try request.deviceRequest().docRequests
            guard let docRequest = requests.first(where: { $0.itemsRequest.docType == issuerSigned.docType }) else {
                throw ToolError("the request does not ask for a document of type \(issuerSigned.docType)")
            }
            return try issuerSigned.limitDisclosures(docRequest: docRequest)
        }
        let wanted = Set(element)
        let known = Set(
            issuerSigned.nameSpaces.flatMap { group in
                group.items.map { "\(group.nameSpace.text)/\($0.elementIdentifier.text)" }
            }
        )
        if let unknown = wanted.subtracting(known).sorted().first { throw ToolError("the document has no \(unknown)") }
        return try issuerSigned.limitDisclosures { wanted.contains("\($0.nameSpace.text)/\($0.identifier.text)") }
    }
}
