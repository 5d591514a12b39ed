public import Credentials
public import Foundation
public import OID4VPVerifier

/// The shop as a party of OpenID4VP: its identity towards wallets, the issuers that it trusts, and its question.
public struct ShopParty: Sendable {
    /// The identity, and the verifiers of the formats.
    public let party: RelyingParty
    /// The authority behind the shop's certificate, which wallets trust.
    public let authority: Certificate

    /// Makes the shop's key and certificate.
    ///
    /// - Parameters:
    ///   - issuers: The issuers that the shop trusts.
    ///   - now: The time from which the certificate is valid, for a day.
    public static func make(_ issuers: Issuers, now: Date) async throws -> ShopParty {
        let key = try SoftwareSigner(.generate(.p256), algorithm: .ecdsaSHA256)
        let validity = now - 86_400...now + 86_400
        let authority = try await CertificateAuthority.root(
            subject: DistinguishedName(commonName: "Register of relying parties"),
            signer: SoftwareSigner(.generate(.p256), algorithm: .ecdsaSHA256),
            validity: validity
        )
        let certificate = try await CertificateBuilder(
            subject: try DistinguishedName(commonName: "The shop"),
            publicKey: key.publicKey,
            validity: validity,
            extensions: [.keyUsage(.digitalSignature), .subjectAlternativeName([.dns("shop.example")])]
        ).issued(by: authority)
        var memberships = W3CCredentialPolicy()
        memberships.contexts = [.array(Issuers.membershipContexts)]
        let party = RelyingParty(
            client: try .x509Hash(chain: [certificate], signer: key),
            verifiers: FormatVerifiers(
                mdoc: MdocVerifier(trustAnchors: [TrustAnchor(issuers.iaca)]),
                sdJWT: SDJWTVerifier(
                    policy: .credential(algorithms: [.es256]),
                    issuerKeys: KnownIssuerKeys(issuers.identityIssuer)
                ),
                w3c: W3CCredentialVerifier(
                    policy: memberships,
                    trust: .issuers([ExactText(try issuers.club)])
                )
            )
        )
        return ShopParty(party: party, authority: authority.certificate)
    }

    /// The question: three credentials, with the claims that the shop needs.
    public static func query() throws -> DCQLQuery {
        try DCQLQuery(
            json: [
                "credentials": [
                    [
                        "id": "licence", "format": "mso_mdoc", "meta": ["doctype_value": "org.iso.18013.5.1.mDL"],
                        "claims": [["path": ["org.iso.18013.5.1", "age_over_18"]]],
                    ],
                    [
                        "id": "identity", "format": "dc+sd-jwt", "meta": ["vct_values": ["urn:eudi:pid:1"]],
                        "claims": [["path": ["given_name"]]],
                    ],
                    [
                        "id": "membership", "format": "ldp_vc",
                        "meta": ["type_values": [["https://club.example/Member"]]],
                    ],
                ]
            ]
        )
    }

    /// The disclosed claims of a credential in a transaction's result, without the credential's own bookkeeping.
    public static func claims(of credential: JSONValue) -> JSONValue {
        let claims = credential["claims"]?.objectValue ?? [:]
        if let subject = claims["credentialSubject"] { return subject }
        return .object(JSONObject(claims.filter { !["iss", "vct", "cnf"].contains($0.name) }))
    }
}
