extension DistinguishedName {
    /// The first commonName (CN), or nil.
    public var commonName: String? { firstValue(of: .commonName) }
    /// The first countryName (C): two letters of ISO 3166-1, or nil.
    public var countryName: String? { firstValue(of: .countryName) }
    /// The first stateOrProvinceName (ST), or nil.
    public var stateOrProvinceName: String? { firstValue(of: .stateOrProvinceName) }
    /// The first localityName (L), or nil.
    public var localityName: String? { firstValue(of: .localityName) }
    /// The first organizationName (O), or nil.
    public var organizationName: String? { firstValue(of: .organizationName) }
    /// The first organizationalUnitName (OU), or nil.
    public var organizationalUnitName: String? { firstValue(of: .organizationalUnitName) }
    /// The first serialNumber of the subject, or nil.
    ///
    /// It has nothing to do with the certificate's serial number.
    public var serialNumber: String? { firstValue(of: .serialNumberAttribute) }
    /// The first organizationIdentifier, or nil.
    public var organizationIdentifier: String? { firstValue(of: .organizationIdentifier) }
    /// The first emailAddress (PKCS #9), or nil.
    public var emailAddress: String? { firstValue(of: .emailAddress) }
}
