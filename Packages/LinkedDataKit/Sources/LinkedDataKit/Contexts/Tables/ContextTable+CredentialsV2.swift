extension ContextTable {
    /// Verifiable Credentials Data Model 2.0.
    static let credentialsV2 = ContextTable(isProtected: true, credentialsV2Terms)

    /// The terms of the context itself.
    static let credentialsV2Terms: [TermRow] = [
        .id,
        .type,
        .term("description", .schema),
        .entry("digestMultibase", .security, type: .multibase),
        .entry("digestSRI", .credentials, type: .sri),
        .entry("mediaType", .schema, "encodingFormat"),
        .term("name", .schema),
        .entry("VerifiableCredential", .credentials, context: .protected(verifiableCredentialMembersV2)),
        .term("EnvelopedVerifiableCredential", .credentials),
        .entry("VerifiablePresentation", .credentials, context: .protected(verifiablePresentationMembersV2)),
        .term("EnvelopedVerifiablePresentation", .credentials),
        .term("JsonSchemaCredential", .credentials),
        .entry("JsonSchema", .credentials, context: .protected(jsonSchemaMembersV2)),
        .term("BitstringStatusListCredential", .status),
        .entry("BitstringStatusList", .status, context: .protected(bitstringStatusListMembersV2)),
        .entry("BitstringStatusListEntry", .status, context: .protected(bitstringStatusListEntryMembersV2)),
        .entry("DataIntegrityProof", .security, context: .protected(TermRow.dataIntegrityProofMembers)),
        .entry("...", .jwt),
        .entry("_sd", .jwt, type: .json),
        .entry("_sd_alg", .jwt),
        .entry("aud", .jwt, type: .id),
        .entry("cnf", .jwt, context: .protected(cnfMembersV2)),
        .entry("exp", .jwt, type: .nonNegativeInteger),
        .entry("iat", .jwt, type: .nonNegativeInteger),
        .entry("iss", .jose, type: .id),
        .entry("jku", .jose, type: .id),
        .entry("kid", .jose, type: .id),
        .entry("nbf", .jwt, type: .nonNegativeInteger),
        .entry("sub", .jose, type: .id),
        .entry("x5u", .jose, type: .id),
    ]

    /// The members of `VerifiableCredential`.
    static let verifiableCredentialMembersV2: [TermRow] = [
        .id,
        .type,
        .entry("confidenceMethod", .credentials, type: .id),
        .entry("credentialSchema", .credentials, type: .id),
        .entry("credentialStatus", .credentials, type: .id),
        .entry("credentialSubject", .credentials, type: .id),
        .term("description", .schema),
        .entry("evidence", .credentials, type: .id),
        .entry("issuer", .credentials, type: .id),
        .term("name", .schema),
        .entry("proof", .security, type: .id, container: .graph),
        .entry("refreshService", .credentials, type: .id),
        .entry("relatedResource", .credentials, type: .id),
        .entry("renderMethod", .credentials, type: .id),
        .entry("termsOfUse", .credentials, type: .id),
        .entry("validFrom", .credentials, type: .dateTime),
        .entry("validUntil", .credentials, type: .dateTime),
    ]

    /// The members of `VerifiablePresentation`.
    static let verifiablePresentationMembersV2: [TermRow] = [
        .id,
        .type,
        .entry("holder", .credentials, type: .id),
        .entry("proof", .security, type: .id, container: .graph),
        .entry("termsOfUse", .credentials, type: .id),
        .entry("verifiableCredential", .credentials, type: .id, container: .graph, context: .null),
    ]

    /// The members of `JsonSchema`.
    static let jsonSchemaMembersV2: [TermRow] = [
        .id,
        .type,
        .entry("jsonSchema", .credentials, type: .json),
    ]

    /// The members of `BitstringStatusList`.
    static let bitstringStatusListMembersV2: [TermRow] = [
        .id,
        .type,
        .entry("encodedList", .status, type: .multibase),
        .term("statusPurpose", .status),
        .term("ttl", .status),
    ]

    /// The members of `statusMessage`.
    static let statusMessageMembersV2: [TermRow] = [
        .id,
        .type,
        .term("message", .status),
        .term("status", .status),
    ]

    /// The members of `BitstringStatusListEntry`.
    static let bitstringStatusListEntryMembersV2: [TermRow] = [
        .id,
        .type,
        .entry("statusListCredential", .status, type: .id),
        .term("statusListIndex", .status),
        .term("statusPurpose", .status),
        .entry("statusMessage", .status, context: .protected(statusMessageMembersV2)),
        .entry("statusReference", .status, type: .id),
        .entry("statusSize", .status, type: .integer),
    ]

    /// The members of `cnf`.
    static let cnfMembersV2: [TermRow] = [
        .entry("kid", .jwt, type: .id),
        .entry("jwk", .jwt, type: .json),
    ]
}
