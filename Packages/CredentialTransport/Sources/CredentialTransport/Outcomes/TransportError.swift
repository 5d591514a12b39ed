/// The reason that a request was refused or failed.
///
/// Tests and callers compare ``code``; ``path`` names the place, ``message`` is for people and may change. Nothing in an
/// error tells anything about secret bytes.
public struct TransportError: Error, Sendable {
    /// The kind of error, as a value to act on.
    public var code: Code { backing.code }

    /// A description of the error for a developer, in one sentence.
    public var message: String { backing.message }

    /// The names of the structures and members around the fault, outermost first, such as `["http://10.0.0.1/"]`.
    public var path: [String] { backing.path }

    /// The error underneath, where another layer raised it.
    public var cause: (any Error)? { backing.cause }

    /// The answer, where there was one: its status and header, unchecked.
    ///
    /// The body is empty unless the status is not accepted and ``HTTPLimits/maximumErrorBodySize`` lets it be read.
    /// Descriptions of the error leave the answer out, since it may be secret.
    public var answer: HTTPTransportResponse? { backing.answer }

    /// The status of the answer, where there was one.
    public var status: Int? { backing.answer?.status }

    /// The unchecked target of a redirect: the value of `Location` as received; nil for other errors.
    public var redirectTarget: String? { backing.redirectTarget }

    private let backing: Backing

    /// Makes an error.
    ///
    /// - Parameters:
    ///   - code: The kind of error, as a value to act on.
    ///   - message: A description of the error, in one sentence.
    ///   - path: The place of the fault, outermost first.
    ///   - cause: The error underneath.
    ///   - answer: The answer, where there was one.
    ///   - redirectTarget: The target of a redirect.
    public init(
        _ code: Code,
        _ message: String,
        path: [String] = [],
        cause: (any Error)? = nil,
        answer: HTTPTransportResponse? = nil,
        redirectTarget: String? = nil
    ) {
        backing = Backing(
            code: code,
            message: message.escapedForDisplay(),
            path: path,
            cause: cause,
            answer: answer,
            redirectTarget: redirectTarget
        )
    }

    /// The same error seen from one structure further out.
    public func inside(_ structure: String) -> TransportError {
        TransportError(
            code,
            message,
            path: [structure] + path,
            cause: cause,
            answer: answer,
            redirectTarget: redirectTarget
        )
    }

    /// The same error without its place: the cause of an error that names the place itself, or keeps it secret.
    @_spi(Layers) public var withoutPlace: TransportError {
        TransportError(code, message, cause: cause, answer: answer, redirectTarget: redirectTarget)
    }

    /// The parts, on the heap: errors travel on the fast path of every throwing function as one pointer.
    private final class Backing: Sendable {
        let code: Code
        let message: String
        let path: [String]
        let cause: (any Error)?
        let answer: HTTPTransportResponse?
        let redirectTarget: String?

        init(
            code: Code,
            message: String,
            path: [String],
            cause: (any Error)?,
            answer: HTTPTransportResponse?,
            redirectTarget: String?
        ) {
            self.code = code
            self.message = message
            self.path = path
            self.cause = cause
            self.answer = answer
            self.redirectTarget = redirectTarget
        }
    }
}

extension TransportError: CustomStringConvertible {
    /// Code, place, message and cause in one line, with invisible characters escaped.
    public var description: String {
        var text = code.description
        if !path.isEmpty { text += " in " + path.joined(separator: ".") }
        text += ": " + message
        if let cause { text += " (\(cause))" }
        return text.escapedForDisplay()
    }
}

extension String {
    /// The text with every invisible scalar as `\u{XXXX}`, so that text of another party cannot forge a line of a log.
    ///
    /// Invisible are controls, line and paragraph separators, format characters (bidirectional controls among them) and
    /// Unicode's default-ignorable characters.
    func escapedForDisplay() -> String {
        guard !utf8.allSatisfy({ (0x20..<0x7f).contains($0) }) else { return self }
        return unicodeScalars.reduce(into: "") { text, scalar in
            if scalar.isInvisible { text += scalar.displayEscape } else { text.unicodeScalars.append(scalar) }
        }
    }
}

extension Unicode.Scalar {
    /// A control character, a line break, a bidirectional override, or another scalar without a visible form.
    var isInvisible: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: properties.isDefaultIgnorableCodePoint
        }
    }

    /// The scalar's number in at least four digits, as in a literal of Swift.
    fileprivate var displayEscape: String {
        let digits = String(value, radix: 16, uppercase: true)
        return "\\u{" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits + "}"
    }
}
