import VerificationCore

/// Reads N-Quads (RDF 1.1 N-Quads, section 4) into the terms and quads of a dataset.
struct NQuadsReader {
    private let bytes: [UInt8]
    private var position = 0
    private let limits: NQuadsLimits
    private var dataset = RDFDataset()

    init(_ bytes: [UInt8], limits: NQuadsLimits) throws(LinkedDataError) {
        guard bytes.count <= limits.size else {
            throw LinkedDataError(.limitExceeded, "\(bytes.count) bytes of N-Quads, more than \(limits.size)")
        }
        guard String(validating: bytes, as: UTF8.self) != nil else {
            throw LinkedDataError(.invalidNQuads, "the text is not UTF-8")
        }
        self.bytes = bytes
        self.limits = limits
    }

    /// Reads all lines.
    mutating func read() throws(LinkedDataError) -> RDFDataset {
        while position < bytes.count {
            skipSpace()
            if let byte = current, !isEndOfLine(byte), byte != UInt8(ascii: "#") { try readStatement() }
            skipSpace()
            if current == UInt8(ascii: "#") { skipComment() }
            if let byte = current {
                guard isEndOfLine(byte) else { throw failure("a line goes on behind its statement") }
                position += 1
            }
        }
        return dataset
    }

    private mutating func readStatement() throws(LinkedDataError) {
        let subject = try readTerm(allowsLiteral: false)
        skipSpace()
        guard current == UInt8(ascii: "<") else { throw failure("a predicate is not an IRI") }
        let predicate = try readTerm(allowsLiteral: false)
        skipSpace()
        let object = try readTerm(allowsLiteral: true)
        skipSpace()
        var graph = QuadIDs.defaultGraph
        if current != UInt8(ascii: ".") {
            graph = try readTerm(allowsLiteral: false)
            skipSpace()
        }
        guard current == UInt8(ascii: ".") else { throw failure("a statement has no period") }
        position += 1
        dataset.insert(QuadIDs(subject: subject, predicate: predicate, object: object, graph: graph))
        guard dataset.count <= limits.quads else {
            throw LinkedDataError(.limitExceeded, "more than \(limits.quads) quads", offset: position)
        }
    }

    private mutating func readTerm(allowsLiteral: Bool) throws(LinkedDataError) -> TermID {
        switch current {
        case UInt8(ascii: "<"):
            let iri = try readIRI()
            return dataset.terms.intern(iri: iri)
        case UInt8(ascii: "_"):
            let label = try readLabel()
            return dataset.terms.intern { $0.append(contentsOf: label) }
        case UInt8(ascii: "\"") where allowsLiteral:
            let literal = try readLiteral()
            return dataset.terms.intern { NQuadsForm.append(literal, to: &$0) }
        default: throw failure("a term is missing or of a kind that is not allowed at its place")
        }
    }

    private mutating func readIRI() throws(LinkedDataError) -> String {
        let start = position
        position += 1
        let text = try readText(until: UInt8(ascii: ">"), allowsCharacterEscapes: false)
        guard IRIReference.isWellFormed(text) else {
            throw LinkedDataError(.invalidIRI, "an IRI is relative or has a forbidden character", offset: start)
        }
        return text
    }

    private mutating func readLiteral() throws(LinkedDataError) -> RDFLiteral {
        position += 1
        let lexicalForm = ExactText(try readText(until: UInt8(ascii: "\""), allowsCharacterEscapes: true))
        if current == UInt8(ascii: "@") {
            position += 1
            return RDFLiteral(lexicalForm, language: try readLanguage())
        }
        guard bytes[position...].starts(with: "^^<".utf8) else { return RDFLiteral(lexicalForm) }
        position += 2
        return RDFLiteral(lexicalForm, datatype: ExactText(try readIRI()))
    }

    private mutating func readLanguage() throws(LinkedDataError) -> ExactText {
        let start = position
        while let byte = current, LanguageTag.isPart(byte) { position += 1 }
        let tag = String(decoding: bytes[start..<position], as: UTF8.self)
        guard LanguageTag.isWellFormed(tag) else { throw failure("a language tag is malformed") }
        return ExactText(tag)
    }

    private mutating func readLabel() throws(LinkedDataError) -> ArraySlice<UInt8> {
        let start = position
        guard bytes[position...].starts(with: "_:".utf8) else { throw failure("a blank node has no label") }
        position += 2
        while let byte = current, BlankNodeLabel.isPart(byte) { position += 1 }
        // A period at the end is that of the statement.
        while position > start, bytes[position - 1] == UInt8(ascii: ".") { position -= 1 }
        guard BlankNodeLabel.isWellFormed(bytes[(start + 2)..<max(position, start + 2)]) else {
            throw failure("a blank node's label is malformed")
        }
        return bytes[start..<position]
    }

    // MARK: Text

    /// Reads up to and over a delimiter, and decodes the escapes before it.
    private mutating func readText(
        until end: UInt8,
        allowsCharacterEscapes: Bool
    ) throws(LinkedDataError) -> String {
        var text: [UInt8] = []
        var start = position
        while let byte = current {
            switch byte {
            case end:
                text += bytes[start..<position]
                position += 1
                return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"):
                text += bytes[start..<position]
                try readEscape(allowsCharacterEscapes: allowsCharacterEscapes, into: &text)
                start = position
            case 0x0a, 0x0d: throw failure("a line ends inside a term")
            default: position += 1
            }
        }
        throw failure("the text ends inside a term")
    }

    private mutating func readEscape(
        allowsCharacterEscapes: Bool,
        into text: inout [UInt8]
    ) throws(LinkedDataError) {
        position += 1
        guard let letter = current else { throw failure("the text ends inside an escape") }
        position += 1
        if letter == UInt8(ascii: "u") || letter == UInt8(ascii: "U") {
            text += try readScalar(digits: letter == UInt8(ascii: "u") ? 4 : 8).utf8
        } else {
            guard allowsCharacterEscapes, let byte = Self.characterEscapes[letter] else {
                throw failure("an escape is unknown")
            }
            text.append(byte)
        }
    }

    private static let characterEscapes: [UInt8: UInt8] = [
        UInt8(ascii: "t"): 0x09, UInt8(ascii: "b"): 0x08, UInt8(ascii: "n"): 0x0a, UInt8(ascii: "r"): 0x0d,
        UInt8(ascii: "f"): 0x0c, 0x22: 0x22, 0x27: 0x27, 0x5c: 0x5c,
    ]

    private mutating func readScalar(digits: Int) throws(LinkedDataError) -> String {
        guard bytes.count - position >= digits else { throw failure("the text ends inside an escape") }
        var value: UInt32 = 0
        for byte in bytes[position..<(position + digits)] {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80 else {
                throw failure("an escape has a digit that is not hexadecimal")
            }
            value = value << 4 | UInt32(digit)
        }
        guard let scalar = Unicode.Scalar(value) else { throw failure("an escape is not a Unicode scalar") }
        position += digits
        return String(scalar)
    }

    // MARK: Lines

    private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipSpace() {
        while let byte = current, byte == 0x20 || byte == 0x09 { position += 1 }
    }

    private mutating func skipComment() {
        while let byte = current, !isEndOfLine(byte) { position += 1 }
    }

    private func isEndOfLine(_ byte: UInt8) -> Bool { byte == 0x0a || byte == 0x0d }

    private func failure(_ message: String) -> LinkedDataError {
        LinkedDataError(.invalidNQuads, message, offset: position)
    }
}
