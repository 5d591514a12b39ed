import ArgumentParser

/// `credential inspect`: says what an input is and shows what is in it; verifies nothing.
struct InspectCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Recognises an input and shows what is in it. Nothing is verified.",
        discussion: """
            Recognised: mdoc IssuerSigned, DeviceResponse, DeviceRequest, DeviceEngagement (also as mdoc: URI); COSE messages and keys; X.509 certificates; CBOR items and sequences; JSON Web Tokens, Signatures, Encryption and Keys; SD-JWTs; JSON.
            """
    )

    @Argument(help: "The file to inspect, or - for standard input.")
    var file = InputFile(argument: "-")

    @Flag(name: .long, help: "Print the whole input in CBOR diagnostic notation too.")
    var notation = false

    @OptionGroup var outputOptions: OutputOptions

    func outcome() async throws -> Outcome {
        let input = try file.decoded()
        let inspection = try Inspection(of: input.bytes)
        return Outcome(
            report: .fields([
                "kind": .text(inspection.kind),
                "encoding": .text(input.encoding?.rawValue ?? "binary"),
                "size": .text("\(input.bytes.count) bytes"),
                "content": inspection.content,
                "notation": notation ? Inspection.notation(of: input.bytes) : nil,
            ])
        )
    }
}
