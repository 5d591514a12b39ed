extension ContextTable {
    /// DID documents (DID 1.0).
    static let didV1 = ContextTable(
        isProtected: true,
        [
            .id,
            .type,
            .term("alsoKnownAs", .activityStreams, type: .id),
            .term("assertionMethod", .security, type: .id, container: .set),
            .term("authentication", .security, "authenticationMethod", type: .id, container: .set),
            .term("capabilityDelegation", .security, "capabilityDelegationMethod", type: .id, container: .set),
            .term("capabilityInvocation", .security, "capabilityInvocationMethod", type: .id, container: .set),
            .term("controller", .security, type: .id),
            .term("keyAgreement", .security, "keyAgreementMethod", type: .id, container: .set),
            .term(
                "service",
                .did,
                type: .id,
                context: .table(
                    ContextTable(
                        isProtected: true,
                        [
                            .id,
                            .type,
                            .term("serviceEndpoint", .did, type: .id),
                        ]
                    )
                )
            ),
            .term("verificationMethod", .security, type: .id),
        ]
    )

    /// Status List 2021.
    static let statusList2021 = ContextTable(
        isProtected: true,
        [
            .term(
                "StatusList2021Credential",
                .statusList,
                type: nil,
                context: .table(
                    ContextTable(
                        isProtected: true,
                        [
                            .id,
                            .type,
                            .term("description", .insecureSchema),
                            .term("name", .insecureSchema),
                        ]
                    )
                )
            ),
            .term(
                "StatusList2021",
                .statusList,
                type: nil,
                context: .table(
                    ContextTable(
                        isProtected: true,
                        [
                            .id,
                            .type,
                            .term("statusPurpose", .statusList),
                            .term("encodedList", .statusList),
                        ]
                    )
                )
            ),
            .term(
                "StatusList2021Entry",
                .statusList,
                type: nil,
                context: .table(
                    ContextTable(
                        isProtected: true,
                        [
                            .id,
                            .type,
                            .term("statusPurpose", .statusList),
                            .term("statusListIndex", .statusList),
                            .term("statusListCredential", .statusList, type: .id),
                        ]
                    )
                )
            ),
        ]
    )
}
