/// The kind of an error that ends a session on the wallet's side, by the name that wallets report: an open set.
public struct ClientErrorKind: Hashable, Sendable, CustomStringConvertible {
    /// The name in lower camel case.
    public let name: String

    /// Names a kind.
    public init(_ name: String) {
        self.name = name
    }

    /// The name.
    public var description: String { name }

    /// Server and wallet have no version in common.
    public static let protocolVersionNotSupported = ClientErrorKind("protocolVersionNotSupported")
    /// The server could not be reached.
    public static let transport = ClientErrorKind("transport")
    /// The URL of the session is not https.
    public static let https = ClientErrorKind("https")
    /// A signed request does not verify.
    public static let invalidJWT = ClientErrorKind("invalidJwt")
    /// The pointer names an unknown kind of session.
    public static let unknownAction = ClientErrorKind("unknownAction")
    /// A proof or a signature could not be made, or does not verify.
    public static let crypto = ClientErrorKind("crypto")
    /// A witness is missing, superfluous or invalid.
    public static let revocation = ClientErrorKind("revocation")
    /// The user did not confirm the pairing.
    public static let pairingRejected = ClientErrorKind("pairingRejected")
    /// The server did not accept the proofs.
    public static let rejected = ClientErrorKind("rejected")
    /// A message could not be written or read.
    public static let serialization = ClientErrorKind("serialization")
    /// The keyshare server failed.
    public static let keyshare = ClientErrorKind("keyshare")
    /// The user is not enrolled at the scheme's keyshare server.
    public static let keyshareUnenrolled = ClientErrorKind("keyshareUnenrolled")
    /// The server answered with an error.
    public static let api = ClientErrorKind("api")
    /// The server's answer has no meaning.
    public static let serverResponse = ClientErrorKind("serverResponse")
    /// The request names an unknown scheme, issuer, type or attribute.
    public static let unknownIdentifier = ClientErrorKind("unknownIdentifier")
    /// The request lacks an attribute of a credential to be issued.
    public static let requiredAttributeMissing = ClientErrorKind("requiredAttributeMissing")
    /// A scheme could not be fetched.
    public static let configurationDownload = ClientErrorKind("configurationDownload")
    /// The scheme is unknown.
    public static let unknownSchemeManager = ClientErrorKind("unknownSchemeManager")
    /// The scheme is invalid.
    public static let invalidSchemeManager = ClientErrorKind("invalidSchemeManager")
    /// The request breaks a rule of the protocol.
    public static let invalidRequest = ClientErrorKind("invalidRequest")
    /// A failure inside the wallet.
    public static let panic = ClientErrorKind("panic")
    /// Server and wallet disagree about the random-blind attributes.
    public static let randomBlind = ClientErrorKind("randomblind")
}
