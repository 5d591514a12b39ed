extension ContextTable {
    /// Data Integrity, first version.
    static let dataIntegrityV1 = ContextTable(
        isProtected: true,
        [
            .id,
            .type,
            .term("proof", .security, type: .id, container: .graph),
            .term(
                "DataIntegrityProof",
                .security,
                type: nil,
                context: .table(
                    ContextTable(
                        isProtected: true,
                        [
                            .id,
                            .type,
                            .term("challenge", .security),
                            .term("created", .dublinCore, type: .dateTime),
                            .term("domain", .security),
                            .term("expires", .security, "expiration", type: .dateTime),
                            .term("nonce", .security),
                            .term("proofPurpose", .security, type: .vocab, context: .table(.proofPurposes)),
                            .term("cryptosuite", .security),
                            .term("proofValue", .security, type: .multibase),
                            .term("verificationMethod", .security, type: .id),
                        ]
                    )
                )
            ),
        ]
    )

    /// Data Integrity 1.0.
    static let dataIntegrityV2 = ContextTable(
        isProtected: true,
        [
            .id,
            .type,
            .term("proof", .security, type: .id, container: .graph),
            .term("DataIntegrityProof", .security, type: nil, context: .table(.dataIntegrityProof)),
        ]
    )

    /// Keys of the type `Multikey`.
    static let multikeyV1 = ContextTable(
        isProtected: true,
        [
            .id,
            .type,
            .term(
                "Multikey",
                .security,
                type: nil,
                context: .table(
                    ContextTable(
                        isProtected: true,
                        [
                            .id,
                            .type,
                            .term("controller", .security, type: .id),
                            .term("revoked", .security, type: .dateTime),
                            .term("expires", .security, "expiration", type: .dateTime),
                            .term("publicKeyMultibase", .security, type: .multibase),
                            .term("secretKeyMultibase", .security, type: .multibase),
                        ]
                    )
                )
            ),
        ]
    )

    /// Keys of the type `JsonWebKey`.
    static let jwkV1 = ContextTable(
        isProtected: true,
        [
            .id,
            .type,
            .term(
                "JsonWebKey",
                .security,
                type: nil,
                context: .table(
                    ContextTable(
                        isProtected: true,
                        [
                            .id,
                            .type,
                            .term("controller", .security, type: .id),
                            .term("revoked", .security, type: .dateTime),
                            .term("expires", .security, "expiration", type: .dateTime),
                            .term("publicKeyJwk", .security, type: .json),
                            .term("secretKeyJwk", .security, type: .json),
                        ]
                    )
                )
            ),
        ]
    )
}
