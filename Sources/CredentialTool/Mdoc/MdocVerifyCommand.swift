import ArgumentParser
import CBORKit
import CommandSupport
import CryptoCore
import Foundation
import MdocKit
import MdocResults

/// `credential mdoc verify`: makes every check of a response or an issued document and prints each outcome.
struct MdocVerifyCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Verifies a DeviceResponse or an IssuerSigned.",
        discussion: """
            A DeviceResponse is verified against the session's transcript; an IssuerSigned, which has no device \
            authentication, without one. Elements are printed only if every check passes. The known deviations of deployed \
            wallets and issuers are read, and those met are listed.
            """
    )

    @Argument(help: "The DeviceResponse or IssuerSigned, or - for standard input.")
    var file = InputFile(argument: "-")

    @OptionGroup var verifierOptions: MdocVerifierOptions

    @OptionGroup var transcriptOptions: TranscriptOptions

    @Option(name: .long, help: "A private key of the reader, for device MACs: PEM; may be repeated.")
    var readerKey: [InputFile] = []

    @Option(name: .long, help: "The DeviceRequest that was sent: documents of other types are refused.")
    var request: InputFile?

    @OptionGroup var outputOptions: OutputOptions

    func outcome() async throws -> Outcome {
        let verifier = try verifierOptions.verifier()
        let input = try file.decoded().bytes
        // Only an issuer's credential has this member. Any further fault is then reported as one of a credential.
        if try file.reading("mdoc", { try CBORDocument(input).root.map().value(forKey: "issuerAuth") != nil }) {
            let issuerSigned = try file.reading("IssuerSigned") {
                try IssuerSigned(decoding: input, options: .deployed)
            }
            return Outcome(await verifier.verify(issuerSigned))
        }
        let response = try file.reading("DeviceResponse") { try DeviceResponse(decoding: input, options: .deployed) }
        guard let transcript = try transcriptOptions.sessionTranscript() else {
            throw ToolError(
                "a DeviceResponse is bound to a session: say which with --transcript, or with --nonce and its kin"
            )
        }
        let verification = await verifier.verify(
            response,
            sessionTranscript: transcript,
            readerKeys: try readerKey.map { try $0.privateKey() },
            request: try request.map { try $0.deviceRequest() }
        )
        return Outcome(
            verification,
            of: response,
            diagnoses: try await diagnoses(of: verification, response, transcript)
        )
    }

    /// The transcript that a device with a wrong signature or MAC used, as far as it can be found, by the document's index.
    private func diagnoses(
        of verification: Verification<[VerifiedMdocDocument]>,
        _ response: DeviceResponse,
        _ transcript: SessionTranscript
    ) async throws -> [Int: Outline] {
        var diagnoses: [Int: Outline] = [:]
        for (index, refused) in verification.documents.enumerated()
        where refused.refusal?.reason == .invalidHolderBinding {
            guard let document = response.documents.first(where: { $0.index == index }) else { continue }
            let diagnosis = await DeviceAuthenticationDiagnosis(
                of: document,
                knowing: transcriptOptions.knowledge(of: transcript),
                readerKeys: try readerKey.map { try $0.privateKey() }
            )
            diagnoses[index] = diagnosis.outline
        }
        return diagnoses
    }
}
