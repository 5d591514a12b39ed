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

    /// The protocol of requests without a signature.
    public static let unsigned: ExactText = "openid4vp-v1-unsigned"
    /// The protocol of requests with one signature.
    public static let signed: ExactText = "openid4vp-v1-signed"
    /// The protocol of requests with several signatures.
    public static let multiSigned: ExactText = "openid4vp-v1-multisigned"
    /// The protocol of drafts 21 to 24, for requests with a signature and without, which is read under
    /// `RequestTolerance.draftPlatformProtocol`.
    ///
    /// Presentations are for the client of a signed request, and for `web-origin:` and the origin without a signature. Draft 21
    /// has the origin alone there; its requests look the same.
    public static let draft: ExactText = "openid4vp"

    /// The protocols of 1.0.
    static let protocolsOfV1: Set<ExactText> = [unsigned, signed, multiSigned]

    /// Describes a request.
    public init(protocolIdentifier: ExactText, data: JSONObject, origin: String) {
        self.protocolIdentifier = protocolIdentifier
        self.data = data
        self.origin = origin
    }
}

/// A request of an authorization server for a presentation during issuance (OpenID4VCI 1.1, Interactive Authorization), not
/// authenticated.
///
/// It has the form of a request over the Digital Credentials API, and the endpoint plays the part of the origin.
public struct InteractiveRequest: Sendable {
    /// The parameters, or the member `request` with a signed request object.
    public let data: JSONObject
    /// The URL of the endpoint that the wallet asked and that the response goes to.
    public let endpoint: String

    /// Describes a request.
    public init(data: JSONObject, endpoint: String) {
        self.data = data
        self.endpoint = endpoint
    }
}

/// The endpoint of an authorization server, for a request in a response mode of Interactive Authorization that came as a URL.
public struct InteractiveEndpoint: Hashable, Sendable {
    /// The URL.
    public let url: String
    /// Indicates that the audience is the endpoint even if the request has a `response_uri`.
    ///
    /// Deployed wallets treat a request with `response_uri` as one of `direct_post`, which is the default.
    public let prevailsOverResponseURI: Bool

    /// Describes an endpoint.
    public init(url: String, prevailsOverResponseURI: Bool = false) {
        self.url = url
        self.prevailsOverResponseURI = prevailsOverResponseURI
    }
}
