public import CryptoCore
import JSONKit
public import MdocKit
import OID4VPMessages

/// A request of `org-iso-mdoc` over the Digital Credentials API (ISO/IEC TS 18013-7, Annex C), which is not one of
/// OpenID4VP.
///
/// The reader's authentication in it is verified with `ReaderAuthenticationVerifier`, the response is built by `RequestMatch`.
///
/// ```swift
/// let request = try MdocPlatformRequest(platformRequest)
/// let match = RequestMatch(request.deviceRequest, in: store, at: Date())
/// let response = try request.response(deviceResponse)   // delivery: .platform("org-iso-mdoc", …)
/// ```
public struct MdocPlatformRequest: Sendable {
    /// The request with its encryption information.
    public let content: MdocDigitalCredentialsRequest
    /// The origin of the page or app, as the platform vouches for it.
    public let origin: String
    private let protocolIdentifier: ExactText

    /// Reads a request from the platform.
    ///
    /// - Throws: `MdocError`; with code `malformedJSON` for another protocol, too.
    public init(_ request: PlatformRequest, options: MdocReadingOptions = .strict) throws(MdocError) {
        guard MdocDigitalCredentialsRequest.isProtocolIdentifier(request.protocolIdentifier.text) else {
            throw MdocError(.malformedJSON, "the protocol \"\(request.protocolIdentifier)\" is another")
        }
        content = try MdocDigitalCredentialsRequest(json: .object(request.data), options: options)
        origin = request.origin
        protocolIdentifier = request.protocolIdentifier
    }

    /// The request for documents.
    public var deviceRequest: DeviceRequest { content.deviceRequest }

    /// The transcript that documents and the reader's signatures are bound to.
    public var sessionTranscript: SessionTranscript { content.encryptionInfo.sessionTranscript(origin: origin) }

    /// The response for the platform, encrypted to the reader's key with HPKE.
    ///
    /// - Parameters:
    ///   - response: The answer, whose documents are bound to ``sessionTranscript``.
    ///   - random: The source of the ephemeral key.
    /// - Throws: `MdocError` with code `unsupportedKey`.
    public func response(
        _ response: DeviceResponse,
        using random: some RandomSource = .system
    ) throws(MdocError) -> AuthorizationResponse {
        let encrypted = try MdocDigitalCredentialsResponse(
            encrypting: response,
            for: content.encryptionInfo,
            origin: origin,
            using: random
        )
        return AuthorizationResponse(platform: protocolIdentifier, encrypted.json.objectValue ?? [:])
    }
}
