/// The outcome of one check of a token's type and claims.
public struct JWTCheck: Sendable {
    /// The name of a check: an open set.
    public struct Name: Hashable, Sendable, CustomStringConvertible {
        /// The name.
        public let description: String

        private init(_ name: String) {
            description = name
        }

        /// `typ` is one of the expected types.
        public static let type = Name("typ")
        /// Every required claim is there.
        public static let requiredClaims = Name("required claims")
        /// `iss` is one of the expected issuers.
        public static let issuer = Name("iss")
        /// `sub` is the expected subject.
        public static let subject = Name("sub")
        /// `aud` names the receiver.
        public static let audience = Name("aud")
        /// `nonce` is the expected one.
        public static let nonce = Name("nonce")
        /// `exp` has not passed.
        public static let expirationTime = Name("exp")
        /// `nbf` has come.
        public static let notBefore = Name("nbf")
        /// `iat` is not in the future, and not too long ago.
        public static let issuedAt = Name("iat")
    }

    /// The name of the check.
    public let name: Name

    /// The reason that it failed, or `nil` if it passed.
    public let failure: JOSEError?

    /// Whether it passed.
    public var hasPassed: Bool { failure == nil }
}
