public import MdocKit

/// A row of a table of data elements: which element, or which family of elements, with its type and presence.
public struct DataElementDefinition: Hashable, Sendable {
    /// The identifiers that a row defines.
    public enum Name: Hashable, Sendable {
        /// One identifier.
        case exactly(DataElementIdentifier)
        /// `age_over_NN` with two digits.
        case ageOver
        /// Identifiers that begin with a text, such as `biometric_template_`, and go on.
        case beginning(String)
    }

    /// Indicates that an element must be on a credential.
    public enum Presence: Hashable, Sendable {
        /// It must be present.
        case mandatory
        /// It may be there.
        case optional
        /// It does in place of a mandatory element, such as one that was spelled otherwise before.
        case alternative(to: DataElementIdentifier)
    }

    /// The identifier or the family.
    public let name: Name
    /// The required type of the value.
    public let type: DataElementType
    /// Indicates that it must be on a credential.
    public let presence: Presence

    /// Describes one element.
    public init(
        _ identifier: DataElementIdentifier,
        _ type: DataElementType,
        _ presence: Presence = .optional
    ) {
        self.init(.exactly(identifier), type, presence)
    }

    /// Describes an element or a family of elements.
    public init(_ name: Name, _ type: DataElementType, _ presence: Presence = .optional) {
        self.name = name
        self.type = type
        self.presence = presence
    }

    /// The identifier, where the row is about one only.
    public var identifier: DataElementIdentifier? {
        guard case .exactly(let identifier) = name else { return nil }
        return identifier
    }

    /// Returns `true` if the row is about an identifier.
    public func describes(_ identifier: DataElementIdentifier) -> Bool {
        switch name {
        case .exactly(let own): own == identifier
        case .ageOver: AgeAttestation.age(in: identifier) != nil
        case .beginning(let prefix):
            identifier.text.utf8.starts(with: prefix.utf8) && identifier.text.utf8.count > prefix.utf8.count
        }
    }
}
