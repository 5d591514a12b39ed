public import JSONKit

/// The state of a session, as a server tells it: an open set.
public struct SessionStatus: Hashable, IRMAMessage, CustomStringConvertible {
    /// The name in upper case.
    public let name: String

    /// Names a state.
    public init(_ name: String) {
        self.name = name
    }

    /// No wallet has connected.
    public static let initialized = SessionStatus("INITIALIZED")
    /// A wallet has connected and has to be paired.
    public static let pairing = SessionStatus("PAIRING")
    /// A wallet has the request.
    public static let connected = SessionStatus("CONNECTED")
    /// The session was cancelled, by either side or for an error.
    public static let cancelled = SessionStatus("CANCELLED")
    /// The session is finished.
    public static let done = SessionStatus("DONE")
    /// The session took too long.
    public static let timedOut = SessionStatus("TIMEOUT")

    /// Returns `true` for a state that no other follows.
    public var isFinal: Bool { [.cancelled, .done, .timedOut].contains(self) }

    /// The name, with invisible characters escaped.
    public var description: String { name.escapedForDisplay() }

    /// Reads the name.
    public init(json: JSONValue) throws(IRMAError) {
        name = try json.text()
    }

    /// The name as a string.
    public func json() -> JSONValue { .string(name) }
}
