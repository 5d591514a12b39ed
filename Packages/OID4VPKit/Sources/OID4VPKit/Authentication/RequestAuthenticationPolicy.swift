public import CredentialTransport
public import CryptoCore
public import DIDKit
public import JOSEKit
public import JSONKit
public import OID4VPMessages
public import OpenIDFederation

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A verifier that the wallet knows beforehand.
public struct RegisteredClient: Sendable {
    /// The identifier: the whole parameter `client_id`.
    public var id: ExactText
    /// The addresses for responses, of which a request must name one exactly.
    public var responseAddresses: Set<ExactText>
    /// The keys that requests are signed with.
    public var keys: JWKSet
    /// The https address where the client publishes further keys; nil for none.
    public var keysAddress: HTTPURL?
    /// Indicates that a request without a signature is accepted.
    public var allowsUnsignedRequests: Bool
    /// The metadata; nil if the wallet knows none.
    public var metadata: JSONObject?
    /// Indicates that the metadata in the client's requests count, in place of those that the wallet knows.
    ///
    /// OpenID4VP 1.0 forbids them; deployed verifiers of drafts 21 and 23 send their keys for responses in them.
    public var takesMetadataOfRequests: Bool

    /// Describes a client.
    public init(
        id: ExactText,
        responseAddresses: Set<ExactText>,
        keys: JWKSet = JWKSet([]),
        keysAddress: HTTPURL? = nil,
        allowsUnsignedRequests: Bool = false,
        metadata: JSONObject? = nil,
        takesMetadataOfRequests: Bool = false
    ) {
        self.id = id
        self.responseAddresses = responseAddresses
        self.keys = keys
        self.keysAddress = keysAddress
        self.allowsUnsignedRequests = allowsUnsignedRequests
        self.metadata = metadata
        self.takesMetadataOfRequests = takesMetadataOfRequests
    }
}

/// A wallet's lasting demands on requests: trusted verifiers, and algorithms.
///
/// By default only the holder of an address that the identifier itself names (`redirect_uri`) is trusted.
public struct RequestAuthenticationPolicy: Sendable {
    /// The clients that the wallet knows.
    public var clients: [RegisteredClient]
    /// The validator for the certificates of request signers; nil to refuse the prefixes that need one.
    public var certificates: CertificatePathValidator?
    /// The resolver for DIDs; nil to refuse them.
    ///
    /// Every DID that it resolves is authenticated. That proves who controls the DID's key, not whose it is: compare
    /// ``AuthenticatedRequest/client`` with the DIDs that the wallet trusts, or show the DID as unknown.
    public var resolver: (any DIDResolver)?
    /// The resolver for trust chains of OpenID Federation; nil to refuse the clients of federations.
    ///
    /// One with a transport fetches statements and keys from hosts that requests name.
    public var federation: TrustChainResolver?
    /// The keys of the issuers of verifier attestations, by `iss`.
    public var attesters: [ExactText: JWKSet]
    /// The identifiers whose certificate need not name the host of the response address.
    public var clientsWithFreeAddress: Set<ExactText>
    /// The algorithms that requests may be signed with: asymmetric ones alone.
    public var algorithms: Set<JWSAlgorithm>
    /// The name of the wallet that a request may be for, beside ``selfIssued``: the `issuer` of its metadata, if it has one.
    public var audience: ExactText
    /// The tolerated difference of clocks.
    public var clockSkew: TimeInterval
    /// The metadata that the wallet sends where it fetches a request with POST, with ``clientRules`` unless they name others; nil
    /// to send none.
    ///
    /// A client that the wallet has registered is not told the algorithms for requests.
    public var walletMetadata: WalletMetadata?
    /// The key and the policy for encrypted request objects; nil to refuse them.
    public var decryption: (key: JWEKey, policy: JWEDecryptionPolicy)?

    /// The profile that requests must keep to; nil for none.
    public var profile: PresentationProfile?

    /// The audience of requests for a wallet that was not discovered.
    public static let selfIssued: ExactText = "https://self-issued.me/v2"

    /// ES256, ES384, ES512, ES256K, EdDSA in every name, PS256 and RS256.
    public static let commonAlgorithms: Set<JWSAlgorithm> = [
        .es256, .es384, .es512, .es256K, .edDSA, .ed25519, .ps256, .ps384, .ps512, .rs256,
    ]

    /// A policy without trusted clients.
    public init() {
        clients = []
        certificates = nil
        resolver = nil
        federation = nil
        attesters = [:]
        clientsWithFreeAddress = []
        algorithms = Self.commonAlgorithms
        audience = Self.selfIssued
        clockSkew = VerificationTime.defaultClockSkew
        walletMetadata = nil
        decryption = nil
        profile = nil
    }
}

extension RequestAuthenticationPolicy {
    /// The rules by which clients can be authenticated, as the trust above allows, and the profile, if there is one.
    public var clientRules: [ClientIdentifier.Rule] {
        var rules: [ClientIdentifier.Rule] = clients.isEmpty ? [] : [.preRegistered]
        rules.append(.redirectURI)
        if resolver != nil { rules.append(.decentralizedIdentifier) }
        if certificates != nil { rules += [.x509SANDNS, .x509SANURI, .x509Hash] }
        if !attesters.isEmpty { rules.append(.verifierAttestation) }
        if federation != nil { rules.append(.federation) }
        return rules.filter { profile?.clientRules.contains($0) != false }
    }
}
