#if Server
import CredentialServingOperations
import Testing

/// Runs what must be refused, and gives the error that it was refused with.
@discardableResult
func refusal<Value>(
    _ code: OperationsError.Code,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () throws -> Value
) -> OperationsError? {
    do {
        _ = try body()
        Issue.record("is not refused", sourceLocation: sourceLocation)
    } catch let error as OperationsError {
        #expect(error.code == code, "\(error)", sourceLocation: sourceLocation)
        return error
    } catch {
        Issue.record(error, sourceLocation: sourceLocation)
    }
    return nil
}
#endif
