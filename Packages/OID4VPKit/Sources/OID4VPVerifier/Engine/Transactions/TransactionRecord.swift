import CredentialServing
@_spi(Layers) import CredentialTransport
import CryptoCore
import JOSEKit
import JSONKit

/// A transaction as the store keeps it.
struct TransactionRecord: Hashable, Sendable {
    /// The requestor's name for it.
    let id: String
    /// The wallet's name for it, in the addresses of request and response.
    let requestID: String
    /// The name for the page that shows the QR code.
    let frontendToken: String
    /// The name of the requestor; nil for a transaction started in the process.
    let requestor: String?
    /// The time of the start in milliseconds since 1970.
    let startedAt: Int64
    /// The request as it was asked for.
    let wishes: TransactionRequest
    /// The value that the wallet repeats in its response; `nil` without one.
    let state: String?
    /// The name of the key for decryption; `nil` without one.
    let keyID: String?

    /// The request and the expectation of its response, with nonce and key for decryption; nil once a response was taken or
    /// the time is up.
    var request: JSONValue?
    /// The time until which the present state may last, in milliseconds since 1970; for a final state that of its begin.
    var deadline: Int64
    var status = TransactionStatus.created
    var failure: TransactionFailure?
    /// The mark of the attempt that took the response; nil until one was taken.
    var mark: String?
    /// The digest of the body that brought the response; nil until one was taken.
    var responseDigest: String?
    /// The code that the result needs; nil if none was given out.
    var responseCode: String?
    /// The checks of the response.
    var verification: JSONValue?
    /// The claims, until they are fetched.
    var credentials: JSONValue?
    var events: [TransactionEvent] = []

    /// The key in the store.
    var key: SessionKey { SessionKey(id) }

    /// The other names under which the store finds the transaction.
    var secondaryKeys: [SessionKey] {
        [Self.requestKey(requestID), Self.frontendKey(frontendToken)]
            + [state.map(Self.stateKey), keyID.map(Self.keyIDKey)].compactMap { $0 }
    }

    // One namespace for several kinds of names, so each has its kind in front.
    static func requestKey(_ token: String) -> SessionKey { SessionKey("request " + token) }
    static func frontendKey(_ token: String) -> SessionKey { SessionKey("frontend " + token) }
    static func stateKey(_ state: String) -> SessionKey { SessionKey("state " + state) }
    static func keyIDKey(_ keyID: String) -> SessionKey { SessionKey("key " + keyID) }
}

extension TransactionRecord {
    /// The time limits of transactions in milliseconds.
    struct Limits: Sendable {
        let result: Int64

        init(_ options: TransactionServerOptions) {
            result = options.resultLifetime.wholeMilliseconds
        }
    }

    /// The time until which the store keeps the transaction, in milliseconds since 1970.
    func expiry(_ limits: Limits) -> Int64 { deadline + limits.result }

    /// Ends a transaction whose time is up.
    mutating func settle(at now: Int64) {
        guard !status.isFinal, now >= deadline else { return }
        guard status != .answered else { return interrupt() }
        end(.expired, TransactionFailure(code: "expired", message: "no response came in time"), at: deadline)
    }

    /// Ends a transaction whose response was not verified in time.
    ///
    /// The end is that of the deadline, so that processes which end one transaction write the same.
    mutating func interrupt() {
        let failure = TransactionFailure(code: Self.interrupted, message: "the verification did not end in time")
        end(.failed, failure, at: deadline)
    }

    /// Indicates a transaction whose response was not verified in time.
    var isInterrupted: Bool { status == .failed && failure?.code == Self.interrupted }

    /// Ends the transaction; what is kept of it from then on has no secrets.
    mutating func end(_ status: TransactionStatus, _ failure: TransactionFailure?, at time: Int64) {
        self.status = status
        self.failure = failure
        request = nil
        deadline = time
        let names: [TransactionStatus: TransactionEvent.Name] = [
            .verified: .verified, .failed: .failed, .declined: .declined, .expired: .expired, .cancelled: .cancelled,
        ]
        if let name = names[status] {
            note(name, [.failed, .declined].contains(status) ? failure?.code : nil, at: time)
        }
    }

    /// Indicates that this very body brought the response.
    func isAnswered(by digest: String?) -> Bool {
        guard let digest, let responseDigest else { return false }
        return TransactionTokens.areEqual(digest, responseDigest)
    }

    /// The code of a transaction whose response was not verified in time.
    private static let interrupted = Reason.interrupted.name

    /// Indicates that a repeated response is answered like the first one: the response has ended the transaction not long ago,
    /// and nobody has fetched the result with the response code yet.
    func answersRepetition(at now: Int64, for lifetime: Int64) -> Bool {
        let isFetched = wishes.requiresResponseCode && status == .verified && credentials == nil
        return [.verified, .failed, .declined].contains(status) && !isInterrupted && !isFetched
            && now < deadline + lifetime
    }

    /// Indicates that both are one end, which no callback has taken and after which only the log may have grown.
    func isSameEnd(as other: TransactionRecord) -> Bool {
        status.isFinal && status == other.status && deadline == other.deadline && failure == other.failure
            && responseCode == other.responseCode && events.starts(with: other.events)
            && !events.contains { $0.name == .callbackAccepted }
    }

    /// Removes the claims, and keeps the checks.
    mutating func removeClaims() { credentials = nil }

    /// Adds an event to the log, unless the log is full.
    mutating func note(_ name: TransactionEvent.Name, _ detail: String? = nil, at time: Int64) {
        let isRepeatable = TransactionEvent.repeatable.contains(name)
        guard events.count < (isRepeatable ? TransactionEvent.maximumRepeatedCount : TransactionEvent.maximumCount)
        else { return }
        // A wallet's text is cut, so that it does not fill the log.
        events.append(TransactionEvent(time: time, name: name, detail: detail.map { String($0.prefix(64)) }))
    }
}

/// Makes and recognizes the random names of transactions: 16 bytes in base64url.
enum TransactionTokens {
    private static let size = 16

    /// A token of 128 random bits.
    static func make(using randomness: any RandomSource) -> String {
        Base64URL.encode(randomness.bytes(size))
    }

    /// Returns `true` for a text that can be a token.
    static func isToken(_ text: String) -> Bool {
        text.utf8.count == 22 && (try? Base64URL.decode(text)) != nil
    }

    /// Compares two secrets in a time that depends on their lengths only.
    static func areEqual(_ left: String, _ right: String) -> Bool {
        constantTimeEqual(Array(left.utf8), Array(right.utf8))
    }
}
