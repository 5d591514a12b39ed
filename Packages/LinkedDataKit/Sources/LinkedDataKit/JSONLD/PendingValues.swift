import JSONKit

extension [JSONValue] {
    /// Values that are still to be looked at, of which one is the first: a way through a value without recursion.
    ///
    /// There is room for those of most documents, so that the list seldom moves.
    init(pending first: JSONValue) {
        self = []
        reserveCapacity(16)
        append(first)
    }
}
