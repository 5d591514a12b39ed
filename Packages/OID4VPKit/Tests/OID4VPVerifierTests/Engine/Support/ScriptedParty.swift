import CryptoCore
import Foundation
import JOSEKit
import JSONKit
import Synchronization

@testable import OID4VPVerifier

/// A relying party whose verdicts a test gives: a presentation is the text `good`, or it is refused.
///
/// Responses are read and decrypted as those of any other party.
final class ScriptedParty: TransactionParty {
    let reader = ResponseReader()
    /// The nonces and metadata of wallets that fetched the request; nil for GET.
    let fetches = Mutex<[RequestURIPost?]>([])
    /// The number of verifications that began.
    let verifications = Mutex(0)
    private let gate: Gate?
    private let claims: JSONValue

    static let claim = "MUSTERMANN-CLAIM"

    /// - Parameters:
    ///   - gate: Holds verifications back; nil to let them through.
    ///   - claims: The claims of verified credentials.
    init(gate: Gate? = nil, claims: JSONValue = ["pid": [["family_name": .string(ScriptedParty.claim)]]]) {
        self.gate = gate
        self.claims = claims
    }

    func state(inside jwe: JWE, namingKey keyID: String?) async -> String? { nil }

    func newRequest(_ context: TransactionContext) async throws(TransactionError) -> NewRequest {
        let wishes = context.wishes
        if wishes.intendedUse == "fail" { throw TransactionError(.internalError, "the request could not be made") }
        guard wishes.intendedUse == nil else {
            throw TransactionError(.invalidRequest, "the relying party has no such use", path: ["intended_use"])
        }
        let expectation: ResponseExpectation
        do {
            let isPlatform = wishes.form == .digitalCredentials
            let mode: ResponseMode =
                isPlatform ? .digitalCredentials : wishes.isEncrypted ? .directPostJWT : .directPost
            guard case .dcql(let query) = wishes.query else { throw OID4VPError(.invalidQuery, "no DCQL") }
            expectation = ResponseExpectation(
                version: .v1,
                clientID: "x509_hash:scripted",
                channel: isPlatform
                    ? .digitalCredentials(origins: ["https://shop.example"]) : .address(context.responseURL),
                mode: mode,
                nonce: TransactionTokens.make(using: context.randomness),
                state: isPlatform ? nil : TransactionTokens.make(using: context.randomness),
                query: .dcql(try DCQLQuery(json: query)),
                decryption: mode == .directPostJWT ? try Self.decryption(context) : nil
            )
        } catch {
            throw TransactionError(.invalidRequest, "\(error)")
        }
        let request = CreatedRequest(
            parameters: [:],
            expectation: expectation,
            expiresAt: context.time + context.lifetime
        )
        let query =
            wishes.form == .value ? "state=\(expectation.state ?? "")" : "request_uri=\(context.requestURL)"
        let object: JSONValue = ["protocol": "openid4vp-v1-unsigned", "data": [:]]
        return NewRequest(
            request: request,
            delivery: wishes.form == .digitalCredentials
                ? .digitalCredential(object)
                : .links(
                    qrText: "openid4vp://?" + query,
                    link: (wishes.walletLink ?? "openid4vp://") + "?" + query
                ),
            hasOwnKey: true
        )
    }

    private static func decryption(_ context: TransactionContext) throws -> ResponseDecryption {
        let key = try JWK(
            PrivateKey.generate(.p256),
            keyID: TransactionTokens.make(using: context.randomness),
            use: .encryption,
            algorithm: "ECDH-ES"
        )
        return try ResponseDecryption(key: key, algorithm: .ecdhES, encryptions: [.a128GCM])
    }

    /// The state, the wallet's nonce and the key, between spaces.
    func requestObject(
        of request: CreatedRequest,
        for post: RequestURIPost?,
        at time: Date
    ) async throws(OID4VPVerifierError) -> String {
        if post?.walletNonce == "unsigned" { throw OID4VPVerifierError(.signingFailed, "no key") }
        fetches.withLock { $0.append(post) }
        let key = request.expectation.decryption?.key.publicJWK.map { String(decoding: $0.encoded(), as: UTF8.self) }
        return [request.expectation.state ?? "", post?.walletNonce ?? "", key ?? ""].joined(separator: " ")
    }

    func verify(
        _ response: PresentationResponse,
        for expectation: ResponseExpectation,
        at time: Date
    ) async -> ResponseOutcome {
        verifications.withLock { $0 += 1 }
        await gate?.wait()
        guard case .queries(let answers) = response.token, answers.first?.presentations == ["good"] else {
            return ResponseOutcome(
                failure: TransactionFailure(code: "invalidHolderBinding", message: "the proof does not verify"),
                report: ["verdict": "refused"],
                credentials: nil
            )
        }
        return ResponseOutcome(failure: nil, report: ["verdict": "verified"], credentials: claims)
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
    private let isCancellable: Bool

    /// - Parameter isCancellable: Indicates that the gate is left open once a task at it is cancelled.
    init(isCancellable: Bool = false) {
        self.isCancellable = isCancellable
    }

    /// Waits until the gate is open.
    func wait() async {
        await withTaskCancellationHandler {
            await pass()
        } onCancel: {
            if isCancellable { open() }
        }
    }

    private func pass() async {
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
