import ArgumentParser
import CommandSupport
import JSONKit
import LinkedDataKit

/// `credential ld derive`: discloses a part of a credential that an issuer signed with `ecdsa-sd-2023`.
struct LinkedDataDeriveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "derive",
        abstract:
            "Derives a proof that discloses a part of a document, from a base proof (ecdsa-sd-2023); prints the part.",
        discussion: """
            What the issuer made mandatory is disclosed always, and so are the types and identifiers of all objects on the way \
            to a disclosed place. The signatures of the statements are verified; verify the result for the issuer's.
            """
    )

    @Argument(help: "The document with the issuer's base proof, or - for standard input.")
    var file = InputFile(argument: "-")

    @Option(
        name: .long,
        help: ArgumentHelp(
            "A place to disclose, such as /credentialSubject/name; may be repeated.",
            valueName: "pointer"
        )
    )
    var reveal: [JSONPointerArgument] = []

    @Option(name: .long, help: "The identifier of the base proof, for a document that has several.")
    var proof: String?

    @OptionGroup var options: LinkedDataOptions

    @OptionGroup var outputOptions: OutputOptions

    func run() async throws {
        let members = try file.jsonObject()
        let document = try file.reading("document") { try SecuredDocument(json: members) }
        let prover = LinkedDataProver(processor: try options.processor(), options: options.linkedData)
        let derived = try file.processing(.object(members)) { () throws(LinkedDataError) in
            try prover.derive(from: document, revealing: reveal.map(\.pointer), proof: proof.map { ExactText($0) })
        }
        let format: JSONFormat = outputOptions.json ? .compact : .pretty
        Console.current.output(JSONValue.object(derived.unverifiedMembers).text(format.escapingInvisible))
    }
}

/// A JSON pointer on the command line.
struct JSONPointerArgument: ExpressibleByArgument, Sendable {
    let pointer: JSONPointer

    init?(argument: String) {
        guard let pointer = try? JSONPointer(argument) else { return nil }
        self.pointer = pointer
    }
}
