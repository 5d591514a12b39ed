extension DERElement {
    /// The contents of an INTEGER of any size and sign: at least one octet, in the shortest form.
    func integer(_ name: StaticString) throws(CryptoError) -> ArraySlice<UInt8> {
        guard let first = contents.first else { throw error("\(name) is empty") }
        guard contents.count > 1 else { return contents }
        let sign = contents[contents.startIndex + 1] & 0x80
        guard !(first == 0x00 && sign == 0), !(first == 0xff && sign != 0) else {
            throw error("\(name) is not in its shortest form")
        }
        return contents
    }

    /// An INTEGER or ENUMERATED as a number from 0 to 2^31 − 1.
    func smallNumber(_ name: StaticString) throws(CryptoError) -> Int {
        let octets = try integer(name)
        guard octets.first.map({ $0 & 0x80 == 0 }) == true, octets.count <= 4 else {
            throw error("\(name) is negative or too large")
        }
        return octets.reduce(0) { $0 << 8 | Int($1) }
    }

    /// A BOOLEAN: 00 or FF.
    func boolean(_ name: StaticString) throws(CryptoError) -> Bool {
        guard contents.count == 1 else { throw error("\(name) is not one octet long") }
        switch contents.first {
        case 0x00: return false
        case 0xff: return true
        default: throw error("\(name) is neither 00 nor FF")
        }
    }

    /// An OBJECT IDENTIFIER.
    func objectIdentifier(_ name: StaticString) throws(CryptoError) -> OID {
        guard contents.count <= OID.maximumEncodedLength else {
            throw CryptoError(.limitExceeded, "\(name) is too long", offset: start)
        }
        guard OID.isWellFormed(contents) else { throw error("\(name) is not an object identifier") }
        return OID(checked: contents)
    }

    /// The octets of a BIT STRING; the bits that are unused in the last one are zero.
    func bits(_ name: StaticString) throws(CryptoError) -> ArraySlice<UInt8> {
        guard let unused = contents.first else { throw error("\(name) is empty") }
        let octets = contents.dropFirst()
        guard unused < 8, unused == 0 || !octets.isEmpty else {
            throw error("\(name) has a wrong count of unused bits")
        }
        if let last = octets.last, last & (1 << unused - 1) != 0 {
            throw error("\(name) has unused bits that are not zero")
        }
        return octets
    }
}
