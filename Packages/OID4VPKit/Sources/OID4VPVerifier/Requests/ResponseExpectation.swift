public import JOSEKit
import JSONKit

/// A verifier's expectation of the response to one request: everything that belongs to the transaction.
///
/// A ``RequestBuilder`` makes it together with the request. It is kept until the response arrives, see
/// ``encodedBytes``.
public struct ResponseExpectation: Sendable {
    /// The query of the request.
    public enum Query: Sendable {
        /// A DCQL query.
        case dcql(DCQLQuery)
        /// A presentation definition, for drafts before 26.
        case definition(PresentationDefinition)
    }

    /// The way back.
    public enum Channel: Hashable, Sendable {
        /// The address of the response: `response_uri`, or `redirect_uri`.
        case address(String)
        /// The Digital Credentials API, for pages of these origins.
        case digitalCredentials(origins: [String])
    }

    /// The version of the request.
    public let version: OpenID4VPVersion
    /// The client identifier as it was sent; nil for an unsigned request over the Digital Credentials API.
    public let clientID: String?
    /// The way back.
    public let channel: Channel
    /// The response mode.
    public let mode: ResponseMode
    /// The value that each presentation repeats.
    public let nonce: String
    /// The value that the response repeats; nil for none.
    public let state: String?
    /// The query of the request.
    public let query: Query
    /// The entries of `transaction_data` as they were sent.
    public let transactionData: [String]
    /// The key that the response must be encrypted to; nil for one in the clear, or with a signature alone (JARM).
    public let decryption: ResponseDecryption?

    init(
        version: OpenID4VPVersion,
        clientID: String?,
        channel: Channel,
        mode: ResponseMode,
        nonce: String,
        state: String?,
        query: Query,
        transactionData: [String] = [],
        decryption: ResponseDecryption? = nil
    ) {
        self.version = version
        self.clientID = clientID
        self.channel = channel
        self.mode = mode
        self.nonce = nonce
        self.state = state
        self.query = query
        self.transactionData = transactionData
        self.decryption = decryption
    }

    /// The same expectation with another key.
    func replacing(decryption: ResponseDecryption) -> ResponseExpectation {
        ResponseExpectation(
            version: version,
            clientID: clientID,
            channel: channel,
            mode: mode,
            nonce: nonce,
            state: state,
            query: query,
            transactionData: transactionData,
            decryption: decryption
        )
    }

    /// The names of the queries, in their order.
    public var queryIDs: [QueryID] {
        switch query {
        case .dcql(let query): query.credentials.map(\.id)
        case .definition(let definition): definition.descriptors.map(\.id)
        }
    }

    /// The audience of presentations that arrive from an origin, or from anywhere by an address.
    func audience(origin: String?) -> String? { origin.map { "origin:" + $0 } ?? clientID }
}

/// The verifier's key for the response to one request, and the algorithms that were offered for it.
public struct ResponseDecryption: Sendable {
    /// The private key, with the `kid` under which it was sent.
    public let key: JWK
    /// The key management algorithm.
    public let algorithm: JWEAlgorithm
    /// The content encryptions that were offered.
    public let encryptions: [JWEEncryption]
    /// The algorithms as the demands on a JWE.
    let policy: JWEDecryptionPolicy

    /// Takes a private key.
    ///
    /// - Throws: ``OID4VPVerifierError/Code/invalidRequest`` for a key without a private part, and without a content
    ///   encryption.
    public init(
        key: JWK,
        algorithm: JWEAlgorithm,
        encryptions: [JWEEncryption]
    ) throws(OID4VPVerifierError) {
        guard (try? key.privateKey()) != nil, !encryptions.isEmpty else {
            throw OID4VPVerifierError(.invalidRequest, "a response needs a private key and a content encryption")
        }
        self.key = key
        self.algorithm = algorithm
        self.encryptions = encryptions
        policy = JWEDecryptionPolicy(algorithms: [algorithm], encryptions: Set(encryptions))
    }
}
