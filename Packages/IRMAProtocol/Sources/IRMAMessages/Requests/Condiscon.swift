public import JSONKit

/// Attribute requests that are answered together; an empty one makes its disjunction optional.
///
/// All attributes of one credential type come from one credential.
public struct AttributeConjunction: Hashable, IRMAMessage, ExpressibleByArrayLiteral {
    /// The requests, in their order.
    public var attributes: [AttributeRequest]

    /// Collects requests.
    public init(_ attributes: [AttributeRequest]) {
        self.attributes = attributes
    }

    /// Collects requests.
    public init(arrayLiteral elements: AttributeRequest...) {
        attributes = elements
    }

    /// The credential types, in the order of their first request.
    public var credentialTypes: [CredentialTypeIdentifier] {
        var types: [CredentialTypeIdentifier] = []
        var seen: Set<CredentialTypeIdentifier> = []
        for attribute in attributes {
            if let last = types.last {
                guard !attribute.type.belongs(to: last) else { continue }
                seen.insert(last)
            }
            let type = attribute.type.credentialType
            if !seen.contains(type) { types.append(type) }
        }
        return types
    }

    /// The number of credential types.
    fileprivate var credentialTypeCount: Int { attributes.count < 2 ? attributes.count : credentialTypes.count }

    /// Reads an array of requests.
    public init(json: JSONValue) throws(IRMAError) {
        attributes = try json.elements { json throws(IRMAError) in try AttributeRequest(json: json) }
    }

    /// The requests as an array.
    public func json() throws(IRMAError) -> JSONValue { try .list(attributes) }
}

/// Conjunctions of which one is chosen.
public struct AttributeDisjunction: Hashable, IRMAMessage, ExpressibleByArrayLiteral {
    /// The conjunctions to choose from.
    public var choices: [AttributeConjunction]

    /// Collects conjunctions.
    public init(_ choices: [AttributeConjunction]) {
        self.choices = choices
    }

    /// Collects conjunctions.
    public init(arrayLiteral elements: AttributeConjunction...) {
        choices = elements
    }

    /// Returns `true` if nothing need be shown for it.
    public var isOptional: Bool { choices.contains { $0.attributes.isEmpty } }

    /// Reads an array of conjunctions.
    public init(json: JSONValue) throws(IRMAError) {
        choices = try json.elements { json throws(IRMAError) in try AttributeConjunction(json: json) }
    }

    /// The conjunctions as an array.
    public func json() throws(IRMAError) -> JSONValue { try .list(choices) }
}

/// A conjunction of disjunctions of conjunctions of attribute requests: everything that a session wants to be shown.
public struct Condiscon: Hashable, IRMAMessage, ExpressibleByArrayLiteral {
    /// The disjunctions, each of which is answered.
    public var disjunctions: [AttributeDisjunction]

    /// Collects disjunctions.
    public init(_ disjunctions: [AttributeDisjunction]) {
        self.disjunctions = disjunctions
    }

    /// Collects disjunctions.
    public init(arrayLiteral elements: AttributeDisjunction...) {
        disjunctions = elements
    }

    /// The largest number of credentials that an answer can use.
    package var usableCredentialCount: Int {
        disjunctions.reduce(0) { count, disjunction in
            count + disjunction.choices.reduce(0) { max($0, $1.credentialTypeCount) }
        }
    }

    /// All attribute requests, in their order.
    public var attributes: some Sequence<AttributeRequest> {
        disjunctions.lazy.flatMap(\.choices).flatMap(\.attributes)
    }

    /// The first attribute request of which something holds, or nil.
    package func firstAttribute(where holds: (AttributeRequest) -> Bool) -> AttributeRequest? {
        for disjunction in disjunctions {
            for choice in disjunction.choices {
                for attribute in choice.attributes where holds(attribute) { return attribute }
            }
        }
        return nil
    }

    /// Reads an array of disjunctions.
    public init(json: JSONValue) throws(IRMAError) {
        disjunctions = try json.elements { json throws(IRMAError) in try AttributeDisjunction(json: json) }
    }

    /// The disjunctions as an array.
    public func json() throws(IRMAError) -> JSONValue { try .list(disjunctions) }
}
