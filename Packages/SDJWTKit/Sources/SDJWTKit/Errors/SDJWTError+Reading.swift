import JOSEKit
import JSONKit

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
