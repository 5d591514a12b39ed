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
