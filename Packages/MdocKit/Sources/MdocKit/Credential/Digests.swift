import CBORKit
public import CryptoCore

/// The number that leads from an issuer-signed item to its digest: below 2^31, unique in its namespace.
///
/// One that was read can be larger where ``MdocTolerance/largeDigestID`` is tolerated.
public struct DigestID: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The number.
    public let value: UInt32

    /// The number in decimal.
    public var description: String { "\(value)" }

    /// Orders by number.
    public static func < (left: DigestID, right: DigestID) -> Bool { left.value < right.value }
}

extension DigestID {
    /// Wraps a number; nil if it is not below 2^31.
    public init?(_ value: some BinaryInteger) {
        guard let value = UInt32(exactly: value), value < 1 << 31 else { return nil }
        self.value = value
    }

    /// Reads a number, which may be large: the caller sees to it that this is tolerated.
    init(_ view: CBORView) throws(MdocError) {
        guard let value = UInt32(exactly: try cbor(view.integer(as: UInt64.self))) else {
            throw MdocError(.invalidValue, Self.limit, at: view)
        }
        self.value = value
    }

    /// The rule for the number.
    static let limit = "a digestID must be below 2^31 (ISO/IEC 18013-5, 9.1.2.4; second edition, 12.3.4)"

    /// Indicates that the number is beyond what the standard allows.
    var isLarge: Bool { value >= 1 << 31 }
}

/// The hash function of a mobile security object, by its name (ISO/IEC 18013-5, 12.3.5); an open set.
public struct DigestAlgorithm: ExactName {
    /// The name as it travels, such as `SHA-256`.
    public let text: String

    /// Names an algorithm.
    public init(_ text: String) {
        self.text = text
    }

    /// SHA-256.
    public static let sha256: DigestAlgorithm = "SHA-256"
    /// SHA-384.
    public static let sha384: DigestAlgorithm = "SHA-384"
    /// SHA-512.
    public static let sha512: DigestAlgorithm = "SHA-512"

    /// The function, or nil for a name that the standard does not have.
    public var hash: HashAlgorithm? {
        switch self {
        case .sha256: .sha256
        case .sha384: .sha384
        case .sha512: .sha512
        default: nil
        }
    }
}
