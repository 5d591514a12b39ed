extension ContextTable {
    /// The suite Ed25519Signature2018.
    static let ed25519Suite2018 = ContextTable(isProtected: true, ed25519Suite2018Terms)

    /// The terms of the context itself.
    static let ed25519Suite2018Terms: [TermRow] = [
        .id,
        .type,
        .entry("proof", .security, type: .id, container: .graph),
        .entry("Ed25519VerificationKey2018", .security, context: .protected(ed25519VerificationKey2018Members)),
        .entry("Ed25519Signature2018", .security, context: .protected(ed25519Signature2018Members)),
    ]

    /// The members of `Ed25519VerificationKey2018`.
    static let ed25519VerificationKey2018Members: [TermRow] = [
        .id,
        .type,
        .entry("controller", .security, type: .id),
        .entry("revoked", .security, type: .dateTime),
        .entry("publicKeyBase58", .security),
    ]

    /// The members of `Ed25519Signature2018`.
    static let ed25519Signature2018Members: [TermRow] = [
        .id,
        .type,
        .term("challenge", .security),
        .entry("created", .dublinCore, type: .dateTime),
        .term("domain", .security),
        .entry("expires", .security, "expiration", type: .dateTime),
        .term("nonce", .security),
        .entry("proofPurpose", .security, type: .vocab, context: .protected(TermRow.proofPurposes)),
        .entry("jws", .security),
        .entry("verificationMethod", .security, type: .id),
    ]

    /// The suite Ed25519Signature2020.
    static let ed25519Suite2020 = ContextTable(isProtected: true, ed25519Suite2020Terms)

    /// The terms of the context itself.
    static let ed25519Suite2020Terms: [TermRow] = [
        .id,
        .type,
        .entry("proof", .security, type: .id, container: .graph),
        .entry("Ed25519VerificationKey2020", .security, context: .protected(ed25519VerificationKey2020Members)),
        .entry("Ed25519Signature2020", .security, context: .protected(ed25519Signature2020Members)),
    ]

    /// The members of `Ed25519VerificationKey2020`.
    static let ed25519VerificationKey2020Members: [TermRow] = [
        .id,
        .type,
        .entry("controller", .security, type: .id),
        .entry("revoked", .security, type: .dateTime),
        .entry("publicKeyMultibase", .security, type: .multibase),
    ]

    /// The members of `Ed25519Signature2020`.
    static let ed25519Signature2020Members: [TermRow] = [
        .id,
        .type,
        .term("challenge", .security),
        .entry("created", .dublinCore, type: .dateTime),
        .term("domain", .security),
        .entry("expires", .security, "expiration", type: .dateTime),
        .term("nonce", .security),
        .entry("proofPurpose", .security, type: .vocab, context: .protected(TermRow.proofPurposes)),
        .entry("proofValue", .security, type: .multibase),
        .entry("verificationMethod", .security, type: .id),
    ]

    /// The suite JsonWebSignature2020.
    static let jwsSuite2020 = ContextTable(jwsSuite2020Terms)

    /// The terms of the context itself.
    static let jwsSuite2020Terms: [TermRow] = [
        .entry("privateKeyJwk", .security, type: .json),
        .entry("JsonWebKey2020", .security, context: .protected(jsonWebKey2020Members)),
        .entry("JsonWebSignature2020", .security, context: .protected(jsonWebSignature2020Members)),
    ]

    /// The members of `JsonWebKey2020`.
    static let jsonWebKey2020Members: [TermRow] = [
        .id,
        .type,
        .entry("publicKeyJwk", .security, type: .json),
    ]

    /// The members of `JsonWebSignature2020`.
    static let jsonWebSignature2020Members: [TermRow] = [
        .id,
        .type,
        .term("challenge", .security),
        .entry("created", .dublinCore, type: .dateTime),
        .term("domain", .security),
        .entry("expires", .security, "expiration", type: .dateTime),
        .term("jws", .security),
        .term("nonce", .security),
        .entry("proofPurpose", .security, type: .vocab, context: .protected(TermRow.proofPurposes)),
        .entry("verificationMethod", .security, type: .id),
    ]
}
