/// A fault in CBOR, and its place.
///
/// Compare the ``code`` to react to a kind of failure. ``offset`` and ``path`` are its place, and ``message`` describes
/// it in words. The description joins all of them.
public struct CBORError: Error, Sendable {
    /// The kind of failure.
    public var code: Code { backing.code }

    /// A description of the fault, without the place.
    public var message: String { backing.message }

    /// The distance in bytes from the start of the outermost input to the item or byte that was refused.
    ///
    /// Nil where no input was involved, such as in encoding.
    public var offset: Int? { backing.offset }

    /// The steps from the root of the document to the item that was refused; empty for the root itself.
    public var path: CBORPath { backing.path }

    /// The error that led to this one, if another part raised it.
    public var cause: (any Error)? { backing.cause }

    private let backing: Backing

    /// Makes an error from its parts; the static functions name the usual ones.
    public init(
        _ code: Code,
        _ message: String,
        offset: Int? = nil,
        path: CBORPath = CBORPath(),
        cause: (any Error)? = nil
    ) {
        backing = Backing(code: code, message: message.escapedForDisplay(), offset: offset, path: path, cause: cause)
    }

    /// The same error with its place given from the outside of the item it was raised in.
    func located(under prefix: CBORPath, by distance: Int) -> CBORError {
        CBORError(code, message, offset: offset.map { $0 + distance }, path: prefix + path, cause: cause)
    }

    /// The parts, on the heap: errors travel on the fast path of every throwing function as one pointer.
    private final class Backing: Sendable {
        let code: Code
        let message: String
        let offset: Int?
        let path: CBORPath
        let cause: (any Error)?

        init(code: Code, message: String, offset: Int?, path: CBORPath, cause: (any Error)?) {
            self.code = code
            self.message = message
            self.offset = offset
            self.path = path
            self.cause = cause
        }
    }
}

extension CBORError: CustomStringConvertible {
    /// The code, the message and the place, on one line, with invisible characters escaped.
    public var description: String {
        var text = "CBOR \(code): \(message)"
        if let offset { text += " at byte \(offset)" }
        if !path.isEmpty { text += ", in \(path)" }
        if let cause { text += " (\(cause))" }
        return text.escapedForDisplay()
    }
}
