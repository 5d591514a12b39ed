import CBORKit
public import CredentialTesting
import CredentialTransport
public import CryptoCore
import DIDKit
public import Foundation
import JOSEKit
import JSONKit
public import LinkedDataKit
import MdocKit
public import OID4VPKit
public import OID4VPMessages
public import OID4VPVerifier
import OpenIDFederation
import SDJWTKit

/// A verifier with every kind of identity, and a wallet with a credential of every format.
public struct EndToEndScene: Sendable {
    /// The time of the scene that tests share.
    public static let now = Date(timeIntervalSince1970: 1_800_000_000)
    /// The verifier's host.
    public static let host = "v.example"
    /// The verifier's origin.
    public static let origin = "https://v.example"
    /// The address of responses to all requests.
    public static let address = origin + "/oid4vp/response"
    private static let attester: ExactText = "https://attester.example"

    /// The scene of all tests of a process; its keys are made once.
    public static let shared = Task { try await EndToEndScene() }

    /// The wallet's credential of each format.
    public let credentials: [CredentialFormat: PresentableCredential]
    /// The time for certificates and credentials.
    public let time: Date
    /// The certificates and keys of the issuer of mdocs.
    public let pki: MdocTestPKI
    /// The issuer's key for all other formats.
    public let issuer: SoftwareSigner
    /// The root of the verifier's certificate.
    public let root: CertificateAuthority
    private let deviceKey: SoftwareSigner
    private let holderKey: SoftwareSigner
    private let certificate: Certificate
    private let verifierKey: SoftwareSigner
    private let didKey: SoftwareSigner
    private let attesterKey: SoftwareSigner
    private let attestation: String
    private let encryptionKey: JWK
    private let federation: TestFederation
    /// The verifier's trust chain with the metadata of each version.
    private let trustChains: [OpenID4VPVersion: TrustChain]

    /// Makes the keys, certificates and credentials.
    ///
    /// - Parameter time: The time for certificates and credentials: they are valid on the day before and on the day after.
    public init(at time: Date = Self.now) async throws {
        self.time = time
        pki = try await MdocTestPKI.make(at: time)
        issuer = try SoftwareSigner(PrivateKey.generate(.ed25519))
        deviceKey = try SoftwareSigner(PrivateKey.generate(.p256))
        holderKey = try SoftwareSigner(PrivateKey.generate(.ed25519))
        verifierKey = try SoftwareSigner(PrivateKey.generate(.p256), algorithm: .ecdsaSHA256)
        didKey = try SoftwareSigner(PrivateKey.generate(.ed25519))
        attesterKey = try SoftwareSigner(PrivateKey.generate(.p256))
        encryptionKey = try JWK(PrivateKey.generate(.p256), keyID: "e1", use: .encryption, algorithm: "ECDH-ES")
        federation = try TestFederation(at: time)
        let validity = time.addingTimeInterval(-86_400)...time.addingTimeInterval(86_400)
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
        let requestKey = try JWK(verifierKey.publicKey, keyID: "r1", use: .signature)
        var trustChains: [OpenID4VPVersion: TrustChain] = [:]
        for version in [OpenID4VPVersion.draft21, .draft23, .v1] {
            trustChains[version] = try await federation.chain(
                metadata: Self.metadata(for: version, keys: [requestKey, encryptionKey])
            )
        }
        self.trustChains = trustChains
        let wallet = WalletIssuance(pki: pki, issuer: issuer, deviceKey: deviceKey, holderKey: holderKey, now: time)
        credentials = try await [
            .mdoc: wallet.mdoc(), .sdJWT: wallet.sdJWT(), .linkedData: wallet.linkedData(), .jwt: wallet.token(),
        ]
    }

    // MARK: Verifier

    /// The relying party of a combination.
    ///
    /// - Parameters:
    ///   - combination: The combination.
    ///   - verifiers: The verifiers of credentials; nil for those that trust the scene's issuers.
    public func relyingParty(
        _ combination: Combination,
        trusting verifiers: FormatVerifiers? = nil
    ) throws -> RelyingParty {
        var party = RelyingParty(
            client: try identity(combination.client, combination.delivery, combination.version),
            verifiers: try verifiers ?? self.verifiers
        )
        party.origins = [Self.origin]
        if combination.client == .preRegistered || combination.client == .federation {
            party.encryption = ResponseEncryptionPolicy(key: .fixed(encryptionKey))
        }
        if combination.delivery == .platformMultiSigned {
            party.furtherClients = [
                try identity(combination.client == .did ? .x509Hash : .did, combination.delivery, combination.version)
            ]
        }
        return party
    }

    private func identity(
        _ client: Combination.Client,
        _ delivery: Combination.Delivery,
        _ version: OpenID4VPVersion
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
        case .federation:
            try .federation(
                federation.verifier.id,
                signer: verifierKey,
                keyID: "r1",
                trustChain: trustChains[version]
            )
        }
    }

    private static func keyURL(_ key: SoftwareSigner) throws -> DIDURL {
        let did = try DID.key(key.publicKey)
        return try DIDURL("\(did.text)#\(did.identifier)")
    }

    /// The verifiers of credentials, which trust the scene's issuers.
    public var verifiers: FormatVerifiers {
        get throws {
            let time = time
            return FormatVerifiers(
                mdoc: MdocVerifier(trustAnchors: [TrustAnchor(pki.iaca.certificate)], clock: { time }),
                sdJWT: SDJWTVerifier(
                    policy: .credential(algorithms: [.edDSA, .es256]),
                    issuerKeys: KnownIssuerKeys(issuer.publicKey),
                    clock: { time }
                ),
                w3c: W3CCredentialVerifier(
                    policy: Self.credentialPolicy,
                    trust: .issuers([ExactText(try DID.key(issuer.publicKey).text)]),
                    clock: { time }
                )
            )
        }
    }

    /// The demands on W3C credentials, which accept the context of the scene's own.
    public static var credentialPolicy: W3CCredentialPolicy {
        var policy = W3CCredentialPolicy(tokens: [.edDSA, .es256])
        policy.contexts = [WalletIssuance.contexts]
        return policy
    }

    // MARK: Wallet

    /// The wallet's trust, in every kind of client.
    public func policy(for version: OpenID4VPVersion) throws -> RequestAuthenticationPolicy {
        var policy = RequestAuthenticationPolicy()
        policy.certificates = CertificatePathValidator(anchors: [root.certificate], policy: .requestSigner)
        policy.resolver = DIDMethods.local
        policy.federation = TrustChainResolver(policy: try federation.policy)
        policy.attesters = [Self.attester: JWKSet([try JWK(attesterKey.publicKey)])]
        policy.clients = [
            RegisteredClient(
                id: "shop",
                responseAddresses: [ExactText(Self.address)],
                keys: JWKSet([try JWK(verifierKey.publicKey, keyID: "r1")]),
                allowsUnsignedRequests: true,
                metadata: Self.metadata(for: version, keys: [encryptionKey])
            )
        ]
        policy.walletMetadata = WalletMetadata(
            formats: [.sdJWT: .init(), .mdoc: .init(), .linkedData: .init(), .jwt: .init()]
        )
        return policy
    }

    /// The metadata of a client whose keys are these.
    private static func metadata(for version: OpenID4VPVersion, keys: [JWK]) -> JSONObject {
        var members: JSONObject = [
            "jwks": ["keys": .array(keys.compactMap(\.publicJWK).map { .object($0.members) })]
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
    public var signers: [any Signer] { [deviceKey, holderKey] }

    /// The key of the holder of linked-data credentials.
    public func holderKeys() throws -> HolderKeys {
        HolderKeys(
            holder: W3CHolder(
                verificationMethod: try Self.keyURL(holderKey),
                key: holderKey.publicKey,
                suite: .ed25519Signature2020
            )
        )
    }
}
