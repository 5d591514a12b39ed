import ArgumentParser
import CommandSupport
import CryptoCore

/// `credential inspect`: recognizes an input and shows its content; verifies nothing.
struct InspectCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Recognizes an input and shows its content. Nothing is verified.",
        discussion: """
            Recognized: mdoc IssuerSigned, DeviceResponse, DeviceRequest, DeviceEngagement (also as mdoc: URI), VICAL \
            and RICAL; status list tokens; COSE messages and keys; X.509 certificates; keys in PEM and DER; CBOR items \
            and sequences; JSON Web Tokens, Signatures, Encryption and Keys; SD-JWTs; credentials and presentations with \
            linked-data proofs; JSON-LD and DID documents; disclosures, commitments and attribute-based signatures of \
            IRMA; JSON.
            """
    )

    @Argument(help: "The file to inspect, or - for standard input.")
    var file = InputFile(argument: "-")

    @Flag(name: .long, help: "Print the whole input in CBOR diagnostic notation too.")
    var notation = false

    @OptionGroup var outputOptions: OutputOptions

    func outcome() async throws -> Outcome {
        let bytes = try file.read()
        let input = DecodedInput(recognizing: bytes)
        let inspection = try file.reading("input") {
            input.encoding == .pem ? try Inspection(pem: bytes) : try Inspection(of: input.bytes)
        }
        return Outcome(
            report: .fields([
                "kind": .text(inspection.kind),
                "encoding": .text(input.encoding?.rawValue ?? "binary"),
                "size": .text("\(input.bytes.count) bytes"),
                "remarks": inspection.remarks.isEmpty ? nil : .list(inspection.remarks.map { .text($0) }),
                "content": inspection.content,
                "notation": notation ? Inspection.notation(of: input.bytes) : nil,
            ])
        )
    }
}

extension Inspection {
    /// Reads the structures of a PEM file.
    fileprivate init(pem text: [UInt8]) throws {
        let parts = try PEM.all(in: text).map { pem in
            try KeyOutline.inspection(of: pem) ?? Inspection(of: pem.bytes)
        }
        if parts.count == 1 {
            self = parts[0]
        } else {
            self.init(
                kind: "\(parts.count) structures in PEM",
                content: .list(parts.map { .fields(["kind": .text($0.kind), "content": $0.content]) })
            )
        }
    }
}
