import COSEKit
import JOSEKit

extension StatusListError {
    /// The error for a JWT that cannot be read or verified.
    init(_ error: JOSEError) {
        self.init(Self.code(of: error.code), error.message, path: ["token"] + error.path, cause: error)
    }

    /// The error for a CWT that cannot be read or verified.
    init(_ error: COSEError) {
        self.init(Self.code(of: error.code), error.message, path: ["token"] + error.path, cause: error)
    }

    private static func code(of code: JOSEError.Code) -> Code {
        switch code {
        case .limitExceeded: .limitExceeded
        case .missingAlgorithm, .unsupportedAlgorithm, .algorithmNotAllowed, .algorithmNotProtected:
            .algorithmNotAllowed
        case .keyMismatch, .keyRestricted, .invalidKey, .unsupportedKey, .noKey, .publicKeyAsSecret: .keyMismatch
        case .invalidSignature: .invalidSignature
        case .missingCertificates, .untrustedCertificates, .certificateMismatch: .untrustedSigner
        case .invalidClaim: .invalidClaim
        case .operationFailed: .signingFailed
        default: .malformed
        }
    }

    private static func code(of code: COSEError.Code) -> Code {
        switch code {
        case .limitExceeded: .limitExceeded
        case .missingAlgorithm, .unsupportedAlgorithm, .algorithmNotAllowed, .algorithmNotProtected,
            .unsuitableAlgorithm:
            .algorithmNotAllowed
        case .keyMismatch, .keyRestricted, .invalidKey, .unsupportedKey: .keyMismatch
        case .invalidSignature, .invalidMAC: .invalidSignature
        case .certificateMismatch: .untrustedSigner
        case .invalidClaim: .invalidClaim
        case .operationFailed: .signingFailed
        default: .malformed
        }
    }
}
