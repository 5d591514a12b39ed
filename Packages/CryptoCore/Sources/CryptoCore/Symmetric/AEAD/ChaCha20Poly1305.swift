import Crypto

/// ChaCha20-Poly1305 (RFC 8439), by swift-crypto.
enum ChaCha20Poly1305 {
    static func seal(
        _ plaintext: UnsafeRawBufferPointer,
        _ parameters: AEADParameters,
        _ additionalData: UnsafeRawBufferPointer
    ) throws(CryptoError) -> [UInt8] {
        do {
            let nonce = try ChaChaPoly.Nonce(data: parameters.nonce)
            let box = try unsafe ChaChaPoly.seal(
                plaintext,
                using: parameters.key,
                nonce: nonce,
                authenticating: additionalData
            )
            return [UInt8](box.combined.dropFirst(parameters.nonce.count))
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
            let nonce = try ChaChaPoly.Nonce(data: parameters.nonce)
            let box = try unsafe ChaChaPoly.SealedBox(nonce: nonce, ciphertext: ciphertext, tag: tag)
            return [UInt8](try unsafe ChaChaPoly.open(box, using: parameters.key, authenticating: additionalData))
        } catch {
            throw parameters.notAuthentic
        }
    }
}
