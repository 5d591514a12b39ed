import CryptoCore
import JOSEKit
import OID4VPMessages

extension AuthenticatedRequest {
    /// The parts of an authenticated request, on the heap, since its verification is passed on as a whole.
    final class Parts: Sendable {
        let client: ClientIdentifier?
        let version: OpenID4VPVersion
        let parameters: AuthorizationParameters
        let target: ResponseTarget
        let isSigned: Bool
        let encryption: DecryptedJWE?
        let certificateChain: ValidatedCertificateChain?
        let audience: String
        let origin: String?
        let platformProtocol: ExactText?
        let interactiveEndpoint: String?
        let walletNonce: String?
        let metadataSource: PresentationRequest.MetadataSource
        let options: RequestReadingOptions
        let profile: PresentationProfile?
        let fault: OID4VPError?

        init(
            client: ClientIdentifier?,
            version: OpenID4VPVersion,
            parameters: AuthorizationParameters,
            target: ResponseTarget,
            isSigned: Bool,
            encryption: DecryptedJWE?,
            certificateChain: ValidatedCertificateChain?,
            audience: String,
            origin: String?,
            platformProtocol: ExactText?,
            interactiveEndpoint: String?,
            walletNonce: String?,
            metadataSource: PresentationRequest.MetadataSource,
            options: RequestReadingOptions,
            profile: PresentationProfile?,
            fault: OID4VPError?
        ) {
            self.client = client
            self.version = version
            self.parameters = parameters
            self.target = target
            self.isSigned = isSigned
            self.encryption = encryption
            self.certificateChain = certificateChain
            self.audience = audience
            self.origin = origin
            self.platformProtocol = platformProtocol
            self.interactiveEndpoint = interactiveEndpoint
            self.walletNonce = walletNonce
            self.metadataSource = metadataSource
            self.options = options
            self.profile = profile
            self.fault = fault
        }
    }
}
