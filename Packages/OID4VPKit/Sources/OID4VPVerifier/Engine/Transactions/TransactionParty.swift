import CryptoCore
import JSONKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The messages of a relying party's transactions: the server keeps states and names, a party makes requests and judges
/// responses.
protocol TransactionParty: Sendable {
    /// The values of a new transaction.
    ///
    /// - Throws: ``TransactionError/Code-swift.struct/invalidRequest`` for a wish that the party cannot fulfil.
    func makeKeys(
        for wishes: TransactionRequest,
        using randomness: any RandomSource
    ) throws(TransactionError)
        -> TransactionKeys

    /// The request in the form that was asked for.
    ///
    /// - Throws: ``TransactionError/Code-swift.struct/invalidRequest`` for a wish that the party cannot fulfil.
    func outgoingRequest(_ context: TransactionContext) async throws(TransactionError) -> OutgoingRequest

    /// The signed request object for a wallet that fetches it.
    ///
    /// - Parameters:
    ///   - context: The transaction.
    ///   - wallet: The form that the wallet posted; nil for GET.
    func requestObject(
        _ context: TransactionContext,
        wallet: FormParameters?
    ) async throws(OID4VPVerifierError) -> String

    /// Reads a response: decrypts it, and compares its state.
    func read(
        _ response: ReceivedResponse,
        _ context: TransactionContext
    ) async throws(OID4VPVerifierError) -> ResponseContent

    /// Verifies the presentations of a response, and the query against them.
    func verify(_ content: ResponseContent, _ context: TransactionContext) async -> ResponseOutcome
}

/// The values of one transaction that its messages are made of.
struct TransactionKeys: Hashable, Sendable {
    /// The value that the wallet repeats; nil where there is none.
    var state: String?
    /// The name of the key for decryption; nil where there is none.
    var keyID: String?
    /// Nonce and key, in a form of the party's own.
    var secrets: JSONObject
}

/// A transaction, as a party sees it.
struct TransactionContext: Sendable {
    /// The request as it was asked for.
    let wishes: TransactionRequest
    /// State, key name and secrets.
    let keys: TransactionKeys
    /// The address of the request.
    let requestURL: String
    /// The address of the response.
    let responseURL: String
    /// The beginning of links.
    let walletLink: String
    /// The time of the start.
    let startedAt: Date
    /// The end of the wallet's time.
    let expiresAt: Date
    /// The current time.
    let time: Date
    let randomness: any RandomSource
}

/// A request on its way to the wallet.
enum OutgoingRequest: Sendable {
    /// The query of a link, with what wallets need to find and read the request.
    case link(query: String)
    /// The request for the Digital Credentials API.
    case digitalCredential(JSONValue)
}

/// A response as it was read.
enum ResponseContent: Sendable {
    /// The wallet's error.
    case error(TransactionFailure)
    /// Presentations, which are not verified.
    case presentations(any Sendable)
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
