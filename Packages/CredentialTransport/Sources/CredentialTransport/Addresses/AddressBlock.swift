/// The addresses with a common prefix, and their reserved purpose.
struct AddressBlock<Bits: FixedWidthInteger & Sendable>: Sendable {
    let prefix: Bits
    let length: Int
    let kind: AddressKind

    init(_ prefix: Bits, _ length: Int, _ kind: AddressKind) {
        self.prefix = prefix
        self.length = length
        self.kind = kind
    }

    func contains(_ address: Bits) -> Bool {
        (address ^ prefix) >> Bits(Bits.bitWidth - length) == 0
    }
}

/// The IANA registries of special-purpose addresses (RFC 6890), and the metadata services of the large clouds, which stand
/// before the blocks that contain them: allowing link-local addresses must not allow those.
enum SpecialAddresses {
    static let version4: [AddressBlock<UInt32>] = [
        AddressBlock(0xa9fe_a9fe, 32, .metadataService),  // 169.254.169.254: AWS, Azure, Google, Oracle and others
        AddressBlock(0xa9fe_aa02, 32, .metadataService),  // 169.254.170.2: credentials of ECS tasks
        AddressBlock(0xa9fe_aa17, 32, .metadataService),  // 169.254.170.23: credentials of EKS pods
        AddressBlock(0xa83f_8110, 32, .metadataService),  // 168.63.129.16: Azure's platform, in public space
        AddressBlock(0x6464_64c8, 32, .metadataService),  // 100.100.100.200: Alibaba Cloud
        AddressBlock(0xc000_00c0, 32, .metadataService),  // 192.0.0.192: Oracle Cloud, classic
        AddressBlock(0x0000_0000, 8, .unspecified),
        AddressBlock(0x0a00_0000, 8, .privateUse),
        AddressBlock(0x6440_0000, 10, .sharedAddressSpace),
        AddressBlock(0x7f00_0000, 8, .loopback),
        AddressBlock(0xa9fe_0000, 16, .linkLocal),
        AddressBlock(0xac10_0000, 12, .privateUse),
        AddressBlock(0xc000_0000, 24, .reserved),  // IETF protocol assignments
        AddressBlock(0xc000_0200, 24, .documentation),
        AddressBlock(0xc058_6300, 24, .transition),  // relays of 6to4
        AddressBlock(0xc0a8_0000, 16, .privateUse),
        AddressBlock(0xc612_0000, 15, .benchmarking),
        AddressBlock(0xc633_6400, 24, .documentation),
        AddressBlock(0xcb00_7100, 24, .documentation),
        AddressBlock(0xe000_0000, 4, .multicast),
        AddressBlock(0xffff_ffff, 32, .broadcast),
        AddressBlock(0xf000_0000, 4, .reserved),
    ]

    static let version6: [AddressBlock<UInt128>] = [
        AddressBlock(0xfd00_0ec2_0000_0000_0000_0000_0000_0254, 128, .metadataService),  // AWS
        AddressBlock(0xfd00_0ec2_0000_0000_0000_0000_0000_0023, 128, .metadataService),  // EKS
        AddressBlock(0xfd20_00ce_0000_0000_0000_0000_0000_0254, 128, .metadataService),  // Google
        AddressBlock(0, 128, .unspecified),
        AddressBlock(1, 128, .loopback),
        AddressBlock(0, 96, .transition),  // IPv4-compatible
        AddressBlock(0xffff << 48, 96, .transition),  // IPv4-translated (RFC 2765)
        AddressBlock(0x0064_ff9b_0001 << 80, 48, .transition),  // translation inside one network (RFC 8215)
        AddressBlock(0x0100 << 112, 64, .reserved),  // discard-only
        AddressBlock(0x2001 << 112, 32, .transition),  // Teredo
        AddressBlock(0x2001_0002 << 96, 48, .benchmarking),
        AddressBlock(0x2001_0db8 << 96, 32, .documentation),
        AddressBlock(0x2001 << 112, 23, .reserved),  // IETF protocol assignments
        AddressBlock(0x2002 << 112, 16, .transition),  // 6to4
        AddressBlock(0x3fff << 112, 20, .documentation),
        AddressBlock(0xfc00 << 112, 7, .uniqueLocal),
        AddressBlock(0xfe80 << 112, 10, .linkLocal),
        AddressBlock(0xfec0 << 112, 10, .uniqueLocal),
        AddressBlock(0xff00 << 112, 8, .multicast),
    ]

    /// The only block that unicast addresses of the public Internet are assigned from (RFC 4291 section 2.4).
    static let globalUnicast = AddressBlock<UInt128>(0x2000 << 112, 3, .reserved)
}
