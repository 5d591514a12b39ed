/// An attribute in the form that is compared.
struct NormalizedAttribute: Hashable, Sendable {
    private enum Value: Hashable, Sendable {
        case text(String)
        case other(tag: UInt8, contents: ArraySlice<UInt8>)
    }

    private let type: OID
    private let value: Value

    init(_ attribute: NameAttribute) {
        type = attribute.type
        value =
            attribute.stringValue.map { .text(Self.fold($0)) }
            ?? .other(tag: attribute.tag, contents: attribute.contents)
    }

    /// Lower case, and single spaces only between words.
    ///
    /// `String` itself compares by canonical equivalence.
    private static func fold(_ text: String) -> String {
        text.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}
