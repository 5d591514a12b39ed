public import JOSEKit

/// A profile of OpenID4VP: demands of an ecosystem beyond the specification, on wallets and verifiers alike.
///
/// A request or a response that breaks a demand is refused, unless the rule is tolerated by name.
/// A tolerated one is reported as a deviation under the profile's name, such as `haip.responseMode`.
///
/// ```swift
/// policy.profile = .haip
/// policy.profile = .haip.tolerating([.certificateChain])
/// policy.profile = .haip.accepting(requestAlgorithms: [.es384])
/// ```
public struct PresentationProfile: Sendable, CustomStringConvertible {
    /// The profile's name.
    public let description: String
    /// The schemes of the links that reach a wallet of the profile, the current one first.
    public let invocationSchemes: [String]
    /// The rules whose breach is reported and not refused.
    public var tolerances: Set<ProfileRule> = []
    /// The versions in use.
    public let versions: Set<OpenID4VPVersion>
    /// The rules for clients in use.
    public let clientRules: Set<ClientIdentifier.Rule>
    /// The response modes in use.
    public let responseModes: Set<ResponseMode>
    /// The algorithms for requests, with those that an ecosystem adds.
    public private(set) var requestAlgorithms: Set<JWSAlgorithm>
    /// The algorithms for signatures that every wallet and every verifier supports, whatever else it supports.
    public let requiredAlgorithms: Set<JWSAlgorithm>
    /// The algorithms for encrypted responses.
    public let encryption: EncryptionSupport
    /// The content encryptions that every verifier takes.
    public let verifierEncryptions: Set<JWEEncryption>
    /// The formats of credentials.
    public let formats: Set<CredentialFormat>
    /// Indicates that queries are presentation definitions in the form of ISO/IEC TS 18013-7, and DCQL queries otherwise.
    public let usesDefinitions: Bool
    /// Indicates that credentials and presentations follow the rules of HAIP.
    public let restrictsPresentations: Bool

    /// The OpenID4VC High Assurance Interoperability Profile 1.0, for redirects and the Digital Credentials API.
    public static let haip = PresentationProfile(
        description: "haip",
        invocationSchemes: ["haip-vp", "haip"],
        versions: [.v1],
        clientRules: [.x509Hash],
        responseModes: [.directPostJWT, .digitalCredentialsJWT],
        requestAlgorithms: [.es256],
        requiredAlgorithms: [.es256],
        encryption: EncryptionSupport(
            algorithms: [.ecdhES],
            encryptions: [.a128GCM, .a256GCM],
            curves: ["P-256"],
            preferredEncryption: .a256GCM
        ),
        verifierEncryptions: [.a128GCM, .a256GCM],
        formats: [.sdJWT, .mdoc],
        usesDefinitions: false,
        restrictsPresentations: true
    )

    /// ISO/IEC TS 18013-7, Annex B: a mobile driving licence over an early draft of OpenID4VP.
    public static let iso18013_7 = PresentationProfile(
        description: "iso18013_7",
        invocationSchemes: ["mdoc-openid4vp"],
        versions: [.draft21, .draft23],
        clientRules: [.x509SANDNS, .x509SANURI],
        responseModes: [.directPostJWT],
        requestAlgorithms: [.es256, .es384, .es512, .edDSA, .ed25519],
        requiredAlgorithms: [],
        encryption: EncryptionSupport(
            algorithms: [.ecdhES],
            encryptions: [.a128GCM, .a256GCM]
        ),
        verifierEncryptions: [],
        formats: [.mdoc],
        usesDefinitions: true,
        restrictsPresentations: false
    )

    /// The same profile with some rules reported and not refused.
    public func tolerating(_ rules: Set<ProfileRule>) -> PresentationProfile {
        var profile = self
        profile.tolerances.formUnion(rules)
        return profile
    }

    /// The same profile with further algorithms for requests, on which an ecosystem agreed.
    ///
    /// HAIP 1.0, section 7, demands support of ES256 at a minimum, and lets ecosystems add others. Those of the profile stay.
    public func accepting(requestAlgorithms algorithms: Set<JWSAlgorithm>) -> PresentationProfile {
        var profile = self
        profile.requestAlgorithms.formUnion(algorithms)
        return profile
    }

    /// The algorithms that a wallet encrypts with under the profile; all of its own where the rule is tolerated.
    public func encryption(of support: EncryptionSupport) -> EncryptionSupport {
        tolerances.contains(.encryption) ? support : encryption.intersection(support)
    }

    /// The rule about links for the same device: a response is rejected unless the browser brings its response code (HAIP 1.0,
    /// section 5.1).
    ///
    /// - Returns: The breaches that are tolerated.
    /// - Throws: ``OID4VPError/Code/profileViolation``.
    package func checkLink(demandsResponseCode: Bool) throws(OID4VPError) -> [Deviation] {
        try enforce(restrictsPresentations && !demandsResponseCode ? [.redirect] : [], at: [])
    }

    /// The breaches of rules as deviations.
    func deviations(_ broken: [ProfileRule], at path: [String]) -> [Deviation] {
        broken.map { Deviation("\(self).\($0)", at: path, $0.finding) }
    }

    /// Refuses the first rule that is broken and not tolerated, and reports the others.
    func enforce(_ broken: [ProfileRule], at path: [String]) throws(OID4VPError) -> [Deviation] {
        if let rule = broken.first(where: { !tolerances.contains($0) }) {
            throw OID4VPError(.profileViolation, "\(self).\(rule): \(rule.finding)", path: path)
        }
        return deviations(broken, at: path)
    }
}
