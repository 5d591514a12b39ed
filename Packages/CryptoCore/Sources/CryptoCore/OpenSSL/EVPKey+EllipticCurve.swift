#if OpenSSL
import CCryptoCoreOpenSSL

extension EVPKey {
    /// A public key on a Weierstrass curve from its uncompressed point, or nil if the point is not on the curve.
    convenience init?(_ curve: EllipticCurve, point: [UInt8]) {
        unsafe self.init { unsafe cryptocore_ec_key(curve.name, point, point.count, nil, 0) }
    }

    /// A key pair on a Weierstrass curve from its uncompressed point and its scalar.
    convenience init?(_ curve: EllipticCurve, point: [UInt8], scalar: SecretBytes) {
        unsafe self.init {
            unsafe scalar.withUnsafeBytes { scalar in
                let bytes = unsafe scalar.octets
                return unsafe cryptocore_ec_key(curve.name, point, point.count, bytes, scalar.count)
            }
        }
    }

    /// A public key on Ed448 or X448 from its raw form.
    convenience init?(_ curve: EllipticCurve, raw: [UInt8]) {
        unsafe self.init { unsafe EVP_PKEY_new_raw_public_key_ex(nil, curve.name, nil, raw, raw.count) }
    }

    /// A private key on Ed448 or X448 from its raw form.
    convenience init?(_ curve: EllipticCurve, secret: SecretBytes) {
        unsafe self.init {
            unsafe secret.withUnsafeBytes { secret in
                let bytes = unsafe secret.octets
                return unsafe EVP_PKEY_new_raw_private_key_ex(nil, curve.name, nil, bytes, secret.count)
            }
        }
    }

    /// The raw public key of a key on Ed448 or X448.
    func rawPublicKey(size: Int) -> [UInt8]? {
        withOwnErrorQueue {
            var bytes = [UInt8](repeating: 0, count: size)
            var count = size
            guard unsafe EVP_PKEY_get_raw_public_key(pointer, &bytes, &count) == 1, count == size else { return nil }
            return bytes
        }
    }

    /// The secret that this private key shares with a public key of the same curve.
    ///
    /// The peer's point was checked when it was imported, so that libcrypto need not multiply it by the order again.
    func sharedSecret(with peer: EVPKey, size: Int) throws(CryptoError) -> SecretBytes {
        try unsafe SecretBytes(count: size) { (target) throws(CryptoError) in
            let start = unsafe target.baseAddress?.assumingMemoryBound(to: UInt8.self)
            let count = unsafe withContext { context -> Int? in
                var count = size
                guard unsafe EVP_PKEY_derive_init(context) == 1,
                    unsafe EVP_PKEY_derive_set_peer_ex(context, peer.pointer, 0) == 1,
                    unsafe EVP_PKEY_derive(context, start, &count) == 1
                else { return nil }
                return count
            }
            guard count == size else { throw CryptoError(.smallOrderPoint, "the key agreement has no result") }
        }
    }
}
#endif
