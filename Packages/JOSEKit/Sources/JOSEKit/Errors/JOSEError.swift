import CryptoCore
import JSONKit
// The vocabulary of all layers comes with each of them.
@_spi(Layers) @_exported public import VerificationCore

/// The reason that a JOSE object, key or token was refused or could not be made.
///
/// Tests and callers compare `code`; `path` names the place, `message` is for people and may change. Nothing in an
/// error tells anything about secret bytes.
public struct JOSEError: CodedError {
    /// The parts of the error.
    public let details: ErrorDetails<Code>

    /// Makes an error from its parts.
    public init(_ details: ErrorDetails<Code>) {
        self.details = details
    }
}

extension JOSEError {
    /// The JOSE error that stands for a JSON error: the kind that fits, with the JSON error as its cause.
    init(_ error: JSONError, path: [String] = []) {
        let code: Code =
            switch error.code {
            case .duplicateName: .duplicateMember
            case .sizeLimit, .depthLimit, .valueLimit, .stringLimit, .numberLimit: .limitExceeded
            default: .malformed
            }
        self.init(code, error.message, path: path, cause: error)
    }
}

extension JOSEError {
    /// The refusal of a header parameter that is not of the kind that its definition demands.
    static func expected(_ kind: String, at name: String, cause: (any Error)? = nil) -> JOSEError {
        JOSEError(.invalidHeader, "\(name) is not \(kind)", path: [name], cause: cause)
    }
}

/// Runs a step of reading, and puts the name of the structure or member before the path of what it throws.
@inline(__always)
func within<Value>(_ place: String, _ body: () throws(JOSEError) -> Value) throws(JOSEError) -> Value {
    do {
        return try body()
    } catch {
        throw error.inside(place)
    }
}

/// Runs a step of reading JSON, and turns what it throws into a JOSE error about the member.
@inline(__always)
func reading<Value>(_ member: String? = nil, _ body: () throws(JSONError) -> Value) throws(JOSEError) -> Value {
    do {
        return try body()
    } catch {
        throw JOSEError(error, path: member.map { [$0] } ?? [])
    }
}

extension JOSEError {
    /// The failure of a check by this error, with the cause in its message; the reason is the code, in the word of all
    /// formats where they have one.
    public var fault: CheckFault { .failed(Reason(code), messageWithCause, path: path) }
}

extension Reason {
    fileprivate init(_ code: JOSEError.Code) {
        self =
            switch code {
            case .noKey: .issuerKeyNotFound
            case .wrongType: .unexpectedType
            case .missingCertificates, .untrustedCertificates: .issuerNotTrusted
            default: Reason(code.description)
            }
    }
}

extension JOSEError {
    /// The value that a caller's closure gives; an error of another type becomes the cause of one of this layer.
    ///
    /// Closures that callers write are plain `throws`: the compiler infers nothing narrower for a closure without a
    /// written type.
    static func ofCaller<Value>(_ body: () throws -> Value) throws(JOSEError) -> Value {
        do {
            return try body()
        } catch let error as JOSEError {
            throw error
        } catch {
            throw JOSEError(.operationFailed, "the caller gives no key", cause: error)
        }
    }
}
