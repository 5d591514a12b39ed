import CryptoCore
import JOSEKit
import JSONKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The messages of a relying party's transactions: the server keeps states and names, a party makes requests and judges
/// responses.
protocol TransactionParty: Sendable {
    /// The reader of responses.
    var reader: ResponseReader { get }

    /// The state behind the encryption to a key that the party has or had for several responses; nil for a party without one, and
    /// for any other response.
    ///
    /// - Parameters:
    ///   - jwe: The response.
    ///   - keyID: The name of the key that it is encrypted to; nil if it names none.
    func state(inside jwe: JWE, namingKey keyID: String?) async -> String?

    /// The expectation of a response, with the party's earlier key if the wallet has encrypted to that one.
    ///
    /// - Parameter stored: The expectation of the transaction.
    func expectation(_ stored: ResponseExpectation, of response: ReceivedResponse) -> ResponseExpectation

    /// The request of a new transaction, and what the server keeps for its response.
    ///
    /// - Throws: ``TransactionError/Code-swift.struct/invalidRequest`` for a request that the party cannot serve,
    ///   ``TransactionError/Code-swift.struct/invalidCertificate``.
    func newRequest(_ context: TransactionContext) async throws(TransactionError) -> NewRequest

    /// The signed request object for a wallet that fetches it.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - post: The wallet's nonce and metadata; nil for GET.
    ///   - time: The time.
    func requestObject(
        of request: CreatedRequest,
        for post: RequestURIPost?,
        at time: Date
    ) async throws(OID4VPVerifierError) -> String

    /// Verifies the presentations of a response, and the query against them.
    func verify(
        _ response: PresentationResponse,
        for expectation: ResponseExpectation,
        at time: Date
    ) async -> ResponseOutcome
}

extension TransactionParty {
    /// The expectation of the transaction: the party has no earlier keys.
    func expectation(_ stored: ResponseExpectation, of response: ReceivedResponse) -> ResponseExpectation { stored }
}

/// A transaction, as a party sees it.
struct TransactionContext: Sendable {
    /// The request as it was asked for.
    let wishes: TransactionRequest
    /// The address of the request.
    let requestURL: String
    /// The address of the response to this request alone.
    let responseURL: String
    /// The address of the responses to all requests, for clients whose addresses wallets know beforehand.
    let commonResponseURL: String
    /// The current time.
    let time: Date
    /// The wallet's time in seconds.
    let lifetime: TimeInterval
    let randomness: any RandomSource
}

/// A new request.
struct NewRequest: Sendable {
    /// The ways to the wallet.
    enum Delivery: Sendable {
        /// The text of a QR code, and the link for a wallet on the same device; nil where the profile permits none.
        case links(qrText: String, link: String?)
        /// The request for the Digital Credentials API, with `protocol` and `data`.
        case digitalCredential(JSONValue)
    }

    let request: CreatedRequest
    let delivery: Delivery
    /// Indicates that the key for the response is of this request alone, so that its name leads to the transaction.
    let hasOwnKey: Bool
}

/// The outcome of the verification of a response.
struct ResponseOutcome: Sendable {
    /// The reason of a refusal; nil for a verified response.
    let failure: TransactionFailure?
    /// The checks.
    let report: JSONValue?
    /// The claims by queries; nil for a refused response.
    let credentials: JSONValue?
}

/// A relying party of a server, with its demands on responses and its tolerances in reading them.
public struct ServedRelyingParty: Sendable {
    /// The party: its identity towards wallets, and its trusted issuers.
    public var party: RelyingParty
    /// The demands on responses.
    public var policy: PresentationPolicy
    /// The reader of responses; strict by default.
    public var reader: ResponseReader

    /// Describes a party.
    ///
    /// - Parameters:
    ///   - party: The party.
    ///   - policy: The demands on responses; nil for the default ones under the party's profile.
    ///   - reader: The reader of responses.
    public init(_ party: RelyingParty, policy: PresentationPolicy? = nil, reader: ResponseReader = ResponseReader()) {
        self.party = party
        self.reader = reader
        if let policy {
            self.policy = policy
        } else {
            self.policy = PresentationPolicy()
            self.policy.profile = party.profile
        }
    }
}
