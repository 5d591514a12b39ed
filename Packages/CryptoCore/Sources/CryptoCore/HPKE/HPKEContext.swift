#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The state of a sender or recipient after the key schedule of base mode (RFC 9180, section 5.1).
struct HPKEContext: ~Copyable, Sendable {
    private let suite: HPKE.CipherSuite
    private let key: SecretBytes
    private let baseNonce: SecretBytes
    private let exporterSecret: SecretBytes
    private var sequenceNumber: UInt64 = 0

    /// `KeySchedule` with the mode `mode_base` and no pre-shared key.
    init(
        _ suite: HPKE.CipherSuite,
        sharedSecret: SecretBytes,
        info: some ContiguousBytes
    ) throws(CryptoError) {
        let kdf = suite.labeledKDF
        let empty: [UInt8] = []
        var context: [UInt8] = [0]
        context += kdf.extract(label: "psk_id_hash", inputKeyMaterial: empty).copied()
        context += kdf.extract(label: "info_hash", inputKeyMaterial: info).copied()
        let secret = kdf.extract(salt: sharedSecret, label: "secret", inputKeyMaterial: empty)
        let exporterSecret = try kdf.expand(secret, label: "exp", info: context, length: kdf.hash.digestSize)
        var (key, baseNonce) = (SecretBytes(empty), SecretBytes(empty))
        if let algorithm = suite.aead.algorithm {
            key = try kdf.expand(secret, label: "key", info: context, length: algorithm.keySize)
            baseNonce = try kdf.expand(secret, label: "base_nonce", info: context, length: algorithm.nonceSize)
        }
        (self.suite, self.key, self.baseNonce, self.exporterSecret) = (suite, key, baseNonce, exporterSecret)
    }

    mutating func seal(
        _ plaintext: some ContiguousBytes,
        additionalData: some ContiguousBytes
    ) throws(CryptoError) -> [UInt8] {
        let algorithm = try algorithm()
        let nonce = try nonce()
        let sealed = try algorithm.sealCombined(plaintext, key: key, nonce: nonce, additionalData: additionalData)
        sequenceNumber += 1
        return sealed
    }

    mutating func open(
        _ ciphertext: some ContiguousBytes,
        additionalData: some ContiguousBytes
    ) throws(CryptoError) -> [UInt8] {
        let algorithm = try algorithm()
        let nonce = try nonce()
        let opened = try algorithm.openCombined(ciphertext, key: key, nonce: nonce, additionalData: additionalData)
        sequenceNumber += 1
        return opened
    }

    func exportSecret(_ context: some ContiguousBytes, length: Int) throws(CryptoError) -> SecretBytes {
        try suite.labeledKDF.expand(exporterSecret, label: "sec", info: context.copied(), length: length)
    }

    private func algorithm() throws(CryptoError) -> AEADAlgorithm {
        guard let algorithm = suite.aead.algorithm else {
            throw CryptoError(.unsupported, "the suite \(suite) encrypts nothing")
        }
        return algorithm
    }

    /// `ComputeNonce`; also checks that there is a sequence number after this one.
    private func nonce() throws(CryptoError) -> [UInt8] {
        guard sequenceNumber < .max else {
            throw CryptoError(.limitExceeded, "the context has no sequence number left")
        }
        var nonce = baseNonce.copied()
        for (index, byte) in zip(nonce.indices.suffix(8), sequenceNumber.bigEndianBytes) { nonce[index] ^= byte }
        return nonce
    }
}

extension HPKE.CipherSuite {
    fileprivate var labeledKDF: LabeledKDF { LabeledKDF(hash: kdf.hash, suiteIdentifier: identifier) }
}
