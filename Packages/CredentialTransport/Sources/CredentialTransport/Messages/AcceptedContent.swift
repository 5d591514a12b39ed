/// The content types that a request accepts in its answer.
///
/// ```swift
/// let accepted: AcceptedContent = [.json]
/// ```
public struct AcceptedContent: Hashable, Sendable, ExpressibleByArrayLiteral {
    /// The types, the preferred one first; nil for any.
    let types: [MediaType]?

    /// Any content type, or none.
    public static let any = AcceptedContent(types: nil)

    /// These types, the preferred one first.
    public init(_ types: [MediaType]) {
        self.types = types
    }

    /// These types, the preferred one first.
    public init(arrayLiteral types: MediaType...) {
        self.types = types
    }

    private init(types: [MediaType]?) {
        self.types = types
    }

    /// The value of the field `Accept`.
    var fieldValue: String {
        types.map { $0.map(\.description).joined(separator: ", ") } ?? "*/*"
    }
}
