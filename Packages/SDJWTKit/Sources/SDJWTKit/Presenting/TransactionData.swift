import CryptoCore
import JOSEKit
import JSONKit

/// The transaction that a holder authorizes with a presentation: the entries of `transaction_data` that name the
/// credential (OpenID4VP 1.0, section B.3.3).
public struct TransactionData: Hashable, Sendable {
    /// The entries: strings as received, in the order of the request.
    public var entries: [String]

    /// The hash function that is named in the Key Binding JWT; nil for SHA-256 where the request names none.
    public var hashAlgorithm: SDHashAlgorithm?

    /// Takes the entries of a request.
    ///
    /// - Parameters:
    ///   - entries: The strings as received, of which nothing is decoded.
    ///   - hashAlgorithm: One of those in `transaction_data_hashes_alg`, or nil if the request has no such member.
    public init(_ entries: [String], hashAlgorithm: SDHashAlgorithm? = nil) {
        self.entries = entries
        self.hashAlgorithm = hashAlgorithm
    }

    static let hashesClaim = "transaction_data_hashes"
    static let algorithmClaim = "transaction_data_hashes_alg"

    /// The hashes of the entries in base64url.
    func hashes() throws(SDJWTError) -> [String] {
        let hash = try (hashAlgorithm ?? .sha256).requireHash()
        return entries.map { Base64URL.encode(hash.digest(of: Array($0.utf8))) }
    }

    /// The members of a Key Binding JWT.
    func claims() throws(SDJWTError) -> [JSONObject.Member] {
        var claims: [JSONObject.Member] = [(Self.hashesClaim, .array(try hashes().map { .string($0) }))]
        if let hashAlgorithm { claims.append((Self.algorithmClaim, .string(hashAlgorithm.rawValue))) }
        return claims
    }
}
