import CryptoCore

/// The steps of verifying one signature that COSE_Sign1, COSE_Sign and countersignatures share.
struct SignatureVerification {
    /// The signature as received.
    let signature: ArraySlice<UInt8>
    /// The key of the signer.
    let key: PublicKey

    /// Verifies the signature over the encoded structure.
    func verify(_ toBeSigned: [UInt8], algorithm: COSEAlgorithm) throws(COSEError) {
        guard let primitive = algorithm.signaturePrimitive else {
            throw algorithm.refusal(expecting: "signature algorithm")
        }
        guard let engine = primitive.algorithm(for: key) else {
            throw COSEError(.keyMismatch, "\(algorithm) does not go with a key of \(key.kindName)", path: ["alg"])
        }
        guard key.isValidSignature(signature, for: toBeSigned, algorithm: engine, format: .raw) else {
            throw COSEError(.invalidSignature, "the signature does not verify", path: ["signature"])
        }
    }
}

extension PublicKey {
    /// The key's curve or type, for messages.
    var kindName: String { curve?.name ?? "RSA" }
}
