/// An address of the Internet Protocol, version 4 or 6.
///
/// ```swift
/// let address = IPAddress("2001:db8::1")
/// address?.kind   // .documentation
/// ```
public enum IPAddress: Hashable, Sendable {
    /// Version 4: the four octets, the first in the highest bits.
    case v4(UInt32)
    /// Version 6: the eight groups, the first in the highest bits.
    case v6(UInt128)

    /// Reads the text form of an address, in one spelling only per version.
    ///
    /// Version 4 is four decimal numbers without leading zeros (RFC 3986 section 3.2.2): no octal, no hexadecimal, no
    /// shortened form. Version 6 is the text of RFC 4291 section 2.2, without a zone.
    public init?(_ text: some StringProtocol) {
        let bytes = Array(text.utf8)
        if let address = Self.version4(bytes[...]) {
            self = .v4(address)
        } else if let address = Self.version6(bytes) {
            self = .v6(address)
        } else {
            return nil
        }
    }
}

extension IPAddress: CustomStringConvertible {
    /// The address as text: RFC 5952 for version 6.
    public var description: String {
        switch self {
        case .v4(let bits): Self.dotted(bits)
        case .v6(let bits): Self.grouped(bits)
        }
    }

    private static func dotted(_ bits: UInt32) -> String {
        "\(bits >> 24).\(bits >> 16 & 0xff).\(bits >> 8 & 0xff).\(bits & 0xff)"
    }

    /// Lower case, no leading zeros, the longest run of at least two zero groups as `::` (RFC 5952 section 4).
    private static func grouped(_ bits: UInt128) -> String {
        if bits >> 32 == 0xffff { return "::ffff:" + dotted(UInt32(truncatingIfNeeded: bits)) }
        let groups = (0..<8).map { UInt16(truncatingIfNeeded: bits >> UInt128(112 - 16 * $0)) }
        let run = longestRunOfZeros(in: groups)
        let head = groups[..<run.lowerBound].map { String($0, radix: 16) }.joined(separator: ":")
        guard run.count >= 2 else { return groups.map { String($0, radix: 16) }.joined(separator: ":") }
        return head + "::" + groups[run.upperBound...].map { String($0, radix: 16) }.joined(separator: ":")
    }

    private static func longestRunOfZeros(in groups: [UInt16]) -> Range<Int> {
        var longest = 0..<0
        var start = 0
        for index in groups.indices {
            if groups[index] != 0 {
                start = index + 1
            } else if index + 1 - start > longest.count {
                longest = start..<index + 1
            }
        }
        return longest
    }
}
