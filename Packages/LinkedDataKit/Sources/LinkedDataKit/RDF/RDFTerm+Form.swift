import VerificationCore

extension RDFTerm {
    /// The kinds of terms, as places of a quad allow them.
    struct Kinds: OptionSet {
        let rawValue: Int
        static let iri = Kinds(rawValue: 1)
        static let blankNode = Kinds(rawValue: 2)
        static let literal = Kinds(rawValue: 4)
    }

    private var kind: Kinds {
        switch self {
        case .iri: .iri
        case .blankNode: .blankNode
        case .literal: .literal
        }
    }

    /// The term itself, if it is of an allowed kind and can be written.
    func validated(_ place: String, allows kinds: Kinds) throws(LinkedDataError) -> RDFTerm {
        guard kinds.contains(kind) else {
            throw LinkedDataError(.invalidTerm, "a term of this kind cannot be a \(place)", path: [place])
        }
        switch self {
        case .iri(let iri): try Self.validate(iri, place)
        case .blankNode(let label):
            guard BlankNodeLabel.isWellFormed(Array(label.text.utf8)) else {
                throw LinkedDataError(.invalidTerm, "the label of a blank node is malformed: \(label)", path: [place])
            }
        case .literal(let literal):
            try Self.validate(literal.datatype, place)
            guard literal.language.map({ LanguageTag.isWellFormed($0.text) }) ?? true else {
                throw LinkedDataError(.invalidTerm, "a language tag is malformed", path: [place])
            }
        }
        return self
    }

    private static func validate(_ iri: ExactText, _ place: String) throws(LinkedDataError) {
        guard IRIReference.isWellFormed(iri.text) else {
            throw LinkedDataError(.invalidIRI, "\(iri) is relative or has a forbidden character", path: [place])
        }
    }

    /// Appends the canonical N-Quads form.
    func appendForm(to bytes: inout [UInt8]) {
        switch self {
        case .iri(let iri): NQuadsForm.append(iri: iri.text, to: &bytes)
        case .blankNode(let label): bytes += "_:".utf8 + Array(label.text.utf8)
        case .literal(let literal): NQuadsForm.append(literal, to: &bytes)
        }
    }
}

extension TermTable {
    /// The term with a number, decoded from its canonical form.
    func term(_ id: TermID) -> RDFTerm {
        let form = form(of: id)
        switch form.first {
        case UInt8(ascii: "<"): return .iri(ExactText(Self.text(form.dropFirst().dropLast())))
        case UInt8(ascii: "_"): return .blankNode(ExactText(Self.text(form.dropFirst(2))))
        default: return .literal(Self.literal(form))
        }
    }

    private static func literal(_ form: ArraySlice<UInt8>) -> RDFLiteral {
        // Quotes inside the lexical form are escaped, and no IRI or language tag has one.
        let end = form.lastIndex(of: UInt8(ascii: "\"")) ?? form.endIndex
        let lexicalForm = ExactText(unescaped(form[(form.startIndex + 1)..<end]))
        let suffix = form[end...].dropFirst()
        switch suffix.first {
        case UInt8(ascii: "@"): return RDFLiteral(lexicalForm, language: ExactText(text(suffix.dropFirst())))
        case UInt8(ascii: "^"):
            return RDFLiteral(lexicalForm, datatype: ExactText(text(suffix.dropFirst(3).dropLast())))
        default: return RDFLiteral(lexicalForm)
        }
    }

    /// Undoes the escapes of ``NQuadsForm``, which are the only ones in a table.
    private static func unescaped(_ bytes: ArraySlice<UInt8>) -> String {
        var text: [UInt8] = []
        var rest = bytes
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\"), let letter = rest.popFirst() else {
                text.append(byte)
                continue
            }
            switch letter {
            case UInt8(ascii: "b"): text.append(0x08)
            case UInt8(ascii: "t"): text.append(0x09)
            case UInt8(ascii: "n"): text.append(0x0a)
            case UInt8(ascii: "f"): text.append(0x0c)
            case UInt8(ascii: "r"): text.append(0x0d)
            case UInt8(ascii: "u"):
                let scalar = UInt32(Self.text(rest.prefix(4)), radix: 16).flatMap(Unicode.Scalar.init)
                text += String(scalar ?? "\u{fffd}").utf8
                rest = rest.dropFirst(4)
            default: text.append(letter)
            }
        }
        return Self.text(text[...])
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
}
