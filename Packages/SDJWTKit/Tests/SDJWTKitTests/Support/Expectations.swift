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
    /// Expects that a check is the reason of a refusal, with the reason that belongs to a code.
    func expectRefusal(
        _ check: Check,
        _ code: SDJWTError.Code,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let refusal = self.refusal
        #expect(refusal?.check == check, "\(checks)", sourceLocation: sourceLocation)
        #expect(refusal?.reason == code.reason(of: check), "\(checks)", sourceLocation: sourceLocation)
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

extension SDJWTError.Code {
    /// The reason of a refusal for an error of this code.
    func reason(of check: Check) -> Reason {
        switch self {
        case .wrongType: .unexpectedType
        case .invalidSignature: check == .issuerSignature ? .invalidIssuerSignature : .invalidHolderBinding
        case .hashMismatch, .missingKeyBinding: .invalidHolderBinding
        case .unreferencedDisclosure, .duplicateDigest, .malformedDigest: .digestMismatch
        case .malformedJWT, .malformedDisclosure: .malformed
        case .statusInvalid: .revoked
        case .statusSuspended: .suspended
        default: Reason(description)
        }
    }
}
