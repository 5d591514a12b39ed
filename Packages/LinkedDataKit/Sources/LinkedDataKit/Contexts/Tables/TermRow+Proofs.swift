extension TermRow {
    /// The purposes of a proof.
    static let proofPurposes: [TermRow] = [
        .entry("assertionMethod", .security, type: .id, container: .set),
        .entry("authentication", .security, "authenticationMethod", type: .id, container: .set),
        .entry("capabilityDelegation", .security, "capabilityDelegationMethod", type: .id, container: .set),
        .entry("capabilityInvocation", .security, "capabilityInvocationMethod", type: .id, container: .set),
        .id,
        .entry("keyAgreement", .security, "keyAgreementMethod", type: .id, container: .set),
        .type,
    ]

    /// The purposes of a proof in the context of the data model 1.1.
    static let proofPurposesV1: [TermRow] = [
        .entry("assertionMethod", .sec, type: .id, container: .set),
        .entry("authentication", .sec, "authenticationMethod", type: .id, container: .set),
        .id,
        .term("sec", .none, "https://w3id.org/security#"),
        .type,
    ]

    /// The members of a signature suite in the context of the data model 1.1.
    static let signatureMembersV1: [TermRow] = [
        .term("challenge", .sec),
        .entry("created", .dublinCore, type: .xsdDateTime),
        .term("domain", .sec),
        .entry("expires", .sec, "expiration", type: .xsdDateTime),
        .id,
        .term("jws", .sec),
        .term("nonce", .sec),
        .entry("proofPurpose", .sec, type: .vocab, context: .protected(proofPurposesV1, hasVersion: true)),
        .term("proofValue", .sec),
        .term("sec", .none, "https://w3id.org/security#"),
        .type,
        .entry("verificationMethod", .sec, type: .id),
        .term("xsd", .none, "http://www.w3.org/2001/XMLSchema#"),
    ]

    /// The members of a Data Integrity proof.
    static let dataIntegrityProofMembers: [TermRow] = [
        .term("challenge", .security),
        .entry("created", .dublinCore, type: .dateTime),
        .entry("cryptosuite", .security, type: .cryptosuite),
        .term("domain", .security),
        .entry("expires", .security, "expiration", type: .dateTime),
        .id,
        .term("nonce", .security),
        .entry("previousProof", .security, type: .id),
        .entry("proofPurpose", .security, type: .vocab, context: .protected(proofPurposes)),
        .entry("proofValue", .security, type: .multibase),
        .type,
        .entry("verificationMethod", .security, type: .id),
    ]
}
