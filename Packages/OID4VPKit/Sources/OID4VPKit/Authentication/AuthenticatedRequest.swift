public import CryptoCore
public import JOSEKit
import JSONKit
public import OID4VPMessages

/// A request whose sender is authenticated and entitled to the address that the response goes to.
///
/// Only ``RequestAuthenticator`` makes one. From here on errors may be sent to the address; before, nothing is sent anywhere.
/// A link without a valid query, or with a mode that is not supported, is authenticated, too, so that its verifier can be
/// told: ``presentationRequest(support:query:)`` throws its error.
public struct AuthenticatedRequest: Sendable {
    private let parts: Parts

    /// The verifier; nil for an unsigned request over the Digital Credentials API, where the origin stands for it.
    public var client: ClientIdentifier? { parts.client }
    /// The version of the request.
    public var version: OpenID4VPVersion { parts.version }
    /// The parameters that count.
    public var parameters: AuthorizationParameters { parts.parameters }
    /// The mode and the address of the response.
    ///
    /// Where the request states no mode that is supported, they are those of an error response.
    public var target: ResponseTarget { parts.target }
    /// Indicates that the request is signed.
    public var isSigned: Bool { parts.isSigned }
    /// The encrypted object that held the request object, with its header; nil for one that was not encrypted.
    ///
    /// The header says how and for which of the wallet's keys the object was encrypted. Anyone may have written it: the
    /// signature of the request does not cover it.
    public var encryption: DecryptedJWE? { parts.encryption }
    /// The certificate chain of the signer; nil for other kinds of keys.
    public var certificateChain: ValidatedCertificateChain? { parts.certificateChain }
    /// The audience of presentations: the whole client identifier, the origin with its prefix, or the endpoint of an
    /// authorization server with the prefix of the response mode.
    public var audience: String { parts.audience }
    /// The origin of the page or app, without a prefix; nil for requests that did not come by the Digital Credentials API.
    public var origin: String? { parts.origin }
    /// The protocol of the Digital Credentials API; nil for other requests.
    public var platformProtocol: ExactText? { parts.platformProtocol }
    /// The endpoint of the authorization server that presentations are for during issuance, without a prefix; nil if
    /// the audience is another.
    public var interactiveEndpoint: String? { parts.interactiveEndpoint }
    /// The value that the wallet sent with POST, which the request repeats; nil if it sent none.
    public var walletNonce: String? { parts.walletNonce }

    var metadataSource: PresentationRequest.MetadataSource { parts.metadataSource }
    var options: RequestReadingOptions { parts.options }
    var profile: PresentationProfile? { parts.profile }
    /// The fault for which the request has no other answer than an error response; nil for none.
    var fault: OID4VPError? { parts.fault }

    init(_ parts: Parts) {
        self.parts = parts
    }

    /// Indicates that mdocs are bound to the response by the handover of ISO/IEC TS 18013-7, Annex B, as all drafts before 29 have
    /// it outside of the Digital Credentials API.
    ///
    /// A request with DCQL is taken for one of a draft by the names in the verifier's metadata that drafts 26 and 27 replaced,
    /// where a tolerance lets them pass and no member stands beside them that came later. Drafts 27 and 28 cannot be told
    /// from 1.0, and count as that.
    var usesDraftHandover: Bool {
        guard version == .v1 else { return true }
        guard let members = metadataMembers, !members.contains("vp_formats_supported"),
            !parameters.contains("verifier_info")
        else {
            return false
        }
        if members.contains("vp_formats"), options.tolerances.contains(.olderFormats) { return true }
        return members.contains("authorization_encrypted_response_alg")
            && !members.contains("encrypted_response_enc_values_supported")
            && options.tolerances.contains(.olderEncryption)
    }

    /// The verifier's metadata as received, from where they hold; nil for none, or what cannot be read.
    var metadataMembers: JSONObject? {
        switch metadataSource {
        case .request: (try? parameters.object("client_metadata")) ?? nil
        case .wallet(let known): known
        case .federation(let resolved): resolved
        }
    }

    /// Reads the content of the request: the query, the encryption, the transaction data.
    ///
    /// A query that the request has by name or by reference is not resolved here.
    ///
    /// - Parameters:
    ///   - support: The capabilities of the wallet.
    ///   - query: The query behind a `scope` or a `presentation_definition_uri`; nil for the request's own.
    /// - Throws: `OID4VPError`; its `authorizationCode` is that of the response to the verifier.
    public func presentationRequest(
        support: PresentationRequest.Support = PresentationRequest.Support(),
        query: PresentationRequest.Query? = nil
    ) throws(OID4VPError) -> PresentationRequest {
        try presentationRequest(support: support, query: query, keys: nil)
    }

    /// Reads the content of the request, whose verifier has the given keys for responses.
    ///
    /// - Parameters:
    ///   - query: As for the public method.
    ///   - keys: The keys that the verifier's metadata name by address; nil for those in the metadata.
    func presentationRequest(
        support: PresentationRequest.Support,
        query: PresentationRequest.Query?,
        keys: JWKSet?
    ) throws(OID4VPError) -> PresentationRequest {
        if let fault { throw fault }
        var support = support
        if let profile { support.encryption = profile.encryption(of: support.encryption) }
        let request = try content(of: parameters, target: target, query: query, keys: keys, support)
        guard let profile else { return request }
        return request.reporting(
            try profile.check(request),
            bindsWherePossible: profile.restrictsPresentations && !profile.tolerances.contains(.keyBinding)
        )
    }

    /// Reads parameters as the content of the request.
    func content(
        of parameters: AuthorizationParameters,
        target: ResponseTarget,
        query: PresentationRequest.Query? = nil,
        keys: JWKSet? = nil,
        _ support: PresentationRequest.Support
    ) throws(OID4VPError) -> PresentationRequest {
        var (members, source) = (parameters.members, metadataSource)
        if let keys, var metadata = metadataMembers {
            metadata["jwks"] = ["keys": .array(keys.keys.map { .object($0.members) })]
            switch source {
            case .request: members["client_metadata"] = .object(metadata)
            case .wallet: source = .wallet(metadata)
            case .federation: source = .federation(metadata)
            }
        }
        return try PresentationRequest(
            AuthorizationParameters(members, limits: options.limits),
            version: version,
            target: target,
            query: query,
            metadataSource: source,
            support: support,
            options: options
        )
    }
}

extension Refusal {
    /// The error code for a request that is refused before its sender is authenticated; nil if processing just ends.
    ///
    /// It is for the app: nothing is sent to an address that is not authenticated. A platform takes it to the page that asked:
    /// see ``AuthorizationResponse/init(to:refusedFor:)``.
    public var authorizationCode: AuthorizationErrorCode? {
        switch reason {
        case .requestNotRetrieved, .requestGone: nil
        case .unknownClient, .untrustedAttester: .invalidClient
        default: OID4VPError.authorizationCode(named: reason.name)
        }
    }
}
