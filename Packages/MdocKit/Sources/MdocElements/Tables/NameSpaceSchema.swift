public import MdocKit

/// The table of the data elements of a namespace.
public struct NameSpaceSchema: Hashable, Sendable {
    /// The namespace.
    public let nameSpace: NameSpace
    /// Indicates that only the elements of the table may be in the namespace.
    public let isClosed: Bool
    /// The rows.
    public let definitions: [DataElementDefinition]

    /// Describes a namespace.
    public init(_ nameSpace: NameSpace, isClosed: Bool = false, _ definitions: [DataElementDefinition]) {
        self.nameSpace = nameSpace
        self.isClosed = isClosed
        self.definitions = definitions
    }

    /// The row about an identifier, or nil if the table has none.
    public subscript(identifier: DataElementIdentifier) -> DataElementDefinition? {
        definitions.first { $0.describes(identifier) }
    }

    /// The identifiers of which an issuer must put at least one on a credential, one group per mandatory element: the
    /// element itself first, then its substitutes.
    public var mandatoryGroups: [[DataElementIdentifier]] {
        definitions.compactMap { definition in
            guard definition.presence == .mandatory, let identifier = definition.identifier else { return nil }
            let others = definitions.filter { $0.presence == .alternative(to: identifier) }.compactMap(\.identifier)
            return [identifier] + others
        }
    }
}
