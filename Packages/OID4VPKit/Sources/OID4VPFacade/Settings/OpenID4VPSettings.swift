public import CredentialTransport
public import CryptoCore
public import DIDKit
public import OID4VPKit
public import OID4VPMessages

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The settings of an ``OpenID4VP`` instance: its surroundings, and switches back to the behavior of the library that
/// it replaces.
///
/// Every switch has the strict form as its default.
public struct OpenID4VPSettings: Sendable {
    /// The forms of the data to sign for linked-data presentations.
    public enum LdpDataToSign: Sendable {
        /// The bytes to sign in base64url; the signature is verified before anything is sent.
        case bytesToSign
        /// The JSON of the presentation with its proof, which the app canonicalizes, hashes and signs by itself.
        case presentationJSON
    }

    /// The elements of mdocs that are sent.
    public enum MdocDisclosure: Sendable {
        /// Those that the request asks for.
        case requested
        /// All of them.
        case all
    }

    /// The forms of `presentation_submission` in the result of `constructVPResponse`.
    public enum SubmissionForm: Sendable {
        /// A map.
        case map
        /// JSON text.
        case text
    }

    // MARK: Switches

    /// Tells a verifier of errors before it is authenticated, at whatever `response_uri` its URL names.
    public var notifyUnauthenticatedVerifier = false
    /// Tells a verifier the description of an error, and not a short text that depends on its code alone.
    public var detailedErrors = false
    /// Reads `request_uri_method` without regard to case.
    public var toleratesMethodCase = false
    /// The form of the data to sign for linked-data presentations.
    public var ldpDataToSign = LdpDataToSign.bytesToSign
    /// The elements of mdocs that are sent.
    public var mdocDisclosure = MdocDisclosure.requested
    /// Presents credentials that have expired or are not valid yet, which a verifier refuses after it has seen their claims.
    public var presentsOutsideValidity = false
    /// Returns the map of an error from `constructVPResponse` in place of throwing it.
    public var legacyErrorMap = false
    /// Accepts requests without a signature from pre-registered clients: from any that is trusted, and from unknown ones where
    /// clients are not validated.
    public var allowsUnsignedPreRegisteredRequests = false
    /// Reads a request of the scheme `redirect_uri` that has neither `response_uri` nor `response_mode` as one for
    /// `direct_post` to its `redirect_uri`.
    public var readsRedirectURIAsResponseAddress = false
    /// The form of `presentation_submission` in results.
    public var presentationSubmission = SubmissionForm.map
    /// Adds the fragment of the key to a holder that is a bare DID of the methods `key` and `jwk`.
    public var completesHolderIds = false

    // MARK: Surroundings

    /// Fetches requests and posts responses; it guards against private addresses and follows no redirects.
    public var transport: any HTTPTransport
    /// Finds the keys of DIDs; nil for those that nothing is fetched for, and `did:web` over the transport.
    public var resolver: (any DIDResolver)?
    /// The wallet's further demands on requests: trust in certificates and attesters, algorithms, audience.
    public var policy = RequestAuthenticationPolicy()
    /// Tolerances and limits for requests; by default the deployed tolerances but `schemeInObject`, which the library has an
    /// error for.
    public var reading = RequestReadingOptions(tolerances: .deployed.subtracting([.schemeInObject]))
    /// The types of transactions that the wallet supports.
    public var transactionData = TransactionDataTypes.none
    /// Knows the queries behind scope values.
    public var scopes: QueryResolver.Scopes = { _, _ in nil }
    /// The endpoint that a request for Interactive Authorization came from; nil to treat such a request like `direct_post`.
    public var interactiveEndpoint: InteractiveEndpoint?
    /// The schemes of the app's own URLs that a verifier may send the user to, beside https.
    public var appSchemes: Set<String> = []
    /// The settings of presentations.
    public var presentations = PresentationOptions()
    /// Takes messages for developers, which hold no tokens and no claims; nothing is printed.
    public var logger: (@Sendable (String) -> Void)?
    /// Returns the time.
    public var clock: @Sendable () -> Date = { Date() }
    /// The source of nonces, names and keys for encryption.
    public var random: any RandomSource = .system

    /// The strict settings, with the library's own HTTP client.
    ///
    /// It comes with the trait `Client`. In a build without the trait every request fails with an error that says so, until
    /// ``transport`` is set: no other client is a safe default. Foundation's resolves a host by itself after any check of the
    /// host's addresses, and connects wherever that leads, so that a verifier's name could lead into a private network.
    public init() {
        self.init(transport: DefaultTransport.make())
    }

    /// The strict settings, with a transport.
    public init(transport: any HTTPTransport) {
        self.transport = transport
    }
}

/// The transport of instances that are not given one.
enum DefaultTransport {
    static func make() -> any HTTPTransport {
        #if Client
        GuardedHTTPTransport(connector: AsyncHTTPClientConnector())
        #else
        UnconfiguredTransport()
        #endif
    }
}

#if !Client
/// Refuses every request: this build has no HTTP client of its own.
struct UnconfiguredTransport: HTTPTransport {
    func response(to request: HTTPTransportRequest) async throws(TransportError) -> HTTPTransportResponse {
        throw TransportError(
            .connectionFailed,
            "this build has no HTTP client: build it with the trait Client, or set OpenID4VPSettings.transport"
        )
    }
}
#endif
