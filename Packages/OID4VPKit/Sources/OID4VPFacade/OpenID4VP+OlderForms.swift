// The older forms of `authenticateVerifier`: other labels, and metadata for one call in either order.
extension OpenID4VP {
    /// Authenticates the verifier of a request with metadata for this call; nil for those of the instance.
    @available(
        *,
        deprecated,
        renamed: "authenticateVerifier(urlEncodedAuthorizationRequest:trustedVerifiers:shouldValidateClient:)"
    )
    public func authenticateVerifier(
        urlEncodedAuthorizationRequest: String,
        trustedVerifiers: [Verifier],
        shouldValidateClient: Bool,
        walletMetadata: WalletMetadata?
    ) async throws -> AuthorizationRequest {
        try await authenticate(walletMetadata ?? self.walletMetadata, trustedVerifiers, shouldValidateClient) {
            [settings] in
            try IncomingRequest(urlEncodedAuthorizationRequest, settings)
        }
    }

    /// Authenticates the verifier of a request with metadata for this call; nil for those of the instance.
    @available(
        *,
        deprecated,
        renamed: "authenticateVerifier(urlEncodedAuthorizationRequest:trustedVerifiers:shouldValidateClient:)"
    )
    public func authenticateVerifier(
        urlEncodedAuthorizationRequest: String,
        trustedVerifiers: [Verifier],
        walletMetadata: WalletMetadata?,
        shouldValidateClient: Bool = true
    ) async throws -> AuthorizationRequest {
        try await authenticate(walletMetadata ?? self.walletMetadata, trustedVerifiers, shouldValidateClient) {
            [settings] in
            try IncomingRequest(urlEncodedAuthorizationRequest, settings)
        }
    }

    /// Authenticates the verifier of a request.
    @available(
        *,
        deprecated,
        renamed: "authenticateVerifier(urlEncodedAuthorizationRequest:trustedVerifiers:shouldValidateClient:)"
    )
    public func authenticateVerifier(
        urlEncodedAuthorizationRequest: String,
        trustedVerifier: [Verifier],
        shouldValidateClient: Bool = true
    ) async throws -> AuthorizationRequest {
        try await authenticate(walletMetadata, trustedVerifier, shouldValidateClient) { [settings] in
            try IncomingRequest(urlEncodedAuthorizationRequest, settings)
        }
    }

    /// Authenticates the verifier of a request with metadata for this call; nil for those of the instance.
    @available(
        *,
        deprecated,
        renamed: "authenticateVerifier(urlEncodedAuthorizationRequest:trustedVerifiers:shouldValidateClient:)"
    )
    public func authenticateVerifier(
        urlEncodedAuthorizationRequest: String,
        trustedVerifier: [Verifier],
        shouldValidateClient: Bool,
        walletMetadata: WalletMetadata?
    ) async throws -> AuthorizationRequest {
        try await authenticate(walletMetadata ?? self.walletMetadata, trustedVerifier, shouldValidateClient) {
            [settings] in
            try IncomingRequest(urlEncodedAuthorizationRequest, settings)
        }
    }

    /// Authenticates the verifier of a request with metadata for this call; nil for those of the instance.
    @available(
        *,
        deprecated,
        renamed: "authenticateVerifier(urlEncodedAuthorizationRequest:trustedVerifiers:shouldValidateClient:)"
    )
    public func authenticateVerifier(
        urlEncodedAuthorizationRequest: String,
        trustedVerifier: [Verifier],
        walletMetadata: WalletMetadata?,
        shouldValidateClient: Bool = true
    ) async throws -> AuthorizationRequest {
        try await authenticate(walletMetadata ?? self.walletMetadata, trustedVerifier, shouldValidateClient) {
            [settings] in
            try IncomingRequest(urlEncodedAuthorizationRequest, settings)
        }
    }

    /// Authenticates the verifier of a request.
    @available(
        *,
        deprecated,
        renamed: "authenticateVerifier(urlEncodedAuthorizationRequest:trustedVerifiers:shouldValidateClient:)"
    )
    public func authenticateVerifier(
        urlEncodedAuthorizationRequest: String,
        trustedVerifiersJSON: [Verifier],
        shouldValidateClient: Bool = true
    ) async throws -> AuthorizationRequest {
        try await authenticate(walletMetadata, trustedVerifiersJSON, shouldValidateClient) { [settings] in
            try IncomingRequest(urlEncodedAuthorizationRequest, settings)
        }
    }

    /// Authenticates the verifier of a request with metadata for this call; nil for those of the instance.
    @available(
        *,
        deprecated,
        renamed: "authenticateVerifier(urlEncodedAuthorizationRequest:trustedVerifiers:shouldValidateClient:)"
    )
    public func authenticateVerifier(
        urlEncodedAuthorizationRequest: String,
        trustedVerifiersJSON: [Verifier],
        shouldValidateClient: Bool,
        walletMetadata: WalletMetadata?
    ) async throws -> AuthorizationRequest {
        try await authenticate(walletMetadata ?? self.walletMetadata, trustedVerifiersJSON, shouldValidateClient) {
            [settings] in
            try IncomingRequest(urlEncodedAuthorizationRequest, settings)
        }
    }

    /// Authenticates the verifier of a request with metadata for this call; nil for those of the instance.
    @available(
        *,
        deprecated,
        renamed: "authenticateVerifier(urlEncodedAuthorizationRequest:trustedVerifiers:shouldValidateClient:)"
    )
    public func authenticateVerifier(
        urlEncodedAuthorizationRequest: String,
        trustedVerifiersJSON: [Verifier],
        walletMetadata: WalletMetadata?,
        shouldValidateClient: Bool = true
    ) async throws -> AuthorizationRequest {
        try await authenticate(walletMetadata ?? self.walletMetadata, trustedVerifiersJSON, shouldValidateClient) {
            [settings] in
            try IncomingRequest(urlEncodedAuthorizationRequest, settings)
        }
    }

    /// Authenticates the verifier of a request.
    @available(
        *,
        deprecated,
        renamed: "authenticateVerifier(urlEncodedAuthorizationRequest:trustedVerifiers:shouldValidateClient:)"
    )
    public func authenticateVerifier(
        urlEncodedAuthorizationRequest: String,
        trustedVerifierJSON: [Verifier],
        shouldValidateClient: Bool = true
    ) async throws -> AuthorizationRequest {
        try await authenticate(walletMetadata, trustedVerifierJSON, shouldValidateClient) { [settings] in
            try IncomingRequest(urlEncodedAuthorizationRequest, settings)
        }
    }

    /// Authenticates the verifier of a request with metadata for this call; nil for those of the instance.
    @available(
        *,
        deprecated,
        renamed: "authenticateVerifier(urlEncodedAuthorizationRequest:trustedVerifiers:shouldValidateClient:)"
    )
    public func authenticateVerifier(
        urlEncodedAuthorizationRequest: String,
        trustedVerifierJSON: [Verifier],
        shouldValidateClient: Bool,
        walletMetadata: WalletMetadata?
    ) async throws -> AuthorizationRequest {
        try await authenticate(walletMetadata ?? self.walletMetadata, trustedVerifierJSON, shouldValidateClient) {
            [settings] in
            try IncomingRequest(urlEncodedAuthorizationRequest, settings)
        }
    }

    /// Authenticates the verifier of a request with metadata for this call; nil for those of the instance.
    @available(
        *,
        deprecated,
        renamed: "authenticateVerifier(urlEncodedAuthorizationRequest:trustedVerifiers:shouldValidateClient:)"
    )
    public func authenticateVerifier(
        urlEncodedAuthorizationRequest: String,
        trustedVerifierJSON: [Verifier],
        walletMetadata: WalletMetadata?,
        shouldValidateClient: Bool = true
    ) async throws -> AuthorizationRequest {
        try await authenticate(walletMetadata ?? self.walletMetadata, trustedVerifierJSON, shouldValidateClient) {
            [settings] in
            try IncomingRequest(urlEncodedAuthorizationRequest, settings)
        }
    }
}
