extension DistinguishedName {
    /// The first commonName (CN), or nil.
    public var commonName: String? { values(of: .commonName).first }
    /// The first countryName (C): two letters of ISO 3166-1, or nil.
    public var countryName: String? { values(of: .countryName).first }
    /// The first stateOrProvinceName (ST), or nil.
    public var stateOrProvinceName: String? { values(of: .stateOrProvinceName).first }
    /// The first localityName (L), or nil.
    public var localityName: String? { values(of: .localityName).first }
    /// The first organizationName (O), or nil.
    public var organizationName: String? { values(of: .organizationName).first }
    /// The first organizationalUnitName (OU), or nil.
    public var organizationalUnitName: String? { values(of: .organizationalUnitName).first }
    /// The first serialNumber of the subject, or nil.
    ///
    /// It has nothing to do with the certificate's serial number.
    public var serialNumber: String? { values(of: .serialNumberAttribute).first }
    /// The first organizationIdentifier, or nil.
    public var organizationIdentifier: String? { values(of: .organizationIdentifier).first }
    /// The first emailAddress (PKCS #9), or nil.
    public var emailAddress: String? { values(of: .emailAddress).first }
}
