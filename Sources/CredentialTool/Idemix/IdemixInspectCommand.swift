import ArgumentParser
import CommandSupport

/// `credential idemix inspect`: says what an input is and shows what is public in it; verifies nothing.
struct IdemixInspectCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Recognises keys, proofs, signatures and credentials of IRMA. Nothing is verified.",
        discussion: """
            Recognised: public and private keys in XML; in JSON proofs and lists of them, disclosures, commitments, \
            attribute-based signatures, issuers' signatures, stored credentials, witnesses and revocation updates. \
            Secrets are never printed: of a private key, a credential or a witness only what is public is shown.
            """
    )

    @Argument(help: "The file to inspect, or - for standard input.")
    var file = InputFile(argument: "-")

    @OptionGroup var outputOptions: OutputOptions

    func outcome() async throws -> Outcome {
        let bytes = try file.read()
        let inspection = try file.reading("input") { try IdemixInspection.inspection(of: bytes) }
        return Outcome(report: .fields(["kind": .text(inspection.kind), "content": inspection.content]))
    }
}
