/// The constraints on the policies of the certificates below an authority (RFC 5280, 4.2.1.11).
struct PolicyConstraints: Hashable, Sendable {
    /// requireExplicitPolicy: the number of certificates below that need no acceptable policy; nil for no demand.
    let requireExplicitPolicy: Int?

    /// inhibitPolicyMapping: the number of certificates below whose mappings count; nil for no limit.
    let inhibitPolicyMapping: Int?
}

extension PolicyConstraints: ExtensionValue {
    init(from reader: inout DERReader) throws(CryptoError) {
        var sequence = try reader.enter(DERReader.Tag.sequence, "PolicyConstraints")
        let explicit = try sequence.nextIfPresent(DERReader.Tag.primitiveContext(0))
        let mapping = try sequence.nextIfPresent(DERReader.Tag.primitiveContext(1))
        try sequence.finish()
        guard explicit != nil || mapping != nil else { throw sequence.failure("PolicyConstraints is empty") }
        requireExplicitPolicy = try explicit.map { element throws(CryptoError) in
            try element.smallNumber("requireExplicitPolicy")
        }
        inhibitPolicyMapping = try mapping.map { element throws(CryptoError) in
            try element.smallNumber("inhibitPolicyMapping")
        }
    }
}

/// The number of certificates below an authority in which anyPolicy still counts (RFC 5280, 4.2.1.14).
struct InhibitAnyPolicy: Hashable, Sendable {
    /// SkipCerts.
    let skippedCertificates: Int
}

extension InhibitAnyPolicy: ExtensionValue {
    init(from reader: inout DERReader) throws(CryptoError) {
        skippedCertificates = try reader.next(DERReader.Tag.integer, "InhibitAnyPolicy").smallNumber("SkipCerts")
    }
}
