import CredentialTransport
import CredentialWallet
import CryptoCore
public import IRMAMessages
import IdemixCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A session with a server, from the pointer that the user scanned to the outcome.
///
/// ```swift
/// let session = try wallet.session(scanned: text)
/// let request = try await session.request { code in await show(pairingCode: code) }
/// guard let choice = await ask(request) else {
///     await session.cancel()
///     return
/// }
/// let outcome = try await session.answer(choice) { prompt in await askPIN(prompt) }
/// ```
///
/// The app draws what it likes between the calls; nothing waits for it. A call that fails ends the session and tells the
/// server, with two exceptions: after ``WalletError/Code/invalidChoice`` another choice can be made, and where the answer to
/// proofs was lost, also where a proxy answers in the server's place, or could not be stored, ``resend()`` asks for it again:
/// ``canResend`` says so.
public actor WalletSession {
    /// The state of a session.
    enum State {
        case created
        case starting
        case pairing
        case ready(SessionPreparation)
        /// The task makes the answer.
        case answering(Task<Result<SentAnswer, WalletError>, Never>)
        case sent(SentAnswer)
        case sending
        case finished
        case failed
        case cancelled
    }

    /// An answer that was sent, until the server's own answer is there.
    struct SentAnswer {
        let answer: SessionAnswer
        let preparation: SessionPreparation
        let prover: SessionProver
        let entry: SessionLogEntry
        /// The place of an issuance in the storage, or `nil`.
        let stored: StoragePlace?
    }

    /// The pointer that the session was opened with; a static one leads to another.
    public nonisolated let pointer: SessionPointer
    let core: WalletCore
    /// The attributes that earlier sessions of the chain have shown; another server gets them with a question.
    let shown: ShownAttributes?
    /// The account whose enrolment the session ends, or `nil`.
    var enrollment: KeyshareEnrollment?
    var state = State.created
    var kind: SessionKind
    var channel: ServerChannel?
    var http: HTTPSession?
    /// The URL of the session, once the pointer was followed: as read, and as the pointer has it.
    var url: HTTPURL?
    var address = ""
    var version = ProtocolVersion.v2_8
    /// The token by which the server knows the wallet again.
    var authorization = ""
    private var isServerTold = false
    /// Indicates that events of the server come, so that it need not be asked so often.
    var hasEvents = false

    init(
        _ pointer: SessionPointer,
        core: WalletCore,
        shown: ShownAttributes? = nil,
        enrollment: KeyshareEnrollment? = nil
    ) {
        self.pointer = pointer
        self.core = core
        self.shown = shown
        self.enrollment = enrollment
        kind = pointer.kind
    }

    /// Indicates that an answer was sent whose outcome is not known, or could not be stored: ``resend()`` asks for it again.
    public var canResend: Bool {
        if case .sent = state { true } else { false }
    }

    /// Ends the session on the user's behalf, and tells the server.
    ///
    /// An answer that is being made is given up: nothing of it is kept, and the session no longer waits for others.
    /// An issuance whose answer was sent may have taken place: ``IRMAWallet/resumeIssuances()`` asks for the credentials.
    ///
    /// - Returns: `false` if it is too late: the answer was sent, or the session has ended.
    @discardableResult
    public func cancel() async -> Bool {
        switch state {
        case .created, .starting, .pairing, .ready, .answering, .sent: break
        case .sending, .finished, .failed, .cancelled: return false
        }
        let last = state
        state = .cancelled
        if case .answering(let task) = last { task.cancel() }
        if case .sent(let sent) = last, let place = sent.stored { await core.vault.leaveIssuance(at: place) }
        await tellServer()
        return true
    }

    /// Runs a part of the session whose failure ends it.
    func ending<Value: Sendable>(
        _ body: () async throws(WalletError) -> Value
    ) async throws(WalletError) -> Value {
        do throws(WalletError) {
            return try await body()
        } catch {
            // An answer that was lost can be asked for again.
            if case .sent = state { throw error }
            // The task may be cancelled; the server is told all the same.
            await Task { await tellServer() }.value
            if case .cancelled = state { throw WalletError(.cancelled, "the session was cancelled", cause: error) }
            state = .failed
            throw error
        }
    }

    /// Ends the session on the server's side, once; a session without a server has none to tell.
    private func tellServer() async {
        guard let channel, !isServerTold else { return }
        isServerTold = true
        await channel.delete()
        await http?.close()
    }

    func requireRunning() throws(WalletError) {
        if case .cancelled = state { throw WalletError(.cancelled, "the session was cancelled") }
    }

    static func url(_ text: String) throws(WalletError) -> HTTPURL {
        try WalletError.convertingTransport { () throws(TransportError) in try HTTPURL(text) }
    }

    /// Reads a message of the server.
    static func reading<Message>(_ read: () throws(IRMAError) -> Message) throws(WalletError) -> Message {
        do throws(IRMAError) {
            return try read()
        } catch {
            throw WalletError(.serialization, error.message, path: error.path, cause: error)
        }
    }
}
