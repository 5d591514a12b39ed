/// A fault in a JSON text or value, with its place.
///
/// Programs compare the ``code``; ``message``, ``offset`` and ``path`` are for people.
public struct JSONError: Error, Sendable {
    /// The kind of fault.
    public let code: Code
    /// The finding and the expectation, in a sentence without its end.
    public let message: String
    /// The offset in the text at which the fault was noticed, in bytes; nil for faults of values without a text.
    public let offset: Int?
    /// The value at fault, or the innermost container that the fault is in.
    public let path: JSONPath
    /// The error that led to this one, such as one from the initialiser of a decoded type.
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

/// The path of a value in a JSON text: the names and indices that lead to it from the root.
///
/// Its description is a query of RFC 9535: `$` is the root, then `.name` or, for names that are not plain words,
/// `["the name"]`, and `[index]`:
///
/// ```
/// $.vp_formats_supported["dc+sd-jwt"].alg[2]
/// ```
public struct JSONPath: Sendable {
    /// One step from a value to a value inside it.
    public enum Component: Sendable {
        /// To the member of an object that has this name.
        case name(String)
        /// To the element of an array at this index, which counts from 0.
        case index(Int)
    }

    /// The steps from the root; empty for the root itself.
    public var components: [Component]

    /// Makes a path of its steps; without any it is the path of the root.
    public init(_ components: [Component] = []) {
        self.components = components
    }
}

extension JSONPath: CustomStringConvertible {
    /// The path as a query of RFC 9535.
    public var description: String {
        components.reduce(into: "$") { text, component in
            switch component {
            case .name(let name) where Self.isShorthand(name): text += ".\(name)"
            case .name(let name): text += "[\(JSONStringText.quoted(name))]"
            case .index(let index): text += "[\(index)]"
            }
        }
    }

    /// Returns `true` for a name that may follow a dot: `member-name-shorthand` of RFC 9535, section 2.5.1.1.
    ///
    /// It is kept to ASCII, so that names with look-alike letters appear in quotes.
    private static func isShorthand(_ name: String) -> Bool {
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard let first = name.utf8.first, !digits.contains(first) else { return false }
        return name.utf8.allSatisfy { byte in
            letters.contains(byte | 0x20) || digits.contains(byte) || byte == UInt8(ascii: "_")
        }
    }
}
