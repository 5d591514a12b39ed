import CryptoCore
import Foundation
import JSONKit
import Synchronization

@testable import OID4VPVerifier

/// A relying party whose verdicts a test gives: it looks at states and marks, and at no cryptography.
///
/// A response is a form with `vp_token`, which is `good` or `bad`, or with `error`. The state must be the transaction's.
final class ScriptedParty: TransactionParty {
    /// The forms that wallets posted for the request.
    let walletForms = Mutex<[FormParameters?]>([])
    /// The number of verifications that began.
    let verifications = Mutex(0)
    private let gate: Gate?
    private let asksForEncryption: Bool

    /// - Parameters:
    ///   - gate: Holds verifications back; nil to let them through.
    ///   - asksForEncryption: Indicates that responses have `response`, and no `vp_token`.
    init(gate: Gate? = nil, asksForEncryption: Bool = false) {
        self.gate = gate
        self.asksForEncryption = asksForEncryption
    }

    func makeKeys(
        for wishes: TransactionRequest,
        using randomness: any RandomSource
    ) throws(TransactionError) -> TransactionKeys {
        TransactionKeys(
            state: TransactionTokens.make(using: randomness),
            keyID: TransactionTokens.make(using: randomness),
            secrets: ["nonce": .string(TransactionTokens.make(using: randomness)), "key": "DECRYPTION-KEY"]
        )
    }

    func outgoingRequest(_ context: TransactionContext) async throws(TransactionError) -> OutgoingRequest {
        switch context.wishes.form {
        case .reference: .link(query: "client_id=scripted&request_uri=\(context.requestURL)")
        case .value: .link(query: "client_id=scripted&state=\(context.keys.state ?? "")")
        case .digitalCredentials: .digitalCredential(["protocol": "openid4vp-v1-unsigned", "data": [:]])
        }
    }

    func requestObject(
        _ context: TransactionContext,
        wallet: FormParameters?
    ) async throws(OID4VPVerifierError) -> String {
        if wallet?["wallet_metadata"] == "unsigned" { throw OID4VPVerifierError(.signingFailed, "no key") }
        if wallet?["wallet_metadata"] == "bad" {
            throw OID4VPVerifierError(.invalidWalletMetadata, "the metadata are malformed")
        }
        walletForms.withLock { $0.append(wallet) }
        return [context.keys.state ?? "", wallet?["wallet_nonce"] ?? "", context.responseURL].joined(separator: " ")
    }

    func read(
        _ response: ReceivedResponse,
        _ context: TransactionContext
    ) async throws(OID4VPVerifierError) -> ResponseContent {
        let text: (String) -> String? =
            switch response {
            case .form(let form): { form[$0] }
            case .digitalCredential(let data, _): { data[$0]?.stringValue }
            }
        if case .form = response, text("state") != context.keys.state {
            throw OID4VPVerifierError(.stateMismatch, "another state")
        }
        if let code = text("error") {
            return .error(TransactionFailure(code: code, message: "the wallet's error"))
        }
        guard !asksForEncryption else { throw OID4VPVerifierError(.notEncrypted, "in the clear") }
        guard let token = text("vp_token") else { throw OID4VPVerifierError(.malformedResponse, "no vp_token") }
        return .presentations(token)
    }

    func verify(_ content: ResponseContent, _ context: TransactionContext) async -> ResponseOutcome {
        verifications.withLock { $0 += 1 }
        await gate?.wait()
        guard case .presentations(let token as String) = content, token == "good" else {
            return ResponseOutcome(
                failure: TransactionFailure(code: "invalidHolderBinding", message: "the proof does not verify"),
                report: ["verdict": "refused"],
                credentials: nil
            )
        }
        return ResponseOutcome(
            failure: nil,
            report: ["verdict": "verified"],
            credentials: ["pid": [["family_name": "MUSTERMANN-CLAIM"]]]
        )
    }
}

/// Holds tasks back until a test lets them through.
final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var waiting: [CheckedContinuation<Void, Never>] = []
        var observers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    /// Waits until the gate is open.
    func wait() async {
        await withCheckedContinuation { continuation in
            let (isOpen, observers) = state.withLock { state -> (Bool, [CheckedContinuation<Void, Never>]) in
                guard !state.isOpen else { return (true, []) }
                state.waiting.append(continuation)
                let count = state.waiting.count
                let reached = state.observers.filter { $0.count <= count }.map(\.continuation)
                state.observers.removeAll { $0.count <= count }
                return (false, reached)
            }
            for observer in observers { observer.resume() }
            if isOpen { continuation.resume() }
        }
    }

    /// Waits until a number of tasks stand at the gate.
    func waitForTasks(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isReached = state.withLock { state in
                guard state.waiting.count < count else { return true }
                state.observers.append((count, continuation))
                return false
            }
            if isReached { continuation.resume() }
        }
    }

    /// Lets all through, those that come later as well.
    func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}
