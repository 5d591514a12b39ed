/// The content of an extension that this module can read.
protocol ExtensionValue: Hashable, Sendable {
    /// Reads the content; leftovers after it are refused by the caller.
    init(from reader: inout DERReader) throws(CryptoError)
}

/// The content of an extension that this module can write too.
protocol EncodableExtensionValue: ExtensionValue {
    var derValue: DERValue { get }
}

extension ExtensionValue {
    /// Reads the content of an extension.
    init(_ id: OID, _ value: ArraySlice<UInt8>) throws(CryptoError) {
        var reader = DERReader(value)
        do throws(CryptoError) {
            try self.init(from: &reader)
            try reader.finish()
        } catch {
            throw error.inside(CertificateExtension.name(of: id))
        }
    }
}

/// One extension of a certificate, a revocation list or an entry of one, as encoded.
public struct CertificateExtension: Hashable, Sendable {
    /// The identifier of the extension.
    public let id: OID

    /// Indicates that a reader that does not know the extension must refuse the certificate or list.
    public let isCritical: Bool

    /// The content of extnValue: the DER of the extension's own structure.
    public let value: ArraySlice<UInt8>

    /// Puts an extension together from its DER, for writing.
    public init(id: OID, isCritical: Bool, value: some Collection<UInt8>) {
        self.init(id: id, isCritical: isCritical, slice: Array(value)[...])
    }

    init(id: OID, isCritical: Bool, slice: ArraySlice<UInt8>) {
        self.id = id
        self.isCritical = isCritical
        self.value = slice
    }

    init(_ id: OID, _ value: some EncodableExtensionValue, isCritical: Bool) {
        self.init(id: id, isCritical: isCritical, slice: value.derValue.encoded[...])
    }

    var derValue: DERValue {
        let critical: [DERValue] = isCritical ? [.boolean(true)] : []
        return .sequence([.objectIdentifier(id)] + critical + [.octetString(value)])
    }
}

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
