import JOSEKit
import JSONKit
import OID4VPMessages
import OpenIDFederation

/// A request as it came, by whichever channel.
struct Incoming {
    /// The forms of a request.
    enum Form {
        case parameters(AuthorizationParameters)
        case object(String)
        case reference(RequestReference)
        /// An object with several signatures, none of them chosen yet.
        case signatures(JSONObject)
        /// One of several signatures.
        case signature(JWS, Int)
        case unsupported(String)
    }

    /// The identifier outside of the request object; nil for channels without one.
    let clientID: String?
    let scheme: String?
    var form: Form
    let channel: ResponseTarget.Channel
    /// The origin that the platform vouches for.
    let origin: String?
    /// The protocol of the platform.
    let protocolIdentifier: ExactText?
    /// The endpoint of Interactive Authorization.
    let endpoint: InteractiveEndpoint?
    /// The value to send with POST.
    let walletNonce: String
    /// The requests that are left for finding trust chains; nil before the first check, and without a federation.
    var searches: SearchAllowance?

    init(_ request: AuthorizationRequest, walletNonce: String, endpoint: InteractiveEndpoint?) {
        clientID = request.clientID
        scheme = request.clientIDScheme
        channel = .redirects
        origin = nil
        protocolIdentifier = nil
        self.endpoint = endpoint
        self.walletNonce = walletNonce
        switch request.form {
        case .parameters(let parameters): form = .parameters(parameters)
        case .object(let text): form = .object(text)
        case .reference(let reference): form = .reference(reference)
        }
    }

    init(_ request: PlatformRequest, _ options: RequestReadingOptions) {
        clientID = nil
        scheme = nil
        channel = .digitalCredentials
        origin = request.origin
        protocolIdentifier = request.protocolIdentifier
        endpoint = nil
        walletNonce = ""
        switch request.protocolIdentifier {
        case PlatformRequest.unsigned:
            form = .parameters(AuthorizationParameters(request.data, limits: options.limits))
        case PlatformRequest.signed: form = .object(request.data["request"]?.stringValue ?? "")
        case PlatformRequest.multiSigned: form = .signatures(request.data["request"]?.objectValue ?? [:])
        case PlatformRequest.draft where options.tolerances.contains(.draftPlatformProtocol):
            form =
                request.data["request"].map { .object($0.stringValue ?? "") }
                ?? .parameters(AuthorizationParameters(request.data, limits: options.limits))
        default: form = .unsupported(request.protocolIdentifier.text)
        }
    }

    init(_ request: InteractiveRequest, _ limits: RequestLimits) {
        clientID = nil
        scheme = nil
        channel = .interactive
        origin = nil
        protocolIdentifier = nil
        endpoint = InteractiveEndpoint(url: request.endpoint, prevailsOverResponseURI: true)
        walletNonce = ""
        if let object = request.data["request"] {
            form = .object(object.stringValue ?? "")
        } else {
            form = .parameters(AuthorizationParameters(request.data, limits: limits))
        }
    }

    /// The address that stands for the client of a request without a signature, and that a signed one names.
    var caller: String? { channel == .redirects ? nil : origin ?? endpoint?.url }

    /// Indicates that the request came by the Digital Credentials API as drafts 21 to 24 have it.
    var isDraftOfPlatform: Bool { protocolIdentifier == PlatformRequest.draft }

    /// The audience of presentations for a client.
    ///
    /// - Parameters:
    ///   - client: The client; nil if the origin stands for it.
    ///   - endpoint: The endpoint of an authorization server that presentations are for, with its prefix; nil for none.
    func audience(for client: ClientIdentifier?, endpoint: String?) -> String {
        if let origin, isDraftOfPlatform { return client?.text.text ?? "web-origin:" + origin }
        if let origin { return "origin:" + origin }
        return endpoint ?? client?.text.text ?? ""
    }

    /// Indicates that the request is an object, by value or by reference.
    var isObject: Bool {
        switch form {
        case .object, .reference: true
        default: false
        }
    }

    /// Indicates that the request came by reference.
    var isByReference: Bool {
        if case .reference = form { true } else { false }
    }

    /// The value that the request object must repeat; nil if none was sent.
    var sentNonce: String? {
        if case .reference(let reference) = form, reference.method == .post { walletNonce } else { nil }
    }
}

extension AuthorizationRequest {
    /// Indicates that the request object is fetched with POST, where the wallet sends a value of its own.
    var sendsWalletNonce: Bool {
        if case .reference(let reference) = form { reference.method == .post } else { false }
    }
}
