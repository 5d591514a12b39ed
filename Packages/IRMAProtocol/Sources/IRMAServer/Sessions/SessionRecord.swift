import CredentialServing
import IRMAMessages
import VerificationCore

/// A session as the store keeps it.
struct SessionRecord: Hashable, Sendable {
    /// The requestor's token.
    let token: String
    /// The wallet's token.
    let clientToken: String
    /// The frontend's authorization.
    let frontendToken: String
    /// The name of the requestor; empty for one without authentication, nil for a session started in the process.
    let requestor: String?
    /// The number of the material that the session was started with.
    let materialID: UInt64

    /// The request.
    var request: SessionRequest {
        didSet { requestText = nil }
    }
    /// The request in JSON, where it has been made; nil after a change.
    private(set) var requestText: [UInt8]?
    /// The requestor's options.
    var wishes: RequestorOptions
    /// The disclosures of earlier sessions of a chain, which the wallet repeats.
    var implicit: Condiscon
    var options = SessionOptions()
    var status = SessionStatus.initialized
    var version: ProtocolVersion?
    /// The authorization of the wallet that has connected.
    var walletAuthorization: String?
    /// The time of the last accepted message in milliseconds since 1970.
    var lastActive: Int64
    var result: SessionResult
    /// The checks of the wallet's disclosure or signature; nil until there is one.
    var verification: VerificationReport?
    /// The pointer of the next session of a chain.
    var next: SessionPointer?
    /// The last answer to the wallet, for a repeated request.
    var answer: KeptAnswer?
    /// The claim of the process that handles the answer of the wallet in a chain.
    var claim: ChainClaim?

    init(
        tokens: (requestor: String, client: String, frontend: String),
        requestor: String?,
        materialID: UInt64,
        lastActive: Int64,
        request: SessionRequest,
        wishes: RequestorOptions,
        implicit: Condiscon
    ) {
        token = tokens.requestor
        clientToken = tokens.client
        frontendToken = tokens.frontend
        self.requestor = requestor
        self.materialID = materialID
        self.request = request
        self.wishes = wishes
        self.implicit = implicit
        self.lastActive = lastActive
        result = SessionResult(token: tokens.requestor, status: .initialized, kind: request.kind)
    }

    /// The key in the store.
    var key: SessionKey { SessionKey(token) }

    /// Makes the request's text, for every encoding up to the next change of the request.
    mutating func makeRequestText() throws(IRMAError) -> [UInt8] {
        if let requestText { return requestText }
        let text = try request.encoded()
        requestText = text
        return text
    }

    /// The request with everything that the wallet has to show.
    var effectiveRequest: SessionRequest {
        guard !implicit.disjunctions.isEmpty else { return request }
        var request = request
        request.disclose.disjunctions += implicit.disjunctions
        return request
    }
}

/// The claim of one of several processes to handle the answer of a wallet in a chain, and to ask for the next session.
struct ChainClaim: Hashable, Sendable {
    /// The name of the process.
    let owner: String
    /// The end of the claim in milliseconds since 1970.
    let end: Int64
}

/// An answer to a wallet, kept for a repetition of its request.
struct KeptAnswer: Hashable, Sendable {
    /// The name of the endpoint.
    let endpoint: String
    /// The authorization that the request came with.
    let authorization: String
    /// The mark of the request's body.
    let mark: BodyMark
    /// The state of the session after the answer.
    let status: SessionStatus
    /// The status of the HTTP answer.
    let code: Int
    /// The body of the answer.
    let body: String
}
