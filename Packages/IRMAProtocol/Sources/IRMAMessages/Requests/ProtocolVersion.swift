public import JSONKit

/// A version of the protocol: a major and a minor number.
public struct ProtocolVersion: Hashable, Comparable, IRMAMessage, CustomStringConvertible {
    /// The first number.
    public let major: UInt16
    /// The second number.
    public let minor: UInt16

    /// Names a version.
    public init(_ major: UInt16, _ minor: UInt16) {
        self.major = major
        self.minor = minor
    }

    /// Requests in the older form.
    public static let v2_4 = ProtocolVersion(2, 4)
    /// Conjunctions of disjunctions of conjunctions.
    public static let v2_5 = ProtocolVersion(2, 5)
    /// Proofs of non-revocation.
    public static let v2_6 = ProtocolVersion(2, 6)
    /// Chained sessions; answers to a wallet are objects.
    public static let v2_7 = ProtocolVersion(2, 7)
    /// Pairing, and authorization of the wallet.
    public static let v2_8 = ProtocolVersion(2, 8)
    /// The newest version that wallets name, for the keyshare protocol without P in U.
    public static let v2_9 = ProtocolVersion(2, 9)

    /// Reads `2.8`, as headers have it; wallets that put it in quotes are read, too.
    ///
    /// - Throws: ``IRMAError/Code/malformed``.
    public init(_ text: some StringProtocol) throws(IRMAError) {
        var text = Substring(text)
        if text.utf8.count > 2, text.hasPrefix("\""), text.hasSuffix("\"") { text = text.dropFirst().dropLast() }
        let numbers = text.split(separator: ".", omittingEmptySubsequences: false).map { number in
            number.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? UInt16(number) : nil
        }
        guard numbers.count == 2, let major = numbers[0], let minor = numbers[1] else {
            throw IRMAError(.malformed, "a version is two numbers with a period between them")
        }
        self.init(major, minor)
    }

    /// Orders by the major number, then by the minor one.
    public static func < (left: ProtocolVersion, right: ProtocolVersion) -> Bool {
        (left.major, left.minor) < (right.major, right.minor)
    }

    /// The numbers with a period between them.
    public var description: String { "\(major).\(minor)" }

    /// Reads the version from a string.
    public init(json: JSONValue) throws(IRMAError) {
        try self.init(json.text())
    }

    /// The version as a string.
    public func json() -> JSONValue { .string(description) }
}
