import Synchronization

/// An error of the library, with the code that a verifier is told.
///
/// A subclass names the fault; its code and message are those that wallets of the replaced library expect.
open class OpenID4VPException: Error, CustomStringConvertible, @unchecked Sendable {
    // All stored properties are constants; the answer lies behind a lock. Subclasses add none.

    /// The code of the error response, or one of the library's own.
    public let errorCode: String
    /// The description, for the app.
    public let message: String
    /// The name of the type that raised the error.
    public let className: String
    /// The error underneath, if another layer raised it.
    public let cause: (any Error)?

    private let answer = Mutex<VerifierResponse?>(nil)

    /// Makes an error.
    public init(errorCode: String, message: String, className: String, cause: (any Error)? = nil) {
        self.errorCode = errorCode
        self.message = message
        self.className = className
        self.cause = cause
    }

    /// The verifier's answer to the error response; nil if none was sent, or none came.
    public var verifierResponse: VerifierResponse? { answer.withLock { $0 } }

    /// The verifier's answer, by its older name.
    @available(*, deprecated, renamed: "verifierResponse")
    public var networkResponse: VerifierResponse? { verifierResponse }

    func setVerifierResponse(_ response: VerifierResponse) {
        answer.withLock { $0 = response }
    }

    /// The code and the message.
    public var description: String { "\(errorCode): \(message)" }
}

/// The codes of several errors.
enum ErrorCode {
    static let invalidRequest = "invalid_request"
    static let invalidRequestObject = "invalid_request_object"
    static let invalidClient = "invalid_client"
    static let invalidTransactionData = "invalid_transaction_data"
    static let accessDenied = "access_denied"
    static let serverError = "server_error"
}

/// The answer of a user to the question of consent, as an error.
public enum AuthorizationConsent: Error, Hashable, Sendable {
    /// The user declined.
    case consentRejectedError(message: String)
}

/// A failure to reach a verifier.
public enum NetworkRequestException: Error, Hashable, Sendable {
    /// The request failed, or was answered by an error.
    case networkRequestFailed(message: String)
    /// The time for the answer passed.
    case interruptedIOException
}
