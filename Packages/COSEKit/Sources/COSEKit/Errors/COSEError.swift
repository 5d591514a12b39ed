import CBORKit
// The vocabulary of all layers comes with each of them.
@_exported public import VerificationCore

/// The reason that a COSE message, key or claims set was refused or could not be made.
///
/// Tests and callers compare `code`; `path` names the structure and the field, `message` is for people and may
/// change. Nothing in an error tells anything about secret bytes.
public struct COSEError: CodedError {
    /// The parts of the error.
    public let details: ErrorDetails<Code>

    /// Makes an error from its parts.
    public init(_ details: ErrorDetails<Code>) {
        self.details = details
    }
}

extension COSEError {
    /// The COSE error that stands for a CBOR error: the kind that fits, with the CBOR error as its cause.
    init(_ error: CBORError, path: [String] = []) {
        let code: Code =
            switch error.code {
            case .duplicateKey: .duplicateLabel
            case .limitExceeded: .limitExceeded
            default: .malformed
            }
        self.init(code, error.message, path: path, cause: error)
    }
}

/// Runs a step of reading, and puts the name of the structure or field before the path of what it throws.
@inline(__always)
func within<Value>(_ field: @autoclosure () -> String, _ body: () throws(COSEError) -> Value) throws(COSEError) -> Value
{
    do {
        return try body()
    } catch {
        throw error.inside(field())
    }
}

/// Runs a step of reading CBOR, and turns what it throws into a COSE error about the field.
@inline(__always)
func reading<Value>(
    _ field: @autoclosure () -> String,
    _ body: () throws(CBORError) -> Value
) throws(COSEError) -> Value {
    do {
        return try body()
    } catch {
        throw COSEError(error, path: [field()])
    }
}
