import CBORKit
import CryptoCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// One use of an AEAD, for COSE_Encrypt0, COSE_Encrypt and keys in COSE_recipient.
struct EncryptionOperation {
    /// The identifier.
    let algorithm: COSEAlgorithm
    private let engine: AEADAlgorithm

    /// - Throws: ``COSEError`` for an identifier of another kind, and if this build has no engine for the algorithm.
    init(_ algorithm: COSEAlgorithm) throws(COSEError) {
        guard let engine = algorithm.aeadAlgorithm else {
            throw algorithm.refusal(expecting: "content encryption algorithm")
        }
        guard engine.isSupported else { throw algorithm.refusalWithoutEngine() }
        self.algorithm = algorithm
        self.engine = engine
    }

    /// The plaintext of a ciphertext with its tag at the end.
    func open(
        _ ciphertext: ArraySlice<UInt8>,
        key: SecretBytes,
        nonce: [UInt8],
        additionalData: [UInt8]
    ) throws(COSEError) -> [UInt8] {
        try requireLength(of: key)
        do {
            return try engine.openCombined(ciphertext, key: key, nonce: nonce, additionalData: additionalData)
        } catch {
            throw COSEError(.decryptionFailed, "the ciphertext is not authentic", path: ["ciphertext"])
        }
    }

    /// The ciphertext with its tag at the end.
    func seal(
        _ plaintext: some ContiguousBytes,
        key: SecretBytes,
        nonce: [UInt8],
        additionalData: [UInt8]
    ) throws(COSEError) -> [UInt8] {
        try requireLength(of: key)
        do {
            return try engine.sealCombined(plaintext, key: key, nonce: nonce, additionalData: additionalData)
        } catch {
            throw COSEError(.operationFailed, error.message, path: ["ciphertext"], cause: error)
        }
    }

    private func requireLength(of key: SecretBytes) throws(COSEError) {
        guard key.count == engine.keySize else {
            throw COSEError(.keyMismatch, "a key of \(key.count) bytes does not go with \(algorithm)", path: ["key"])
        }
    }

    /// The nonce that the headers give: the IV, or the Partial IV over a Base IV (RFC 9052 section 3.1).
    func nonce(of headers: COSEHeaders, baseIV: [UInt8]?) throws(COSEError) -> [UInt8] {
        if let iv = try headers.initializationVector() {
            guard iv.count == engine.nonceSize else {
                let lengths = "\(iv.count) bytes instead of \(engine.nonceSize)"
                throw COSEError(.invalidIV, "the IV of \(algorithm) has \(lengths)", path: ["IV"])
            }
            return [UInt8](iv)
        }
        guard let partial = try headers.partialInitializationVector() else {
            throw COSEError(.invalidIV, "the headers have neither IV nor Partial IV", path: ["IV"])
        }
        guard let baseIV else {
            throw COSEError(.invalidIV, "a Partial IV needs a Base IV", path: ["Partial IV"])
        }
        return try combine(baseIV, partial)
    }

    /// The Base IV, filled up with zeros at its end, XOR the Partial IV, filled up with zeros at its start.
    private func combine(_ baseIV: [UInt8], _ partial: ArraySlice<UInt8>) throws(COSEError) -> [UInt8] {
        let size = engine.nonceSize
        guard baseIV.count <= size, !partial.isEmpty, partial.count <= size else {
            let lengths = "Base IV of \(baseIV.count) and Partial IV of \(partial.count) bytes"
            throw COSEError(.invalidIV, "\(lengths) give no nonce of \(size)", path: ["Partial IV"])
        }
        var nonce = baseIV + [UInt8](repeating: 0, count: size - baseIV.count)
        for (index, byte) in zip((size - partial.count)..., partial) { nonce[index] ^= byte }
        return nonce
    }

    /// The headers with a nonce: as given where they have one, else with a random IV in the unprotected bucket.
    func headersWithNonce(
        _ headers: COSEHeaders,
        using randomness: any RandomSource
    ) throws(COSEError) -> COSEHeaders {
        guard try headers.parameter(.iv) == nil, try headers.parameter(.partialIV) == nil else { return headers }
        var unprotected = headers.unprotected
        unprotected[.iv] = .bytes(randomness.bytes(engine.nonceSize))
        return headers.replacing(unprotected: unprotected)
    }
}

extension COSEHeaders {
    /// Headers of content to be encrypted, checked, with their algorithm.
    func encryptionOperation() throws(COSEError) -> EncryptionOperation {
        try validate()
        guard let algorithm = try algorithm() else {
            throw COSEError(.missingAlgorithm, "the headers name no algorithm", path: ["alg"])
        }
        return try EncryptionOperation(algorithm)
    }

    /// The additional data of an AEAD: the encoded `Enc_structure` (RFC 9052 section 5.3).
    func encryptionAAD(_ context: String, externalAAD: [UInt8]) -> [UInt8] {
        AuthenticatedStructure(context: context, fields: [authenticatedBytes, externalAAD[...]]).encoded
    }
}
