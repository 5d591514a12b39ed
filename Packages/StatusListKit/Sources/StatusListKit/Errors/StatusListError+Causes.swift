public import COSEKit
import JOSEKit

extension StatusListError {
    /// The error for a JWT that cannot be read or signed.
    init(_ error: JOSEError) {
        let code: Code =
            switch error.code {
            case .limitExceeded: .limitExceeded
            case .missingAlgorithm, .unsupportedAlgorithm, .algorithmNotAllowed, .algorithmNotProtected:
                .algorithmNotAllowed
            case .invalidClaim: .invalidClaim
            case .operationFailed: .signingFailed
            default: .malformed
            }
        self.init(code, error.message, path: ["token"] + error.path, cause: error)
    }

    /// The error for a CWT that cannot be read or signed.
    public init(_ error: COSEError) {
        let code: Code =
            switch error.code {
            case .limitExceeded: .limitExceeded
            case .missingAlgorithm, .unsupportedAlgorithm, .algorithmNotAllowed, .algorithmNotProtected,
                .unsuitableAlgorithm:
                .algorithmNotAllowed
            case .invalidClaim: .invalidClaim
            case .operationFailed: .signingFailed
            default: .malformed
            }
        self.init(code, error.message, path: ["token"] + error.path, cause: error)
    }
}
