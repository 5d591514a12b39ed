extension DERValue {
    /// OBJECT IDENTIFIER.
    static func objectIdentifier(_ identifier: OID) -> DERValue {
        .primitive(tag: DERReader.Tag.objectIdentifier, Array(identifier.encodedBytes))
    }

    /// BOOLEAN.
    static func boolean(_ value: Bool) -> DERValue {
        .primitive(tag: DERReader.Tag.boolean, [value ? 0xff : 0x00])
    }

    /// OCTET STRING.
    static func octetString(_ octets: some Collection<UInt8>) -> DERValue {
        .primitive(tag: DERReader.Tag.octetString, Array(octets))
    }

    /// INTEGER of a number that is not negative.
    static func integer(_ value: Int) -> DERValue {
        .unsignedInteger((0..<8).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) })
    }

    /// `[number]` around other elements.
    static func context(_ number: UInt8, _ members: [DERValue]) -> DERValue {
        .constructed(tag: DERReader.Tag.context(number), members)
    }

    /// `[number]` in place of the tag of something primitive.
    static func context(_ number: UInt8, _ contents: some Collection<UInt8>) -> DERValue {
        .primitive(tag: DERReader.Tag.primitiveContext(number), Array(contents))
    }

    /// SET OF: the elements in ascending order of their encodings (X.690, 11.6).
    static func set(of elements: [DERValue]) -> DERValue {
        let encoded = elements.map(\.encoded).sorted { $0.lexicographicallyPrecedes($1) }
        return .constructed(tag: DERReader.Tag.set, encoded.map { .encoded($0) })
    }

    /// BIT STRING with named bits: bit 0 is the first one written; zeros at the end are left out (X.690, 11.2.2).
    static func namedBits(_ bits: UInt16, tag: UInt8 = DERReader.Tag.bitString) -> DERValue {
        let count = 16 - bits.leadingZeroBitCount
        var octets = [UInt8](repeating: 0, count: (count + 7) / 8)
        for bit in 0..<count where bits & 1 << bit != 0 { octets[bit / 8] |= 0x80 >> (bit % 8) }
        return .primitive(tag: tag, [UInt8(octets.count * 8 - count)] + octets)
    }

    /// Time as RFC 5280, 4.1.2.5 demands it: UTCTime through 2049, GeneralizedTime before 1950 and from 2050 on.
    static func time(_ time: CalendarTime) -> DERValue {
        guard (1950..<2050).contains(time.year) else { return generalizedTime(time) }
        return .primitive(tag: DERReader.Tag.utcTime, Array(time.digits.dropFirst(2)))
    }

    /// GeneralizedTime as RFC 5280 has it: `YYYYMMDDHHMMSSZ`.
    static func generalizedTime(_ time: CalendarTime) -> DERValue {
        .primitive(tag: DERReader.Tag.generalizedTime, time.digits)
    }
}

extension CalendarTime {
    /// `YYYYMMDDHHMMSSZ`.
    fileprivate var digits: [UInt8] {
        var digits: [UInt8] = []
        for field in [year / 100, year % 100, month, day, hour, minute, second] {
            digits.append(0x30 + UInt8(field / 10))
            digits.append(0x30 + UInt8(field % 10))
        }
        return digits + [UInt8(ascii: "Z")]
    }
}
