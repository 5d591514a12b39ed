import JSONKit

/// The names of the members that hold a private or symmetric part (RFC 7518, section 6).
enum JWKMembers {
    /// The numbers of an RSA key that belong together, in the order of PKCS #1.
    static let chineseRemainder = ["p", "q", "dp", "dq", "qi"]

    /// Every member that is secret.
    static let secret = ["d"] + chineseRemainder + ["oth", "k"]
}

/// The family of a key: a value of `kty` (RFC 7518, section 6.1; RFC 8037).
public enum JWKType: String, Hashable, Sendable, CustomStringConvertible {
    /// A point with two coordinates on an elliptic curve: ECDSA and ECDH.
    case ec = "EC"
    /// An octet key pair: EdDSA, X25519 and X448.
    case okp = "OKP"
    /// An RSA key.
    case rsa = "RSA"
    /// A symmetric key.
    case oct = "oct"

    /// The value of `kty`.
    public var description: String { rawValue }
}

/// The intended use of a public key: a value of `use` (RFC 7517, section 4.2), of an open set.
public struct JWKUse: RawRepresentable, Hashable, Sendable {
    /// The value; letter case matters.
    public let rawValue: String

    /// A use by its value, known or not.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Signatures and MACs.
    public static let signature = JWKUse(rawValue: "sig")
    /// Encryption and key agreement.
    public static let encryption = JWKUse(rawValue: "enc")

    /// Returns `true` if the values have the same bytes.
    public static func == (left: JWKUse, right: JWKUse) -> Bool {
        left.rawValue.hasSameBytes(as: right.rawValue)
    }

    /// Feeds the bytes of the value.
    public func hash(into hasher: inout Hasher) {
        for byte in rawValue.utf8 { hasher.combine(byte) }
    }
}

/// The metadata members of a JWK, beside its numbers (RFC 7517, section 4).
struct JWKAttributes: Sendable {
    var keyType: JWKType
    var keyID: String?
    var use: JWKUse?
    var keyOperations: Set<JWKOperation>?
    var algorithm: String?
    var certificateChain: [[UInt8]]?
}

extension JWKAttributes {
    /// Reads the members that every key may have.
    init(_ members: JSONObject, limits: JOSELimits) throws(JOSEError) {
        guard let name = try members.text("kty") else {
            throw JOSEError(.invalidKey, "a key needs the member", path: ["kty"])
        }
        guard let keyType = JWKType(rawValue: name), keyType.rawValue.hasSameBytes(as: name) else {
            throw JOSEError(.unsupportedKey, "a key type that is not implemented", path: ["kty"])
        }
        self.keyType = keyType
        keyID = try members.text("kid")
        use = try members.text("use").map { JWKUse(rawValue: $0) }
        algorithm = try members.text("alg")
        keyOperations = try members["key_ops"].map { value throws(JOSEError) in try Self.operations(value) }
        certificateChain = try CertificateMembers.chain(in: members, limits: limits)
        try requireAgreement()
    }

    private static func operations(_ value: JSONValue) throws(JOSEError) -> Set<JWKOperation> {
        guard let elements = value.arrayValue else {
            throw JOSEError(.invalidKey, "key_ops is a list of texts", path: ["key_ops"])
        }
        var operations: Set<JWKOperation> = []
        for element in elements {
            guard let name = element.stringValue, operations.insert(JWKOperation(rawValue: name)).inserted else {
                throw JOSEError(.invalidKey, "key_ops is a list of distinct texts", path: ["key_ops"])
            }
        }
        return operations
    }

    /// Checks that `use` and `key_ops` agree if both are present (RFC 7517, section 4.3).
    private func requireAgreement() throws(JOSEError) {
        guard let use, let keyOperations else { return }
        guard keyOperations.allSatisfy({ $0.use == nil || $0.use == use }) else {
            throw JOSEError(.invalidKey, "use and key_ops contradict each other", path: ["key_ops"])
        }
    }
}

extension JSONObject {
    /// A member that is a text, or nil if it is absent.
    func text(_ name: String) throws(JOSEError) -> String? {
        guard let value = self[name] else { return nil }
        guard let text = value.stringValue else { throw JOSEError(.invalidKey, "\(name) is not a text", path: [name]) }
        return text
    }
}
