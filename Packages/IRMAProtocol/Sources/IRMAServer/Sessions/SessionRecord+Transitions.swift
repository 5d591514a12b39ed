import IRMAMessages

extension SessionRecord {
    /// The time limits of a session in milliseconds.
    struct Limits: Sendable {
        let session: Int64
        let result: Int64

        init(_ options: SessionServerOptions) {
            session = options.maximumSessionLifetime.milliseconds
            result = options.resultLifetime.milliseconds
        }
    }

    /// The time at which the session times out, in milliseconds since 1970; nil for one that has ended.
    func deadline(_ limits: Limits) -> Int64? {
        guard !status.isFinal else { return nil }
        guard status == .initialized, let timeout = wishes.timeout else { return lastActive + limits.session }
        return lastActive + Int64(min(timeout, UInt64(UInt32.max))) * 1000
    }

    /// The time until which the store keeps the session, in milliseconds since 1970.
    func expiry(_ limits: Limits) -> Int64 { (deadline(limits) ?? lastActive) + limits.result }

    /// Returns `true` for a session that has timed out and does not say so yet.
    func isTimeUp(at now: Int64, _ limits: Limits) -> Bool { deadline(limits).map { now >= $0 } ?? false }

    /// Ends a session whose time is up.
    mutating func settle(at now: Int64, _ limits: Limits) {
        guard let deadline = deadline(limits), now >= deadline else { return }
        // The result is kept from then on, not from the time at which it was noticed.
        lastActive = deadline
        setStatus(.timedOut)
    }

    /// Sets the state, here and in the result.
    mutating func setStatus(_ status: SessionStatus) {
        self.status = status
        result.status = status
    }

    /// Cancels a session that has not ended.
    mutating func cancel(at now: Int64) {
        guard !status.isFinal else { return }
        lastActive = now
        result = SessionResult(token: token, status: .cancelled, kind: request.kind)
        verification = nil
        setStatus(.cancelled)
    }

    /// Cancels the session for an error of the wallet's message, or one in handling it.
    mutating func fail(_ error: RemoteError, at now: Int64) {
        guard !status.isFinal else { return }
        cancel(at: now)
        result.error = error.bounded
    }

    /// Sets the method of pairing.
    mutating func setOptions(
        _ message: FrontendOptionsRequest,
        makingCode: () -> String
    ) -> Result<SessionOptions, RemoteError> {
        guard status == .initialized else {
            return .failure(
                RemoteError(
                    .unexpectedRequest,
                    message: "Frontend options can only be updated when session is in initialized state"
                )
            )
        }
        switch message.pairingMethod {
        case nil: break
        case PairingMethod.none: options = SessionOptions(pairingMethod: .none)
        case PairingMethod.pin: options = SessionOptions(pairingMethod: .pin, pairingCode: makingCode())
        default: return .failure(RemoteError(.unexpectedRequest, message: "Pairing method unknown"))
        }
        return .success(options)
    }

    /// Lets a paired wallet have the request.
    mutating func completePairing() -> Result<Void, RemoteError> {
        guard status == .pairing else {
            return .failure(RemoteError(.unexpectedRequest, message: "Pairing was not enabled"))
        }
        setStatus(.connected)
        return .success(())
    }

    /// The refusal of a message that needs a connected wallet, or nil.
    func refusal(of authorization: String?) -> RemoteError? {
        guard status != .pairing else { return RemoteError(.pairingRequired) }
        guard status == .connected else {
            return RemoteError(.unexpectedRequest, message: "Session not yet started or already finished")
        }
        return isWallet(authorization) ? nil : .notOfSession()
    }

    /// Returns `true` for the authorization of the wallet that has connected.
    func isWallet(_ authorization: String?) -> Bool { SessionTokens.areEqual(walletAuthorization, authorization) }
}
