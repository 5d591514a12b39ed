public import CryptoCore
import JOSEKit
public import JSONKit

extension SDJWTDisclosure {
    /// The number of bytes of a salt that is recommended: 128 bits (RFC 9901, section 9.3).
    public static let recommendedSaltSize = 16

    /// Makes the Disclosure of a member of an object.
    ///
    /// - Throws: ``SDJWTError/Code/reservedClaimName`` for `_sd` and `...`.
    public init(
        name: String,
        value: JSONValue,
        saltSize: Int = recommendedSaltSize,
        using random: some RandomSource = .system
    ) throws(SDJWTError) {
        try ReservedName.refuse(name)
        try self.init([.string(Self.salt(saltSize, random)), .string(name), value])
    }

    /// Makes the Disclosure of an element of an array.
    public init(
        element value: JSONValue,
        saltSize: Int = recommendedSaltSize,
        using random: some RandomSource = .system
    ) throws(SDJWTError) {
        try self.init([.string(Self.salt(saltSize, random)), value])
    }

    private init(_ contents: [JSONValue]) throws(SDJWTError) {
        let text = Base64URL.encodedBytes(JSONValue.array(contents).encoded())
        try self.init(encodedBytes: text[...], limits: .making)
    }

    private static func salt(_ size: Int, _ random: some RandomSource) throws(SDJWTError) -> String {
        guard size >= recommendedSaltSize else {
            throw SDJWTError(.invalidValue, "a salt of \(size) bytes is shorter than \(recommendedSaltSize)")
        }
        return Base64URL.encode(random.bytes(size))
    }
}

extension SDJWTLimits {
    /// The limits for an issuer's own claims.
    static let making = SDJWTLimits(size: 16_000_000, disclosures: .max, depth: maximumDepth, values: 1_000_000)
}
