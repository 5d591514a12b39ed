import CryptoCore
import JSONKit

/// The algorithms and their bounds, as prover and verifier need them.
struct LinkedDataSettings: Sendable {
    let processor: JSONLDProcessor
    private(set) var options: JSONLDOptions
    let canonicalization: CanonicalizationLimits
    let disclosure: SelectiveDisclosureLimits
    /// The work of the verification that the settings are for; nil to give each canonicalization the limits anew.
    private var budget: CanonicalizationBudget?

    /// Takes options, with safe mode on and without a base URL (Data Integrity 1.0, section 2.4.3): relative references would
    /// mean something else to each party.
    init(
        processor: JSONLDProcessor,
        options: JSONLDOptions,
        canonicalization: CanonicalizationLimits,
        disclosure: SelectiveDisclosureLimits
    ) {
        self.processor = processor
        self.canonicalization = canonicalization
        self.disclosure = disclosure
        var options = options
        if options.safeMode == nil { options.safeMode = SafeMode() }
        options.base = nil
        self.options = options
    }

    /// The context that a document does not expand without, and that is neither at hand nor on the allow-list; nil without
    /// one.
    func unknownContext(of document: JSONObject) -> String? {
        processor.unknownContext(of: .object(document), options: options)
    }

    func expand(_ document: JSONObject) throws(LinkedDataError) -> ExpandedDocument {
        try processor.expand(.object(document), options: options)
    }

    func canonical(
        _ document: ExpandedDocument,
        _ hash: HashAlgorithm,
        _ statements: StatementForm
    ) throws(LinkedDataError) -> [UInt8] {
        let dataset = try document.with(languageTags: statements.languageTags).toRDF().with(statements.controls)
        return try canonicalize(dataset, using: hash) { (canonicalizer) throws(LinkedDataError) in
            try canonicalizer.canonicalize().nQuads
        }
    }

    /// Canonicalizes a dataset within the limits, or with what is left of them.
    func canonicalize<Value>(
        _ dataset: RDFDataset,
        using hash: HashAlgorithm,
        _ body: (inout RDFCanonicalizer) throws(LinkedDataError) -> Value
    ) throws(LinkedDataError) -> Value {
        try (budget ?? CanonicalizationBudget(canonicalization)).canonicalize(dataset, using: hash, body)
    }

    /// The settings for a document whose proofs cover the JSON itself.
    ///
    /// Such proofs sign members without an RDF form, and the contexts, too.
    func coveringJSON() -> LinkedDataSettings {
        var settings = self
        settings.options.safeMode?.acceptsEmptyValues = true
        settings.options.safeMode?.acceptsRedefinitions = true
        return settings
    }

    /// The settings for a verification, whose canonicalizations share the limits.
    func sharing(_ budget: CanonicalizationBudget) -> LinkedDataSettings {
        var settings = self
        settings.budget = budget
        return settings
    }
}
