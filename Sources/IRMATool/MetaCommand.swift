import ArgumentParser
import CommandSupport
import Foundation
import IRMAMessages
import IdemixCore

/// `irma meta`: reads the metadata attribute of a credential.
struct MetaCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "meta",
        abstract: "Prints the content of a metadata attribute.",
        discussion: "For an unknown type, the hash is printed, without the details that need the key."
    )

    @Argument(help: "The attribute, as a decimal integer or in base64.")
    var attribute: MetadataArgument

    @OptionGroup var schemes: SchemesOptions
    @OptionGroup var assets: SchemesAssetsOptions
    @OptionGroup var outputOptions: OutputOptions

    func outcome() async throws -> Outcome {
        let metadata: MetadataAttribute
        do {
            metadata = try MetadataAttribute(integer: attribute.integer)
        } catch {
            throw ToolError("the attribute is no metadata: \(error)")
        }
        let snapshot = try await schemes.snapshot(copyingFrom: assets.path)
        let type = snapshot.credentialType(hash: metadata.credentialTypeHash)
        let key = type.flatMap { snapshot.publicKey(of: $0, counter: UInt(metadata.keyCounter)) }
        let now = Console.current.now()
        let isValid = metadata.signingDate <= now && now < metadata.expiryDate
        let hash = Data(metadata.credentialTypeHash).base64EncodedString()
        let rows: [(String, String?)] = [
            ("Identifier", type?.identifier),
            ("Signed", metadata.signingDate.utcText),
            ("Expires", metadata.expiryDate.utcText),
            ("IsValid", "\(isValid)"),
            ("Version", "\(metadata.encoding.rawValue)"),
            ("KeyCounter", "\(metadata.keyCounter)"),
            ("KeyExpires", key?.expiryDate.utcText),
            ("KeyModulusBitlen", key.map { "\($0.elements.n.bitCount)" }),
        ]
        let lines = rows.compactMap { name, value in
            value.map { name.padding(toLength: Self.labelLength, withPad: " ", startingAt: 0) + ": \($0)" }
        }
        let unknown = type == nil ? ["Unknown credential type, hash: \(hash)"] : []
        let machines = rows.compactMap { name, value in value.map { (name: name, value: Outline.text($0)) } }
        let report = Outline.forms(
            people: .block((unknown + lines).joined(separator: "\n")),
            machines: Outline.fields(machines + [(name: "CredentialTypeHash", value: .text(hash))]).jsonValue
        )
        return Outcome(report: report)
    }

    /// The length of the longest label, to which the others are padded.
    private static let labelLength = "KeyModulusBitlen".count
}

/// A metadata attribute on the command line.
struct MetadataArgument: ExpressibleByArgument, Sendable {
    let integer: BigInteger

    /// The largest length of an argument: many times that of an attribute in decimal.
    private static let maximumLength = 1_000

    init?(argument: String) {
        guard argument.utf8.count <= Self.maximumLength else { return nil }
        if let integer = BigInteger(decimal: argument) {
            self.integer = integer
        } else if let bytes = Data(base64Encoded: argument) {
            integer = BigInteger(bytes: bytes)
        } else {
            return nil
        }
    }
}
