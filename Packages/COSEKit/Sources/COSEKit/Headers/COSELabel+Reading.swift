public import CBORKit

extension COSELabel {
    /// Reads a label: an integer or a text string (RFC 9052 section 1.5).
    ///
    /// - Throws: ``COSEError/Code/invalidLabel`` for an item of another kind and for an integer beyond 64 bits.
    public init(cbor view: CBORView) throws(COSEError) {
        switch view.kind {
        case .unsigned, .negative:
            guard let value = try? view.integer(as: Int64.self) else {
                throw COSEError(.invalidLabel, "an integer label beyond 64 bits")
            }
            self = .integer(value)
        case .textString:
            self = .text(try reading("label") { () throws(CBORError) in try view.text() })
        default:
            throw COSEError(.invalidLabel, "a label must be an integer or a text string, not \(view.kind)")
        }
    }

    /// The label as a CBOR value.
    public var cbor: CBOR {
        switch self {
        case .integer(let value): .integer(value)
        case .text(let text): .text(text)
        }
    }
}
