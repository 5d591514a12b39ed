import JOSEKit
public import JSONKit

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The content of a Key Binding JWT, beside the hash of the presentation (RFC 9901, section 4.3).
public struct KeyBinding: Sendable {
    /// The audience of the presentation (`aud`).
    public var audience: String
    /// The verifier's nonce, which shows freshness.
    public var nonce: String
    /// When the Key Binding JWT is made (`iat`).
    public var issuedAt: Date
    /// The transaction data that the holder authorizes, or nil.
    public var transactionData: TransactionData?
    /// Further claims; those that this type knows cannot be among them.
    public var additionalClaims: JSONObject

    /// Sets the content of the Key Binding JWT.
    public init(
        audience: String,
        nonce: String,
        issuedAt: Date = Date(),
        transactionData: TransactionData? = nil,
        additionalClaims: JSONObject = JSONObject()
    ) {
        self.audience = audience
        self.nonce = nonce
        self.issuedAt = issuedAt
        self.transactionData = transactionData
        self.additionalClaims = additionalClaims
    }

    /// The value of `typ`.
    static let type = "kb+jwt"

    /// The claims.
    func claims(presentationHash: String) throws(SDJWTError) -> JSONObject {
        var claims: [JSONObject.Member] = [
            ("iat", .integer(try NumericDate.seconds(issuedAt))),
            ("aud", .string(audience)),
            ("nonce", .string(nonce)),
            ("sd_hash", .string(presentationHash)),
        ]
        if let transactionData { claims += try transactionData.claims() }
        var object = JSONObject(claims)
        for (name, value) in additionalClaims {
            guard !object.contains(name) else {
                throw SDJWTError(.duplicateClaim, "the claim \"\(name)\" is set already", path: ["KB-JWT"])
            }
            object[name] = value
        }
        return object
    }
}
