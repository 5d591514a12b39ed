public import OID4VPMessages
public import Testing

/// One way to ask for a credential and to answer.
public struct Combination: Hashable, Sendable, CustomTestStringConvertible {
    /// The kinds of client identifiers.
    public enum Client: String, CaseIterable, Sendable {
        case redirectURI, preRegistered, did, x509SANDNS, x509SANURI, x509Hash, attestation, federation
    }

    /// The ways of a request to the wallet.
    public enum Delivery: String, CaseIterable, Sendable {
        case unsignedValue, signedValue, get, post, platformUnsigned, platformSigned, platformMultiSigned

        /// Indicates a request that the client signs.
        public var isSigned: Bool { self != .unsignedValue && self != .platformUnsigned }
        /// Indicates a request over the Digital Credentials API.
        public var isPlatform: Bool { rawValue.hasPrefix("platform") }
    }

    /// The version.
    public let version: OpenID4VPVersion
    /// The kind of client identifier.
    public let client: Client
    /// The response mode.
    public let mode: ResponseMode
    /// The way of the request.
    public let delivery: Delivery
    /// The format of the credential.
    public let format: CredentialFormat

    /// Makes a combination, which a version may exclude.
    public init(
        version: OpenID4VPVersion = .v1,
        client: Client,
        mode: ResponseMode,
        delivery: Delivery,
        format: CredentialFormat
    ) {
        self.version = version
        self.client = client
        self.mode = mode
        self.delivery = delivery
        self.format = format
    }

    /// The text in test reports.
    public var testDescription: String { "\(version.rawValue) \(client) \(mode) \(delivery) \(format)" }

    private static let modes: [ResponseMode] = [
        .directPost, .directPostJWT, .fragment, .query, .formPost, "fragment.jwt", "query.jwt", "form_post.jwt", "jwt",
        .digitalCredentials, .digitalCredentialsJWT,
    ]
    private static let formats: [CredentialFormat] = [.mdoc, .sdJWT, .linkedData, .jwt]

    /// The whole product, what no version allows included.
    public static let product: [Combination] = [OpenID4VPVersion.draft21, .draft23, .v1].flatMap { version in
        Client.allCases.flatMap { client in
            modes.flatMap { mode in
                Delivery.allCases.flatMap { delivery in
                    formats.map { format in
                        Combination(version: version, client: client, mode: mode, delivery: delivery, format: format)
                    }
                }
            }
        }
    }

    /// The combinations that a version allows.
    public static let allowed = product.filter { $0.exclusion == nil }

    /// The rule that excludes a combination; nil for one that is allowed.
    public var exclusion: String? {
        let isPlatformMode = mode.address == .platform
        if isPlatformMode != delivery.isPlatform { return "a mode of the other channel" }
        if isPlatformMode, version != .v1 { return "the Digital Credentials API with a draft" }
        if version == .v1, mode.isJWT, mode.address == .redirectURI { return "JARM in 1.0" }
        if version == .v1, client == .x509SANURI { return "x509_san_uri in 1.0" }
        if version == .draft21, client == .x509Hash { return "x509_hash in draft 21" }
        if client == .redirectURI, delivery.isSigned { return "a signed request of a redirect_uri client" }
        if client == .redirectURI, isPlatformMode { return "redirect_uri over the Digital Credentials API" }
        if ![.redirectURI, .preRegistered].contains(client), delivery == .unsignedValue {
            return "an unsigned request of a client that signs"
        }
        // An origin stands for any client of an unsigned request.
        if delivery == .platformUnsigned, client != .x509Hash { return "a client of a request without one" }
        if delivery == .platformMultiSigned, client == .preRegistered { return "several registered clients" }
        if format == .mdoc, version != .v1, !mode.isJWT { return "an mdoc in the clear in a draft" }
        return nil
    }
}
