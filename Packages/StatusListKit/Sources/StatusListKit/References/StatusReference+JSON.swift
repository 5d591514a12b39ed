public import JOSEKit
public import JSONKit

extension StatusReference {
    /// Reads the value of the claim `status` of a JWT or SD-JWT (Token Status List, section 6.2).
    ///
    /// - Returns: Nil if the claim names other mechanisms only.
    /// - Throws: ``StatusListError/Code/invalidReference``.
    public init?(status: JSONValue) throws(StatusListError) {
        guard let mechanisms = status.objectValue, !mechanisms.isEmpty else {
            throw StatusListError(.invalidReference, "an object with a mechanism is expected", path: ["status"])
        }
        guard let value = mechanisms["status_list"] else { return nil }
        try self.init(statusList: value)
    }

    /// Reads the member `status_list` of the claim.
    ///
    /// - Throws: ``StatusListError/Code/invalidReference``.
    public init(statusList value: JSONValue) throws(StatusListError) {
        guard let members = value.objectValue else { throw Self.invalid("an object is expected", at: nil) }
        guard let number = members["idx"]?.numberValue, let index = try? number.integer(as: Int.self) else {
            throw Self.invalid("an integer is expected", at: "idx")
        }
        guard let uri = members["uri"]?.stringValue else { throw Self.invalid("a string is expected", at: "uri") }
        try self.init(index: index, uri: uri)
    }

    /// The value of the claim `status`.
    public var json: JSONValue {
        ["status_list": ["idx": .integer(index), "uri": .string(uri)]]
    }
}

extension JWTClaims {
    /// The reference to the token's status (`status`), or nil if it names no list.
    ///
    /// - Throws: ``StatusListError/Code/invalidReference``.
    public func statusReference() throws(StatusListError) -> StatusReference? {
        guard let status = self["status"] else { return nil }
        return try StatusReference(status: status)
    }
}
