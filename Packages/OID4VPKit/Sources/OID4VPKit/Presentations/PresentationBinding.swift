import JOSEKit
public import MdocKit
public import OID4VPMessages

/// The transaction that presentations are bound to: audience, nonce and session transcript.
///
/// | response mode | audience | transcript of mdocs |
/// |---|---|---|
/// | redirects and `direct_post`, 1.0 | the whole client identifier | `OpenID4VPHandover` |
/// | the same, drafts with a presentation definition, and with DCQL up to 26 | the whole client identifier | that of ISO/IEC TS 18013-7, Annex B, for encrypted responses alone |
/// | Digital Credentials API | `origin:` and the origin | `OpenID4VPDCAPIHandover` |
/// | the same, drafts 21 to 24 | the whole client identifier, or `web-origin:` and the origin | `OpenID4VPDCAPIHandover` of origin, audience and nonce |
/// | Interactive Authorization, for the endpoint | `iar:`, `iae:` or `ia:` and the endpoint | `OpenID4VCIIAEHandover` |
/// | Interactive Authorization, by its `response_uri` | as `direct_post` | as `direct_post` |
public struct PresentationBinding: Sendable {
    /// The audience.
    public let audience: String
    /// The verifier's nonce.
    public let nonce: String
    /// The wallet's nonce, the `mdoc_generated_nonce` of drafts before 26: an encrypted response carries it as `apu`.
    public let mdocGeneratedNonce: String
    /// The handover for mdocs; nil if none is defined, so that no mdoc can be presented.
    public let handover: Handover?

    /// Binds presentations to a transaction that was agreed on otherwise.
    public init(audience: String, nonce: String, mdocGeneratedNonce: String, handover: Handover?) {
        self.audience = audience
        self.nonce = nonce
        self.mdocGeneratedNonce = mdocGeneratedNonce
        self.handover = handover
    }

    /// Binds presentations to a request.
    ///
    /// - Parameters:
    ///   - authenticated: The authenticated request.
    ///   - request: The request as it was read.
    ///   - mdocGeneratedNonce: That of the ``AuthorizationResponder`` which makes the response: a verifier of a draft learns it
    ///     from the response alone.
    /// - Throws: `OID4VPError` with code `missingParameter` if a request of Interactive Authorization has neither an
    ///   endpoint nor a `response_uri`.
    public init(
        _ authenticated: AuthenticatedRequest,
        _ request: PresentationRequest,
        mdocGeneratedNonce: String
    ) throws(OID4VPError) {
        let target = request.target
        let isAddressed = target.mode.address != .optionalResponseURI || target.address != nil
        guard isAddressed || authenticated.interactiveEndpoint != nil else {
            throw OID4VPError(.missingParameter, "neither it nor an endpoint is known", path: ["response_uri"])
        }
        nonce = request.nonce
        self.mdocGeneratedNonce = mdocGeneratedNonce
        audience = authenticated.audience
        handover = Self.handover(authenticated, request, mdocGeneratedNonce)
    }

    private static func handover(
        _ authenticated: AuthenticatedRequest,
        _ request: PresentationRequest,
        _ mdocGeneratedNonce: String
    ) -> Handover? {
        let (nonce, client) = (request.nonce, authenticated.client?.text.text)
        let thumbprint = request.encryption?.key.thumbprint()
        if let endpoint = authenticated.interactiveEndpoint {
            return .openID4VCIInteractiveAuthorization(endpoint: endpoint, nonce: nonce, jwkThumbprint: thumbprint)
        }
        if let origin = authenticated.origin {
            return authenticated.platformProtocol == PlatformRequest.draft
                ? .openID4VPDraft24DigitalCredentialsAPI(
                    origin: origin,
                    clientID: authenticated.audience,
                    nonce: nonce
                )
                : .openID4VPDigitalCredentialsAPI(origin: origin, nonce: nonce, jwkThumbprint: thumbprint)
        }
        guard let client, let address = request.target.address else { return nil }
        // Without encryption the verifier of a draft could not learn the wallet's value; names of drafts alone prove no draft.
        let isCurrent = request.version == .v1 && request.encryption == nil
        if isCurrent || !authenticated.usesDraftHandover {
            return .openID4VP(clientID: client, nonce: nonce, jwkThumbprint: thumbprint, responseURI: address)
        }
        // The verifier learns the wallet's value from the encrypted response alone.
        guard request.encryption != nil else { return nil }
        return .openID4VPDraft23(
            clientID: client,
            responseURI: address,
            nonce: nonce,
            mdocGeneratedNonce: mdocGeneratedNonce
        )
    }

    /// The session transcript for mdocs.
    ///
    /// - Throws: `OID4VPError` with code `presentationFailed` if the response mode has none.
    func sessionTranscript() throws(OID4VPError) -> SessionTranscript {
        guard let handover else {
            throw OID4VPError(
                .presentationFailed,
                "an mdoc can be presented in encrypted responses alone",
                path: ["response_mode"]
            )
        }
        return SessionTranscript(handover: handover)
    }
}
