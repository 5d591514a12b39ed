/// The equivalent policies of the issuer and the subject (RFC 5280, 4.2.1.5).
public struct PolicyMappings: Hashable, Sendable {
    /// One pair of policies that the issuer takes for equivalent.
    public struct Mapping: Hashable, Sendable {
        /// issuerDomainPolicy.
        public let issuerDomainPolicy: OID
        /// subjectDomainPolicy.
        public let subjectDomainPolicy: OID
    }

    /// The pairs in the order of the encoding.
    public let mappings: [Mapping]
}

extension PolicyMappings: ExtensionValue {
    init(from reader: inout DERReader) throws(CryptoError) {
        var sequence = try reader.enter(DERReader.Tag.sequence, "PolicyMappings")
        guard !sequence.isAtEnd else { throw sequence.failure("PolicyMappings is empty") }
        var mappings: [Mapping] = []
        while !sequence.isAtEnd {
            var pair = try sequence.enter(DERReader.Tag.sequence, "PolicyMapping")
            let issuer = try pair.readObjectIdentifier("issuerDomainPolicy")
            let subject = try pair.readObjectIdentifier("subjectDomainPolicy")
            try pair.finish()
            mappings.append(Mapping(issuerDomainPolicy: issuer, subjectDomainPolicy: subject))
        }
        self.mappings = mappings
    }
}
