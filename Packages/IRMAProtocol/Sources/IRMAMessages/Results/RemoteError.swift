public import JSONKit

/// An error of a server, as it stands in the body of its answer.
public struct RemoteError: Error, Hashable, IRMAMessage, CustomStringConvertible {
    /// The status of the HTTP answer, or nil.
    public var status: Int?
    /// The kind of error, or nil.
    public var name: Name?
    /// The standard text for people of this kind of error.
    public var summary: String?
    /// The detail.
    public var message: String?
    /// The call stack of a server in debug mode.
    public var stackTrace: String?

    /// An error of a kind, with the status and text of that kind.
    ///
    /// - Parameters:
    ///   - name: The kind of error.
    ///   - summary: Another text than the kind's, as servers have it for ``Name/unauthorized``.
    ///   - message: The detail.
    public init(_ name: Name, summary: String? = nil, message: String? = nil) {
        status = name.status
        self.name = name
        self.summary = summary ?? name.summary
        self.message = message
        stackTrace = nil
    }

    /// Reads the object `{"status"?, "error"?, "description"?, "message"?, "stacktrace"?}`.
    public init(json: JSONValue) throws(IRMAError) {
        let members = try MessageMembers(json)
        status = try members.number("status")
        name = try members.text("error").map { Name($0) }
        summary = try members.text("description")
        message = try members.text("message")
        stackTrace = try members.text("stacktrace")
    }

    /// The error as an object.
    public func json() -> JSONValue {
        var object = JSONObject()
        object.write("status", ifPresent: status)
        object.write("error", ifPresent: name?.text)
        object.write("description", ifPresent: summary)
        object.write("message", ifPresent: message)
        object.write("stacktrace", ifPresent: stackTrace)
        return .object(object)
    }

    /// Kind, status, text and detail on one line, with invisible characters escaped.
    public var description: String {
        var text = name?.text ?? "error"
        if let status { text += " (\(status))" }
        for part in [summary, message] {
            if let part { text += ": " + part }
        }
        return text.escapedForDisplay()
    }
}
