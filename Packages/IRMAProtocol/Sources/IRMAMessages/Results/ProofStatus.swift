public import JSONKit

/// The status of a session's proofs: an open set.
public struct ProofStatus: Hashable, IRMAMessage, CustomStringConvertible {
    /// The name in upper case.
    public let name: String

    /// Names a status.
    public init(_ name: String) {
        self.name = name
    }

    /// The proofs verify and answer the request.
    public static let valid = ProofStatus("VALID")
    /// The proofs do not verify.
    public static let invalid = ProofStatus("INVALID")
    /// The timestamp of a signature does not verify.
    public static let invalidTimestamp = ProofStatus("INVALID_TIMESTAMP")
    /// The signature answers another request.
    public static let unmatchedRequest = ProofStatus("UNMATCHED_REQUEST")
    /// The proofs verify and do not answer the request.
    public static let missingAttributes = ProofStatus("MISSING_ATTRIBUTES")
    /// A credential had expired.
    public static let expired = ProofStatus("EXPIRED")

    /// The name, with invisible characters escaped.
    public var description: String { name.escapedForDisplay() }

    /// Reads the name.
    public init(json: JSONValue) throws(IRMAError) {
        name = try json.text()
    }

    /// The name as a string.
    public func json() -> JSONValue { .string(name) }
}

/// The status of a disclosed attribute: an open set.
public struct AttributeStatus: Hashable, IRMAMessage, CustomStringConvertible {
    /// The name in upper case.
    public let name: String

    /// Names a status.
    public init(_ name: String) {
        self.name = name
    }

    /// The attribute answers the request.
    public static let present = AttributeStatus("PRESENT")
    /// The attribute was not asked for.
    public static let extra = AttributeStatus("EXTRA")
    /// The optional attribute is absent from the credential.
    public static let null = AttributeStatus("NULL")

    /// The name, with invisible characters escaped.
    public var description: String { name.escapedForDisplay() }

    /// Reads the name.
    public init(json: JSONValue) throws(IRMAError) {
        name = try json.text()
    }

    /// The name as a string.
    public func json() -> JSONValue { .string(name) }
}
