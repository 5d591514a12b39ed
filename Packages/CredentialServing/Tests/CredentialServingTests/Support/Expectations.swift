import CredentialServing
import HTTPTypes
import Testing

/// Expects a refusal with a code.
func expect(
    _ code: ServingError.Code,
    at location: SourceLocation = #_sourceLocation,
    _ operation: () async throws -> Void
) async {
    do {
        try await operation()
        Issue.record("no error, expected \(code)", sourceLocation: location)
    } catch let error as ServingError {
        #expect(error.code == code, sourceLocation: location)
    } catch {
        Issue.record("\(error), expected \(code)", sourceLocation: location)
    }
}

extension InMemoryResponse {
    /// The body as text.
    var text: String { String(decoding: body, as: UTF8.self) }
}

extension HTTPEngine {
    /// The response to one request.
    func response(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ fields: HTTPFields = [:]
    ) async throws -> InMemoryResponse {
        try await InMemoryServer(self).response(to: InMemoryRequest(method, path, headerFields: fields))
    }
}
