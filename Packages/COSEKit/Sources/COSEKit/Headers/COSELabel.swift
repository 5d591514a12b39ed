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
