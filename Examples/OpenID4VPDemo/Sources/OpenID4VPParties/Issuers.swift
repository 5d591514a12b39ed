public import Credentials
public import Foundation

/// Three issuers: of driving licences, of identities and of memberships.
public struct Issuers: Sendable {
    /// The authority behind the document signer of licences.
    public let iaca: Certificate
    private let documentSigner: Certificate
    private let licenceKey: SoftwareSigner
    private let identityKey: SoftwareSigner
    private let clubKey: SoftwareSigner
    private let now: Date

    /// Makes keys and certificates.
    public static func make(now: Date) async throws -> Issuers {
        let day: TimeInterval = 86_400
        let authority = try await CertificateAuthority.iaca(
            subject: try DistinguishedName(countryName: "UT", commonName: "Utopia IACA"),
            contact: .uri("https://dmv.example"),
            signer: SoftwareSigner(.generate(.p384)),
            validity: now - day...now + 365 * day
        )
        let licenceKey = try SoftwareSigner(.generate(.p256))
        return Issuers(
            iaca: authority.certificate,
            documentSigner: try await authority.issueDocumentSigner(
                commonName: "Utopia document signer",
                publicKey: licenceKey.publicKey,
                validity: now - day...now + 90 * day,
                revocationListURI: "https://dmv.example/crl"
            ),
            licenceKey: licenceKey,
            identityKey: try SoftwareSigner(.generate(.p256)),
            clubKey: try SoftwareSigner(.generate(.ed25519)),
            now: now
        )
    }

    /// The public key for identities.
    public var identityIssuer: PublicKey { identityKey.publicKey }

    /// The name of the club.
    public var club: String {
        get throws { try DID.key(clubKey.publicKey).text }
    }

    /// A driving licence as an mdoc.
    func licence(for device: PublicKey) async throws -> IssuerSigned {
        let validity = ValidityInfo(signed: now, validFrom: now, validUntil: now + 30 * 86_400)
        var builder = IssuerSignedBuilder(docType: .mDL, deviceKey: device, validityInfo: validity)
        try builder.add("Mustermann", as: "family_name", in: .mDL)
        try builder.add(true, as: "age_over_18", in: .mDL)
        return try await builder.sign(with: licenceKey, x5chain: [documentSigner])
    }

    /// An identity as an SD-JWT VC.
    func identity(for device: PublicKey) async throws -> SDJWT {
        var builder = SDJWTBuilder(
            credentialType: "urn:eudi:pid:1",
            claims: ["iss": "https://pid.example", "given_name": "Erika", "birthdate": "1984-01-26"]
        )
        try builder.conceal(["given_name"])
        try builder.conceal(["birthdate"])
        builder.holderKey = try JWK(device)
        return try await builder.sign(with: identityKey)
    }

    /// The contexts of a membership, which the proof does not cover: verifiers accept them by name.
    static let membershipContexts: [JSONValue] = [
        "https://www.w3.org/2018/credentials/v1", "https://w3id.org/security/suites/ed25519-2020/v1",
        ["Member": "https://club.example/Member", "level": "https://club.example/level"],
    ]

    /// A membership as a credential with a linked-data proof.
    func membership(of holder: DID) async throws -> VerifiableCredential {
        let did = try DID.key(clubKey.publicKey)
        let content = try W3CCredentialContent(
            version: .v1,
            types: ["Member"],
            contexts: Array(Self.membershipContexts.dropFirst()),
            issuer: did.text,
            subjects: [["id": .string(holder.text), "level": "gold"]],
            validFrom: now - 86_400
        )
        let signed = try await LinkedDataProver().sign(
            content.members,
            suite: .ed25519Signature2020,
            options: LinkedDataProofOptions(
                verificationMethod: try DIDURL("\(did.text)#\(did.identifier)"),
                created: now - 60
            ),
            with: clubKey
        )
        return VerifiableCredential(.linkedData(signed))
    }
}
