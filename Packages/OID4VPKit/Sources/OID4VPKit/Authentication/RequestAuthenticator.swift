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
/// Nothing is fetched for a client that the wallet does not know, unless `RequestTolerance.schemeInObject` is named, and no
/// address of a request is trusted before the last check.
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
        ] + ClaimsRules.checks + [.walletNonce, .expectedOrigins, .responseAddress, .profile]

    private(set) var policy: RequestAuthenticationPolicy
    let transport: any HTTPTransport
    let options: RequestReadingOptions
    let clientKeys: ClientKeys

    /// The largest number of signatures of a request with several.
    public static let maximumSignatures = 8

    /// Makes an authenticator.
    ///
    /// - Parameters:
    ///   - policy: The trusted verifiers, and the algorithms.
    ///   - transport: Fetches request objects; it guards against private addresses and follows no redirects.
    ///   - options: Tolerances and limits.
    ///   - caching: The options for keeping the keys of registered clients: by default those of 256 clients, as the answer's
    ///     header says, for a minute at least and an hour at most, or else for 300 seconds. Options of your own need a
    ///     `maximumLifetime`: a key that was withdrawn is trusted until then.
    public init(
        policy: RequestAuthenticationPolicy,
        transport: any HTTPTransport,
        options: RequestReadingOptions = .strict,
        caching: DocumentCacheOptions = DocumentCacheOptions(
            maximumCount: 256,
            maximumLifetime: 3600,
            defaultLifetime: 300
        )
    ) {
        clientKeys = ClientKeys(
            transport: transport,
            limits: HTTPLimits(maximumBodySize: options.limits.documentSize),
            caching: caching
        )
        self.policy = policy
        self.transport = transport
        self.options = options
    }

    /// The same authenticator under another policy.
    ///
    /// Both share the keys that were fetched for registered clients: an address has the same keys for every policy.
    public func replacing(policy: RequestAuthenticationPolicy) -> RequestAuthenticator {
        var authenticator = self
        authenticator.policy = policy
        return authenticator
    }

    /// Authenticates a request from a URL.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - walletNonce: The value to send where the request object is fetched with POST; nil for a fresh one.
    ///   - interactiveEndpoint: The endpoint of the authorization server, where the request came from one during issuance; nil
    ///     otherwise. Without it nothing can be presented to a request in a mode of Interactive Authorization that has no
    ///     `response_uri`.
    ///   - time: The time.
    ///   - random: The source of the fresh value.
    public func authenticate(
        _ request: AuthorizationRequest,
        walletNonce: String? = nil,
        interactiveEndpoint: InteractiveEndpoint? = nil,
        at time: Date,
        using random: some RandomSource = .system
    ) async -> Verification<AuthenticatedRequest> {
        let nonce = walletNonce ?? (request.sendsWalletNonce ? Base64URL.encode(random.bytes(16)) : "")
        let incoming = Incoming(request, walletNonce: nonce, endpoint: interactiveEndpoint)
        return await run(incoming, deviations: request.deviations, at: time)
    }

    /// Authenticates a request from the platform.
    ///
    /// Of several signatures, one by a client that the wallet trusts is enough: those behind it are not verified. Each that is
    /// verified is a part of the answer, and those that are refused before a good one are reported as deviations. No trust
    /// chain is fetched for a further one once those before have used up the limits of a search.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - time: The time.
    public func authenticate(
        _ request: PlatformRequest,
        at time: Date
    ) async -> Verification<AuthenticatedRequest> {
        let incoming = Incoming(request, options)
        var deviations: [Deviation] = []
        if incoming.isDraftOfPlatform, options.tolerances.contains(.draftPlatformProtocol) {
            deviations.append(Deviation(RequestTolerance.draftPlatformProtocol.description, at: ["protocol"]))
        }
        return await run(incoming, deviations: deviations, at: time)
    }

    /// Authenticates a request of an authorization server during issuance.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - time: The time.
    public func authenticate(
        _ request: InteractiveRequest,
        at time: Date
    ) async -> Verification<AuthenticatedRequest> {
        await run(Incoming(request, options.limits), deviations: [], at: time)
    }
}
