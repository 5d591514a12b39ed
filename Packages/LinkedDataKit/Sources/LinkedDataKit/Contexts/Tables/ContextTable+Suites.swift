extension ContextTable {
    /// The suite Ed25519Signature2018.
    static let ed25519Suite2018 = ContextTable(
        isProtected: true,
        [
            .id,
            .type,
            .term("proof", .security, type: .id, container: .graph),
            .term(
                "Ed25519VerificationKey2018",
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
                            .term("publicKeyBase58", .security, type: nil),
                        ]
                    )
                )
            ),
            .term(
                "Ed25519Signature2018",
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
                            .term("jws", .security, type: nil),
                            .term("verificationMethod", .security, type: .id),
                        ]
                    )
                )
            ),
        ]
    )

    /// The suite Ed25519Signature2020.
    static let ed25519Suite2020 = ContextTable(
        isProtected: true,
        [
            .id,
            .type,
            .term("proof", .security, type: .id, container: .graph),
            .term(
                "Ed25519VerificationKey2020",
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
                            .term("publicKeyMultibase", .security, type: .multibase),
                        ]
                    )
                )
            ),
            .term(
                "Ed25519Signature2020",
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
                            .term("proofValue", .security, type: .multibase),
                            .term("verificationMethod", .security, type: .id),
                        ]
                    )
                )
            ),
        ]
    )

    /// The suite JsonWebSignature2020.
    static let jwsSuite2020 = ContextTable([
        .term("privateKeyJwk", .security, type: .json),
        .term(
            "JsonWebKey2020",
            .security,
            type: nil,
            context: .table(
                ContextTable(
                    isProtected: true,
                    [
                        .id,
                        .type,
                        .term("publicKeyJwk", .security, type: .json),
                    ]
                )
            )
        ),
        .term(
            "JsonWebSignature2020",
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
                        .term("jws", .security),
                        .term("nonce", .security),
                        .term("proofPurpose", .security, type: .vocab, context: .table(.proofPurposes)),
                        .term("verificationMethod", .security, type: .id),
                    ]
                )
            )
        ),
    ])
}
