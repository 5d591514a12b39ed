extension DistinguishedName {
    /// Makes a name of attributes, each in a relative name of its own, in the order given.
    public init(_ attributes: [NameAttribute]) {
        self.init(checked: DERValue.sequence(attributes.map { .set(of: [$0.derValue]) }).encoded[...])
    }

    /// Makes a name of its usual attributes; those that are nil are left out.
    ///
    /// - Parameters:
    ///   - countryName: C, two upper-case letters of ISO 3166-1.
    ///   - stateOrProvinceName: ST.
    ///   - localityName: L.
    ///   - organizationName: O.
    ///   - organizationalUnitName: OU.
    ///   - commonName: CN.
    ///   - serialNumber: The subject's serialNumber.
    /// - Throws: ``CryptoError`` with the code ``CryptoError/Code/invalidParameter`` for a text that is empty or cannot
    ///   be written in its attribute.
    public init(
        countryName: String? = nil,
        stateOrProvinceName: String? = nil,
        localityName: String? = nil,
        organizationName: String? = nil,
        organizationalUnitName: String? = nil,
        commonName: String? = nil,
        serialNumber: String? = nil
    ) throws(CryptoError) {
        let values: [(OID, String?)] = [
            (.countryName, countryName), (.stateOrProvinceName, stateOrProvinceName), (.localityName, localityName),
            (.organizationName, organizationName), (.organizationalUnitName, organizationalUnitName),
            (.commonName, commonName), (.serialNumberAttribute, serialNumber),
        ]
        var attributes: [NameAttribute] = []
        for case (let type, let text?) in values { attributes.append(try NameAttribute(type, text)) }
        self.init(attributes)
    }

    /// A name without attributes, as certificates have that name their subject by a subjectAltName only.
    public static let empty = DistinguishedName(checked: [0x30, 0x00])
}
