public import CryptoCore

/// A party that may start sessions over HTTP.
public struct Requestor: Sendable {
    /// The way in which the server knows the requestor.
    public enum Authentication: Sendable {
        /// A shared token in the header `Authorization`.
        case token(SecretBytes)
        /// Signed requests: HS256 with a shared key.
        ///
        /// `allowsShortKey` takes a key of fewer than 32 bytes, against RFC 7518, for a requestor that has one.
        case hmac(SecretBytes, allowsShortKey: Bool = false)
        /// Signed requests: RS256, or ECDSA for a key on a curve.
        case publicKey(PublicKey)
    }

    /// The name, by which signed requests name their key.
    public let name: String
    /// The way in which the server knows the requestor.
    public let authentication: Authentication
    /// The permissions, beside those that all requestors have.
    public let permissions: RequestorPermissions

    /// Describes a requestor.
    public init(_ name: String, authentication: Authentication, permissions: RequestorPermissions = .none) {
        self.name = name
        self.authentication = authentication
        self.permissions = permissions
    }
}

/// The requestors of a server, and their permissions.
public struct RequestorRegistry: Sendable {
    /// The requestors; nil if everyone who reaches the server is one.
    let requestors: [Requestor]?
    /// The permissions that every requestor has.
    public let permissions: RequestorPermissions
    /// The largest age of a signed request in seconds: 300 by default.
    public let maximumRequestAge: Int64
    /// Indicates that permissions to issue and revoke need the issuer's private key; `true` by default.
    public let requiresPrivateKeys: Bool

    /// Requestors that authenticate themselves; by default there are none, and sessions are started in the process.
    ///
    /// - Parameters:
    ///   - requestors: The requestors; their names and tokens differ.
    ///   - permissions: The permissions that every requestor has.
    ///   - maximumRequestAge: The largest age of a signed request in seconds.
    ///   - requiresPrivateKeys: Indicates that permissions to issue and revoke need the issuer's private key.
    public init(
        _ requestors: [Requestor] = [],
        permissions: RequestorPermissions = .none,
        maximumRequestAge: Int64 = 300,
        requiresPrivateKeys: Bool = true
    ) {
        self.init(requestors: requestors, permissions, maximumRequestAge, requiresPrivateKeys)
    }

    private init(
        requestors: [Requestor]?,
        _ permissions: RequestorPermissions,
        _ maximumRequestAge: Int64,
        _ requiresPrivateKeys: Bool
    ) {
        self.requestors = requestors
        self.permissions = permissions
        self.maximumRequestAge = maximumRequestAge
        self.requiresPrivateKeys = requiresPrivateKeys
    }

    /// Everyone who reaches the server, without authentication.
    public static func unauthenticated(
        permissions: RequestorPermissions,
        requiresPrivateKeys: Bool = true
    ) -> RequestorRegistry {
        RequestorRegistry(requestors: nil, permissions, 300, requiresPrivateKeys)
    }

    /// The requestor with a name, or nil.
    func requestor(_ name: String) -> Requestor? { requestors?.first { $0.name.hasSameBytes(as: name) } }
}
