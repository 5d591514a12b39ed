/// The reason that a request was refused, or that a part of the server cannot be made.
///
/// Tests and callers compare ``code``; ``path`` names the place, ``message`` is for people and may change. The default answer
/// to a client has the code and the message, so neither may tell anything about secrets.
public struct ServingError: Error, Sendable {
    /// The kind of error, as a value to act on.
    public let code: Code
    /// A description of the error for a developer, in one sentence.
    public let message: String
    /// The names of the structures and members around the fault, outermost first, such as `["query", "page"]`.
    public let path: [String]
    /// The error underneath, where another layer raised it; it is never sent to a client.
    public let cause: (any Error)?

    /// Makes an error.
    ///
    /// - Parameters:
    ///   - code: The kind of error, as a value to act on.
    ///   - message: A description of the error, in one sentence.
    ///   - path: The place of the fault, outermost first.
    ///   - cause: The error underneath.
    public init(_ code: Code, _ message: String, path: [String] = [], cause: (any Error)? = nil) {
        self.code = code
        self.message = message.escapedToASCII()
        self.path = path.map { $0.escapedToASCII() }
        self.cause = cause
    }

    /// The same error seen from one structure further out.
    public func inside(_ structure: String) -> ServingError {
        ServingError(code, message, path: [structure] + path, cause: cause)
    }
}

extension ServingError: CustomStringConvertible {
    /// Code, place, message and cause in one line, in printable ASCII.
    public var description: String {
        var text = code.description
        if !path.isEmpty { text += " in " + path.joined(separator: ".") }
        text += ": " + message
        if let cause { text += " (\(cause))" }
        return text.escapedToASCII()
    }
}

extension String {
    /// The text with every scalar but printable ASCII as `\u{XXXX}`, so that text of another party cannot forge a line of a
    /// log.
    func escapedToASCII() -> String {
        guard !utf8.allSatisfy({ (0x20..<0x7f).contains($0) }) else { return self }
        return unicodeScalars.reduce(into: "") { text, scalar in
            if (0x20..<0x7f).contains(scalar.value) {
                text.unicodeScalars.append(scalar)
            } else {
                text += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
            }
        }
    }
}
