extension ContextTable {
    /// Verifiable Credentials Data Model 1.1.
    static let credentialsV1 = ContextTable(isProtected: true, hasVersion: true, credentialsV1Terms)

    /// The terms of the context itself.
    static let credentialsV1Terms: [TermRow] = [
        .id,
        .type,
        .entry(
            "VerifiableCredential",
            .credentials,
            context: .protected(verifiableCredentialMembersV1, hasVersion: true)
        ),
        .entry(
            "VerifiablePresentation",
            .credentials,
            context: .protected(verifiablePresentationMembersV1, hasVersion: true)
        ),
        .entry(
            "EcdsaSecp256k1Signature2019",
            .security,
            context: .protected(TermRow.signatureMembersV1, hasVersion: true)
        ),
        .entry(
            "EcdsaSecp256r1Signature2019",
            .security,
            context: .protected(TermRow.signatureMembersV1, hasVersion: true)
        ),
        .entry("Ed25519Signature2018", .security, context: .protected(TermRow.signatureMembersV1, hasVersion: true)),
        .entry("RsaSignature2018", .security, context: .protected(rsaSignature2018MembersV1, hasVersion: true)),
        .entry("proof", .security, type: .id, container: .graph),
    ]

    /// The members of `credentialSchema`.
    static let credentialSchemaMembersV1: [TermRow] = [
        .id,
        .type,
        .term("cred", .none, "https://www.w3.org/2018/credentials#"),
        .term("JsonSchemaValidator2018", .cred),
    ]

    /// The members of `refreshService`.
    static let refreshServiceMembersV1: [TermRow] = [
        .id,
        .type,
        .term("cred", .none, "https://www.w3.org/2018/credentials#"),
        .term("ManualRefreshService2018", .cred),
    ]

    /// The members of `VerifiableCredential`.
    static let verifiableCredentialMembersV1: [TermRow] = [
        .id,
        .type,
        .term("cred", .none, "https://www.w3.org/2018/credentials#"),
        .term("sec", .none, "https://w3id.org/security#"),
        .term("xsd", .none, "http://www.w3.org/2001/XMLSchema#"),
        .entry("credentialSchema", .cred, type: .id, context: .protected(credentialSchemaMembersV1, hasVersion: true)),
        .entry("credentialStatus", .cred, type: .id),
        .entry("credentialSubject", .cred, type: .id),
        .entry("evidence", .cred, type: .id),
        .entry("expirationDate", .cred, type: .xsdDateTime),
        .entry("holder", .cred, type: .id),
        .entry("issued", .cred, type: .xsdDateTime),
        .entry("issuer", .cred, type: .id),
        .entry("issuanceDate", .cred, type: .xsdDateTime),
        .entry("proof", .sec, type: .id, container: .graph),
        .entry("refreshService", .cred, type: .id, context: .protected(refreshServiceMembersV1, hasVersion: true)),
        .entry("termsOfUse", .cred, type: .id),
        .entry("validFrom", .cred, type: .xsdDateTime),
        .entry("validUntil", .cred, type: .xsdDateTime),
    ]

    /// The members of `VerifiablePresentation`.
    static let verifiablePresentationMembersV1: [TermRow] = [
        .id,
        .type,
        .term("cred", .none, "https://www.w3.org/2018/credentials#"),
        .term("sec", .none, "https://w3id.org/security#"),
        .entry("holder", .cred, type: .id),
        .entry("proof", .sec, type: .id, container: .graph),
        .entry("verifiableCredential", .cred, type: .id, container: .graph),
    ]

    /// The members of `RsaSignature2018`.
    static let rsaSignature2018MembersV1: [TermRow] = [
        .term("challenge", .sec),
        .entry("created", .dublinCore, type: .xsdDateTime),
        .term("domain", .sec),
        .entry("expires", .sec, "expiration", type: .xsdDateTime),
        .term("jws", .sec),
        .term("nonce", .sec),
        .entry("proofPurpose", .sec, type: .vocab, context: .protected(TermRow.proofPurposesV1, hasVersion: true)),
        .term("proofValue", .sec),
        .entry("verificationMethod", .sec, type: .id),
    ]
}
