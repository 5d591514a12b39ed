import CryptoCore
import IRMAMessages
import JOSEKit
import JSONKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A token that a wallet signed with its device's key (ES256), not verified yet.
struct DeviceToken<Claims: IRMAMessage>: Sendable {
    private let token: JWT

    /// The claims, for finding the account or the key.
    let unverifiedClaims: Claims

    /// Reads a token.
    ///
    /// - Throws: A `RemoteError`: `INVALID_REQUEST`.
    init(_ text: String) throws(RemoteError) {
        let limits = JOSELimits(size: 16_384, depth: 8, values: 64)
        guard text.utf8.count <= limits.size, let token = try? JWT(compact: text, limits: limits),
            let payload = token.jws.unverifiedPayload,
            let claims = try? Claims(decoding: payload, limits: JSONLimits(size: limits.size, depth: limits.depth))
        else { throw .invalid("the token cannot be read") }
        self.token = token
        unverifiedClaims = claims
    }

    /// The claims, if the token is signed with a key and valid now; nil otherwise.
    func verifiedClaims(with key: PublicKey, at time: Date) -> Claims? {
        let verification = token.verify(
            with: .publicKey(key),
            policy: [.es256],
            claims: JWTClaimsPolicy(type: .any, audience: .any, clockSkew: 0, maximumNesting: 1),
            at: time
        )
        // The payload that was verified is the one that was read.
        return verification.verified == nil ? nil : unverifiedClaims
    }

    /// Indicates that the token is signed with a key, whether it is valid now or not.
    func isSigned(with key: PublicKey) -> Bool {
        (try? token.jws.verify(with: key, policy: [.es256])) != nil
    }
}

extension RemoteError {
    /// A request that cannot be processed, or is not authentic.
    static func invalid(_ message: String) -> RemoteError { RemoteError(.invalidRequest, message: message) }
}
