import CryptoCore
import JOSEKit
import SDJWTKit

/// Keys of DIDs that are known beforehand, for one relationship.
struct FixedKeys: DIDKeyResolver {
    let keys: [String: PublicKey]
    var relationship = VerificationRelationship.assertionMethod

    func key(for url: String, relationship: VerificationRelationship) throws(SDJWTError) -> JWK {
        guard relationship == self.relationship, let key = keys[url], let jwk = try? JWK(key) else {
            throw SDJWTError(.issuerKeyNotFound, "no key \(url) for \(relationship.rawValue)")
        }
        return jwk
    }
}
