/// The reserved purpose of an address that does not belong to a host on the public Internet: an open set.
///
/// An ``AddressGuard`` refuses every kind that it does not explicitly allow.
public struct AddressKind: Hashable, Sendable, CustomStringConvertible {
    /// The kind's name, as in the source.
    public let description: String

    private init(_ name: String) {
        description = name
    }

    /// This host on this network, and no address at all: `0.0.0.0/8`, `::`.
    public static let unspecified = AddressKind("unspecified")
    /// The machine itself: `127.0.0.0/8`, `::1`.
    public static let loopback = AddressKind("loopback")
    /// Private networks (RFC 1918).
    public static let privateUse = AddressKind("privateUse")
    /// Unique local addresses, the private networks of version 6 (RFC 4193), and their predecessor, site-local ones.
    public static let uniqueLocal = AddressKind("uniqueLocal")
    /// The network between a provider and its customers, "carrier-grade NAT" (RFC 6598).
    public static let sharedAddressSpace = AddressKind("sharedAddressSpace")
    /// One link (RFC 3927, RFC 4291).
    public static let linkLocal = AddressKind("linkLocal")
    /// The metadata service of a cloud, which gives a machine's secrets to any program on it.
    public static let metadataService = AddressKind("metadataService")
    /// Many receivers at once.
    public static let multicast = AddressKind("multicast")
    /// Everyone on the link.
    public static let broadcast = AddressKind("broadcast")
    /// Examples in texts (RFC 5737, RFC 3849, RFC 9637).
    public static let documentation = AddressKind("documentation")
    /// Measurements of devices (RFC 2544, RFC 5180).
    public static let benchmarking = AddressKind("benchmarking")
    /// Addresses of version 4 in version 6 by deprecated tunnels (6to4, Teredo, compatible addresses), and by
    /// translation inside one network.
    public static let transition = AddressKind("transition")
    /// Set aside for protocols or for later.
    public static let reserved = AddressKind("reserved")
}

extension IPAddress {
    /// The reserved purpose of the address, or nil for one that a host on the public Internet may have.
    ///
    /// Two forms of version 6 stand for the address of version 4 that the packets finally reach, and are judged as that
    /// address: the mapped form `::ffff:0:0/96`, and `64:ff9b::/96`, by which networks without version 4 reach the rest
    /// (RFC 6052).
    public var kind: AddressKind? {
        switch embeddedVersion4 ?? self {
        case .v4(let bits):
            return SpecialAddresses.version4.first { $0.contains(bits) }?.kind
        case .v6(let bits):
            if let block = SpecialAddresses.version6.first(where: { $0.contains(bits) }) { return block.kind }
            return SpecialAddresses.globalUnicast.contains(bits) ? nil : .reserved
        }
    }

    private var embeddedVersion4: IPAddress? {
        guard case .v6(let bits) = self else { return nil }
        let prefix = bits >> 32
        guard prefix == 0xffff || prefix == 0x0064_ff9b << 64 else { return nil }
        return .v4(UInt32(truncatingIfNeeded: bits))
    }
}
