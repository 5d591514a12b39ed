public import JOSEKit

/// Several DID methods, of which the DID names one.
///
/// ```swift
/// let resolver = DIDMethods([
///     "key": DIDKeyMethod(), "jwk": DIDJWKMethod(), "web": DIDWebMethod(transport: transport),
/// ])
/// ```
public struct DIDMethods: DIDKeyResolver {
    private let methods: [String: any DIDKeyResolver]

    /// Makes a resolver.
    ///
    /// - Parameter methods: A resolver for each name of a method, such as `web`.
    public init(_ methods: [String: any DIDKeyResolver]) {
        self.methods = methods
    }

    /// The methods that nothing is fetched for: `key` and `jwk`.
    public static let local = DIDMethods(["key": DIDKeyMethod(), "jwk": DIDJWKMethod()])

    /// The key of a verification method.
    ///
    /// - Throws: ``SDJWTError`` with code ``SDJWTError/Code/invalidDID``, ``SDJWTError/Code/unsupportedDID`` for a method that
    ///   there is no resolver for, and what that resolver throws.
    public func key(
        for url: String,
        relationship: VerificationRelationship
    ) async throws(SDJWTError) -> JWK {
        let method = try DIDURL(url).method
        guard let resolver = methods[method] else {
            throw SDJWTError(.unsupportedDID, "there is no resolver for the method \(method)", path: ["did"])
        }
        return try await resolver.key(for: url, relationship: relationship)
    }
}
