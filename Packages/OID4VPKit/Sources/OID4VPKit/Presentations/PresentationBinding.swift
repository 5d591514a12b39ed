public import CryptoCore
import JOSEKit
public import MdocKit
public import OID4VPMessages

/// The transaction that presentations are bound to: audience, nonce and session transcript.
///
/// | response mode | audience | transcript of mdocs |
/// |---|---|---|
/// | redirects and `direct_post`, 1.0 | the whole client identifier | `OpenID4VPHandover` |
/// | the same, drafts with a presentation definition | the whole client identifier | that of ISO/IEC TS 18013-7, Annex B, for encrypted responses alone |
/// | Digital Credentials API | `origin:` and the origin | `OpenID4VPDCAPIHandover` |
/// | Interactive Authorization, endpoint given | `iar:`, `iae:` or `ia:` and the endpoint | `OpenID4VCIIAEHandover` |
/// | Interactive Authorization, by its `response_uri` | as `direct_post` | as `direct_post` |
public struct PresentationBinding: Sendable {
    /// The audience.
    public let audience: String
    /// The verifier's nonce.
    public let nonce: String
    /// The wallet's nonce, the `mdoc_generated_nonce` of the drafts: an encrypted response carries it as `apu`.
    public let walletNonce: String
    /// The handover for mdocs; nil where none is defined, so that no mdoc can be presented.
    public let handover: Handover?

    /// Binds presentations to a transaction that was agreed on otherwise.
    public init(audience: String, nonce: String, walletNonce: String, handover: Handover?) {
        self.audience = audience
        self.nonce = nonce
        self.walletNonce = walletNonce
        self.handover = handover
    }

    /// Binds presentations to a request.
    ///
    /// - Parameters:
    ///   - authenticated: The authenticated request.
    ///   - request: What it asks for.
    ///   - endpoint: The endpoint of Interactive Authorization that the request came from, for the response modes of
    ///     OpenID4VCI; nil to answer such a request as if its mode were `direct_post`.
    ///   - walletNonce: The wallet's nonce; nil for a fresh one of 16 bytes.
    ///   - random: The source of a fresh nonce.
    /// - Throws: `OID4VPError` with code `contradictoryParameters` for an endpoint with another response mode, and
    ///   `missingParameter` where a response mode of Interactive Authorization has neither an endpoint nor `response_uri`.
    public init(
        _ authenticated: AuthenticatedRequest,
        _ request: PresentationRequest,
        endpoint: String? = nil,
        walletNonce: String? = nil,
        using random: some RandomSource = .system
    ) throws(OID4VPError) {
        let mode = request.target.mode
        let thumbprint = request.encryption?.key.thumbprint()
        nonce = request.nonce
        self.walletNonce = walletNonce ?? Base64URL.encode(random.bytes(16))
        if let endpoint {
            guard let prefix = mode.endpointPrefix else {
                throw OID4VPError(
                    .contradictoryParameters,
                    "the response mode is none of Interactive Authorization",
                    path: ["response_mode"]
                )
            }
            audience = prefix + endpoint
            handover = .openID4VCIInteractiveAuthorization(
                endpoint: endpoint,
                nonce: nonce,
                jwkThumbprint: thumbprint
            )
            return
        }
        guard mode.address != .optionalResponseURI || request.target.address != nil else {
            throw OID4VPError(.missingParameter, "neither it nor an endpoint is known", path: ["response_uri"])
        }
        audience = authenticated.audience
        handover = Self.handover(authenticated, request, thumbprint, self.walletNonce)
    }

    private static func handover(
        _ authenticated: AuthenticatedRequest,
        _ request: PresentationRequest,
        _ thumbprint: [UInt8]?,
        _ walletNonce: String
    ) -> Handover? {
        let (target, nonce, client) = (request.target, request.nonce, authenticated.client?.text.text)
        if target.mode.address == .platform {
            let origin = String(authenticated.audience.dropFirst("origin:".count))
            return request.version == .v1
                ? .openID4VPDigitalCredentialsAPI(origin: origin, nonce: nonce, jwkThumbprint: thumbprint)
                : .openID4VPDraft24DigitalCredentialsAPI(
                    origin: origin,
                    clientID: client ?? "web-origin:" + origin,
                    nonce: nonce
                )
        }
        guard let client, let address = target.address else { return nil }
        if request.version == .v1 {
            return .openID4VP(clientID: client, nonce: nonce, jwkThumbprint: thumbprint, responseURI: address)
        }
        // The verifier learns the wallet's nonce from the encrypted response alone.
        guard request.encryption != nil else { return nil }
        return .openID4VPDraft23(
            clientID: client,
            responseURI: address,
            nonce: nonce,
            mdocGeneratedNonce: walletNonce
        )
    }

    /// The session transcript for mdocs.
    ///
    /// - Throws: `OID4VPError` with code `presentationFailed` where the response mode has none.
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

extension ResponseMode {
    /// The prefix of the audience for a mode of Interactive Authorization (OpenID4VCI); nil for other modes.
    fileprivate var endpointPrefix: String? {
        guard address == .optionalResponseURI else { return nil }
        return String(text.prefix { $0 != "-" && $0 != "_" }) + ":"
    }
}
