import CBORKit
package import COSEKit
package import CryptoCore

/// Signing with a key and the algorithm that the standard has for its curve.
package struct MdocSigning {
    let key: PublicKey
    let algorithm: COSEAlgorithm
    package let signatureAlgorithm: SignatureAlgorithm

    /// Takes a signer's public key.
    init(_ key: PublicKey) throws(MdocError) {
        guard let algorithms = key.curve.flatMap(MdocAlgorithms.signatureAlgorithm) else {
            throw MdocError(.unsupportedKey, "the standard has no signature algorithm for the signer's key")
        }
        self.key = key
        (algorithm, signatureAlgorithm) = algorithms
    }

    /// Takes the key of a signer's certificate.
    package init(_ certificate: Certificate) throws(MdocError) {
        let key: PublicKey
        do {
            key = try certificate.publicKey()
        } catch {
            throw MdocError(.unsupportedKey, "the key of the signer's certificate cannot be used", cause: error)
        }
        try self.init(key)
    }

    /// A COSE_Sign1 without its signature: alg protected, x5chain unprotected (12.3.4).
    ///
    /// - Parameter includesX5T: `true` to protect the first certificate's hash too.
    package func prepare(
        _ payload: [UInt8],
        detached: Bool,
        x5chain: [Certificate] = [],
        in bucket: X5chainBucket = .unprotected,
        includesX5T: Bool = false
    ) throws(MdocError) -> COSESign1.Unsigned {
        let chain = x5chain.map(\.derBytes)
        let certificates: COSEHeaderMap = chain.isEmpty ? [:] : [.x5chain: COSEHeaderMap.certificates(chain)]
        var protected: COSEHeaderMap = bucket == .protected ? certificates : [:]
        protected[.alg] = .integer(algorithm.rawValue)
        if includesX5T, let certificate = chain.first {
            protected[.x5t] = COSECertificateHash(sha256Of: certificate).cbor
        }
        do {
            return try COSESign1.Unsigned(
                payload: payload,
                detached: detached,
                headers: COSEHeaders(
                    protected: protected,
                    unprotected: bucket == .unprotected ? certificates : [:]
                )
            )
        } catch {
            throw MdocError(.signingFailed, "the signature cannot be prepared", cause: error)
        }
    }
}

extension MdocSigning {
    /// The structure with its signature, once that is found to be one by the key.
    package func complete(_ unsigned: COSESign1.Unsigned, with signature: [UInt8]) throws(MdocError) -> COSESign1 {
        guard key.isValidSignature(signature, for: unsigned.bytesToSign, algorithm: signatureAlgorithm) else {
            throw MdocError(.signingFailed, "the signature does not verify with the signer's key")
        }
        do {
            return try unsigned.completed(with: signature)
        } catch {
            throw MdocError(.signingFailed, "the signature cannot be used", cause: error)
        }
    }
}

extension [Certificate] {
    /// Refuses a chain that ends with the root, for signatures whose x5chain leaves it out (B.1.1, F.3.2).
    package func requireNoRoot() throws(MdocError) {
        guard count > 1, let last, last.isSelfIssued else { return }
        throw MdocError(.invalidValue, "x5chain must not end with the root, \(last.subject)")
    }
}

extension Signer {
    /// A signature, or an error of this module.
    package func mdocSignature(for message: [UInt8]) async throws(MdocError) -> [UInt8] {
        do {
            return try await signature(for: message)
        } catch {
            throw MdocError(.signingFailed, "the signer failed", cause: error)
        }
    }
}
