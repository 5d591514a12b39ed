extension SignatureAlgorithm {
    private static let pssIdentifier: [UInt8] = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x0a]
    private static let mgf1Identifier: [UInt8] = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x08]

    /// Reads id-RSASSA-PSS with RSASSA-PSS-params (RFC 4055, 3.1); nil for parameters that this module does not know.
    static func pss(_ bytes: ArraySlice<UInt8>) throws(CryptoError) -> SignatureAlgorithm? {
        var outer = DERReader(bytes)
        var identifier = try outer.readSequence()
        guard try identifier.read(DERReader.Tag.objectIdentifier).elementsEqual(pssIdentifier) else { return nil }
        var parameters = try identifier.readSequence()
        try identifier.finish()
        let hash = try parameters.nextIfPresent(DERReader.Tag.context(0)).map(hashFunction) ?? .sha1
        let mgf = try parameters.nextIfPresent(DERReader.Tag.context(1)).map(maskGenerationHash) ?? .sha1
        let saltLength = try parameters.nextIfPresent(DERReader.Tag.context(2)).map(number) ?? 20
        let trailer = try parameters.nextIfPresent(DERReader.Tag.context(3)).map(number) ?? 1
        try parameters.finish()
        guard let hash, let mgf, trailer == 1, saltLength <= 1024 else { return nil }
        return SignatureAlgorithm(.rsaPSS(hash, mgf: mgf, saltLength: saltLength))
    }

    /// id-RSASSA-PSS with its parameters, defaults left out as DER demands.
    static func pssIdentifier(_ hash: HashAlgorithm, mgf: HashAlgorithm, saltLength: Int) -> [UInt8] {
        var parameters: [DERValue] = []
        if hash != .sha1 { parameters.append(.context(0, [identifier(of: hash)])) }
        if mgf != .sha1 {
            parameters.append(.context(1, [.sequence([.objectIdentifier(mgf1Identifier), identifier(of: mgf)])]))
        }
        if saltLength != 20 { parameters.append(.context(2, [.integer(saltLength)])) }
        return DERValue.sequence([.objectIdentifier(pssIdentifier), .sequence(parameters)]).encoded
    }

    private static func number(_ tagged: DERElement) throws(CryptoError) -> Int {
        var reader = tagged.reader
        let number = try reader.next(DERReader.Tag.integer, "number").smallNumber("number")
        try reader.finish()
        return number
    }

    private static func maskGenerationHash(_ tagged: DERElement) throws(CryptoError) -> HashAlgorithm? {
        var reader = tagged.reader
        let identifier = try reader.next(DERReader.Tag.sequence, "maskGenAlgorithm")
        try reader.finish()
        var members = identifier.reader
        guard try members.read(DERReader.Tag.objectIdentifier).elementsEqual(mgf1Identifier) else { return nil }
        return try hashFunction(&members)
    }

    private static func hashFunction(_ tagged: DERElement) throws(CryptoError) -> HashAlgorithm? {
        var reader = tagged.reader
        return try hashFunction(&reader)
    }

    private static func hashFunction(_ reader: inout DERReader) throws(CryptoError) -> HashAlgorithm? {
        var identifier = try reader.readSequence()
        try reader.finish()
        let id = try identifier.read(DERReader.Tag.objectIdentifier)
        // Parameters are NULL or absent, and both are accepted (RFC 4055, 2.1).
        if let null = try identifier.readIfPresent(DERReader.Tag.null), !null.isEmpty { return nil }
        try identifier.finish()
        return hashIdentifiers.first { $0.id.elementsEqual(id) }?.hash
    }

    private static func identifier(of hash: HashAlgorithm) -> DERValue {
        .sequence([.objectIdentifier(hashIdentifiers.first { $0.hash == hash }?.id ?? []), .null])
    }

    private static let hashIdentifiers: [(hash: HashAlgorithm, id: [UInt8])] = [
        (.sha1, [0x2b, 0x0e, 0x03, 0x02, 0x1a]),
        (.sha256, [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01]),
        (.sha384, [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x02]),
        (.sha512, [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x03]),
    ]
}
