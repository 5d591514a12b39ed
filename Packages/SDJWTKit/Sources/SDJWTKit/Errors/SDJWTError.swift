import JOSEKit
import JSONKit
// The vocabulary of all layers comes with each of them.
@_exported public import VerificationCore

/// The reason that an SD-JWT was refused or could not be made.
///
/// Tests and callers compare `code`; `path` names the place, `message` is for people and may change. Nothing in an
/// error tells anything about secret bytes.
public struct SDJWTError: CodedError {
    /// The parts of the error.
    public let details: ErrorDetails<Code>

    /// Makes an error from its parts.
    public init(_ details: ErrorDetails<Code>) {
        self.details = details
    }
}

extension SDJWTError {
    /// The refusal of a JSON text or value; a passed limit has a code of its own.
    init(_ code: Code, reading error: JSONError, path: [String] = []) {
        let place = error.path.components.isEmpty ? "" : " at \(error.path)"
        self.init(error.code.isLimit ? .limitExceeded : code, error.message + place, path: path, cause: error)
    }

    /// The refusal of a JOSE object; a passed limit has a code of its own.
    init(_ code: Code, reading error: JOSEError, path: [String] = []) {
        self.init(error.code == .limitExceeded ? .limitExceeded : code, error.message, path: path, cause: error)
    }
}

/// Runs a reading of JSON, and gives its refusal a code of this module.
@inline(__always)
func reading<Value>(
    _ code: SDJWTError.Code,
    _ body: () throws(JSONError) -> Value
) throws(SDJWTError) -> Value {
    do throws(JSONError) {
        return try body()
    } catch {
        throw SDJWTError(code, reading: error)
    }
}

extension JSONError.Code {
    /// Indicates that the code says that a text demands too much, not that it is wrong.
    var isLimit: Bool {
        let limits: [JSONError.Code] = [.sizeLimit, .depthLimit, .valueLimit, .stringLimit, .numberLimit]
        return limits.contains(self)
    }
}
