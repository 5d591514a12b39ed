public import CredentialTransport
public import CryptoCore
import JOSEKit
import JSONKit
public import OID4VPMessages

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Authenticates the senders of requests, step by step in the order of the specification.
///
/// Nothing is fetched for a client that the wallet does not know, and no address of a request is trusted before the last check.
///
/// ```swift
/// let authenticator = RequestAuthenticator(policy: policy, transport: transport)
/// let request = try AuthorizationRequest(url: text)
/// let authenticated = try await authenticator.authenticate(request, at: now).get()
/// let asked = try authenticated.presentationRequest()
/// ```
public struct RequestAuthenticator: Sendable {
    /// The checks, in their order.
    public static let checks: [Check] =
        [
            .clientIdentifier, .clientRegistration, .requestObject, .structure, .type, .clientMatch, .signature,
            .clientBinding,
        ] + ClaimsRules.checks + [.walletNonce, .expectedOrigins, .responseAddress]

    let policy: RequestAuthenticationPolicy
    let transport: any HTTPTransport
    let options: RequestReadingOptions

    /// Makes an authenticator.
    ///
    /// - Parameters:
    ///   - policy: Whom the wallet trusts.
    ///   - transport: Fetches request objects; it guards against private addresses and follows no redirects.
    ///   - options: Tolerances and limits.
    public init(
        policy: RequestAuthenticationPolicy,
        transport: any HTTPTransport,
        options: RequestReadingOptions = .strict
    ) {
        self.policy = policy
        self.transport = transport
        self.options = options
    }

    /// Authenticates a request from a URL.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - walletNonce: The value to send where the request object is fetched with POST; nil for a fresh one.
    ///   - time: The time.
    ///   - random: The source of the fresh value.
    public func authenticate(
        _ request: AuthorizationRequest,
        walletNonce: String? = nil,
        at time: Date,
        using random: some RandomSource = .system
    ) async -> Verification<AuthenticatedRequest> {
        let nonce = walletNonce ?? Base64URL.encode(random.bytes(16))
        return await run(Incoming(request, walletNonce: nonce), deviations: request.deviations, at: time)
    }

    /// Authenticates a request from the platform.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - time: The time.
    public func authenticate(
        _ request: PlatformRequest,
        at time: Date
    ) async -> Verification<AuthenticatedRequest> {
        await run(Incoming(request), deviations: [], at: time)
    }
}

/// A request as it came, by whichever channel.
struct Incoming {
    /// The forms of a request.
    enum Form {
        case parameters(AuthorizationParameters)
        case object(String)
        case reference(RequestReference)
        case unsupported(String)
    }

    let clientID: String?
    let scheme: String?
    let form: Form
    let origin: String?
    /// The value to send with POST.
    let walletNonce: String

    init(_ request: AuthorizationRequest, walletNonce: String) {
        clientID = request.clientID
        scheme = request.clientIDScheme
        origin = nil
        self.walletNonce = walletNonce
        switch request.form {
        case .parameters(let parameters): form = .parameters(parameters)
        case .object(let text): form = .object(text)
        case .reference(let reference): form = .reference(reference)
        }
    }

    init(_ request: PlatformRequest) {
        clientID = nil
        scheme = nil
        origin = request.origin
        walletNonce = ""
        switch request.protocolIdentifier {
        case PlatformRequest.unsigned: form = .parameters(AuthorizationParameters(request.data))
        case PlatformRequest.signed: form = .object(request.data["request"]?.stringValue ?? "")
        default: form = .unsupported(request.protocolIdentifier.text)
        }
    }

    var channel: ResponseTarget.Channel { origin == nil ? .redirects : .digitalCredentials }

    /// The value that the request object must repeat; nil where none was sent.
    var sentNonce: String? {
        if case .reference(let reference) = form, reference.method == .post { walletNonce } else { nil }
    }
}
