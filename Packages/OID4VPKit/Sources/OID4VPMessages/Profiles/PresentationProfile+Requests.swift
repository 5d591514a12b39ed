public import CryptoCore
public import JOSEKit

/// The properties of a request that profiles are about: its sender, its signature and its way.
public struct RequestTraits: Sendable {
    /// The version.
    public var version: OpenID4VPVersion
    /// The rule for the client; nil if an origin stands for it.
    public var clientRule: ClientIdentifier.Rule?
    /// The channel.
    public var channel: ResponseTarget.Channel
    /// The response mode.
    public var responseMode: ResponseMode
    /// Indicates that the request came by `request_uri`.
    public var isByReference: Bool
    /// The algorithm of the signature; nil for a request without one.
    public var algorithm: JWSAlgorithm?
    /// The certificates of the signer as received, the signer's first; empty for other kinds of keys.
    public var certificates: [Certificate]
    /// The trust anchor that the certificates lead to; nil for other kinds of keys.
    public var anchor: Certificate?
    /// The algorithms that the wallet takes requests with; nil if they are not known.
    public var walletAlgorithms: Set<JWSAlgorithm>?
    /// Indicates that the key for the response is of several requests, which the verifier alone knows.
    public var usesFixedKey: Bool

    /// Describes a request.
    public init(
        version: OpenID4VPVersion,
        clientRule: ClientIdentifier.Rule?,
        channel: ResponseTarget.Channel,
        responseMode: ResponseMode,
        isByReference: Bool,
        algorithm: JWSAlgorithm?,
        certificates: [Certificate] = [],
        anchor: Certificate? = nil,
        walletAlgorithms: Set<JWSAlgorithm>? = nil,
        usesFixedKey: Bool = false
    ) {
        self.version = version
        self.clientRule = clientRule
        self.channel = channel
        self.responseMode = responseMode
        self.isByReference = isByReference
        self.algorithm = algorithm
        self.certificates = certificates
        self.anchor = anchor
        self.walletAlgorithms = walletAlgorithms
        self.usesFixedKey = usesFixedKey
    }
}

extension PresentationProfile {
    /// The rules that a request's sender, signature and way break, each as a deviation.
    public func deviations(of request: RequestTraits) -> [Deviation] { deviations(broken(by: request), at: []) }

    /// Checks a request's sender, signature and way.
    ///
    /// - Returns: The breaches that are tolerated.
    /// - Throws: ``OID4VPError/Code/profileViolation``.
    public func check(_ request: RequestTraits) throws(OID4VPError) -> [Deviation] {
        try enforce(broken(by: request), at: [])
    }

    /// The rules that a request breaks, each as a deviation.
    public func deviations(of request: PresentationRequest) -> [Deviation] { deviations(broken(by: request), at: []) }

    /// Checks the content of a request.
    ///
    /// - Returns: The breaches that are tolerated.
    /// - Throws: ``OID4VPError/Code/profileViolation``.
    public func check(_ request: PresentationRequest) throws(OID4VPError) -> [Deviation] {
        try enforce(broken(by: request), at: [])
    }

    private func broken(by request: RequestTraits) -> [ProfileRule] {
        var broken: [ProfileRule] = []
        if !versions.contains(request.version) { broken.append(.version) }
        if let rule = request.clientRule, !clientRules.contains(rule) { broken.append(.clientIdentifier) }
        // An origin vouches for requests over the Digital Credentials API, which need no signature.
        if request.algorithm == nil, request.channel != .digitalCredentials { broken.append(.signedRequest) }
        if request.channel == .redirects, !request.isByReference { broken.append(.requestURI) }
        if let algorithm = request.algorithm, !requestAlgorithms.contains(algorithm) {
            broken.append(.requestAlgorithm)
        }
        if let own = request.walletAlgorithms, !own.isSuperset(of: requiredAlgorithms) {
            broken.append(.supportedAlgorithms)
        }
        if restrictsPresentations, let leaf = request.certificates.first {
            let hasAnchor = request.certificates.contains { $0.fingerprint == request.anchor?.fingerprint }
            if hasAnchor || leaf.subject == leaf.issuer { broken.append(.certificateChain) }
        }
        if !responseModes.contains(request.responseMode) { broken.append(.responseMode) }
        if restrictsPresentations, request.usesFixedKey { broken.append(.ephemeralKey) }
        return broken
    }

    private func broken(by request: PresentationRequest) -> [ProfileRule] {
        var broken: [ProfileRule] = []
        if let response = request.encryption {
            let fits =
                encryption.algorithms.contains(response.algorithm)
                && encryption.encryptions.contains(response.encryption)
                && encryption.supports(curve: response.key.curve)
            if !fits { broken.append(.encryption) }
            if !verifierEncryptions.isSubset(of: request.metadata?.encryptions ?? []) {
                broken.append(.offeredEncryptions)
            }
        } else {
            broken.append(.encryption)
        }
        if let metadata = request.metadata, let query = request.query.dcql {
            let formats = Set(query.credentials.map(\.format))
            let isSupported = requiredAlgorithms.allSatisfy { metadata.takesHolders(of: formats, signingWith: $0) }
            if !isSupported { broken.append(.supportedAlgorithms) }
        }
        switch request.query {
        case .dcql(let query):
            if usesDefinitions { broken.append(.query) }
            if !query.credentials.allSatisfy({ formats.contains($0.format) }) { broken.append(.format) }
        case .definition(let definition):
            guard usesDefinitions else {
                broken.append(.query)
                break
            }
            broken += self.broken(by: definition)
        case .definitionReference, .scope: broken.append(.query)
        }
        return broken
    }

    /// The rules of ISO/IEC TS 18013-7, B.3, for definitions.
    private func broken(by definition: PresentationDefinition) -> [ProfileRule] {
        var broken: [ProfileRule] = []
        let fields = definition.descriptors.flatMap(\.fields)
        let haveFormats = definition.descriptors.allSatisfy { descriptor in
            let requirements = definition.formats(of: descriptor)
            return !requirements.isEmpty && requirements.allSatisfy { formats.contains($0.format) }
        }
        if !haveFormats { broken.append(.format) }
        if !definition.descriptors.allSatisfy({ $0.limitDisclosure == .required }) { broken.append(.limitDisclosure) }
        if !fields.allSatisfy({ $0.intentToRetain != nil }) { broken.append(.intentToRetain) }
        if !fields.allSatisfy({ $0.paths.allSatisfy(\.isElementPath) }) { broken.append(.elementPath) }
        return broken
    }
}

extension ClientMetadata {
    /// Returns `true` if holders of credentials of these formats may sign with an algorithm: none is listed for a format, or this
    /// one is among them.
    fileprivate func takesHolders(of formats: Set<CredentialFormat>, signingWith algorithm: JWSAlgorithm) -> Bool {
        let names: [(CredentialFormat, Set<ExactText>)] = [
            (.sdJWT, [ExactText(algorithm.rawValue)]), (.mdoc, algorithm.namesInCOSE),
        ]
        return names.filter { formats.contains($0.0) }.allSatisfy { format, names in
            let listed = algorithms(for: format)?.holderAlgorithms ?? []
            return listed.isEmpty || listed.contains(where: names.contains)
        }
    }
}

extension JWSAlgorithm {
    /// The numbers of the algorithm in COSE, as metadata list them: polymorphic, and fully specified.
    fileprivate var namesInCOSE: Set<ExactText> { self == .es256 ? ["-7", "-9"] : [] }
}

extension JSONPathQuery {
    /// Indicates that the path names one element of a namespace: `$['namespace']['element']`.
    fileprivate var isElementPath: Bool {
        segments.count == 2 && description.hasPrefix("$[")
            && segments.allSatisfy { segment in
                guard !segment.descends, segment.selectors.count == 1, case .name = segment.selectors[0] else {
                    return false
                }
                return true
            }
    }
}
