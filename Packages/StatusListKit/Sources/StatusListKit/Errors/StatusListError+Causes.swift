import COSEKit
import JOSEKit

extension StatusListError {
    /// What the reading or verification of a JWT was refused for.
    init(_ error: JOSEError) {
        self.init(Self.code(of: error.code), error.message, path: ["token"] + error.path, cause: error)
    }

    /// What the reading or verification of a CWT was refused for.
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
