extension ContextTable {
    /// Verifiable Credentials Data Model 2.0.
    static let credentialsV2 = ContextTable(
        isProtected: true,
        [
            .id,
            .type,
            .term("description", .schema),
            .term("digestMultibase", .security, type: .multibase),
            .term("digestSRI", .credentials, type: .sri),
            .term("mediaType", .schema, "encodingFormat", type: nil),
            .term("name", .schema),
            .term(
                "VerifiableCredential",
                .credentials,
                type: nil,
                context: .table(
                    ContextTable(
                        isProtected: true,
                        [
                            .id,
                            .type,
                            .term("confidenceMethod", .credentials, type: .id),
                            .term("credentialSchema", .credentials, type: .id),
                            .term("credentialStatus", .credentials, type: .id),
                            .term("credentialSubject", .credentials, type: .id),
                            .term("description", .schema),
                            .term("evidence", .credentials, type: .id),
                            .term("issuer", .credentials, type: .id),
                            .term("name", .schema),
                            .term("proof", .security, type: .id, container: .graph),
                            .term("refreshService", .credentials, type: .id),
                            .term("relatedResource", .credentials, type: .id),
                            .term("renderMethod", .credentials, type: .id),
                            .term("termsOfUse", .credentials, type: .id),
                            .term("validFrom", .credentials, type: .dateTime),
                            .term("validUntil", .credentials, type: .dateTime),
                        ]
                    )
                )
            ),
            .term("EnvelopedVerifiableCredential", .credentials),
            .term(
                "VerifiablePresentation",
                .credentials,
                type: nil,
                context: .table(
                    ContextTable(
                        isProtected: true,
                        [
                            .id,
                            .type,
                            .term("holder", .credentials, type: .id),
                            .term("proof", .security, type: .id, container: .graph),
                            .term("termsOfUse", .credentials, type: .id),
                            .term("verifiableCredential", .credentials, type: .id, container: .graph, context: .null),
                        ]
                    )
                )
            ),
            .term("EnvelopedVerifiablePresentation", .credentials),
            .term("JsonSchemaCredential", .credentials),
            .term(
                "JsonSchema",
                .credentials,
                type: nil,
                context: .table(
                    ContextTable(
                        isProtected: true,
                        [
                            .id,
                            .type,
                            .term("jsonSchema", .credentials, type: .json),
                        ]
                    )
                )
            ),
            .term("BitstringStatusListCredential", .status),
            .term(
                "BitstringStatusList",
                .status,
                type: nil,
                context: .table(
                    ContextTable(
                        isProtected: true,
                        [
                            .id,
                            .type,
                            .term("encodedList", .status, type: .multibase),
                            .term("statusPurpose", .status),
                            .term("ttl", .status),
                        ]
                    )
                )
            ),
            .term(
                "BitstringStatusListEntry",
                .status,
                type: nil,
                context: .table(
                    ContextTable(
                        isProtected: true,
                        [
                            .id,
                            .type,
                            .term("statusListCredential", .status, type: .id),
                            .term("statusListIndex", .status),
                            .term("statusPurpose", .status),
                            .term(
                                "statusMessage",
                                .status,
                                type: nil,
                                context: .table(
                                    ContextTable(
                                        isProtected: true,
                                        [
                                            .id,
                                            .type,
                                            .term("message", .status),
                                            .term("status", .status),
                                        ]
                                    )
                                )
                            ),
                            .term("statusReference", .status, type: .id),
                            .term("statusSize", .status, type: .integer),
                        ]
                    )
                )
            ),
            .term("DataIntegrityProof", .security, type: nil, context: .table(.dataIntegrityProof)),
            .term("...", .jwt, type: nil),
            .term("_sd", .jwt, type: .json),
            .term("_sd_alg", .jwt, type: nil),
            .term("aud", .jwt, type: .id),
            .term(
                "cnf",
                .jwt,
                type: nil,
                context: .table(
                    ContextTable(
                        isProtected: true,
                        [
                            .term("kid", .jwt, type: .id),
                            .term("jwk", .jwt, type: .json),
                        ]
                    )
                )
            ),
            .term("exp", .jwt, type: .nonNegativeInteger),
            .term("iat", .jwt, type: .nonNegativeInteger),
            .term("iss", .jose, type: .id),
            .term("jku", .jose, type: .id),
            .term("kid", .jose, type: .id),
            .term("nbf", .jwt, type: .nonNegativeInteger),
            .term("sub", .jose, type: .id),
            .term("x5u", .jose, type: .id),
        ]
    )
}
