extension OID {
    /// The short name of an attribute type as RFC 4514 and common use have it, or the dotted form.
    var attributeName: String { Self.attributeNames[self] ?? description }

    private static let attributeNames: [OID: String] = [
        .commonName: "CN", .countryName: "C", .stateOrProvinceName: "ST", .localityName: "L", .organizationName: "O",
        .organizationalUnitName: "OU", .streetAddress: "STREET", .domainComponent: "DC",
        .serialNumberAttribute: "serialNumber", .surname: "SN", .givenName: "GN", .title: "title",
        .organizationIdentifier: "organizationIdentifier", .emailAddress: "emailAddress",
    ]
}
