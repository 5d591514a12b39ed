public import JSONKit

/// Header parameters of a JWS or JWE (RFC 7515, section 4; RFC 7516, section 4): the members of a JSON object, in their
/// order.
///
/// A received header is the claim of a stranger. Its accessors throw ``JOSEError/Code/invalidHeader`` for a parameter
/// of another type than its definition demands.
///
/// ```swift
/// let header: JOSEHeader = ["alg": "ES256", "typ": "JWT", "kid": "key-1"]
/// ```
public struct JOSEHeader: Sendable {
    /// The parameters, in the order in which they stand.
    public private(set) var members: JSONObject

    /// Makes a header of members, by default without any.
    public init(_ members: JSONObject = JSONObject()) {
        self.members = members
    }

    /// Makes a header with the type of its content and the name of a key.
    ///
    /// - Parameters:
    ///   - type: The media type of the whole object (`typ`), such as `JWT`.
    ///   - keyID: The key's identifier (`kid`).
    public init(type: String, keyID: String? = nil) {
        self.init(["typ": .string(type)])
        self["kid"] = keyID.map { .string($0) }
    }

    /// Indicates that there are no parameters.
    public var isEmpty: Bool { members.isEmpty }

    /// Any parameter; setting nil removes it.
    public subscript(name: String) -> JSONValue? {
        get { members[name] }
        set { members[name] = newValue }
    }

    /// Returns `true` if there is a parameter with this name.
    public func contains(_ name: String) -> Bool { members.contains(name) }

    /// The header as a JSON text without white space.
    public func encoded() -> [UInt8] { JSONValue.object(members).encoded() }
}

extension JOSEHeader: ExpressibleByDictionaryLiteral {
    /// A header of the parameters in their order; of a name that occurs twice the last value counts.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self.init(JSONObject(elements.map { ($0, $1) }))
    }
}

extension JOSEHeader: CustomStringConvertible {
    /// The header as a JSON text.
    public var description: String { JSONValue.object(members).description }
}
