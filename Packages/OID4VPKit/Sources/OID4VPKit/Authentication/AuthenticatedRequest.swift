public import CryptoCore
import JSONKit
public import OID4VPMessages

/// A request whose sender is authenticated and entitled to the address that the response goes to.
///
/// Only ``RequestAuthenticator`` makes one. From here on errors may be sent to the address; before, nothing is sent anywhere.
public struct AuthenticatedRequest: Sendable {
    /// The verifier; nil for an unsigned request over the Digital Credentials API, where the origin stands for it.
    public let client: ClientIdentifier?
    /// The version of the request.
    public let version: OpenID4VPVersion
    /// The parameters that count.
    public let parameters: AuthorizationParameters
    /// The mode and the address of the response.
    public let target: ResponseTarget
    /// Indicates that the request is signed.
    public let isSigned: Bool
    /// The certificate chain of the signer; nil for other kinds of keys.
    public let certificateChain: ValidatedCertificateChain?
    /// The audience of presentations: the whole client identifier, or the origin with its prefix.
    public let audience: String

    let metadataSource: PresentationRequest.MetadataSource
    let options: RequestReadingOptions

    /// Reads what is asked for.
    ///
    /// - Parameter support: The capabilities of the wallet.
    /// - Throws: `OID4VPError`; its `authorizationCode` is that of the response to the verifier.
    public func presentationRequest(
        support: PresentationRequest.Support = PresentationRequest.Support()
    ) throws(OID4VPError) -> PresentationRequest {
        try PresentationRequest(
            parameters,
            version: version,
            target: target,
            metadataSource: metadataSource,
            support: support,
            options: options
        )
    }
}

extension Refusal {
    /// The error code for a request that is refused before its sender is authenticated; nil where processing just ends.
    ///
    /// It is for the app: nothing is sent to an address that is not authenticated.
    public var authorizationCode: AuthorizationErrorCode? {
        switch reason {
        case .requestNotRetrieved: nil
        case .unknownClient, .untrustedAttester: .invalidClient
        default: OID4VPError.authorizationCode(named: reason.name)
        }
    }
}
