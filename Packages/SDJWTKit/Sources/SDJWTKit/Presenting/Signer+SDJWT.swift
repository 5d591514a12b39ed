import CryptoCore
import JOSEKit

extension JWSAlgorithm {
    /// The name of what a signer signs with.
    static func of(_ signer: any Signer) throws(SDJWTError) -> JWSAlgorithm {
        guard let algorithm = JWSAlgorithm(signer.algorithm, for: signer.publicKey) else {
            throw SDJWTError(.invalidValue, "\(signer.algorithm) has no name in JOSE")
        }
        return algorithm
    }

    /// Indicates that the algorithm makes MACs, which any verifier can forge.
    var isSymmetric: Bool {
        self == .hs256 || self == .hs384 || self == .hs512
    }
}

extension Signer {
    /// Asks for a signature.
    func sdJWTSignature(for message: [UInt8]) async throws(SDJWTError) -> [UInt8] {
        do {
            return try await signature(for: message)
        } catch {
            throw SDJWTError(.signingFailed, "the signer failed", cause: error)
        }
    }
}
