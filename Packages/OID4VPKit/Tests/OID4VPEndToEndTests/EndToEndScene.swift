import CBORKit
import CredentialTesting
import CredentialTransport
import CryptoCore
import DIDKit
import Foundation
import JOSEKit
import JSONKit
import LinkedDataKit
import MdocKit
import OID4VPKit
import OID4VPMessages
import OID4VPVerifier
import SDJWTKit
import TestSupport

/// A verifier with every kind of identity, and a wallet with a credential of every format.
struct EndToEndScene: Sendable {
    static let now = Date(timeIntervalSince1970: 1_800_000_000)
    static let host = "v.example"
    static let address = "https://v.example/response"
    static let requestAddress = "https://v.example/request"
    static let origin = "https://v.example"
    private static let attester: ExactText = "https://attester.example"

    /// The scene of all tests; its keys are made once.
    static let shared = Task { try await EndToEndScene() }

    let credentials: [CredentialFormat: PresentableCredential]
    private let pki: MdocTestPKI
    private let issuer: SoftwareSigner
    private let deviceKey: SoftwareSigner
    private let holderKey: SoftwareSigner
    private let root: CertificateAuthority
    private let certificate: Certificate
    private let verifierKey: SoftwareSigner
    private let didKey: SoftwareSigner
    private let attesterKey: SoftwareSigner
    private let attestation: String
    private let encryptionKey: JWK

    init() async throws {
        pki = try await MdocTestPKI.make(at: Self.now)
        issuer = try SoftwareSigner(PrivateKey.generate(.ed25519))
        deviceKey = try SoftwareSigner(PrivateKey.generate(.p256))
        holderKey = try SoftwareSigner(PrivateKey.generate(.ed25519))
        verifierKey = try SoftwareSigner(PrivateKey.generate(.p256), algorithm: .ecdsaSHA256)
        didKey = try SoftwareSigner(PrivateKey.generate(.ed25519))
        attesterKey = try SoftwareSigner(PrivateKey.generate(.p256))
        encryptionKey = try JWK(PrivateKey.generate(.p256), keyID: "e1", use: .encryption, algorithm: "ECDH-ES")
        let validity = Self.now.addingTimeInterval(-86_400)...Self.now.addingTimeInterval(86_400)
        root = try await CertificateAuthority.root(
            subject: DistinguishedName(commonName: "Verifier root"),
            signer: SoftwareSigner(PrivateKey.generate(.p256), algorithm: .ecdsaSHA256),
            validity: validity
        )
        let builder = CertificateBuilder(
            subject: try DistinguishedName(commonName: Self.host),
            publicKey: verifierKey.publicKey,
            validity: validity,
            extensions: [
                .keyUsage(.digitalSignature), .subjectAlternativeName([.dns(Self.host), .uri(Self.address)]),
            ]
        )
        certificate = try await builder.issued(by: root)
        let claims: JSONObject = [
            "iss": .string(Self.attester.text), "sub": "shop", "exp": .integer(1_800_003_600),
            "cnf": ["jwk": .object(try JWK(verifierKey.publicKey).members)],
        ]
        attestation = try await JWT.sign(
            JWTClaims(claims),
            header: JOSEHeader(type: "verifier-attestation+jwt"),
            with: attesterKey
        ).compactSerialization()
        let wallet = WalletIssuance(pki: pki, issuer: issuer, deviceKey: deviceKey, holderKey: holderKey)
        credentials = try await [
            .mdoc: wallet.mdoc(), .sdJWT: wallet.sdJWT(), .linkedData: wallet.linkedData(), .jwt: wallet.token(),
        ]
    }

    // MARK: Verifier

    func relyingParty(_ combination: Combination) throws -> RelyingParty {
        var party = RelyingParty(
            client: try identity(combination.client, combination.delivery),
            verifiers: try verifiers
        )
        party.origins = [Self.origin]
        if combination.client == .preRegistered {
            party.encryption = ResponseEncryptionPolicy(key: .fixed(encryptionKey))
        }
        if combination.delivery == .platformMultiSigned {
            party.furtherClients = [try identity(combination.client == .did ? .x509Hash : .did, combination.delivery)]
        }
        return party
    }

    private func identity(
        _ client: Combination.Client,
        _ delivery: Combination.Delivery
    ) throws -> ClientIdentity {
        switch client {
        case .redirectURI: .redirectURI
        case .preRegistered: .preRegistered("shop", signer: delivery.isSigned ? verifierKey : nil, keyID: "r1")
        case .did:
            try .decentralizedIdentifier(key: Self.keyURL(didKey), signer: didKey)
        case .x509SANDNS: try .x509SANDNS(Self.host, chain: [certificate], signer: verifierKey)
        case .x509SANURI: try .x509SANURI(Self.address, chain: [certificate], signer: verifierKey)
        case .x509Hash: try .x509Hash(chain: [certificate], signer: verifierKey)
        case .attestation: try .verifierAttestation(attestation, signer: verifierKey)
        }
    }

    private static func keyURL(_ key: SoftwareSigner) throws -> DIDURL {
        let did = try DID.key(key.publicKey)
        return try DIDURL("\(did.text)#\(did.identifier)")
    }

    var verifiers: FormatVerifiers {
        get throws {
            FormatVerifiers(
                mdoc: MdocVerifier(trustAnchors: [TrustAnchor(pki.iaca.certificate)], clock: { Self.now }),
                sdJWT: SDJWTVerifier(
                    policy: .credential(algorithms: [.edDSA, .es256]),
                    issuerKeys: KnownIssuerKeys(issuer.publicKey),
                    clock: { Self.now }
                ),
                w3c: CredentialVerifier(
                    policy: CredentialPolicy(tokens: [.edDSA, .es256]),
                    trust: .issuers([ExactText(try DID.key(issuer.publicKey).text)]),
                    clock: { Self.now }
                )
            )
        }
    }

    // MARK: Wallet

    /// The wallet's trust, in every kind of client.
    func policy(for version: OpenID4VPVersion) throws -> RequestAuthenticationPolicy {
        var policy = RequestAuthenticationPolicy()
        policy.certificates = CertificatePathValidator(anchors: [root.certificate], policy: .requestSigner)
        policy.resolver = DIDMethods.local
        policy.attesters = [Self.attester: JWKSet([try JWK(attesterKey.publicKey)])]
        policy.clients = [
            RegisteredClient(
                id: "shop",
                responseAddresses: [ExactText(Self.address)],
                keys: JWKSet([try JWK(verifierKey.publicKey, keyID: "r1")]),
                allowsUnsignedRequests: true,
                metadata: metadata(for: version)
            )
        ]
        policy.walletMetadata = WalletMetadata(
            formats: [.sdJWT: .init(), .mdoc: .init(), .linkedData: .init(), .jwt: .init()]
        )
        return policy
    }

    /// The metadata of the registered client.
    private func metadata(for version: OpenID4VPVersion) -> JSONObject {
        var members: JSONObject = [
            "jwks": ["keys": [.object((encryptionKey.publicJWK ?? encryptionKey).members)]]
        ]
        let formats: JSONValue = ["mso_mdoc": [:], "dc+sd-jwt": [:], "ldp_vc": [:], "jwt_vc_json": [:]]
        if version == .v1 {
            members["vp_formats_supported"] = formats
            members["encrypted_response_enc_values_supported"] = ["A256GCM"]
        } else {
            members["vp_formats"] = formats
            members["authorization_encrypted_response_alg"] = "ECDH-ES"
            members["authorization_encrypted_response_enc"] = "A256GCM"
        }
        return members
    }

    /// The holder's keys.
    var signers: [any Signer] { [deviceKey, holderKey] }

    func holderKeys() throws -> HolderKeys {
        HolderKeys(
            holder: W3CHolder(
                verificationMethod: try Self.keyURL(holderKey),
                key: holderKey.publicKey,
                suite: .ed25519Signature2020
            )
        )
    }
}

/// The issuance of the wallet's credentials.
struct WalletIssuance {
    let pki: MdocTestPKI
    let issuer: SoftwareSigner
    let deviceKey: SoftwareSigner
    let holderKey: SoftwareSigner

    private var now: Date { EndToEndScene.now }

    func mdoc() async throws -> PresentableCredential {
        let validity = ValidityInfo(signed: now, validFrom: now, validUntil: now + 86_400)
        var builder = IssuerSignedBuilder(docType: .mDL, deviceKey: deviceKey.publicKey, validityInfo: validity)
        try builder.add("Lovelace", as: "family_name", in: .mDL)
        try builder.add("Ada", as: "given_name", in: .mDL)
        let issued = try await builder.sign(with: SoftwareSigner(pki.documentSignerKey), x5chain: [pki.documentSigner])
        return .mdoc(MdocCredential(StoredCredential(id: "mdl", issuerSigned: issued)))
    }

    func sdJWT() async throws -> PresentableCredential {
        var builder = SDJWTBuilder(
            credentialType: "urn:pid",
            claims: ["iss": "https://issuer.example", "given_name": "Ada", "family_name": "Lovelace"]
        )
        try builder.conceal(["given_name"])
        try builder.conceal(["family_name"])
        builder.holderKey = try JWK(deviceKey.publicKey)
        return .sdJWT(try SDJWTCredential(name: "pid", try await builder.sign(with: issuer)))
    }

    func linkedData() async throws -> PresentableCredential {
        let did = try DID.key(issuer.publicKey)
        let content = try content(["https://w3id.org/security/suites/ed25519-2020/v1"])
        let signed = try await LinkedDataProver().sign(
            content.members,
            suite: .ed25519Signature2020,
            options: ProofOptions(
                verificationMethod: try DIDURL("\(did.text)#\(did.identifier)"),
                created: now - 60
            ),
            with: issuer
        )
        return .w3c(try W3CCredential(name: "club", VerifiableCredential(.linkedData(signed))))
    }

    func token() async throws -> PresentableCredential {
        let did = try DID.key(issuer.publicKey)
        let header = JOSEHeader(type: "JWT", keyID: "\(did.text)#\(did.identifier)")
        let token = try await JWT.sign(try content([]).tokenClaims, header: header, with: issuer)
        return .w3c(try W3CCredential(name: "token", VerifiableCredential(.token(token))))
    }

    private func content(_ contexts: [JSONValue]) throws -> CredentialContent {
        try CredentialContent(
            version: .v1,
            id: "urn:uuid:0b1e8a3c-1b5a-4c9e-9d7e-1f0a6a4d0001",
            types: ["Member"],
            contexts: contexts + [["Member": "https://club.example/Member", "level": "https://club.example/level"]],
            issuer: DID.key(issuer.publicKey).text,
            subjects: [["id": .string(try DID.key(holderKey.publicKey).text), "level": "gold"]],
            validFrom: now - 86_400,
            validUntil: now + 86_400
        )
    }
}
