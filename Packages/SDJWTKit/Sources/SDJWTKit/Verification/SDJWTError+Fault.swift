import VerificationCore

extension SDJWTError {
    /// The error as the fault of a check, with the reason that all formats share if there is one.
    func fault(of check: Check) -> CheckFault {
        switch code {
        case .statusUnknown: .unavailable(.statusUnknown, message, path: path)
        case .typeMetadataNotFound, .retrievalFailed: .unavailable(Reason(code.description), message, path: path)
        default: .failed(reason(of: check), message, path: path)
        }
    }

    private func reason(of check: Check) -> Reason {
        switch (code, check) {
        case (.wrongType, _): .unexpectedType
        case (.invalidSignature, .issuerSignature): .invalidIssuerSignature
        case (.invalidSignature, _), (.hashMismatch, _), (.missingKeyBinding, _): .invalidHolderBinding
        case (.unreferencedDisclosure, _), (.duplicateDigest, _), (.malformedDigest, _): .digestMismatch
        case (.malformedJWT, _), (.malformedDisclosure, _): .malformed
        case (.statusInvalid, _): .revoked
        case (.statusSuspended, _): .suspended
        default: Reason(code.description)
        }
    }
}
