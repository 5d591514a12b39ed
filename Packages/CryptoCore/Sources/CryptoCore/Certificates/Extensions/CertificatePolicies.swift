/// The policies under which a certificate was issued, without their qualifiers (RFC 5280, 4.2.1.4).
public struct CertificatePolicies: Hashable, Sendable {
    /// The policies in the order of the encoding; each policy occurs once.
    public let policies: [OID]

    /// The first policy qualifier of a kind that RFC 5280 does not define, or nil.
    let unknownQualifier: OID?

    init(_ policies: [OID], unknownQualifier: OID? = nil) {
        self.policies = policies
        self.unknownQualifier = unknownQualifier
    }

    /// Compares the policies.
    public static func == (left: CertificatePolicies, right: CertificatePolicies) -> Bool {
        left.policies == right.policies
    }

    /// Hashes the policies.
    public func hash(into hasher: inout Hasher) { hasher.combine(policies) }
}

extension CertificatePolicies: EncodableExtensionValue {
    init(from reader: inout DERReader) throws(CryptoError) {
        var sequence = try reader.enter(DERReader.Tag.sequence, "CertificatePolicies")
        guard !sequence.isAtEnd else { throw sequence.failure("CertificatePolicies is empty") }
        var policies: [OID] = []
        var seen: Set<OID> = []
        var unknownQualifier: OID?
        while !sequence.isAtEnd {
            var information = try sequence.enter(DERReader.Tag.sequence, "PolicyInformation")
            let policy = try information.readObjectIdentifier("policyIdentifier")
            // Qualifiers are for people: they stay in the extension's value, and only their kinds are looked at.
            if let qualifiers = try information.nextIfPresent(DERReader.Tag.sequence) {
                let kind = try Self.unknownQualifier(among: qualifiers)
                unknownQualifier = unknownQualifier ?? kind
            }
            try information.finish()
            guard seen.insert(policy).inserted else { throw sequence.failure("duplicate policy \(policy)") }
            policies.append(policy)
        }
        self.init(policies, unknownQualifier: unknownQualifier)
    }

    private static func unknownQualifier(among qualifiers: DERElement) throws(CryptoError) -> OID? {
        var reader = qualifiers.reader
        guard !reader.isAtEnd else { throw reader.failure("policyQualifiers is empty") }
        var unknown: OID?
        while !reader.isAtEnd {
            var information = try reader.enter(DERReader.Tag.sequence, "PolicyQualifierInfo")
            let kind = try information.readObjectIdentifier("policyQualifierId")
            _ = try information.next("qualifier")
            try information.finish()
            if kind != .practiceStatement, kind != .userNotice { unknown = unknown ?? kind }
        }
        return unknown
    }

    var derValue: DERValue { .sequence(policies.map { .sequence([.objectIdentifier($0)]) }) }
}

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
