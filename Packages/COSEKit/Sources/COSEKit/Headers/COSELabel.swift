public import CBORKit
import CryptoCore

/// The label of a header parameter, of a key parameter or of a claim: an integer or a text (RFC 9052 section 1.5).
///
/// Texts are equal when their bytes are: canonical equivalence, which Swift's strings compare by, would make two labels
/// that differ in a signed message one.
public enum COSELabel: Sendable {
    /// An integer label; the registries assign these.
    case integer(Int64)
    /// A text label.
    case text(String)
}

extension COSELabel: Hashable {
    /// Returns `true` if both are the same integer, or texts of the same bytes.
    public static func == (left: COSELabel, right: COSELabel) -> Bool {
        switch (left, right) {
        case (.integer(let left), .integer(let right)): left == right
        case (.text(let left), .text(let right)): left.hasSameBytes(as: right)
        default: false
        }
    }

    /// Feeds the integer, or the bytes of the text.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .integer(let value): hasher.combine(value)
        case .text(let text): for byte in text.utf8 { hasher.combine(byte) }
        }
    }
}

extension COSELabel: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral {
    /// An integer label.
    public init(integerLiteral value: Int64) {
        self = .integer(value)
    }

    /// A text label.
    public init(stringLiteral value: String) {
        self = .text(value)
    }
}

extension COSELabel: CustomStringConvertible {
    /// The integer, or the text in quotes.
    public var description: String {
        switch self {
        case .integer(let value): String(value)
        case .text(let text): "\"\(text.escapedForDisplay())\""
        }
    }
}

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

extension COSELabel {
    /// Up to this many labels are compared with each other, which costs less than hashing them.
    private static let fewLabels = 12

    /// The first label that another one before it equals, or nil.
    static func firstDuplicate(in labels: [COSELabel]) -> COSELabel? {
        guard labels.count > fewLabels else {
            return labels.indices.first { labels[..<$0].contains(labels[$0]) }.map { labels[$0] }
        }
        var seen = Set<COSELabel>(minimumCapacity: labels.count)
        return labels.first { !seen.insert($0).inserted }
    }
}

extension COSEError {
    /// The error for a label that occurs twice in a map.
    static func repeated(_ label: COSELabel) -> COSEError {
        COSEError(.duplicateLabel, "label \(label) occurs twice", path: ["\(label)"])
    }
}
