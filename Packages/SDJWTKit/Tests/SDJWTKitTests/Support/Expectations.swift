import SDJWTKit
import Testing

/// Expects an SD-JWT error of the given code.
func expectRefusal<Value>(
    _ code: SDJWTError.Code,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () throws -> Value
) {
    let error = #expect(throws: SDJWTError.self, sourceLocation: sourceLocation) { _ = try body() }
    if let error { #expect(error.code == code, "\(error)", sourceLocation: sourceLocation) }
}

/// Expects an SD-JWT error of the given code.
func expectRefusal<Value>(
    _ code: SDJWTError.Code,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () async throws -> Value
) async {
    let error = await #expect(throws: SDJWTError.self, sourceLocation: sourceLocation) { _ = try await body() }
    if let error { #expect(error.code == code, "\(error)", sourceLocation: sourceLocation) }
}

extension Verification where Value == VerifiedSDJWT {
    /// Expects a refusal by a check, for a reason.
    func expectRefusal(
        _ check: Check,
        _ reason: Reason,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let refusal = self.refusal
        #expect(refusal?.check == check, "\(checks)", sourceLocation: sourceLocation)
        #expect(refusal?.reason == reason, "\(checks)", sourceLocation: sourceLocation)
        expectEveryCheck(sourceLocation: sourceLocation)
    }

    /// Expects every check once, in order.
    func expectEveryCheck(sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(checks.map(\.check) == SDJWTVerifier.checks, sourceLocation: sourceLocation)
    }

    /// The outcome of a check.
    func outcome(of check: Check) -> CheckResult? {
        checks.first { $0.check == check }
    }
}
