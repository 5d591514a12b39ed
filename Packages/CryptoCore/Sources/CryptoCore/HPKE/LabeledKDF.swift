#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// HKDF with the labels that keep HPKE's derivations apart (RFC 9180, section 4).
struct LabeledKDF {
    let hash: HashAlgorithm
    let suiteIdentifier: [UInt8]

    /// `LabeledExtract`.
    func extract(
        salt: some ContiguousBytes = [UInt8](),
        label: String,
        inputKeyMaterial: some ContiguousBytes
    ) -> SecretBytes {
        var code = HMAC(key: salt, hash: hash)
        code.update(labeled(label))
        code.update(inputKeyMaterial)
        return code.finalizeToSecret()
    }

    /// `LabeledExpand`.
    func expand(
        _ pseudorandomKey: SecretBytes,
        label: String,
        info: some Collection<UInt8>,
        length: Int
    ) throws(CryptoError) -> SecretBytes {
        guard let encodedLength = UInt16(exactly: length) else {
            throw CryptoError(.invalidParameter, "HPKE derives no \(length) bytes")
        }
        return try HKDF.expand(
            hash: hash,
            pseudorandomKey: pseudorandomKey,
            info: encodedLength.bigEndianBytes + labeled(label) + info,
            length: length
        )
    }

    private func labeled(_ label: String) -> [UInt8] {
        Array("HPKE-v1".utf8) + suiteIdentifier + Array(label.utf8)
    }
}
