/// An error of a layer: a code to act on, and a message, a place and a cause for people.
///
/// The error of a layer is a structure with ``details`` as its only property. Nothing in an error tells anything about a
/// secret. Messages and descriptions have their invisible characters escaped.
public protocol CodedError: Error, Sendable, CustomStringConvertible {
    /// The kinds of the layer: an open set of names in lower camel case.
    associatedtype Code: Hashable & Sendable & CustomStringConvertible

    /// The parts of the error.
    var details: ErrorDetails<Code> { get }

    /// Makes an error from its parts.
    init(_ details: ErrorDetails<Code>)

    /// The failure of a check by this error; the reason has the name of the code, or the word of all formats.
    var fault: CheckFault { get }
}

/// The parts of an error, on the heap: an error travels on the fast path of every throwing function as one pointer.
public final class ErrorDetails<Code: Hashable & Sendable & CustomStringConvertible>: Sendable {
    let code: Code
    let message: String
    let path: [String]
    let offset: Int?
    let cause: (any Error)?

    init(_ code: Code, _ message: String, path: [String], offset: Int?, cause: (any Error)?) {
        self.code = code
        self.message = message.escapedForDisplay()
        self.path = path
        self.offset = offset
        self.cause = cause
    }
}

extension CodedError {
    /// Makes an error.
    ///
    /// - Parameters:
    ///   - code: The kind of error.
    ///   - message: A description for a developer, in one sentence.
    ///   - path: The names of the structures around the fault, outermost first.
    ///   - offset: The offset in bytes of the fault in the input, if a parser knows it.
    ///   - cause: The error underneath, if another layer raised it.
    public init(
        _ code: Code,
        _ message: String,
        path: [String] = [],
        offset: Int? = nil,
        cause: (any Error)? = nil
    ) {
        self.init(ErrorDetails(code, message, path: path, offset: offset, cause: cause))
    }

    /// The kind of error, as a value to act on.
    public var code: Code { details.code }

    /// A description of the error for a developer, in one sentence.
    public var message: String { details.message }

    /// The names of the structures around the fault, outermost first, such as `["COSE_Sign", "signatures[1]"]`.
    public var path: [String] { details.path }

    /// The offset in bytes of the fault in the input, if a parser knows it.
    public var offset: Int? { details.offset }

    /// The error underneath, if another layer raised it.
    public var cause: (any Error)? { details.cause }

    /// The failure of a check by this error, with the cause in its message; the reason has the name of the code.
    public var fault: CheckFault { .failed(Reason(code.description), messageWithCause, path: path) }

    /// The same error seen from one structure further out.
    public func inside(_ structure: String) -> Self {
        Self(code, message, path: [structure] + path, offset: offset, cause: cause)
    }

    /// The same error without its place: the cause of an error that names the place itself.
    @_spi(Layers) public var withoutPlace: Self { Self(code, message, offset: offset, cause: cause) }

    /// The message with the cause behind it, for reports that have no member for a cause.
    @_spi(Layers) public var messageWithCause: String { (message + causeInParentheses).escapedForDisplay() }

    /// The cause in parentheses; empty without one.
    ///
    /// An error that stands for one of another layer has its message: code and place alone are told of the cause then.
    private var causeInParentheses: String {
        guard let cause else { return "" }
        guard let coded = cause as? any CodedError, coded.message == message else { return " (\(cause))" }
        return " (\(coded.codeWithPlace)\(coded.causeInParentheses))"
    }

    private var codeWithPlace: String {
        var text = code.description
        if !path.isEmpty { text += " in " + path.joined(separator: ".") }
        if let offset { text += " at byte \(offset)" }
        return text
    }

    /// Code, place, message and cause on one line, with invisible characters escaped.
    public var description: String { "\(codeWithPlace): \(message)\(causeInParentheses)".escapedForDisplay() }
}

extension CheckFault {
    /// Runs a part of a check whose error is the check's failure.
    @inlinable
    public static func converting<Value, Failure: CodedError>(
        _ body: () throws(Failure) -> Value
    ) throws(CheckFault) -> Value {
        do throws(Failure) {
            return try body()
        } catch {
            throw error.fault
        }
    }

    /// Runs a check that a caller wrote; an error of another type becomes a fault.
    ///
    /// Closures that callers write are plain `throws`: the compiler infers nothing narrower for a closure without a
    /// written type.
    @_spi(Layers) public static func ofCaller<Value>(_ body: () throws -> Value) throws(CheckFault) -> Value {
        do {
            return try body()
        } catch {
            throw CheckFault(ofCaller: error)
        }
    }

    /// Runs an asynchronous check that a caller wrote; an error of another type becomes a fault.
    @_spi(Layers) public static func ofAsyncCaller<Value>(
        _ body: () async throws -> Value
    ) async throws(CheckFault) -> Value {
        do {
            return try await body()
        } catch {
            throw CheckFault(ofCaller: error)
        }
    }

    /// A fault is itself, an error of a layer fails the check, and any other error says that it could not be made.
    private init(ofCaller error: any Error) {
        self =
            switch error {
            case let fault as CheckFault: fault
            case let coded as any CodedError: coded.fault
            default: .unavailable(.operationFailed, "the check throws \(error)")
            }
    }
}
