extension ContextTable {
    /// Data Integrity, first version.
    static let dataIntegrityV1 = ContextTable(isProtected: true, dataIntegrityV1Terms)

    /// The terms of the context itself.
    static let dataIntegrityV1Terms: [TermRow] = [
        .id,
        .type,
        .entry("proof", .security, type: .id, container: .graph),
        .entry("DataIntegrityProof", .security, context: .protected(dataIntegrityProofMembersV1)),
    ]

    /// The members of `DataIntegrityProof`.
    static let dataIntegrityProofMembersV1: [TermRow] = [
        .id,
        .type,
        .term("challenge", .security),
        .entry("created", .dublinCore, type: .dateTime),
        .term("domain", .security),
        .entry("expires", .security, "expiration", type: .dateTime),
        .term("nonce", .security),
        .entry("proofPurpose", .security, type: .vocab, context: .protected(TermRow.proofPurposes)),
        .term("cryptosuite", .security),
        .entry("proofValue", .security, type: .multibase),
        .entry("verificationMethod", .security, type: .id),
    ]

    /// Data Integrity 1.0.
    static let dataIntegrityV2 = ContextTable(isProtected: true, dataIntegrityV2Terms)

    /// The terms of the context itself.
    static let dataIntegrityV2Terms: [TermRow] = [
        .id,
        .type,
        .entry("proof", .security, type: .id, container: .graph),
        .entry("DataIntegrityProof", .security, context: .protected(TermRow.dataIntegrityProofMembers)),
    ]

    /// Keys of the type `Multikey`.
    static let multikeyV1 = ContextTable(isProtected: true, multikeyV1Terms)

    /// The terms of the context itself.
    static let multikeyV1Terms: [TermRow] = [
        .id,
        .type,
        .entry("Multikey", .security, context: .protected(multikeyMembersV1)),
    ]

    /// The members of `Multikey`.
    static let multikeyMembersV1: [TermRow] = [
        .id,
        .type,
        .entry("controller", .security, type: .id),
        .entry("revoked", .security, type: .dateTime),
        .entry("expires", .security, "expiration", type: .dateTime),
        .entry("publicKeyMultibase", .security, type: .multibase),
        .entry("secretKeyMultibase", .security, type: .multibase),
    ]

    /// Keys of the type `JsonWebKey`.
    static let jwkV1 = ContextTable(isProtected: true, jwkV1Terms)

    /// The terms of the context itself.
    static let jwkV1Terms: [TermRow] = [
        .id,
        .type,
        .entry("JsonWebKey", .security, context: .protected(jsonWebKeyMembersV1)),
    ]

    /// The members of `JsonWebKey`.
    static let jsonWebKeyMembersV1: [TermRow] = [
        .id,
        .type,
        .entry("controller", .security, type: .id),
        .entry("revoked", .security, type: .dateTime),
        .entry("expires", .security, "expiration", type: .dateTime),
        .entry("publicKeyJwk", .security, type: .json),
        .entry("secretKeyJwk", .security, type: .json),
    ]
}
