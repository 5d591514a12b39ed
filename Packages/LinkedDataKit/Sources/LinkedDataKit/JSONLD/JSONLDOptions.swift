public import JSONKit
public import VerificationCore

/// The options of the JSON-LD algorithms (JSON-LD 1.1 API, section 9.3).
public struct JSONLDOptions: Hashable, Sendable {
    /// A version of JSON-LD whose rules a context must keep to.
    public enum ProcessingMode: Hashable, Sendable {
        /// JSON-LD 1.1.
        case jsonLD11
        /// JSON-LD 1.0: what 1.1 added to contexts is refused.
        case jsonLD10
    }

    /// A form that the base direction of strings takes in RDF.
    public enum RDFDirection: Hashable, Sendable {
        /// A datatype that names language and direction.
        case i18nDatatype
        /// A blank node with value, language and direction.
        case compoundLiteral
    }

    /// A form that language tags take in RDF, where letter case makes another literal.
    public enum LanguageTags: Hashable, Sendable {
        /// In lower case.
        case lowercased
        /// As the document writes them.
        case asWritten
    }

    /// The IRI that relative references of the document are resolved against; nil by default.
    ///
    /// Nothing that is signed or verified has one (Data Integrity 1.0, section 2.4.3).
    public var base: String?
    /// A context that applies before those of the document; nil by default.
    public var expandContext: JSONValue?
    /// The version; 1.1 by default.
    public var processingMode: ProcessingMode
    /// The rules against content that signatures would not cover; nil turns them off.
    ///
    /// They are on by default, and belong to everything that is signed or verified.
    public var safeMode: SafeMode?
    /// The form of base directions in RDF; nil by default, which leaves them out, or refuses them in safe mode.
    public var rdfDirection: RDFDirection?
    /// The form of language tags in RDF; by default lower case, as most processors write them.
    public var languageTags: LanguageTags
    /// Indicates that blank nodes may be predicates, which this module refuses; false by default.
    public var producesGeneralizedRDF: Bool
    /// Bounds of the work.
    public var limits: JSONLDLimits

    /// Makes options, of which those that are not given have their default.
    public init(
        base: String? = nil,
        expandContext: JSONValue? = nil,
        processingMode: ProcessingMode = .jsonLD11,
        safeMode: SafeMode? = SafeMode(),
        rdfDirection: RDFDirection? = nil,
        languageTags: LanguageTags = .lowercased,
        producesGeneralizedRDF: Bool = false,
        limits: JSONLDLimits = .default
    ) {
        self.base = base
        self.expandContext = expandContext
        self.processingMode = processingMode
        self.safeMode = safeMode
        self.rdfDirection = rdfDirection
        self.languageTags = languageTags
        self.producesGeneralizedRDF = producesGeneralizedRDF
        self.limits = limits
    }

    /// The default of each option.
    public static let `default` = JSONLDOptions()

    /// The options of what is signed and verified: the defaults, with base directions as datatypes.
    public static let proofs = JSONLDOptions(rdfDirection: .i18nDatatype)
}

/// The rules against content that expansion or RDF would silently lose or change.
///
/// JSON-LD drops terms without a definition. A signature over the RDF of a document does not cover them, so that anyone
/// can add them. With these rules each is an error that names the term and its path: dropped terms and values, relative
/// IRIs, terms that only `@vocab` gives a meaning to, terms whose meaning a later context of the document changes, blank
/// nodes as predicates, and numbers that other processors round.
public struct SafeMode: Hashable, Sendable {
    /// The vocabulary mappings that may give a meaning to terms without a definition; none by default.
    ///
    /// A context with `@vocab` takes every misspelt term for one of its own.
    public var acceptedVocabularies: Set<ExactText>
    /// Indicates that null values and empty arrays pass, which leave no trace in RDF; false by default.
    public var acceptsEmptyValues: Bool
    /// Indicates that a later context of the document may redefine a term that is not protected; false by default.
    public var acceptsRedefinitions: Bool

    /// Makes the rules, without any tolerance by default.
    public init(
        acceptedVocabularies: Set<ExactText> = [],
        acceptsEmptyValues: Bool = false,
        acceptsRedefinitions: Bool = false
    ) {
        self.acceptedVocabularies = acceptedVocabularies
        self.acceptsEmptyValues = acceptsEmptyValues
        self.acceptsRedefinitions = acceptsRedefinitions
    }
}

/// The limits of the JSON-LD algorithms; each bound is the largest accepted.
public struct JSONLDLimits: Hashable, Sendable {
    /// The largest nesting depth of arrays and objects that are expanded: 64 by default.
    ///
    /// Never more than ``maximumDepth``.
    public var depth: Int
    /// The largest number of remote contexts that lead to each other: 16 by default.
    ///
    /// Never more than ``maximumRemoteContexts``.
    public var remoteContexts: Int
    /// The largest number of contexts of a document: 1,000 by default.
    ///
    /// It counts the local contexts of the document, those inside their terms, and each place where such a context
    /// comes to apply.
    public var contexts: Int
    /// The largest number of terms in all these contexts together: 500,000 by default.
    ///
    /// A context holds the terms of the one it builds on, too.
    public var terms: Int
    /// The largest number of values of a document: 250,000 by default.
    public var values: Int
    /// The largest length in bytes of an IRI that a context of the document gives to a term, `@vocab` or `@base`: 8 KiB
    /// by default.
    public var iriLength: Int
    /// The largest number of bytes that names and references of a document come to where prefixes, vocabulary and base
    /// are put before them, with the datatypes and language tags that contexts give to its values: 16 MiB by default.
    ///
    /// The terms that contexts define that way count, too. A long prefix, datatype or tag is written once and comes back with each use.
    public var text: Int

    /// Makes limits, of which those that are not given have their default.
    public init(
        depth: Int = 64,
        remoteContexts: Int = 16,
        contexts: Int = 1000,
        terms: Int = 500_000,
        values: Int = 250_000,
        iriLength: Int = 8 << 10,
        text: Int = 16 << 20
    ) {
        self.depth = depth
        self.remoteContexts = remoteContexts
        self.contexts = contexts
        self.terms = terms
        self.values = values
        self.iriLength = iriLength
        self.text = text
    }

    /// The default of each limit.
    public static let `default` = JSONLDLimits()

    /// The depth that no document may exceed, whatever ``depth`` says: 128.
    ///
    /// Expanded documents are nested up to four times as deep, and are released one value inside the other.
    public static let maximumDepth = 128
    /// The number that no chain of remote contexts may exceed, whatever ``remoteContexts`` says: 32.
    public static let maximumRemoteContexts = 32
}
