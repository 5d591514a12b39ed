extension ContextTable {
    /// DID documents (DID 1.0).
    static let didV1 = ContextTable(isProtected: true, didV1Terms)

    /// The terms of the context itself.
    static let didV1Terms: [TermRow] = [
        .id,
        .type,
        .entry("alsoKnownAs", .activityStreams, type: .id),
        .entry("assertionMethod", .security, type: .id, container: .set),
        .entry("authentication", .security, "authenticationMethod", type: .id, container: .set),
        .entry("capabilityDelegation", .security, "capabilityDelegationMethod", type: .id, container: .set),
        .entry("capabilityInvocation", .security, "capabilityInvocationMethod", type: .id, container: .set),
        .entry("controller", .security, type: .id),
        .entry("keyAgreement", .security, "keyAgreementMethod", type: .id, container: .set),
        .entry("service", .did, type: .id, context: .protected(serviceMembersV1)),
        .entry("verificationMethod", .security, type: .id),
    ]

    /// The members of `service`.
    static let serviceMembersV1: [TermRow] = [
        .id,
        .type,
        .entry("serviceEndpoint", .did, type: .id),
    ]

    /// Bitstring Status List 1.0, whose terms the context of the data model 2.0 has, too.
    static let bitstringStatusListV1 = ContextTable(isProtected: true, bitstringStatusListV1Terms)

    /// The terms of the context itself.
    static let bitstringStatusListV1Terms: [TermRow] = [
        .id,
        .type,
        .term("BitstringStatusListCredential", .status),
        .entry("BitstringStatusList", .status, context: .protected(bitstringStatusListMembersV2)),
        .entry("BitstringStatusListEntry", .status, context: .protected(bitstringStatusListEntryMembersV2)),
    ]

    /// Status List 2021.
    static let statusList2021 = ContextTable(isProtected: true, statusList2021Terms)

    /// The terms of the context itself.
    static let statusList2021Terms: [TermRow] = [
        .entry("StatusList2021Credential", .statusList, context: .protected(statusList2021CredentialMembers)),
        .entry("StatusList2021", .statusList, context: .protected(statusList2021Members)),
        .entry("StatusList2021Entry", .statusList, context: .protected(statusList2021EntryMembers)),
    ]

    /// The members of `StatusList2021Credential`.
    static let statusList2021CredentialMembers: [TermRow] = [
        .id,
        .type,
        .term("description", .insecureSchema),
        .term("name", .insecureSchema),
    ]

    /// The members of `StatusList2021`.
    static let statusList2021Members: [TermRow] = [
        .id,
        .type,
        .term("statusPurpose", .statusList),
        .term("encodedList", .statusList),
    ]

    /// The members of `StatusList2021Entry`.
    static let statusList2021EntryMembers: [TermRow] = [
        .id,
        .type,
        .term("statusPurpose", .statusList),
        .term("statusListIndex", .statusList),
        .entry("statusListCredential", .statusList, type: .id),
    ]
}
