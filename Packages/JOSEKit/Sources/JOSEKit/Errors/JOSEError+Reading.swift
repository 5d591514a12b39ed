import CryptoCore
import JSONKit

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
