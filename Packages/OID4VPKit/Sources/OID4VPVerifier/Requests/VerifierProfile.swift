import CryptoCore
import JOSEKit

/// A profile of OpenID4VP, whose demands a verifier's requests must meet.
public enum VerifierProfile: Hashable, Sendable {
    /// The specification alone.
    case openID4VP
    /// OpenID4VC High Assurance Interoperability Profile 1.0.
    case haip
    /// ISO/IEC TS 18013-7, annex B: mobile driving licences over an early draft.
    case iso18013_7

    /// The prefix of links for wallets of the profile.
    public var invocation: String {
        switch self {
        case .openID4VP: "openid4vp://"
        case .haip: "haip-vp://"
        case .iso18013_7: "mdoc-openid4vp://"
        }
    }

    /// The deviations of a request from the profile, each with its place; empty if it meets every demand.
    public func deviations(of content: RequestContent, by party: RelyingParty) -> [Deviation] {
        var finding = Finding(content, party)
        switch self {
        case .openID4VP: break
        case .haip: finding.checkHAIP()
        case .iso18013_7: finding.checkISO18013()
        }
        return finding.deviations
    }
}

/// The search for deviations of a request.
private struct Finding {
    private let content: RequestContent
    private let party: RelyingParty
    private(set) var deviations: [Deviation] = []

    init(_ content: RequestContent, _ party: RelyingParty) {
        self.content = content
        self.party = party
    }

    private mutating func require(_ holds: Bool, _ name: String, at path: String, _ message: String) {
        if !holds { deviations.append(Deviation(name, at: [path], message)) }
    }

    /// HAIP 1.0, chapters 5 and 7.
    mutating func checkHAIP() {
        let (isPlatform, client) = (content.mode.address == .platform, party.client)
        require(content.version == .v1, "version", at: "version", "the profile is one of 1.0")
        require(content.query.dcql != nil, "query", at: "dcql_query", "the query must be DCQL")
        require(
            content.mode == .directPostJWT || content.mode == .digitalCredentialsJWT,
            "responseMode",
            at: "response_mode",
            "the response must be encrypted: direct_post.jwt or dc_api.jwt"
        )
        require(
            client.rule == .x509Hash || isPlatform && client.signer == nil,
            "clientIdentifier",
            at: "client_id",
            "the client identifier must be x509_hash"
        )
        checkSigner(client)
        checkEncryption([.a128GCM, .a256GCM], demandsAll: true)
        for query in content.query.dcql?.credentials ?? [] {
            require(
                query.format == .mdoc || query.format == .sdJWT,
                "format",
                at: query.id.text,
                "the format must be mso_mdoc or dc+sd-jwt"
            )
        }
    }

    /// ISO/IEC TS 18013-7, B.3.
    mutating func checkISO18013() {
        let names: Set<ClientIdentifier.Rule> = [.x509SANDNS, .x509SANURI]
        require(content.version == .draft21, "version", at: "version", "the profile is one of an early draft")
        require(
            names.contains(party.client.rule),
            "clientIdentifier",
            at: "client_id",
            "the client identifier must be a name of a certificate"
        )
        require(
            content.mode == .directPostJWT,
            "responseMode",
            at: "response_mode",
            "the response mode must be direct_post.jwt"
        )
        checkSigner(party.client)
        checkEncryption([.a128GCM, .a256GCM], demandsAll: false)
        guard let definition = content.query.definition else {
            require(false, "query", at: "presentation_definition", "the query must be a presentation definition")
            return
        }
        for descriptor in definition.descriptors { check(descriptor, definition.formats) }
    }

    private mutating func check(_ descriptor: InputDescriptor, _ formats: [FormatRequirement]) {
        let (path, accepted) = (descriptor.id.text, descriptor.formats.isEmpty ? formats : descriptor.formats)
        require(
            !accepted.isEmpty && accepted.allSatisfy { $0.format == .mdoc },
            "format",
            at: path,
            "the format must be mso_mdoc"
        )
        require(
            descriptor.limitDisclosure == .required,
            "limitDisclosure",
            at: path,
            "limit_disclosure must be required"
        )
        require(
            descriptor.fields.allSatisfy { $0.intentToRetain != nil },
            "intentToRetain",
            at: path,
            "every field must say intent_to_retain"
        )
    }

    private mutating func checkSigner(_ client: ClientIdentity) {
        guard let signer = client.signer else { return }
        require(
            JWSAlgorithm(signer.algorithm, for: signer.publicKey) == .es256,
            "signature",
            at: "client_id",
            "the request must be signed with ES256"
        )
        require(
            client.certificates.first?.isSelfIssued != true,
            "selfSigned",
            at: "x5c",
            "the certificate of the signer must not be self-signed"
        )
        require(
            client.certificates.dropFirst().allSatisfy { !$0.isSelfIssued },
            "trustAnchor",
            at: "x5c",
            "the trust anchor must be left out"
        )
    }

    private mutating func checkEncryption(_ encryptions: Set<JWEEncryption>, demandsAll: Bool) {
        let offered = Set(party.encryption.encryptions)
        require(
            party.encryption.algorithm == .ecdhES && party.encryption.isP256,
            "encryptionKey",
            at: "jwks",
            "the response must be encrypted with ECDH-ES on P-256"
        )
        require(
            demandsAll ? offered.isSuperset(of: encryptions) : !offered.isEmpty && offered.isSubset(of: encryptions),
            "encryption",
            at: "jwks",
            "the content encryptions must be A128GCM and A256GCM"
        )
    }
}

extension ResponseEncryptionPolicy {
    fileprivate var isP256: Bool {
        switch key {
        case .ephemeral(let curve): curve == .p256
        case .fixed(let key): key.curve == "P-256"
        }
    }
}

extension ResponseExpectation.Query {
    /// The DCQL query, or nil.
    public var dcql: DCQLQuery? {
        if case .dcql(let query) = self { query } else { nil }
    }

    /// The presentation definition, or nil.
    public var definition: PresentationDefinition? {
        if case .definition(let definition) = self { definition } else { nil }
    }
}
