import CredentialServing
public import HTTPTypes
public import VerificationCore

/// The reason that a server of transactions refuses a call, as requestors, wallets and frontends see it.
///
/// Tests and callers compare `code`; `path` names the place, `message` is for people and may change. Nothing in an error
/// tells anything about a claim or a secret.
public struct TransactionError: CodedError {
    /// The parts of the error.
    public let details: ErrorDetails<Code>

    /// Makes an error from its parts.
    public init(_ details: ErrorDetails<Code>) {
        self.details = details
    }

    /// The kind of an error, with its name in answers and its status of HTTP: an open set.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The name, as in the member `error` of answers.
        public let description: String
        /// The status of the answer.
        public let status: HTTPResponse.Status

        private init(_ name: String, _ status: HTTPResponse.Status) {
            description = name
            self.status = status
        }

        // MARK: Settings

        /// A setting that cannot work, alone or with the others.
        public static let invalidConfiguration = Code("invalid_configuration", .internalServerError)

        /// A certificate in the chain of the relying party's client has expired, or is not valid yet: no wallet takes its requests.
        ///
        /// The message names the end of its validity, or the beginning.
        public static let invalidCertificate = Code("invalid_certificate", .internalServerError)

        // MARK: Requestors

        /// The call is malformed, or asks for something that this server or relying party does not do.
        public static let invalidRequest = Code("invalid_request", .badRequest)
        /// The token is missing or unknown.
        public static let unauthorized = Code("unauthorized", .unauthorized)
        /// The server has no relying party of the name that a request states, or that a transaction was started for; the message
        /// has the name.
        ///
        /// A process may have other relying parties than the one that started a transaction. Wallets get
        /// ``unknownRequest`` and ``refusedResponse`` in its place, as for a link that is used up.
        public static let unknownRelyingParty = Code("unknown_relying_party", .notFound)
        /// The requestor does not act for the relying party.
        public static let forbidden = Code("forbidden", .forbidden)
        /// The result belongs to the browser that the wallet sent back, and the response code is missing or wrong.
        public static let responseCodeRequired = Code("response_code_required", .forbidden)
        /// Unknown transaction, or one that is over and deleted.
        public static let unknownTransaction = Code("unknown_transaction", .notFound)
        /// The transaction has not ended.
        public static let notEnded = Code("not_ended", .conflict)
        /// The transaction has ended, or has a response already.
        public static let alreadyEnded = Code("already_ended", .conflict)
        /// The claims were fetched before.
        public static let alreadyFetched = Code("already_fetched", .gone)
        /// The relying party has as many open transactions as it may have.
        public static let tooManyTransactions = Code("too_many_transactions", .tooManyRequests)
        /// The body is larger than the limit.
        public static let tooLarge = Code("too_large", .contentTooLarge)
        /// The server does not sign results.
        public static let notSupported = Code("not_supported", .notImplemented)

        // MARK: Wallets

        /// The request is unknown, expired, or answered, or its relying party has another key or certificate now.
        public static let unknownRequest = Code("unknown_request", .notFound)
        /// The presentations of a response do not verify.
        public static let rejectedResponse = Code("rejected_response", .badRequest)
        /// The response is not one to an open transaction of this address: unknown, expired, or answered before.
        public static let refusedResponse = Code("refused_response", .badRequest)

        // MARK: The server

        /// No endpoint has the path.
        public static let unknownPath = Code("not_found", .notFound)
        /// The endpoint does not take the method.
        public static let methodNotAllowed = Code("method_not_allowed", .methodNotAllowed)
        /// The client made more calls than the limit allows.
        public static let tooManyCalls = Code("too_many_requests", .tooManyRequests)
        /// The store cannot be reached, is busy or is full.
        public static let unavailable = Code("temporarily_unavailable", .serviceUnavailable)
        /// The call did not end in time.
        public static let timedOut = Code("timed_out", .requestTimeout)
        /// The server failed.
        public static let internalError = Code("server_error", .internalServerError)
    }
}

extension TransactionError {
    /// The error for a failure of the store.
    init(_ error: SessionStoreError) {
        switch error.code {
        case .unavailable, .full, .outcomeUnknown, .tooManyAttempts, .closed, .conflict, .notAuthorized:
            self.init(.unavailable, "the store cannot serve at present", cause: error)
        case .notFound:
            self.init(.unknownTransaction, "there is no such transaction", cause: error)
        case .tooLarge:
            self.init(.tooLarge, "the transaction is too large to be kept", cause: error)
        default:
            self.init(.internalError, "the store failed", cause: error)
        }
    }

    /// The error for a refusal of the HTTP layer; nil for one that the layer answers itself.
    init?(_ error: ServingError) {
        switch error.code {
        case .bodyTooLarge: self.init(.tooLarge, "the call is too long", cause: error)
        case .incompleteBody, .invalidRequest, .invalidParameter:
            self.init(.invalidRequest, "the call cannot be read", cause: error)
        case .requestTimedOut: self.init(.timedOut, "the call was not complete in time", cause: error)
        case .deadlineExceeded: self.init(.unavailable, "the call was not answered in time", cause: error)
        case .notFound: self.init(.unknownPath, "there is no such endpoint", cause: error)
        case .methodNotAllowed: self.init(.methodNotAllowed, "the endpoint does not take this method", cause: error)
        default: return nil
        }
    }
}
