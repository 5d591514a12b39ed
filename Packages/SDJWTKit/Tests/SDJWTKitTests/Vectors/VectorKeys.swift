import CryptoCore
import Foundation
import JOSEKit
import JSONKit
import SDJWTKit
import Testing

/// The keys that the cases of a vector file share.
enum VectorKeys {
    /// The public part of a key in a file.
    static func publicKey(_ value: JSONValue?) throws -> PublicKey {
        let value = try #require(value)
        return try #require(JWK(json: value).publicJWK).publicKey()
    }

    /// A time at which an SD-JWT must be valid: when its Key Binding JWT was made, or else when it was issued.
    static func time(of sdJWT: SDJWT) throws -> Date {
        for jwt in [sdJWT.keyBindingJWT, sdJWT.issuerSignedJWT] {
            guard let payload = jwt?.unverifiedPayload else { continue }
            let claims = try JWTClaims(decoding: payload)
            if let issued = try claims.issuedAt() { return issued }
        }
        return Date(timeIntervalSince1970: 1_700_000_000)
    }
}
