import JSONKit
import OID4VPMessages
public import VerificationCore

extension AuthorizationResponse {
    /// The error response to a refused request of the Digital Credentials API, such as one for another origin (OpenID4VP 1.0,
    /// appendix A.2); nil where processing just ends.
    ///
    /// Other refused requests have none: their response addresses are not authenticated. Here the platform takes the code to
    /// the page that asked.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - refusal: The refusal of ``RequestAuthenticator``; only its code is in the response.
    public init?(to request: PlatformRequest, refusedFor refusal: Refusal) {
        guard let code = refusal.authorizationCode else { return nil }
        self.init(
            platform: request.protocolIdentifier,
            ["error": .string(code.text)],
            errorCode: code
        )
    }
}
