import JSONKit
import OID4VPKit
import OID4VPMessages
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A wallet's side of OpenID4VP, drafts 21 and 23 and 1.0, one request at a time.
///
/// ```swift
/// let openID4VP = OpenID4VP(traceabilityId: "…")
/// let request = try await openID4VP.authenticateVerifier(
///     urlEncodedAuthorizationRequest: url,
///     trustedVerifiers: verifiers
/// )
/// let unsigned = try await openID4VP.constructUnsignedVPToken(
///     verifiableCredentials: ["descriptor": [.mso_mdoc: [credential]]]
/// )
/// let answer = try await openID4VP.sendVPResponseToVerifier(vpTokenSigningResults: signed)
/// ```
///
/// An instance keeps the request that it authenticated last, and the presentations that were built for it. Its methods
/// may be called from any task; a request that is authenticated takes the place of the one before.
public final class OpenID4VP: Sendable {
    /// The name by which the app finds what belongs together.
    public let traceabilityId: String
    /// The metadata of the wallet.
    public let walletMetadata: WalletMetadata?
    /// The settings.
    public let settings: OpenID4VPSettings

    let state = Mutex(State())
    /// Authenticates requests under the policy of each; it keeps the keys of verifiers between them.
    let authenticator: RequestAuthenticator

    static let className = "OpenID4VP"

    /// Makes an instance.
    ///
    /// - Parameters:
    ///   - traceabilityId: The name by which the app finds what belongs together; it is handed to the logger alone.
    ///   - walletMetadata: The metadata of the wallet; they restrict what is accepted, and are sent where a request is fetched
    ///     with POST.
    public convenience init(traceabilityId: String, walletMetadata: WalletMetadata? = nil) {
        self.init(traceabilityId: traceabilityId, walletMetadata: walletMetadata, settings: OpenID4VPSettings())
    }

    /// Makes an instance with settings.
    public init(traceabilityId: String, walletMetadata: WalletMetadata? = nil, settings: OpenID4VPSettings) {
        self.traceabilityId = traceabilityId
        self.walletMetadata = walletMetadata
        self.settings = settings
        authenticator = RequestAuthenticator(
            policy: settings.policy,
            transport: settings.transport,
            options: settings.reading
        )
    }

    // MARK: State

    /// The last authenticated request; nil before the first one and after a failure.
    public var authorizationRequest: AuthorizationRequest? { state.withLock { $0.session?.authorizationRequest } }

    /// The address that responses and errors go to; nil if none is known.
    public var responseUri: String? { state.withLock { $0.responseUri } }

    /// The wallet's nonce for the present request.
    public var walletNonce: String? { state.withLock { $0.walletNonce } }

    /// Sets the address that errors go to where no request is authenticated; for tests.
    public func setResponseUri(_ uri: String) {
        state.withLock { $0.responseUri = uri }
    }

    /// An authenticated request, and what was built for it.
    struct Session: Sendable {
        let authenticated: AuthenticatedRequest
        let content: PresentationRequest
        let responder: AuthorizationResponder
        let authorizationRequest: AuthorizationRequest
        var construction: Construction?
        /// The response that was built last.
        let built = BuiltResponse()
    }

    /// A response with the presentations that it was built of.
    ///
    /// Another attempt after a lost answer of the verifier sends the same bytes: encrypted anew, they would be another answer to
    /// the request.
    final class BuiltResponse: Sendable {
        private let last = Mutex<(token: JSONObject, response: AuthorizationResponse)?>(nil)

        /// The response with the same presentations; nil if the last one has others.
        func response(with token: VPToken) -> AuthorizationResponse? {
            let parameters = token.parameters
            return last.withLock { $0?.token == parameters ? $0?.response : nil }
        }

        /// Keeps a response in the place of the last one.
        func keep(_ response: AuthorizationResponse, with token: VPToken) {
            let parameters = token.parameters
            last.withLock { $0 = (parameters, response) }
        }
    }

    /// The state between calls.
    struct State: Sendable {
        /// Counts the requests, so that one that was overtaken leaves nothing behind.
        var number = 0
        var session: Session?
        var responseUri: String?
        var walletNonce: String?
    }

    /// Forgets the last request.
    ///
    /// - Returns: The number of the new request.
    func begin(walletNonce: String) -> Int {
        state.withLock { state in
            state = State(number: state.number &+ 1, walletNonce: walletNonce)
            return state.number
        }
    }

    /// Changes the state for a request, unless another one has begun.
    func update(_ number: Int, _ change: (inout State) -> Void) {
        state.withLock { state in
            if state.number == number { change(&state) }
        }
    }

    func log(_ message: String) { settings.logger?("\(traceabilityId): \(message)") }

    /// The error as one of this library.
    func exception(_ error: any Error, _ parameter: @escaping (String) -> String? = { _ in nil }) -> OpenID4VPException
    {
        let mapping = ExceptionMapping(className: Self.className, parameter: parameter)
        switch error {
        case let error as OpenID4VPException: return error
        case let error as OID4VPError: return mapping.exception(error)
        case let error as Refusal: return mapping.exception(error)
        case AuthorizationConsent.consentRejectedError(let message):
            return AccessDenied(message: message, className: Self.className)
        default: return GenericFailure(message: "\(error)", className: Self.className, cause: error)
        }
    }
}
