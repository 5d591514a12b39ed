import CredentialTransport

/// The mode and the address of the response, as a request states them.
///
/// The address is not to be trusted before the client is authenticated and found entitled to it.
public struct ResponseTarget: Hashable, Sendable {
    /// The channel that a request came by.
    public enum Channel: Hashable, Sendable {
        /// A URL of the wallet.
        case redirects
        /// The Digital Credentials API.
        case digitalCredentials
        /// An authorization server that asks during issuance, to whose endpoint the response goes.
        case interactive
    }

    /// The mode.
    public let mode: ResponseMode
    /// The address; nil if the mode has none.
    public let address: String?

    /// Reads the target.
    ///
    /// - Throws: ``OID4VPError/Code/unsupportedResponseMode``, ``OID4VPError/Code/missingParameter``,
    ///   ``OID4VPError/Code/contradictoryParameters``, ``OID4VPError/Code/invalidResponseAddress``.
    public init(
        _ parameters: AuthorizationParameters,
        version: OpenID4VPVersion,
        client: ClientIdentifier?,
        channel: Channel = .redirects
    ) throws(OID4VPError) {
        var deviations: [Deviation] = []
        try self.init(parameters, version: version, client: client, channel: channel, deviations: &deviations)
    }

    /// Reads the target under tolerances.
    ///
    /// - Throws: As without tolerances.
    package init(
        _ parameters: AuthorizationParameters,
        version: OpenID4VPVersion,
        client: ClientIdentifier?,
        channel: Channel = .redirects,
        options: RequestReadingOptions = .strict,
        deviations: inout [Deviation]
    ) throws(OID4VPError) {
        if version != .v1, client?.rule == .redirectURI, let text = try parameters.text("redirect_uri"),
            options.tolerances.contains(.redirectURIAsResponseURI),
            !parameters.contains("response_mode"), !parameters.contains("response_uri")
        {
            try options.tolerate(.redirectURIAsResponseURI, at: ["redirect_uri"], &deviations)
            _ = try HTTPURL(secure: text, .invalidResponseAddress, at: "redirect_uri")
            (mode, address) = (.directPost, text)
            return
        }
        mode = try Self.mode(parameters, version, channel, options, &deviations)
        switch mode.address {
        case .redirectURI:
            guard !parameters.contains("response_uri") else {
                throw OID4VPError(.contradictoryParameters, "the response mode has none", path: ["response_uri"])
            }
            address = try Self.address("redirect_uri", parameters, client)
        case .responseURI, .optionalResponseURI:
            // The Interactive Authorization Endpoint may be known from elsewhere.
            let isOptional = mode.address == .optionalResponseURI
            if channel == .interactive || isOptional && !parameters.contains("response_uri") {
                address = nil
            } else {
                address = try Self.address("response_uri", parameters, client)
            }
        case .platform, nil: address = nil
        }
    }

    /// The same target with a response that is no JWT.
    package var inTheClear: ResponseTarget {
        // `jwt` stands for the fragment with a JWT (JARM, section 2.3.4).
        ResponseTarget(mode: mode == "jwt" ? .fragment : mode.base, address: address)
    }

    private init(mode: ResponseMode, address: String?) {
        self.mode = mode
        self.address = address
    }

    /// Reads the target of an error response to a request whose own mode cannot be used: the one address that it states.
    ///
    /// - Throws: As for a target; ``OID4VPError/Code/contradictoryParameters`` for two addresses.
    package init(ofErrorsTo parameters: AuthorizationParameters) throws(OID4VPError) {
        switch (parameters.contains("response_uri"), parameters.contains("redirect_uri")) {
        case (true, true):
            throw OID4VPError(.contradictoryParameters, "there are two addresses", path: ["response_uri"])
        case (_, false): (mode, address) = (.directPost, try Self.address("response_uri", parameters, nil))
        case (false, true): (mode, address) = (.fragment, try Self.address("redirect_uri", parameters, nil))
        }
    }

    private static func mode(
        _ parameters: AuthorizationParameters,
        _ version: OpenID4VPVersion,
        _ channel: Channel,
        _ options: RequestReadingOptions,
        _ deviations: inout [Deviation]
    ) throws(OID4VPError) -> ResponseMode {
        let place = "response_mode"
        guard let text = try parameters.text(place) else {
            guard channel == .redirects else { throw OID4VPError(.missingParameter, .missing, path: [place]) }
            if version == .v1 {
                try options.tolerate(.missingResponseMode, at: [place], &deviations, .missingParameter)
            }
            return .fragment
        }
        let mode = ResponseMode(text)
        let fits =
            switch (mode.address, channel) {
            case (nil, _): false
            case (.platform, _), (_, .digitalCredentials): mode.address == .platform && channel == .digitalCredentials
            case (let address, .interactive): address == .optionalResponseURI
            case (_, .redirects): true
            }
        guard fits else {
            throw OID4VPError(
                .unsupportedResponseMode,
                "the mode \"\(mode)\" is not one of this channel",
                path: ["response_mode"]
            )
        }
        return mode
    }

    private static func address(
        _ name: String,
        _ parameters: AuthorizationParameters,
        _ client: ClientIdentifier?
    ) throws(OID4VPError) -> String {
        var address = try parameters.text(name)
        if address == nil, let client, client.rule == .redirectURI { address = client.original }
        guard let address else { throw OID4VPError(.missingParameter, .missing, path: [name]) }
        if name == "response_uri" {
            _ = try HTTPURL(secure: address, .invalidResponseAddress, at: name)
        } else {
            try requireRedirectURI(address)
        }
        return address
    }

    /// The schemes that no client has for its own: a browser or an operating system acts on them.
    private static let schemesOfPlatforms: Set<String> = [
        "http", "javascript", "data", "file", "about", "blob", "content", "filesystem", "ftp", "intent", "mailto",
        "sms", "tel", "vbscript", "view-source", "ws", "wss",
    ]

    /// An absolute URI without a fragment: https, or a scheme of the client's own.
    private static func requireRedirectURI(_ text: String) throws(OID4VPError) {
        let isPlain = text.utf8.allSatisfy { (0x21..<0x7f).contains($0) && $0 != UInt8(ascii: "#") }
        let scheme = text.prefix { $0 != ":" }.lowercased()
        guard isPlain, scheme.count < text.count, !scheme.isEmpty,
            !schemesOfPlatforms.contains(scheme)
        else {
            throw OID4VPError(.invalidResponseAddress, "it is no address for a redirect", path: ["redirect_uri"])
        }
        if scheme == "https" { _ = try HTTPURL(secure: text, .invalidResponseAddress, at: "redirect_uri") }
    }
}
