/// The name of one query for a credential: the `id` of a DCQL credential query or of an input descriptor.
public struct QueryID: ExactName {
    /// The name as transmitted.
    public let text: String

    /// Takes a name.
    public init(_ text: String) {
        self.text = text
    }
}
