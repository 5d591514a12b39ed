/// The identifier of a data element in its namespace, such as `family_name`; matched exactly.
public struct DataElementIdentifier: ExactName {
    /// The name as it travels.
    public let text: String

    /// Creates an identifier.
    public init(_ text: String) {
        self.text = text
    }
}
