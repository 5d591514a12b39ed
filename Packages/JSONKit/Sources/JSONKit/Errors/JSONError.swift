/// Says what was wrong with a JSON text or value, and where.
///
/// The ``code`` is what a program compares; ``message``, ``offset`` and ``path`` are for people.
public struct JSONError: Error, Sendable {
    /// The kind of fault.
    public let code: Code
    /// The finding and the expectation, in a sentence without its end.
    public let message: String
    /// The offset in the text at which the fault was noticed, in bytes; nil for faults of values without a text.
    public let offset: Int?
    /// The value at fault, or the innermost container that the fault is in.
    public let path: JSONPath
    /// The error that led to this one, such as what the initialiser of a decoded type threw.
    public let cause: (any Error)?

    /// Makes an error of its parts.
    public init(
        _ code: Code,
        _ message: String,
        offset: Int? = nil,
        path: JSONPath = JSONPath(),
        cause: (any Error)? = nil
    ) {
        self.code = code
        self.message = message.escapedForDisplay()
        self.offset = offset
        self.path = path
        self.cause = cause
    }
}

extension JSONError: CustomStringConvertible {
    /// The fault in one line: `duplicateName at $.cnf (byte 57): the name "kid" occurs a second time`.
    public var description: String {
        let place = offset.map { " (byte \($0))" } ?? ""
        let reason = cause.map { "; \($0)" } ?? ""
        return "\(code) at \(path)\(place): \(message)\(reason)".escapedForDisplay()
    }
}
