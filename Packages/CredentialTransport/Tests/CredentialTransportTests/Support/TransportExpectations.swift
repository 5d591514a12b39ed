import CredentialTransport
import Testing

/// Runs what must be refused, and gives the error that it was refused with.
@discardableResult
func refusal<Value>(
    _ code: TransportError.Code,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () async throws -> Value
) async -> TransportError? {
    do {
        _ = try await body()
        Issue.record("is not refused", sourceLocation: sourceLocation)
    } catch let error as TransportError {
        #expect(error.code == code, "\(error)", sourceLocation: sourceLocation)
        return error
    } catch {
        Issue.record(error, sourceLocation: sourceLocation)
    }
    return nil
}
