/// The identifier of a data element in its namespace, such as `family_name`; matched exactly.
public struct DataElementIdentifier: ExactName {
    /// The name as it travels.
    public let text: String

    /// Creates an identifier.
    public init(_ text: String) {
        self.text = text
    }
}

/// A data element named by its namespace and its identifier.
public struct DataElementReference: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The namespace.
    public let nameSpace: NameSpace
    /// The identifier in the namespace.
    public let identifier: DataElementIdentifier

    /// Names a data element.
    public init(_ nameSpace: NameSpace, _ identifier: DataElementIdentifier) {
        self.nameSpace = nameSpace
        self.identifier = identifier
    }

    /// Namespace and identifier with a slash between them.
    public var description: String { "\(nameSpace)/\(identifier)" }

    /// Orders by namespace, then by identifier.
    public static func < (left: DataElementReference, right: DataElementReference) -> Bool {
        (left.nameSpace, left.identifier) < (right.nameSpace, right.identifier)
    }
}

extension DataElementReference {
    /// Refuses an element whose namespace or identifier is empty (8.1).
    func requireNames() throws(MdocError) {
        guard !nameSpace.text.isEmpty, !identifier.text.isEmpty else {
            throw MdocError(.invalidValue, "an element needs a namespace and an identifier, and one of them is empty")
        }
    }
}
