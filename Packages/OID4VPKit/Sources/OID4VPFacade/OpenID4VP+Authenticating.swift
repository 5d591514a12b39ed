import CredentialTransport
import CryptoCore
import DIDKit
import JOSEKit
import JSONKit
import OID4VPKit
import OID4VPMessages

extension OpenID4VP {
    /// Authenticates the verifier of a request, and reads what it asks for.
    ///
    /// - Parameters:
    ///   - urlEncodedAuthorizationRequest: The request as a URL.
    ///   - trustedVerifiers: The pre-registered verifiers.
    ///   - shouldValidateClient: Pass `false` to take a pre-registered client that is not among them.
    /// - Throws: ``OpenID4VPException``. Once the verifier is authenticated, it is told of the error.
    public func authenticateVerifier(
        urlEncodedAuthorizationRequest: String,
        trustedVerifiers: [Verifier],
        shouldValidateClient: Bool = true
    ) async throws -> AuthorizationRequest {
        try await authenticate(walletMetadata, trustedVerifiers, shouldValidateClient) { [settings] in
            try IncomingRequest(urlEncodedAuthorizationRequest, settings)
        }
    }

    /// Authenticates the verifier of a request whose parameters are given as a map.
    ///
    /// - Parameters:
    ///   - authorizationRequest: The parameters: texts, or JSON values.
    ///   - trustedVerifiers: The pre-registered verifiers.
    ///   - shouldValidateClient: Pass `false` to take a pre-registered client that is not among them.
    /// - Throws: ``OpenID4VPException``.
    nonisolated(nonsending) public func authenticateVerifier(
        authorizationRequest: [String: Any],
        trustedVerifiers: [Verifier],
        shouldValidateClient: Bool = true
    ) async throws -> AuthorizationRequest {
        let incoming = Result { try IncomingRequest(authorizationRequest, settings) }
        return try await authenticate(walletMetadata, trustedVerifiers, shouldValidateClient) { try incoming.get() }
    }

    /// Authenticates a request, and reports a failure to a verifier that is authenticated.
    func authenticate(
        _ metadata: WalletMetadata?,
        _ verifiers: [Verifier],
        _ validatesClient: Bool,
        _ read: @Sendable () throws -> IncomingRequest
    ) async throws -> AuthorizationRequest {
        let nonce = Base64URL.encode(settings.random.bytes(16))
        let number = begin(walletNonce: nonce)
        var incoming: IncomingRequest?
        var responder: AuthorizationResponder?
        do {
            let request = try read()
            incoming = request
            let session = try await session(for: request, metadata, verifiers, validatesClient, nonce) {
                responder = $0
            }
            update(number) { state in
                state.session = session
                state.responseUri = session.authorizationRequest.responseUri
            }
            log("authenticated \(session.authenticated.version.rawValue)")
            return session.authorizationRequest
        } catch {
            update(number) { $0 = State(number: number) }
            let exception = exception(error) { name in
                responder?.request.parameters.members[name].map { $0.stringValue ?? $0.text() } ?? incoming?[name]
            }
            log("refused: \(exception.errorCode)")
            if let responder {
                await report(exception, with: responder)
            } else if settings.notifyUnauthenticatedVerifier, let address = incoming?["response_uri"] {
                await report(exception, at: address, state: incoming?["state"])
            }
            throw exception
        }
    }

    private func session(
        for incoming: IncomingRequest,
        _ metadata: WalletMetadata?,
        _ verifiers: [Verifier],
        _ validatesClient: Bool,
        _ nonce: String,
        _ authenticatedAs: (AuthorizationResponder) -> Void
    ) async throws -> Session {
        try checkScheme(of: incoming, metadata)
        try checkClient(of: incoming, verifiers, validatesClient)
        let client = try OID4VPMessages.AuthorizationRequest(url: incoming.url, options: settings.reading)
        try checkForm(of: incoming)
        let policy = try policy(for: incoming, metadata, verifiers, validatesClient)
        let authenticated = try await authenticator.replacing(policy: policy).authenticate(
            client,
            walletNonce: nonce,
            interactiveEndpoint: settings.interactiveEndpoint,
            at: settings.clock()
        ).get()
        let support = metadata?.encryption ?? .default
        let responder = AuthorizationResponder(authenticated, mdocGeneratedNonce: nonce, support: support)
        authenticatedAs(responder)
        try checkMode(authenticated.target.mode)
        let content = try await authenticated.presentationRequest(
            support: PresentationRequest.Support(encryption: support, transactionData: settings.transactionData),
            resolvingWith: QueryResolver(transport: settings.transport, scopes: settings.scopes)
        )
        try checkMdoc(content)
        return Session(
            authenticated: authenticated,
            content: content,
            responder: responder,
            authorizationRequest: AuthorizationRequest(
                content,
                authenticated.parameters,
                clientId: incoming.clientID,
                walletNonce: authenticated.walletNonce
            )
        )
    }

    // MARK: Checks

    /// Refuses a scheme that the wallet does not support.
    private func checkScheme(of incoming: IncomingRequest, _ metadata: WalletMetadata?) throws {
        guard let metadata else { return }
        let unsupported = InvalidData(
            message: "Client id scheme in request is not supported",
            className: Self.className
        )
        switch incoming.scheme {
        case "did", "decentralized_identifier":
            guard metadata.clientIdSchemesSupported.contains(.did) else { throw unsupported }
        case ClientIdScheme.redirectUri.rawValue:
            guard metadata.clientIdSchemesSupported.contains(.redirectUri) else { throw unsupported }
        case ClientIdScheme.preRegistered.rawValue:
            guard metadata.clientIdSchemesSupported.contains(.preRegistered) else { throw unsupported }
        // Schemes that the wallet's metadata cannot name are subject to the trust of the settings alone.
        default: break
        }
    }

    /// Refuses an unknown pre-registered client, before anything is fetched.
    private func checkClient(
        of incoming: IncomingRequest,
        _ verifiers: [Verifier],
        _ validatesClient: Bool
    ) throws {
        guard validatesClient, incoming.scheme == ClientIdScheme.preRegistered.rawValue else { return }
        let isKnown =
            verifiers.contains { ExactText($0.clientId) == ExactText(incoming.clientID) }
            || settings.policy.clients.contains { $0.id == ExactText(incoming.clientID) }
        guard isKnown else { throw InvalidVerifier(.untrusted, className: Self.className) }
    }

    /// Refuses a request by value without the parameters that every answer needs, and with a mode that cannot be answered.
    private func checkForm(of incoming: IncomingRequest) throws {
        guard incoming.isByValue else { return }
        guard let mode = incoming["response_mode"] else {
            throw MissingInput(fieldPath: ["response_mode"], className: Self.className)
        }
        try checkMode(ResponseMode(mode))
        guard incoming["response_uri"] != nil || settings.interactiveEndpoint != nil || incoming["dcql_query"] != nil
        else { throw MissingInput(fieldPath: ["response_uri"], className: Self.className) }
    }

    private func checkMode(_ mode: ResponseMode) throws {
        guard mode.address == .responseURI || mode.address == .optionalResponseURI else {
            throw InvalidData(
                message: "Given response_mode - \(mode.text) is not supported",
                className: Self.className
            )
        }
    }

    /// Refuses a definition for mdocs that is not answered encrypted: there is no session transcript for it.
    private func checkMdoc(_ content: PresentationRequest) throws {
        guard let definition = content.query.definition, !content.target.mode.isJWT else { return }
        let formats = definition.formats + definition.descriptors.flatMap(\.formats)
        guard formats.contains(where: { $0.format == .mdoc }) else { return }
        throw InvalidData(
            message:
                "When mso_mdoc format is present in presentation definition, response_mode must be direct_post.jwt",
            className: Self.className
        )
    }

    // MARK: Trust

    private func policy(
        for incoming: IncomingRequest,
        _ metadata: WalletMetadata?,
        _ verifiers: [Verifier],
        _ validatesClient: Bool
    ) throws -> RequestAuthenticationPolicy {
        var policy = settings.policy
        for verifier in verifiers {
            let keys: HTTPURL?
            do throws(TransportError) {
                keys = try verifier.jwksUri.map { text throws(TransportError) in try HTTPURL(text) }
            } catch {
                throw InvalidInput(fieldPath: ["jwks_uri"], .invalid, className: Self.className, cause: error)
            }
            policy.clients.append(
                RegisteredClient(
                    id: ExactText(verifier.clientId),
                    responseAddresses: Set(verifier.responseUris.map(ExactText.init)),
                    keysAddress: keys,
                    allowsUnsignedRequests: verifier.allowUnsignedRequest
                        || settings.allowsUnsignedPreRegisteredRequests,
                    takesMetadataOfRequests: true
                )
            )
        }
        let isKnown = policy.clients.contains { $0.id == ExactText(incoming.clientID) }
        if !validatesClient, !isKnown, incoming.scheme == ClientIdScheme.preRegistered.rawValue {
            // Nothing vouches for the client; its request counts only if the settings accept one without a signature.
            policy.clients.append(
                RegisteredClient(
                    id: ExactText(incoming.clientID),
                    responseAddresses: Set([incoming["response_uri"]].compactMap { $0 }.map(ExactText.init)),
                    allowsUnsignedRequests: settings.allowsUnsignedPreRegisteredRequests,
                    takesMetadataOfRequests: true
                )
            )
        }
        policy.resolver = policy.resolver ?? resolver
        if let metadata {
            policy.walletMetadata = metadata.forRequests
            if let algorithms = metadata.requestObjectSigningAlgValuesSupported, incoming.usesPOST {
                policy.algorithms = algorithms.contains(.edDsa) ? [.edDSA, .ed25519] : []
            }
        }
        return policy
    }

    /// Finds the keys of DIDs.
    var resolver: any DIDResolver {
        settings.resolver
            ?? DIDMethods([
                "key": DIDKeyMethod(), "jwk": DIDJWKMethod(), "web": DIDWebMethod(transport: settings.transport),
            ])
    }
}

extension IncomingRequest {
    /// Indicates that the request object is fetched with POST, and with the wallet's metadata.
    fileprivate var usesPOST: Bool { self["request_uri_method"] == "post" }
}

extension WalletMetadata {
    /// The algorithms for responses.
    fileprivate var encryption: EncryptionSupport {
        var support = EncryptionSupport.default
        if let algorithms = authorizationEncryptionAlgValuesSupported {
            support.algorithms = Set(algorithms.map { JWEAlgorithm(rawValue: $0.rawValue) })
        }
        if let encryptions = authorizationEncryptionEncValuesSupported {
            support.encryptions = Set(encryptions.map { JWEEncryption(rawValue: $0.rawValue) })
        }
        return support
    }

    /// The numbers in COSE of the algorithms that apps name as in JOSE.
    private static let numbers: [ExactText: ExactText] = [
        "ES256": "-7", "ES384": "-35", "ES512": "-36", "EdDSA": "-8",
    ]

    /// The metadata as the request is fetched with them.
    fileprivate var forRequests: OID4VPMessages.WalletMetadata {
        var formats: [CredentialFormat: FormatAlgorithms] = [:]
        for (type, format) in vpFormatsSupported {
            let names = (format.algValuesSupported ?? []).map(ExactText.init)
            formats[type.credentialFormat] =
                switch type {
                case .ldp_vc: FormatAlgorithms(proofTypes: names)
                case .mso_mdoc: FormatAlgorithms(algorithms: names.map { Self.numbers[$0] ?? $0 })
                case .vc_sd_jwt, .dc_sd_jwt: FormatAlgorithms(algorithms: names)
                }
        }
        var metadata = OID4VPMessages.WalletMetadata(formats: formats)
        metadata.readsDefinitionsByReference = presentationDefinitionURISupported
        metadata.clientRules = clientIdSchemesSupported.map { scheme in
            switch scheme {
            case .preRegistered: .preRegistered
            case .redirectUri: .redirectURI
            case .did: .decentralizedIdentifier
            }
        }
        metadata.requestAlgorithms = requestObjectSigningAlgValuesSupported?.map { JWSAlgorithm(rawValue: $0.rawValue) }
        metadata.encryptionAlgorithms = authorizationEncryptionAlgValuesSupported?
            .map { JWEAlgorithm(rawValue: $0.rawValue) }
        metadata.encryptions = authorizationEncryptionEncValuesSupported?.map { JWEEncryption(rawValue: $0.rawValue) }
        return metadata
    }
}
