/// A wallet's rule for elements that a reader intends to retain beyond the transaction.
///
/// ```swift
/// let match = RequestMatch(request, in: credentials, at: Date(), retention: .declining([portrait]))
/// ```
///
/// A declined element is never returned: no decision can include it, and the ``ConsentSummary`` names it. The rule covers
/// only elements requested with `intentToRetain`, with their alternatives, which inherit it (ISO/IEC 18013-5, 10.2).
public struct RetentionPolicy: Sendable {
    private let isDeclined: @Sendable (DataElementReference) -> Bool

    /// Declines the retained elements that a closure names.
    public init(declining isDeclined: @escaping @Sendable (DataElementReference) -> Bool) {
        self.isDeclined = isDeclined
    }

    /// Lets a reader retain every element that the holder agrees to.
    public static let acceptingAll = RetentionPolicy { _ in false }

    /// Declines every element that a reader intends to retain.
    public static let decliningAll = RetentionPolicy { _ in true }

    /// Declines some elements where a reader intends to retain them, and accepts others.
    public static func declining(_ elements: some Sequence<DataElementReference>) -> RetentionPolicy {
        let elements = Set(elements)
        return RetentionPolicy { elements.contains($0) }
    }

    /// Returns `true` if a reader must not retain an element.
    public func declines(_ element: DataElementReference) -> Bool { isDeclined(element) }
}
