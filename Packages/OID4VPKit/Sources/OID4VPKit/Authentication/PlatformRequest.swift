public import JSONKit
import OID4VPMessages

/// A request that the platform hands over by the Digital Credentials API (OpenID4VP 1.0, appendix A), not authenticated.
public struct PlatformRequest: Sendable {
    /// The protocol, such as `openid4vp-v1-signed`.
    public let protocolIdentifier: ExactText
    /// The data of the request.
    public let data: JSONObject
    /// The origin of the page or app that asks, as the platform vouches for it.
    public let origin: String

    static let unsigned: ExactText = "openid4vp-v1-unsigned"
    static let signed: ExactText = "openid4vp-v1-signed"

    /// Describes a request.
    public init(protocolIdentifier: ExactText, data: JSONObject, origin: String) {
        self.protocolIdentifier = protocolIdentifier
        self.data = data
        self.origin = origin
    }
}
