/// A JSON number, kept as it is written (RFC 8259, section 6).
///
/// Nothing is lost by keeping one: neither digits beyond a `Double`'s nor the difference between `1`, `1.0` and `1e0`.
/// Conversions are exact or throw.
///
/// Two numbers are equal when their texts are; ``hasSameValue(as:)`` compares their values.
public struct JSONNumber: Hashable, Sendable {
    /// The number as written.
    public let text: String

    /// Takes a text that is known to be a number.
    init(valid text: String) {
        self.text = text
    }

    /// Takes the text of a number, of any length.
    ///
    /// - Throws: ``JSONError/Code/invalidNumber`` if the text is not exactly one JSON number.
    public init(text: String) throws(JSONError) {
        guard Self.isNumber(text) else { throw JSONError(.invalidNumber, "a text is not a JSON number") }
        self.text = text
    }

    private static func isNumber(_ text: String) -> Bool {
        text.withSpan { bytes in
            let (builder, failure) = JSONTapeBuilder.read(bytes, JSONLimits(size: .max, numberLength: .max))
            defer { builder.items.deallocate() }
            guard failure == nil else { return false }
            let item = builder.items[0]
            return (item.kind == .integer || item.kind == .number) && item.range == 0..<bytes.count
        }
    }

    /// Makes a number of an integer.
    public init(_ integer: some BinaryInteger) {
        text = String(integer)
    }

    /// Makes a number of a `Double`, in the shortest form that reads back as the same.
    ///
    /// The form is ECMAScript's: `4.5`, `100`, `1e+30`. Negative zero becomes `-0`.
    ///
    /// - Throws: ``JSONError/Code/nonFiniteNumber`` for NaN and the infinities.
    public init(_ value: Double) throws(JSONError) {
        try self.init(floatingPoint: value)
    }

    /// Makes a number of a floating-point number, in the shortest form that reads back as the same.
    init(floatingPoint value: some JSONFloatingPoint) throws(JSONError) {
        guard value.isFinite else { throw JSONError(.nonFiniteNumber, "\(value) has no form in JSON") }
        text = value.sign == .minus && value.isZero ? "-0" : ECMAScriptNumber.text(of: value)
    }

    /// Returns `true` for numbers with exactly the same value in any notation: `1`, `1.0` and `10e-1` have it.
    public func hasSameValue(as other: JSONNumber) -> Bool {
        text == other.text
            || text.withSpan { text in
                other.text.withSpan { otherText in
                    JSONDecimal(text).matches(JSONDecimal(otherText), text, otherText)
                }
            }
    }
}

extension JSONNumber: CustomStringConvertible {
    /// The number as written.
    public var description: String { text }
}
