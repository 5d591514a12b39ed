extension CertificateExtension {
    /// The extension's name in RFC 5280, or its object identifier where it has none there.
    public var name: String { Self.name(of: id) }

    static func name(of id: OID) -> String { names[id] ?? id.description }

    private static let names: [OID: String] = [
        .subjectKeyIdentifier: "subjectKeyIdentifier", .keyUsage: "keyUsage",
        .subjectAlternativeName: "subjectAltName", .issuerAlternativeName: "issuerAltName",
        .basicConstraints: "basicConstraints", .crlNumber: "cRLNumber", .crlReason: "cRLReasons",
        .invalidityDate: "invalidityDate", .deltaCRLIndicator: "deltaCRLIndicator",
        .issuingDistributionPoint: "issuingDistributionPoint", .certificateIssuer: "certificateIssuer",
        .nameConstraints: "nameConstraints", .crlDistributionPoints: "cRLDistributionPoints",
        .certificatePolicies: "certificatePolicies", .policyMappings: "policyMappings",
        .authorityKeyIdentifier: "authorityKeyIdentifier", .policyConstraints: "policyConstraints",
        .extendedKeyUsage: "extKeyUsage", .freshestCRL: "freshestCRL", .inhibitAnyPolicy: "inhibitAnyPolicy",
    ]
}
