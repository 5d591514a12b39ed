import ArgumentParser
import CommandSupport
import CredentialTransport
import CryptoCore
import JOSEKit
import JSONKit
import OID4VPKit
import OID4VPMessages
import OpenIDFederation

/// A wallet's trust in verifiers, and its tolerance of their requests.
struct RequestTrustOptions: ParsableArguments {
    @Option(
        name: .long,
        help: "A file of trusted authorities for verifiers' certificates: PEM or DER; may be repeated."
    )
    var trust: [InputFile] = []

    @Option(
        name: .long,
        help: """
            The verifiers that the wallet knows: a JSON array of objects with client_id, response_uris, jwks, jwks_uri, \
            client_metadata and allow_unsigned.
            """
    )
    var clients: InputFile?

    @Option(
        name: .long,
        help: ArgumentHelp("The keys of an issuer of verifier attestations; may be repeated.", valueName: "issuer=jwks")
    )
    var attester: [ContextArgument] = []

    @Option(
        name: .long,
        help: ArgumentHelp("The keys of the trust anchor of a federation; may be repeated.", valueName: "anchor=jwks")
    )
    var federation: [ContextArgument] = []

    @Option(name: .long, help: "The DID document of a verifier whose DID is not its key; may be repeated.")
    var verifierDocument: [InputFile] = []

    @Flag(name: .long, help: "Read the known deviations of deployed verifiers, and show them.")
    var tolerant = false

    @Option(
        name: .long,
        help: ArgumentHelp("A deviation to read and show; may be repeated.", valueName: "deviation")
    )
    var tolerate: [ToleranceName] = []

    @OptionGroup var profile: ProfileOptions

    /// The options for reading requests.
    var reading: RequestReadingOptions {
        let deployed: Set<RequestTolerance> = tolerant ? .deployed : []
        return RequestReadingOptions(tolerances: deployed.union(tolerate.map(\.tolerance)))
    }

    /// The wallet's demands on requests.
    ///
    /// - Parameter transport: Fetches what federations publish.
    func policy(transport: any HTTPTransport) throws -> RequestAuthenticationPolicy {
        var policy = RequestAuthenticationPolicy()
        let anchors = try trust.flatMap { try $0.certificates() }
        if !anchors.isEmpty {
            policy.certificates = CertificatePathValidator(anchors: anchors, policy: .requestSigner)
        }
        policy.resolver = try LocalDocuments(verifierDocument)
        for attester in attester { policy.attesters[ExactText(attester.url)] = try attester.keys() }
        let federations = try federation.map {
            FederationTrustAnchor(id: try EntityIdentifier($0.url), keys: try $0.keys())
        }
        if !federations.isEmpty {
            let demands = FederationPolicy(anchors: federations)
            policy.federation = TrustChainResolver(policy: demands, transport: transport)
        }
        policy.clients = try clients.map { try $0.registeredClients() } ?? []
        policy.profile = profile.presentationProfile
        policy.walletMetadata = Self.walletMetadata
        return policy
    }

    /// The metadata for verifiers, with all formats that can be presented.
    ///
    /// A verifier gets them before the holder's consent, and does not learn from them which credentials there are.
    static let walletMetadata = WalletMetadata(formats: [
        .mdoc: FormatAlgorithms(), .sdJWT: FormatAlgorithms(), .olderSDJWT: FormatAlgorithms(),
        .linkedData: FormatAlgorithms(), .jwt: FormatAlgorithms(),
    ])
}

/// A deviation of requests on the command line, by its name.
struct ToleranceName: ExpressibleByArgument, Sendable {
    let tolerance: RequestTolerance

    init?(argument: String) {
        guard let tolerance = Self.tolerances.first(where: { $0.description == argument }) else { return nil }
        self.tolerance = tolerance
    }

    private static let tolerances = Set<RequestTolerance>.deployed.union([.otherAudience, .redirectURIAsResponseURI])

    static let allValueStrings = tolerances.map(\.description).sorted()
}

extension ContextArgument {
    /// The key set in the file of a party.
    fileprivate func keys() throws -> JWKSet {
        let text = try file.text()
        return try file.reading("JWK Set") { try JWKSet(decoding: text) }
    }
}

extension InputFile {
    /// The verifiers that a wallet knows beforehand.
    fileprivate func registeredClients() throws(ToolError) -> [RegisteredClient] {
        let bytes = try read()
        return try reading("list of clients") {
            guard let entries = try JSONValue(parsing: bytes).arrayValue else { throw ToolError("it is no JSON array") }
            return try entries.map { try RegisteredClient(json: $0) }
        }
    }
}

extension RegisteredClient {
    /// Reads an entry of the file of clients.
    fileprivate init(json entry: JSONValue) throws {
        guard let id = entry["client_id"]?.stringValue, !id.isEmpty else { throw ToolError("client_id is missing") }
        guard let addresses = entry["response_uris"]?.arrayValue?.compactMap(\.stringValue), !addresses.isEmpty else {
            throw ToolError("\(id) has no response_uris")
        }
        self.init(
            id: ExactText(id),
            responseAddresses: Set(addresses.map { ExactText($0) }),
            keys: try entry["jwks"].map { try JWKSet(decoding: $0.text()) } ?? JWKSet([]),
            keysAddress: try entry["jwks_uri"]?.stringValue.map { try HTTPURL($0) },
            allowsUnsignedRequests: entry["allow_unsigned"] == true,
            metadata: entry["client_metadata"]?.objectValue
        )
    }
}
