// The vocabulary of all layers comes with each of them.
@_exported public import VerificationCore

/// The reason that linked data was refused.
///
/// Tests and callers compare `code`; `path` names the place in the document or context, such as
/// `["credentialSubject", "degree[1]"]`. `message` is for people and may change.
public struct LinkedDataError: CodedError {
    /// The parts of the error.
    public let details: ErrorDetails<Code>

    /// Makes an error from its parts.
    public init(_ details: ErrorDetails<Code>) {
        self.details = details
    }
}

extension LinkedDataError {
    /// The kind of an error: an open set, so that a new kind breaks no caller.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The kind's name, as in the source.
        public let description: String
        /// The spelling of the JSON-LD 1.1 API (section 9.5.1), such as `invalid term definition`; nil for kinds of
        /// this module.
        public let w3cName: String?

        private init(_ name: String, _ w3cName: String? = nil) {
            description = name
            self.w3cName = w3cName
        }

        // MARK: JSON-LD 1.1
        /// Two properties of a node expand to the same keyword.
        public static let collidingKeywords = Code("collidingKeywords", "colliding keywords")
        /// A node has two values of `@index`.
        public static let conflictingIndexes = Code("conflictingIndexes", "conflicting indexes")
        /// A context includes more remote contexts than ``JSONLDLimits/remoteContexts``, or itself.
        public static let contextOverflow = Code("contextOverflow", "context overflow")
        /// The definition of a term depends on itself.
        public static let cyclicIRIMapping = Code("cyclicIRIMapping", "cyclic IRI mapping")
        /// An `@id` is not a string.
        public static let invalidIDValue = Code("invalidIDValue", "invalid @id value")
        /// An `@import` is not a string.
        public static let invalidImportValue = Code("invalidImportValue", "invalid @import value")
        /// An `@included` holds something other than node objects.
        public static let invalidIncludedValue = Code("invalidIncludedValue", "invalid @included value")
        /// An `@index` is not a string.
        public static let invalidIndexValue = Code("invalidIndexValue", "invalid @index value")
        /// An `@nest` is not an object, or holds a value object; or a term nests under another keyword.
        public static let invalidNestValue = Code("invalidNestValue", "invalid @nest value")
        /// An `@prefix` is not a truth value.
        public static let invalidPrefixValue = Code("invalidPrefixValue", "invalid @prefix value")
        /// An `@propagate` is not a truth value.
        public static let invalidPropagateValue = Code("invalidPropagateValue", "invalid @propagate value")
        /// An `@protected` is not a truth value.
        public static let invalidProtectedValue = Code("invalidProtectedValue", "invalid @protected value")
        /// A `@reverse` is not an object.
        public static let invalidReverseValue = Code("invalidReverseValue", "invalid @reverse value")
        /// A `@version` is not the number 1.1.
        public static let invalidVersionValue = Code("invalidVersionValue", "invalid @version value")
        /// A `@direction` is neither `ltr`, `rtl` nor null.
        public static let invalidBaseDirection = Code("invalidBaseDirection", "invalid base direction")
        /// A `@base` is neither an IRI, a reference that can be resolved, nor null.
        public static let invalidBaseIRI = Code("invalidBaseIRI", "invalid base IRI")
        /// A `@container` is not an allowed combination of containers.
        public static let invalidContainerMapping = Code("invalidContainerMapping", "invalid container mapping")
        /// A context or a term definition has an entry that is not allowed there.
        public static let invalidContextEntry = Code("invalidContextEntry", "invalid context entry")
        /// A null context would remove protected terms.
        public static let invalidContextNullification = Code(
            "invalidContextNullification",
            "invalid context nullification"
        )
        /// A context's `@language` is neither a string nor null.
        public static let invalidDefaultLanguage = Code("invalidDefaultLanguage", "invalid default language")
        /// A term maps to something other than an IRI, a blank node or a keyword.
        public static let invalidIRIMapping = Code("invalidIRIMapping", "invalid IRI mapping")
        /// A JSON literal has no canonical form.
        public static let invalidJSONLiteral = Code("invalidJSONLiteral", "invalid JSON literal")
        /// A term is an alias of `@context` or `@preserve`.
        public static let invalidKeywordAlias = Code("invalidKeywordAlias", "invalid keyword alias")
        /// A language map holds something other than strings.
        public static let invalidLanguageMapValue = Code("invalidLanguageMapValue", "invalid language map value")
        /// A term's `@language` is neither a string nor null.
        public static let invalidLanguageMapping = Code("invalidLanguageMapping", "invalid language mapping")
        /// A value object's `@language` is not a string.
        public static let invalidLanguageTaggedString = Code(
            "invalidLanguageTaggedString",
            "invalid language-tagged string"
        )
        /// A value with a language is not a string.
        public static let invalidLanguageTaggedValue = Code(
            "invalidLanguageTaggedValue",
            "invalid language-tagged value"
        )
        /// A context is neither an object, a string nor null.
        public static let invalidLocalContext = Code("invalidLocalContext", "invalid local context")
        /// A remote context is not an object with `@context`.
        public static let invalidRemoteContext = Code("invalidRemoteContext", "invalid remote context")
        /// A reverse property has an entry that is not allowed for it.
        public static let invalidReverseProperty = Code("invalidReverseProperty", "invalid reverse property")
        /// A `@reverse` object holds a keyword.
        public static let invalidReversePropertyMap = Code("invalidReversePropertyMap", "invalid reverse property map")
        /// The value of a reverse property is a value or list object.
        public static let invalidReversePropertyValue = Code(
            "invalidReversePropertyValue",
            "invalid reverse property value"
        )
        /// The context of a term definition is invalid; the cause says why.
        public static let invalidScopedContext = Code("invalidScopedContext", "invalid scoped context")
        /// A set or list object has other entries than `@index`.
        public static let invalidSetOrListObject = Code("invalidSetOrListObject", "invalid set or list object")
        /// A term definition has a wrong type or entry, or the term is not allowed.
        public static let invalidTermDefinition = Code("invalidTermDefinition", "invalid term definition")
        /// A term's `@type` is neither an IRI nor a keyword that is allowed there.
        public static let invalidTypeMapping = Code("invalidTypeMapping", "invalid type mapping")
        /// A node's `@type` is not a string or a list of strings.
        public static let invalidTypeValue = Code("invalidTypeValue", "invalid type value")
        /// A value object's `@type` is not an IRI.
        public static let invalidTypedValue = Code("invalidTypedValue", "invalid typed value")
        /// A value object has an entry that is not allowed there.
        public static let invalidValueObject = Code("invalidValueObject", "invalid value object")
        /// A value object's `@value` is not a scalar.
        public static let invalidValueObjectValue = Code("invalidValueObjectValue", "invalid value object value")
        /// A `@vocab` is neither an IRI, a compact IRI, a term, a blank node nor null.
        public static let invalidVocabMapping = Code("invalidVocabMapping", "invalid vocab mapping")
        /// An IRI looks like a compact IRI of the context.
        public static let iriConfusedWithPrefix = Code("iriConfusedWithPrefix", "IRI confused with prefix")
        /// A context redefines a keyword.
        public static let keywordRedefinition = Code("keywordRedefinition", "keyword redefinition")
        /// A context has a URL that is neither known nor on the allow-list, or could not be loaded.
        public static let loadingRemoteContextFailed = Code(
            "loadingRemoteContextFailed",
            "loading remote context failed"
        )
        /// A context of version 1.1 is processed in the mode of version 1.0.
        public static let processingModeConflict = Code("processingModeConflict", "processing mode conflict")
        /// A context redefines a protected term.
        public static let protectedTermRedefinition = Code("protectedTermRedefinition", "protected term redefinition")

        // MARK: Contexts

        /// A context's bytes do not have the digest that the allow-list names.
        public static let contextDigestMismatch = Code("contextDigestMismatch")
        /// A context was answered from another URL than the requested one.
        public static let contextRedirected = Code("contextRedirected")

        // MARK: Safe mode

        /// A term or value has no meaning in RDF, and would be lost.
        public static let droppedTerm = Code("droppedTerm")
        /// An IRI reference stays relative, or is relative in a document without a base.
        public static let relativeIRI = Code("relativeIRI")
        /// A term has no definition of its own and gets its meaning from `@vocab`.
        public static let undefinedTerm = Code("undefinedTerm")
        /// A later context changes the meaning of a term.
        public static let termRedefinition = Code("termRedefinition")
        /// A property is a blank node.
        public static let blankNodePredicate = Code("blankNodePredicate")
        /// A number has no exact form in the double precision that other processors use.
        public static let inexactNumber = Code("inexactNumber")

        // MARK: RDF

        /// The input is not an N-Quads document.
        public static let invalidNQuads = Code("invalidNQuads")
        /// An IRI of a quad is not absolute, or has a character that is not allowed.
        public static let invalidIRI = Code("invalidIRI")
        /// A term is not allowed at its place in a quad, or is not well-formed.
        public static let invalidTerm = Code("invalidTerm")
        /// The hash function is not one of those that RDFC-1.0 is used with.
        public static let unsupportedHashAlgorithm = Code("unsupportedHashAlgorithm")
        /// The caller asks for generalized RDF.
        public static let generalizedRDFNotSupported = Code("generalizedRDFNotSupported")

        // MARK: Documents and proofs

        /// The input is not a JSON object, or repeats a member.
        public static let malformedDocument = Code("malformedDocument")
        /// A proof lacks a member, or a member has another form than its definition demands.
        public static let invalidProof = Code("invalidProof")
        /// The type or cryptosuite of a proof is not implemented, or not accepted.
        public static let unsupportedSuite = Code("unsupportedSuite")
        /// The value of a proof is not in the form of its suite, or has another length.
        public static let invalidProofValue = Code("invalidProofValue")
        /// A key or algorithm does not go with the suite.
        public static let keyMismatch = Code("keyMismatch")
        /// A JSON pointer is malformed, or the document has nothing at its place.
        public static let invalidPointer = Code("invalidPointer")
        /// A document or a selection of its parts cannot be disclosed selectively.
        public static let unsupportedSelection = Code("unsupportedSelection")
        /// The document could not be signed.
        public static let signingFailed = Code("signingFailed")

        // MARK: Credentials

        /// A credential or presentation does not follow the data model.
        public static let invalidCredential = Code("invalidCredential")
        /// A claim of a token says something else than the credential in it.
        public static let claimMismatch = Code("claimMismatch")

        // MARK: Limits

        /// One of ``JSONLDLimits``, ``NQuadsLimits``, ``CanonicalizationLimits``, ``DocumentLimits`` or
        /// ``SelectiveDisclosureLimits`` was passed.
        public static let limitExceeded = Code("limitExceeded")
    }
}
