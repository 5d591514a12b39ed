import ArgumentParser
import CommandSupport
import CryptoCore
import JSONKit
import LinkedDataKit

/// A switch for the rules against content that signatures would not cover.
struct SafeModeOptions: ParsableArguments {
    @Flag(name: .long, help: "Drop terms without a definition and the like, as JSON-LD does, instead of refusing them.")
    var lenient = false

    /// The options of JSON-LD: those of what is signed, or the defaults of the standard.
    func options(_ options: LinkedDataOptions) -> JSONLDOptions {
        lenient ? JSONLDOptions(safeMode: nil) : options.linkedData
    }
}

/// `credential ld expand`: expands a JSON-LD document.
struct LinkedDataExpandCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "expand",
        abstract: "Expands a JSON-LD document: every term becomes an IRI."
    )

    @Argument(help: "The document, or - for standard input.")
    var file = InputFile(argument: "-")

    @OptionGroup var options: LinkedDataOptions

    @OptionGroup var safeMode: SafeModeOptions

    @OptionGroup var outputOptions: OutputOptions

    func run() async throws {
        let document = JSONValue.object(try file.jsonObject())
        let processor = try options.processor()
        let expanded = try file.processing(document) { () throws(LinkedDataError) in
            try processor.expand(document, options: safeMode.options(options))
        }
        let format: JSONFormat = outputOptions.json ? .compact : .pretty
        Console.current.output(expanded.value.text(format.escapingInvisible))
    }
}

/// `credential ld nquads`: converts a JSON-LD document to RDF.
struct LinkedDataNQuadsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "nquads",
        abstract: "Converts a JSON-LD document to N-Quads, in the order of the document."
    )

    @Argument(help: "The document, or - for standard input.")
    var file = InputFile(argument: "-")

    @OptionGroup var options: LinkedDataOptions

    @OptionGroup var safeMode: SafeModeOptions

    @OptionGroup var outputOptions: OutputOptions

    func run() async throws {
        let dataset = try file.dataset(options, safeMode)
        outputOptions.print(lines: dataset.nQuads())
    }
}

/// `credential ld canonize`: canonicalizes a JSON-LD document or N-Quads.
struct LinkedDataCanonizeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "canonize",
        abstract: "Prints the canonical N-Quads (RDFC-1.0) of a JSON-LD document or of N-Quads."
    )

    @Argument(help: "The document, or - for standard input.")
    var file = InputFile(argument: "-")

    @Flag(name: .long, help: "Use SHA-384, as ecdsa-rdfc-2019 does with P-384.")
    var sha384 = false

    @OptionGroup var options: LinkedDataOptions

    @OptionGroup var safeMode: SafeModeOptions

    @OptionGroup var outputOptions: OutputOptions

    func run() async throws {
        let dataset = try file.dataset(options, safeMode)
        let canonical = try file.reading("dataset") {
            try dataset.canonicalNQuads(using: sha384 ? .sha384 : .sha256)
        }
        outputOptions.print(lines: canonical)
    }
}

extension InputFile {
    /// The RDF of a JSON-LD document, or of N-Quads where the file does not begin as JSON does.
    fileprivate func dataset(_ options: LinkedDataOptions, _ safeMode: SafeModeOptions) throws -> RDFDataset {
        let bytes = try read()
        guard let first = TextClass.trimmed(bytes).first, first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
        else {
            return try reading("N-Quads") { try RDFDataset(parsing: bytes) }
        }
        let document = try reading("JSON") { try JSONValue(parsing: bytes) }
        let processor = try options.processor()
        return try processing(document) { () throws(LinkedDataError) in
            try processor.toRDF(document, options: safeMode.options(options))
        }
    }
}

extension OutputOptions {
    /// Prints N-Quads as they are, or as a JSON list of lines.
    fileprivate func print(lines nQuads: [UInt8]) {
        let lines = nQuads.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
        Console.current.output(
            json
                ? JSONValue.array(lines.map { .string($0) }).text(.compact.escapingInvisible)
                : lines.map { $0.escapedForDisplay() }.joined(separator: "\n")
        )
    }
}
