import JOSEKit
import JSONKit
import TestSupport

extension VectorFile {
    /// The file as a JSON value.
    func json() throws -> JSONValue {
        try JSONValue(parsing: bytes())
    }
}

extension JSONValue {
    /// The elements of a member that is a list; none where it is something else.
    func list(_ name: String) -> [JSONValue] { self[name]?.arrayValue ?? [] }

    /// A member that is a text, or nil.
    func text(_ name: String) -> String? { self[name]?.stringValue }
}

/// The outcome of running something that may throw, for comparison with what a vector expects.
func outcome<Value>(_ body: () async throws -> Value) async -> Result<Value, any Error> {
    do {
        return .success(try await body())
    } catch {
        return .failure(error)
    }
}
