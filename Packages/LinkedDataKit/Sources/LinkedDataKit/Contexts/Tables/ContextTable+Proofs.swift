extension ContextTable {
    /// The purposes of a proof.
    static let proofPurposes = ContextTable(
        isProtected: true,
        [
            .term("assertionMethod", .security, type: .id, container: .set),
            .term("authentication", .security, "authenticationMethod", type: .id, container: .set),
            .term("capabilityDelegation", .security, "capabilityDelegationMethod", type: .id, container: .set),
            .term("capabilityInvocation", .security, "capabilityInvocationMethod", type: .id, container: .set),
            .id,
            .term("keyAgreement", .security, "keyAgreementMethod", type: .id, container: .set),
            .type,
        ]
    )

    /// The purposes of a proof in the context of the data model 1.1.
    static let proofPurposesV1 = ContextTable(
        isProtected: true,
        hasVersion: true,
        [
            .term("assertionMethod", .sec, type: .id, container: .set),
            .term("authentication", .sec, "authenticationMethod", type: .id, container: .set),
            .id,
            .term("sec", .none, "https://w3id.org/security#"),
            .type,
        ]
    )

    /// The members of a signature suite in the context of the data model 1.1.
    static let signature = ContextTable(
        isProtected: true,
        hasVersion: true,
        [
            .term("challenge", .sec),
            .term("created", .dublinCore, type: .xsdDateTime),
            .term("domain", .sec),
            .term("expires", .sec, "expiration", type: .xsdDateTime),
            .id,
            .term("jws", .sec),
            .term("nonce", .sec),
            .term("proofPurpose", .sec, type: .vocab, context: .table(.proofPurposesV1)),
            .term("proofValue", .sec),
            .term("sec", .none, "https://w3id.org/security#"),
            .type,
            .term("verificationMethod", .sec, type: .id),
            .term("xsd", .none, "http://www.w3.org/2001/XMLSchema#"),
        ]
    )

    /// The members of a Data Integrity proof.
    static let dataIntegrityProof = ContextTable(
        isProtected: true,
        [
            .term("challenge", .security),
            .term("created", .dublinCore, type: .dateTime),
            .term("cryptosuite", .security, type: .cryptosuite),
            .term("domain", .security),
            .term("expires", .security, "expiration", type: .dateTime),
            .id,
            .term("nonce", .security),
            .term("previousProof", .security, type: .id),
            .term("proofPurpose", .security, type: .vocab, context: .table(.proofPurposes)),
            .term("proofValue", .security, type: .multibase),
            .type,
            .term("verificationMethod", .security, type: .id),
        ]
    )
}
