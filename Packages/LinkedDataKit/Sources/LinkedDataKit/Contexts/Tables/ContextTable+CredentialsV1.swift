extension ContextTable {
    /// Verifiable Credentials Data Model 1.1.
    static let credentialsV1 = ContextTable(
        isProtected: true,
        hasVersion: true,
        [
            .id,
            .type,
            .term(
                "VerifiableCredential",
                .credentials,
                type: nil,
                context: .table(
                    ContextTable(
                        isProtected: true,
                        hasVersion: true,
                        [
                            .id,
                            .type,
                            .term("cred", .none, "https://www.w3.org/2018/credentials#"),
                            .term("sec", .none, "https://w3id.org/security#"),
                            .term("xsd", .none, "http://www.w3.org/2001/XMLSchema#"),
                            .term(
                                "credentialSchema",
                                .cred,
                                type: .id,
                                context: .table(
                                    ContextTable(
                                        isProtected: true,
                                        hasVersion: true,
                                        [
                                            .id,
                                            .type,
                                            .term("cred", .none, "https://www.w3.org/2018/credentials#"),
                                            .term("JsonSchemaValidator2018", .cred),
                                        ]
                                    )
                                )
                            ),
                            .term("credentialStatus", .cred, type: .id),
                            .term("credentialSubject", .cred, type: .id),
                            .term("evidence", .cred, type: .id),
                            .term("expirationDate", .cred, type: .xsdDateTime),
                            .term("holder", .cred, type: .id),
                            .term("issued", .cred, type: .xsdDateTime),
                            .term("issuer", .cred, type: .id),
                            .term("issuanceDate", .cred, type: .xsdDateTime),
                            .term("proof", .sec, type: .id, container: .graph),
                            .term(
                                "refreshService",
                                .cred,
                                type: .id,
                                context: .table(
                                    ContextTable(
                                        isProtected: true,
                                        hasVersion: true,
                                        [
                                            .id,
                                            .type,
                                            .term("cred", .none, "https://www.w3.org/2018/credentials#"),
                                            .term("ManualRefreshService2018", .cred),
                                        ]
                                    )
                                )
                            ),
                            .term("termsOfUse", .cred, type: .id),
                            .term("validFrom", .cred, type: .xsdDateTime),
                            .term("validUntil", .cred, type: .xsdDateTime),
                        ]
                    )
                )
            ),
            .term(
                "VerifiablePresentation",
                .credentials,
                type: nil,
                context: .table(
                    ContextTable(
                        isProtected: true,
                        hasVersion: true,
                        [
                            .id,
                            .type,
                            .term("cred", .none, "https://www.w3.org/2018/credentials#"),
                            .term("sec", .none, "https://w3id.org/security#"),
                            .term("holder", .cred, type: .id),
                            .term("proof", .sec, type: .id, container: .graph),
                            .term("verifiableCredential", .cred, type: .id, container: .graph),
                        ]
                    )
                )
            ),
            .term("EcdsaSecp256k1Signature2019", .security, type: nil, context: .table(.signature)),
            .term("EcdsaSecp256r1Signature2019", .security, type: nil, context: .table(.signature)),
            .term("Ed25519Signature2018", .security, type: nil, context: .table(.signature)),
            .term(
                "RsaSignature2018",
                .security,
                type: nil,
                context: .table(
                    ContextTable(
                        isProtected: true,
                        hasVersion: true,
                        [
                            .term("challenge", .sec),
                            .term("created", .dublinCore, type: .xsdDateTime),
                            .term("domain", .sec),
                            .term("expires", .sec, "expiration", type: .xsdDateTime),
                            .term("jws", .sec),
                            .term("nonce", .sec),
                            .term("proofPurpose", .sec, type: .vocab, context: .table(.proofPurposesV1)),
                            .term("proofValue", .sec),
                            .term("verificationMethod", .sec, type: .id),
                        ]
                    )
                )
            ),
            .term("proof", .security, type: .id, container: .graph),
        ]
    )
}
