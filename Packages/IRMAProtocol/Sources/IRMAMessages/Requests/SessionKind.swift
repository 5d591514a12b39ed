public import JSONKit

/// The kind of a session, as pointers (`irmaqr`) and results (`type`) name it: an open set.
public struct SessionKind: Hashable, IRMAMessage, CustomStringConvertible {
    /// The name in lower case.
    public let name: String

    /// Names a kind.
    public init(_ name: String) {
        self.name = name
    }

    /// Attributes are shown.
    public static let disclosing = SessionKind("disclosing")
    /// A message is signed with attributes.
    public static let signing = SessionKind("signing")
    /// Credentials are issued.
    public static let issuing = SessionKind("issuing")
    /// A static pointer, which leads to the pointer of a session.
    public static let redirect = SessionKind("redirect")
    /// A credential is revoked.
    public static let revoking = SessionKind("revoking")

    /// The name, with invisible characters escaped.
    public var description: String { name.escapedForDisplay() }

    /// Reads the name.
    public init(json: JSONValue) throws(IRMAError) {
        name = try json.text()
    }

    /// The name as a string.
    public func json() -> JSONValue { .string(name) }
}
