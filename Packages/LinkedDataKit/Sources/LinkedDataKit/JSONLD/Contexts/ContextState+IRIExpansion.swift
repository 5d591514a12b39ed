import VerificationCore

/// The result of IRI expansion.
enum ExpandedIRI: Sendable {
    /// The source of an IRI's meaning.
    enum Source: Sendable {
        /// A term of the context.
        case term
        /// A compact IRI with a prefix of the context.
        case prefix
        /// The text itself, which is an IRI or a blank node identifier.
        case text
        /// The vocabulary mapping.
        case vocabulary
        /// The base IRI.
        case base
        /// None: the text stays as it is.
        case none

        /// Indicates that the IRI is longer than the text, by something that the context holds.
        var isComposed: Bool { self == .prefix || self == .vocabulary || self == .base }
    }

    /// Nothing: the term or text is to be ignored.
    case null
    /// A keyword.
    case keyword(Keyword)
    /// An IRI, a blank node identifier, or text that stays a relative reference.
    case iri(String, Source)

    /// The text of a keyword or an IRI, or nil.
    var text: String? {
        switch self {
        case .null: nil
        case .keyword(let keyword): keyword.rawValue
        case .iri(let iri, _): iri
        }
    }

    /// The keyword, or nil.
    var keyword: Keyword? { if case .keyword(let keyword) = self { keyword } else { nil } }

    /// Returns `true` for text that starts with `_:`.
    static func isBlankNode(_ text: String) -> Bool {
        let bytes = text.utf8
        return bytes.first == UInt8(ascii: "_") && bytes.dropFirst().first == UInt8(ascii: ":")
    }

    /// Returns `true` for text with a colon, which is an IRI or a blank node identifier after expansion.
    static func isAbsolute(_ text: String) -> Bool { text.utf8.contains(UInt8(ascii: ":")) }
}

extension ContextState {
    /// IRI expansion (JSON-LD 1.1 API, section 5.2.2), for terms that are all defined.
    ///
    /// - Parameters:
    ///   - value: The text.
    ///   - documentRelative: Indicates that the base IRI counts.
    ///   - vocabulary: Indicates that terms and the vocabulary mapping count.
    func expandIRI(_ value: String, documentRelative: Bool = false, vocabulary: Bool = false) -> ExpandedIRI {
        if value.utf8.first == UInt8(ascii: "@") {
            if let keyword = Keyword(rawValue: value) { return .keyword(keyword) }
            if Keyword.isForm(value) { return .null }
        }
        if let term = terms[ExactText(value)] {
            if vocabulary { return term.mapping }
            if case .keyword = term.mapping { return term.mapping }
        }
        if let (prefix, suffix) = CompactIRI.split(value) {
            if CompactIRI.isWhole(prefix, suffix) { return .iri(value, .text) }
            if let term = terms[ExactText(String(prefix))], term.definition.isPrefix, let iri = term.definition.iri {
                return .iri(iri.text + suffix, .prefix)
            }
            if IRIReference.hasScheme(value) { return .iri(value, .text) }
        }
        if vocabulary, let vocabularyMapping { return .iri(vocabularyMapping + value, .vocabulary) }
        if documentRelative, let baseIRI {
            return .iri(IRIReference.resolve(value, against: baseIRI), .base)
        }
        return .iri(value, .none)
    }
}

/// The meaning of a member's name.
struct ExpandedName: Sendable {
    let iri: ExpandedIRI
    /// The definition, if the name is a term.
    let term: DefinedTerm?

    /// The keyword that the name stands for, or nil.
    var keyword: Keyword? { iri.keyword }
}

extension ContextState {
    /// Expands a member's name.
    func expandName(_ name: String) -> ExpandedName {
        if name.utf8.first != UInt8(ascii: "@"), let term = terms[ExactText(name)] {
            return ExpandedName(iri: term.mapping, term: term)
        }
        let iri = expandIRI(name, vocabulary: true)
        // Names with an at sign that are no keywords, and have not the form of one, may be terms.
        if case .iri(_, .term) = iri { return ExpandedName(iri: iri, term: terms[ExactText(name)]) }
        return ExpandedName(iri: iri, term: nil)
    }
}

/// The two sides of text such as `schema:name`.
enum CompactIRI {
    /// The text before and after the first colon that is not the first character; nil without one.
    @inline(__always)
    static func split(_ text: String) -> (prefix: Substring, suffix: Substring)? {
        guard let colon = text.utf8.dropFirst().firstIndex(of: UInt8(ascii: ":")) else { return nil }
        return (text[..<colon], text[text.utf8.index(after: colon)...])
    }

    /// Returns `true` for sides that belong together: a blank node identifier, or an IRI with an authority.
    static func isWhole(_ prefix: Substring, _ suffix: Substring) -> Bool {
        prefix.utf8.elementsEqual("_".utf8) || hasAuthority(suffix)
    }

    /// Returns `true` for text that begins with `//`, by its bytes: a letter may have an accent behind it.
    static func hasAuthority(_ suffix: Substring) -> Bool { suffix.utf8.starts(with: "//".utf8) }
}
