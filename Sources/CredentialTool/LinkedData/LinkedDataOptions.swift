import ArgumentParser
import CommandSupport
import CredentialTransport
import CryptoCore
import Foundation
import JSONKit
import LinkedDataKit

/// The contexts that documents may name, and the rules that they are held to.
struct LinkedDataOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp("A context that documents may name; may be repeated.", valueName: "url=file")
    )
    var context: [ContextArgument] = []

    @Option(
        name: .long,
        help: "A vocabulary (@vocab) that may give a meaning to terms without a definition; may be repeated."
    )
    var vocabulary: [String] = []

    /// The processor with the contexts at hand.
    func processor() throws -> JSONLDProcessor {
        var contexts = ContextRegistry.builtIn
        for argument in context {
            let bytes = try argument.file.read()
            try argument.file.reading("context") {
                try contexts.add(bytes, at: argument.url, sha256: HashAlgorithm.sha256.digest(of: bytes))
            }
        }
        return JSONLDProcessor(contexts: contexts)
    }

    /// The options of what is signed and verified, with the vocabularies.
    var linkedData: JSONLDOptions {
        var options = JSONLDOptions.proofs
        options.safeMode = SafeMode(acceptedVocabularies: Set(vocabulary.map { ExactText($0) }))
        return options
    }

    /// A verifier of credentials and presentations.
    ///
    /// - Parameters:
    ///   - policy: The demands.
    ///   - trust: The issuers.
    ///   - documents: The documents of DIDs that are not keys themselves.
    ///   - lists: Has the credentials of bitstring status lists; nil for none.
    ///   - clock: The time of each verification.
    func verifier(
        policy: W3CCredentialPolicy,
        trust: W3CCredentialTrust,
        documents: [InputFile],
        lists: (any HTTPTransport)?,
        clock: @escaping @Sendable () -> Date
    ) throws -> W3CCredentialVerifier {
        let resolver = try LocalDocuments(documents)
        let processor = try processor()
        func make(_ source: (any CredentialStatusSource)?) -> W3CCredentialVerifier {
            W3CCredentialVerifier(
                policy: policy,
                trust: trust,
                resolver: resolver,
                processor: processor,
                statusSource: source,
                clock: clock
            )
        }
        guard let lists else { return make(nil) }
        return make(BitstringStatusSource(transport: lists, verifier: make(nil)))
    }
}

extension W3CCredentialTrust {
    /// Trusts the issuers that the command line names, or any.
    init(issuers: [String], orAny isAny: Bool) {
        self = isAny ? W3CCredentialTrust { _, _ throws(CheckFault) in } : .issuers(Set(issuers.map { ExactText($0) }))
    }
}

/// A context on the command line: a URL, an equals sign and a file.
struct ContextArgument: ExpressibleByArgument, Sendable {
    let url: String
    let file: InputFile

    init?(argument: String) {
        // URLs may hold an equals sign, and paths rarely do.
        guard let separator = argument.lastIndex(of: "="), separator != argument.startIndex else { return nil }
        url = String(argument[..<separator])
        file = InputFile(argument: String(argument[argument.index(after: separator)...]))
    }
}

extension InputFile {
    /// Runs a step on a document; an error names the file, the term and its path, and the contexts of the document.
    func processing<Value>(
        _ document: JSONValue,
        _ body: () throws(LinkedDataError) -> Value
    ) throws(ToolError) -> Value {
        do throws(LinkedDataError) {
            return try body()
        } catch {
            let contexts = document["@context"].map { "; its @context is \($0.text(.compact.escapingInvisible))" } ?? ""
            let hint = error.code == .undefinedTerm ? "; a vocabulary that you know is accepted with --vocabulary" : ""
            throw ToolError("\(name): \(error)\(contexts)\(hint)")
        }
    }
}
