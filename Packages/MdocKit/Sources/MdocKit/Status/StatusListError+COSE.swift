import COSEKit
import StatusListKit

extension StatusListError {
    /// The error for an identifier list token that cannot be read, signed or verified.
    init(identifierList error: COSEError) {
        let code: Code =
            switch error.code {
            case .limitExceeded: .limitExceeded
            case .missingAlgorithm, .unsupportedAlgorithm, .algorithmNotAllowed, .algorithmNotProtected,
                .unsuitableAlgorithm:
                .algorithmNotAllowed
            case .keyMismatch, .keyRestricted, .invalidKey, .unsupportedKey: .keyMismatch
            case .invalidSignature: .invalidSignature
            case .invalidClaim: .invalidClaim
            case .operationFailed: .signingFailed
            default: .malformed
            }
        self.init(code, error.message, path: ["token"] + error.path, cause: error)
    }

    /// A claim of a token that is wrong.
    static func claim(_ name: String, _ code: Code, _ message: String) -> StatusListError {
        StatusListError(code, message, path: ["token", name])
    }
}
