import ArgumentParser
import COSEKit
import CommandSupport
import CryptoCore
import Foundation
import MdocKit
import MdocProximity

/// `credential mdoc read`: a reader in proximity, over a socket.
struct MdocReadCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "read",
        abstract: "Asks the wallet that shows an engagement for data elements, and verifies what it presents.",
        discussion: """
            The engagement is the output of `credential mdoc engage`. The requested elements are written as for \
            `credential mdoc request`.
            """
    )

    @Argument(help: "The engagement: an mdoc: URI, or - for standard input.")
    var engagement: String

    @Option(name: .long, help: "The requested elements: JSON.")
    var request: InputFile

    @Option(name: .long, help: "The address of the wallet; by default that of the engagement.")
    var connect: SocketAddress?

    @OptionGroup var verifierOptions: MdocVerifierOptions

    @OptionGroup var reader: ReaderKeyOptions

    @OptionGroup var outputOptions: OutputOptions

    func outcome() async throws -> Outcome {
        let items = try RequestedItems(file: request)
        let verifier = try verifierOptions.verifier()
        let identity = try reader.identity()
        let file = InputFile(argument: engagement)
        let uri = file.isStandardInput ? try file.text() : engagement
        let engagement = try file.reading("engagement") { try DeviceEngagement(uri: uri, options: .deployed) }
        guard let endpoint = connect?.endpoint ?? engagement.retrievalMethods.lazy.compactMap(\.socketEndpoint).first
        else {
            throw ToolError("the engagement does not say where the wallet listens: say it with --connect")
        }
        guard let curve = try engagement.eDeviceKey.publicKey().curve else {
            throw ToolError("the engagement's key is on no curve")
        }
        let readerKey = try PrivateKey.generate(curve)
        let session = try await ProximityReaderSession(
            engagement: engagement,
            readerKey: readerKey,
            over: SocketMdocTransport.connect(to: endpoint),
            options: .deployed
        )
        let request =
            if let identity {
                try await items.deviceRequest(for: session.sessionTranscript, signedBy: identity)
            } else {
                try items.deviceRequest()
            }
        let response = try await session.response(to: request)
        let verification = await verifier.verify(
            response,
            sessionTranscript: session.sessionTranscript,
            readerKeys: [readerKey],
            request: request
        )
        await session.terminate()
        return Outcome(verification, of: response)
    }
}
