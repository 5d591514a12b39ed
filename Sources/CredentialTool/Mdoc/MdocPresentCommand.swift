import ArgumentParser
import CryptoCore
import MdocKit

/// `credential mdoc present`: selects elements of an issued document and binds them to a session.
struct MdocPresentCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "present",
        abstract: "Presents elements of a document in a session; prints the DeviceResponse.",
        discussion: "The device key signs; with --reader-key it makes a MAC with a key agreed with the reader's."
    )

    @Argument(help: "The IssuerSigned, or - for standard input.")
    var document = InputFile(argument: "-")

    @Option(name: .long, help: "The private key that the document is bound to: PEM.")
    var deviceKey: InputFile

    @Option(name: .long, help: "The DeviceRequest to answer.")
    var request: InputFile?

    @Option(name: .long, parsing: .upToNextOption, help: "Elements to present, each as NAMESPACE/ELEMENT.")
    var element: [String] = []

    @Option(name: .long, help: "The reader's public key, for a device MAC: PEM or COSE_Key.")
    var readerKey: InputFile?

    @OptionGroup var transcriptOptions: TranscriptOptions

    @OptionGroup var encoding: BinaryOutputOptions

    func validate() throws {
        guard (request == nil) != element.isEmpty else {
            throw ValidationError("say what to present, with either --request or --element")
        }
    }

    func run() async throws {
        let issuerSigned = try IssuerSigned(decoding: document.decoded().bytes)
        guard let transcript = try transcriptOptions.sessionTranscript() else {
            throw ToolError(
                "a presentation is bound to a session: say which with --transcript, or with --nonce and its kin"
            )
        }
        let prepared = try PreparedDocument(try selected(issuerSigned), sessionTranscript: transcript)
        let key = try deviceKey.privateKey()
        let document =
            if let readerKey {
                try await prepared.authenticated(with: key, readerKey: try readerKey.publicKey())
            } else {
                try await prepared.signed(with: try SoftwareSigner(key))
            }
        encoding.print(try DeviceResponse(documents: [document]).encodedBytes, as: "mdoc DeviceResponse")
    }

    private func selected(_ issuerSigned: IssuerSigned) throws -> IssuerSigned {
        if let request {
            let requests = try DeviceRequest(decoding: request.decoded().bytes).docRequests
            guard let docRequest = requests.first(where: { $0.itemsRequest.docType == issuerSigned.docType }) else {
                throw ToolError("the request does not ask for a document of type \(issuerSigned.docType)")
            }
            return try issuerSigned.limitDisclosures(docRequest: docRequest)
        }
        let wanted = Set(element)
        let known = Set(
            issuerSigned.nameSpaces.flatMap { group in group.items.map { "\(group.nameSpace)/\($0.elementIdentifier)" }
            }
        )
        if let unknown = wanted.subtracting(known).sorted().first { throw ToolError("the document has no \(unknown)") }
        return try issuerSigned.limitDisclosures { wanted.contains("\($0.nameSpace)/\($0.identifier)") }
    }
}
