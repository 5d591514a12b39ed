import CryptoCore
import SDJWTKit

/// Keys of DIDs that are known beforehand.
struct FixedKeys: DIDKeyResolver {
    let keys: [String: PublicKey]

    func key(for url: String) throws(SDJWTError) -> PublicKey {
        guard let key = keys[url] else { throw SDJWTError(.issuerKeyNotFound, "no key \(url)") }
        return key
    }
}
