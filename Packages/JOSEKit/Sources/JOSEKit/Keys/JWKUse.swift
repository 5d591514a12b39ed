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
