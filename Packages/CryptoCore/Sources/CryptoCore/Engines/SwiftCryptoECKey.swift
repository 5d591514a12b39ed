import Crypto
import Synchronization

/// A private key on a curve of swift-crypto.
final class SwiftCryptoECKey<Curve: SwiftCryptoCurve>: ECPrivateKeyEngine {
    private let scalar: SecretBytes
    private let signingKey: Curve.SigningKey
    // swift-crypto has a type of its own for key agreement; most keys never need it.
    private let agreementKey = Mutex<Curve.AgreementKey?>(nil)

    init(scalar: SecretBytes) throws(CryptoError) {
        guard let key = try? Curve.SigningKey(rawRepresentation: scalar) else {
            throw CryptoError(.invalidScalar, "the engine refuses the scalar")
        }
        self.scalar = scalar
        signingKey = key
    }

    /// The uncompressed point of the public key.
    var publicPoint: [UInt8] { [UInt8](signingKey.x963PublicKey) }

    func rawSignature(digest: UnsafeRawBufferPointer) throws(CryptoError) -> [UInt8] {
        do {
            return [UInt8](try signingKey.rawSignature(for: unsafe PrehashedDigest(digest)))
        } catch {
            throw CryptoError(.engineFailure, "the engine made no ECDSA signature", cause: error)
        }
    }

    func sharedSecret(with publicKey: [UInt8]) throws(CryptoError) -> SecretBytes {
        do {
            return SecretBytes(try ownAgreementKey().sharedSecret(withX963: publicKey))
        } catch {
            throw CryptoError(.engineFailure, "the engine made no shared secret", cause: error)
        }
    }

    private func ownAgreementKey() throws -> Curve.AgreementKey {
        try agreementKey.withLock { key in
            if let key { return key }
            let new = try Curve.AgreementKey(rawRepresentation: scalar)
            key = new
            return new
        }
    }
}
