import CredentialServing
import Testing

/// Runs what must be refused, and gives the error that it was refused with.
@discardableResult
func expectStoreError<Value>(
    _ code: SessionStoreError.Code,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () async throws -> Value
) async -> SessionStoreError? {
    do {
        _ = try await body()
        Issue.record("is not refused", sourceLocation: sourceLocation)
    } catch let error as SessionStoreError {
        #expect(error.code == code, "\(error)", sourceLocation: sourceLocation)
        return error
    } catch {
        Issue.record(error, sourceLocation: sourceLocation)
    }
    return nil
}
