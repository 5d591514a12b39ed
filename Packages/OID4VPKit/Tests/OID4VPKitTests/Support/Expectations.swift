import OID4VPMessages
import Testing

/// Expects an error with a code.
func expect<Value>(
    _ code: OID4VPError.Code,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () throws(OID4VPError) -> Value
) {
    do throws(OID4VPError) {
        _ = try body()
        Issue.record("nothing was refused; expected \(code)", sourceLocation: sourceLocation)
    } catch {
        #expect(error.code == code, "\(error)", sourceLocation: sourceLocation)
    }
}

/// Expects an error with a code, of something that takes time.
func expect(
    _ code: OID4VPError.Code,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () async throws -> Void
) async {
    let error = await #expect(throws: OID4VPError.self, sourceLocation: sourceLocation) { try await body() }
    #expect(error?.code == code, sourceLocation: sourceLocation)
}
