import ArgumentParser
import CommandSupport
import MdocKit

/// `credential mdoc request`: builds a reader's request.
struct MdocRequestCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "request",
        abstract: "Builds a request for data elements from JSON; prints the DeviceRequest.",
        discussion: """
            The JSON: { "docType": "org.iso.18013.5.1.mDL", "nameSpaces": { "org.iso.18013.5.1": { "family_name": false, … } } }, \
            or an array of these; true says that the reader means to keep the element. With a reader's key each document \
            request is signed for the session.
            """
    )

    @Argument(help: "The requested elements in JSON, or - for standard input.")
    var items = InputFile(argument: "-")

    @OptionGroup var reader: ReaderKeyOptions

    @OptionGroup var transcriptOptions: TranscriptOptions

    @OptionGroup var encoding: BinaryOutputOptions

    func run() async throws {
        let items = try RequestedItems(file: items)
        guard let identity = try reader.identity() else {
            return encoding.print(try items.deviceRequest().encodedBytes, as: "mdoc DeviceRequest")
        }
        guard let transcript = try transcriptOptions.sessionTranscript() else {
            throw ToolError(
                "a reader's signature is bound to a session: say which with --transcript, or with --nonce and its kin"
            )
        }
        let request = try await items.deviceRequest(for: transcript, signedBy: identity)
        encoding.print(request.encodedBytes, as: "mdoc DeviceRequest")
    }
}
