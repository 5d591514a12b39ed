/// The identifier of the issuer's key that signed a certificate (RFC 5280, 4.2.1.1).
public struct AuthorityKeyIdentifier: Hashable, Sendable {
    /// The subjectKeyIdentifier of the issuer's certificate, or nil.
    public let keyIdentifier: ArraySlice<UInt8>?

    /// The issuer of the issuer's certificate, or nil; there only together with ``authorityCertificateSerialNumber``.
    public let authorityCertificateIssuer: GeneralNames?

    /// The serial number of the issuer's certificate as big-endian bytes in two's complement, or nil.
    public let authorityCertificateSerialNumber: ArraySlice<UInt8>?

    init(keyIdentifier: [UInt8]) {
        self.keyIdentifier = keyIdentifier[...]
        authorityCertificateIssuer = nil
        authorityCertificateSerialNumber = nil
    }
}

extension AuthorityKeyIdentifier: EncodableExtensionValue {
    init(from reader: inout DERReader) throws(CryptoError) {
        var sequence = try reader.enter(DERReader.Tag.sequence, "AuthorityKeyIdentifier")
        keyIdentifier = try sequence.readIfPresent(DERReader.Tag.primitiveContext(0))
        let issuer = try sequence.nextIfPresent(DERReader.Tag.context(1))
        authorityCertificateIssuer = try issuer.map { element throws(CryptoError) in
            try GeneralNames(contentsOf: element.reader)
        }
        authorityCertificateSerialNumber = try sequence.readIfPresent(DERReader.Tag.primitiveContext(2))
        try sequence.finish()
        guard (issuer == nil) == (authorityCertificateSerialNumber == nil) else {
            throw sequence.failure("authorityCertIssuer and authorityCertSerialNumber only go together")
        }
    }

    var derValue: DERValue {
        let identifier: [DERValue] = keyIdentifier.map { [.context(0, $0)] } ?? []
        let issuer: [DERValue] = authorityCertificateIssuer.map { [.context(1, $0.derValues)] } ?? []
        let serialNumber: [DERValue] = authorityCertificateSerialNumber.map { [.context(2, $0)] } ?? []
        return .sequence(identifier + issuer + serialNumber)
    }
}
