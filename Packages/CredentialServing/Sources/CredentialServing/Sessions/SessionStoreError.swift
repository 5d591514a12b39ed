/// The reason that a store refused or failed.
///
/// Tests and callers compare ``code``; ``path`` names the place, ``message`` is for people and may change. No error
/// contains a key or a value of a session.
public struct SessionStoreError: Error, Sendable {
    /// The kind of error, as a value to act on.
    public var code: Code { backing.code }

    /// A description of the error for a developer, in one sentence.
    public var message: String { backing.message }

    /// The names of the structures around the fault, outermost first, such as `["sessions.sqlite"]`.
    public var path: [String] { backing.path }

    /// The error underneath, where another layer raised it.
    public var cause: (any Error)? { backing.cause }

    private let backing: Backing

    /// Makes an error.
    ///
    /// - Parameters:
    ///   - code: The kind of error, as a value to act on.
    ///   - message: A description of the error, in one sentence.
    ///   - path: The place of the fault, outermost first.
    ///   - cause: The error underneath.
    public init(_ code: Code, _ message: String, path: [String] = [], cause: (any Error)? = nil) {
        backing = Backing(code: code, message: message, path: path, cause: cause)
    }

    /// The same error seen from one structure further out.
    public func inside(_ structure: String) -> SessionStoreError {
        SessionStoreError(code, message, path: [structure] + path, cause: cause)
    }

    /// The parts, on the heap: errors travel on the fast path of every throwing function as one pointer.
    private final class Backing: Sendable {
        let code: Code
        let message: String
        let path: [String]
        let cause: (any Error)?

        init(code: Code, message: String, path: [String], cause: (any Error)?) {
            self.code = code
            self.message = message
            self.path = path
            self.cause = cause
        }
    }
}

extension SessionStoreError: CustomStringConvertible {
    /// Code, place, message and cause in one line, with everything but printable ASCII escaped.
    public var description: String {
        var text = code.description
        if !path.isEmpty { text += " in " + path.joined(separator: ".") }
        text += ": " + message
        if let cause { text += " (\(cause))" }
        guard !text.utf8.allSatisfy({ (0x20..<0x7f).contains($0) }) else { return text }
        return text.unicodeScalars.reduce(into: "") { escaped, scalar in
            let isPrintable = scalar.isASCII && (0x20..<0x7f).contains(scalar.value)
            escaped += isPrintable ? String(scalar) : "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
        }
    }
}

extension SessionStoreError {
    /// The kind of an error: an open set, so that a new kind breaks no caller.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The kind's name, as in the source.
        public let description: String

        private init(_ name: String) {
            description = name
        }

        /// An empty or repeated key.
        public static let invalidKey = Code("invalidKey")
        /// An expiry that is not in the future.
        public static let invalidExpiry = Code("invalidExpiry")
        /// A version that no value can have.
        public static let invalidVersion = Code("invalidVersion")
        /// A key, a value or a number of keys beyond the limit.
        public static let tooLarge = Code("tooLarge")

        /// A session with the key exists.
        public static let keyExists = Code("keyExists")
        /// A session with one of the secondary keys exists.
        public static let secondaryKeyExists = Code("secondaryKeyExists")
        /// No session with the key, or none that has not expired.
        public static let notFound = Code("notFound")
        /// The session has another version than the expected one.
        public static let conflict = Code("conflict")
        /// Other writers won every attempt of an update.
        public static let tooManyAttempts = Code("tooManyAttempts")

        /// The store holds as much as it may.
        ///
        /// It refuses new sessions rather than dropping live ones.
        public static let full = Code("full")
        /// The store cannot be reached, or is busy; nothing was changed.
        ///
        /// Another attempt may succeed.
        public static let unavailable = Code("unavailable")
        /// The store did not answer a change that it was sent: it may have been made or not.
        public static let outcomeUnknown = Code("outcomeUnknown")
        /// The store refuses the credentials, or does not permit the command.
        public static let notAuthorized = Code("notAuthorized")
        /// Settings that cannot work.
        public static let invalidConfiguration = Code("invalidConfiguration")
        /// A stored entry that is malformed, or was not sealed with one of the keys, or for another place.
        public static let damaged = Code("damaged")
        /// A value that does not decode as the type asked for, or cannot be encoded.
        public static let invalidValue = Code("invalidValue")
        /// The store has been closed.
        public static let closed = Code("closed")
        /// The caller's task was cancelled.
        public static let cancelled = Code("cancelled")
    }
}
