import CryptoCore

/// An algorithm that a JWS is signed or authenticated with: a value of `alg` (RFC 7518, section 3).
///
/// An open set: a name that this library does not know can be read, named and refused. Two algorithms are the same where
/// their names have the same bytes.
public struct JWSAlgorithm: RawRepresentable, Hashable, Sendable {
    /// An algorithm that is implemented costs nothing to copy and to compare.
    private enum Form: Sendable {
        /// The place among the algorithms that are implemented.
        case implemented(Int)
        case other(String)
    }

    private let form: Form

    /// The name; letter case matters.
    public var rawValue: String {
        switch form {
        case .implemented(let number): Self.names[number]
        case .other(let name): name
        }
    }

    /// The place among the algorithms that are implemented; nil for others.
    var number: Int? {
        if case .implemented(let number) = form { number } else { nil }
    }

    /// The algorithm of a name, known or not.
    public init(rawValue: String) {
        let number = Self.code(of: rawValue).flatMap { Self.codes.firstIndex(of: $0) }
        form = number.map { .implemented($0) } ?? .other(rawValue)
    }

    /// The bytes of a name of at most seven in one number, after a byte that tells where they start; nil for longer names.
    private static func code(of name: String) -> UInt64? {
        name.utf8.count <= 7 ? name.utf8.reduce(1) { $0 << 8 | UInt64($1) } : nil
    }

    /// The names of the algorithms that are implemented, all of which are short, so that looking for one is quick.
    private static let codes = names.map { code(of: $0) }

    /// Indicates that this library implements the algorithm.
    public var isSupported: Bool { primitive != nil }

    /// Returns `true` if the names have the same bytes.
    public static func == (left: JWSAlgorithm, right: JWSAlgorithm) -> Bool {
        switch (left.form, right.form) {
        case (.implemented(let left), .implemented(let right)): left == right
        case (.other(let left), .other(let right)): left.hasSameBytes(as: right)
        default: false
        }
    }

    /// Feeds the number, or the bytes of a name that has none.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(number)
        guard number == nil else { return }
        var name = rawValue
        name.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

extension JWSAlgorithm: CustomStringConvertible {
    /// The name for people, with invisible characters escaped.
    public var description: String { rawValue.escapedForDisplay() }
}

extension JWSAlgorithm {
    /// HMAC with SHA-256.
    public static let hs256 = JWSAlgorithm(rawValue: "HS256")
    /// HMAC with SHA-384.
    public static let hs384 = JWSAlgorithm(rawValue: "HS384")
    /// HMAC with SHA-512.
    public static let hs512 = JWSAlgorithm(rawValue: "HS512")
    /// RSASSA-PKCS1-v1_5 with SHA-256.
    public static let rs256 = JWSAlgorithm(rawValue: "RS256")
    /// RSASSA-PKCS1-v1_5 with SHA-384.
    public static let rs384 = JWSAlgorithm(rawValue: "RS384")
    /// RSASSA-PKCS1-v1_5 with SHA-512.
    public static let rs512 = JWSAlgorithm(rawValue: "RS512")
    /// RSASSA-PSS with SHA-256, also in MGF1, and a salt of 32 bytes.
    public static let ps256 = JWSAlgorithm(rawValue: "PS256")
    /// RSASSA-PSS with SHA-384, also in MGF1, and a salt of 48 bytes.
    public static let ps384 = JWSAlgorithm(rawValue: "PS384")
    /// RSASSA-PSS with SHA-512, also in MGF1, and a salt of 64 bytes.
    public static let ps512 = JWSAlgorithm(rawValue: "PS512")
    /// ECDSA on P-256 with SHA-256.
    public static let es256 = JWSAlgorithm(rawValue: "ES256")
    /// ECDSA on P-384 with SHA-384.
    public static let es384 = JWSAlgorithm(rawValue: "ES384")
    /// ECDSA on P-521 with SHA-512.
    public static let es512 = JWSAlgorithm(rawValue: "ES512")
    /// ECDSA on secp256k1 with SHA-256 (RFC 8812).
    public static let es256K = JWSAlgorithm(rawValue: "ES256K")
    /// EdDSA on Ed25519 or Ed448, as the key says (RFC 8037).
    public static let edDSA = JWSAlgorithm(rawValue: "EdDSA")
    /// EdDSA on Ed25519 (RFC 9864).
    public static let ed25519 = JWSAlgorithm(rawValue: "Ed25519")
    /// EdDSA on Ed448 (RFC 9864).
    public static let ed448 = JWSAlgorithm(rawValue: "Ed448")

    /// Every algorithm that this library implements.
    public static let all: [JWSAlgorithm] = [
        .hs256, .hs384, .hs512, .rs256, .rs384, .rs512, .ps256, .ps384, .ps512, .es256, .es384, .es512, .es256K, .edDSA,
        .ed25519, .ed448,
    ]
}
