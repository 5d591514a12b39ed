import Crypto

/// AES in Galois/Counter Mode with a 128-bit tag (NIST SP 800-38D), by swift-crypto.
enum AESGCM {
    static func seal(
        _ plaintext: UnsafeRawBufferPointer,
        _ parameters: AEADParameters,
        _ additionalData: UnsafeRawBufferPointer
    ) throws(CryptoError) -> [UInt8] {
        do {
            let nonce = try AES.GCM.Nonce(data: parameters.nonce)
            let box = try unsafe AES.GCM.seal(
                plaintext,
                using: parameters.key,
                nonce: nonce,
                authenticating: additionalData
            )
            var sealed: [UInt8] = []
            sealed.reserveCapacity(plaintext.count + parameters.algorithm.tagSize)
            sealed += box.ciphertext
            sealed += box.tag
            return sealed
        } catch {
            throw parameters.engineRefused(error)
        }
    }

    static func open(
        _ ciphertext: UnsafeRawBufferPointer,
        _ tag: UnsafeRawBufferPointer,
        _ parameters: AEADParameters,
        _ additionalData: UnsafeRawBufferPointer
    ) throws(CryptoError) -> [UInt8] {
        do {
            let nonce = try AES.GCM.Nonce(data: parameters.nonce)
            let box = try unsafe AES.GCM.SealedBox(nonce: nonce, ciphertext: ciphertext, tag: tag)
            return [UInt8](try unsafe AES.GCM.open(box, using: parameters.key, authenticating: additionalData))
        } catch {
            throw parameters.notAuthentic
        }
    }
}
