/// The form of control characters in the canonical N-Quads of literals.
enum ControlCharacters: Hashable, Sendable {
    /// With escapes (RDFC-1.0, section 5).
    case escaped
    /// As they are, but for line feed and carriage return: the form of RDF 1.1 N-Quads, section 4, which URDNA2015 prescribes.
    ///
    /// Libraries for the suites before Data Integrity write it. It differs for no other characters than control characters,
    /// U+FFFE and U+FFFF.
    case raw

    /// Returns `true` for a text that the two forms write otherwise.
    static func areWritten(in text: String) -> Bool {
        text.unicodeScalars.contains { scalar in
            switch scalar.value {
            case 0x0a, 0x0d: false
            case 0..<0x20, 0x7f, 0xfffe, 0xffff: true
            default: false
            }
        }
    }
}

extension RDFDataset {
    /// The dataset with another form of its literals.
    ///
    /// No two terms get the same form, so that their numbers stay.
    func with(_ controls: ControlCharacters) -> RDFDataset {
        guard controls == .raw else { return self }
        var dataset = self
        dataset.terms = terms.withRawControls()
        return dataset
    }
}

extension TermTable {
    fileprivate func withRawControls() -> TermTable {
        var table = TermTable()
        for term in 0..<TermID(count) {
            let form = form(of: term)
            _ = table.intern { bytes in
                if isLiteral(term) { NQuadsForm.append(rawFormOf: form, to: &bytes) } else { bytes += form }
            }
        }
        return table
    }
}

extension NQuadsForm {
    /// Appends a literal without the escapes of control characters; neither a datatype nor a language tag has any.
    fileprivate static func append(rawFormOf form: ArraySlice<UInt8>, to bytes: inout [UInt8]) {
        var rest = form
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\"), let letter = rest.popFirst() else {
                bytes.append(byte)
                continue
            }
            switch letter {
            case UInt8(ascii: "b"): bytes.append(0x08)
            case UInt8(ascii: "t"): bytes.append(0x09)
            case UInt8(ascii: "f"): bytes.append(0x0c)
            case UInt8(ascii: "u"):
                let digits = String(decoding: rest.prefix(4), as: UTF8.self)
                if let scalar = UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init) { bytes += String(scalar).utf8 }
                rest = rest.dropFirst(4)
            default: bytes += [byte, letter]
            }
        }
    }
}
