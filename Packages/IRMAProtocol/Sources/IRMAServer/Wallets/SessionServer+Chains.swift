import CredentialServing
import IRMAMessages

extension SessionServer {
    /// The time in milliseconds for which a process alone handles the answer of a wallet in a chain.
    ///
    /// It is longer than a requestor has for the next session. After it, another process takes the place of one that ended.
    static let claimTime: Int64 = 30_000
    /// The time between two looks at a session that another process has claimed.
    static let claimInterval = Duration.milliseconds(250)

    /// Claims a session of a chain before its answer is handled, so that of several processes one asks for the next session.
    ///
    /// - Returns: The session with the claim, or as it is without a chain; nil if another process was first, as soon as its claim
    ///   is over.
    /// - Throws: `INTERNAL_ERROR` for a store that fails, and if the task is cancelled.
    func claim(
        _ session: TypedSession<SessionRecord>,
        _ locator: Locator
    ) async throws(RemoteError) -> TypedSession<SessionRecord>? {
        guard session.value.wishes.nextSessionURL != nil else { return session }
        guard !session.value.isClaimed(byOthersThan: name, at: now) else {
            while try await record(locator).isClaimed(byOthersThan: name, at: now) {
                do { try await services.clock.timer.sleep(for: Self.claimInterval) } catch {
                    throw RemoteError(.internalError)
                }
            }
            return nil
        }
        var claimed = session
        claimed.value.claim = ChainClaim(owner: name, end: now + Self.claimTime)
        return try await commit(claimed, from: session.value)
    }

    /// Starts the next session of a chain, after proofs that verify.
    ///
    /// - Returns: The package of the next session, or nil at the end of the chain.
    /// - Throws: `NEXT_SESSION`.
    func startNext(_ record: inout SessionRecord) async throws(RemoteError) -> SessionPackage? {
        guard record.wishes.nextSessionURL != nil, record.result.proofStatus == .valid else { return nil }
        guard let message = try await delivery.nextSession(after: record.result, record.wishes) else { return nil }
        do throws(RemoteError) {
            let package = try await start(
                try permitted(message, by: record.requestor),
                requestor: record.requestor,
                in: Chain(frontendToken: record.frontendToken, implicit: record.shown)
            )
            record.result.nextSession = package.token
            record.next = package.pointer
            return package
        } catch {
            throw RemoteError(.nextSession, message: error.message)
        }
    }

    /// Refuses a session that the requestor of the one before may not start.
    private func permitted(_ message: RequestorMessage, by requestor: String?) throws(RemoteError) -> RequestorMessage {
        // A session of this process answers to nobody.
        guard let requestor else { return message }
        do throws(IRMAError) {
            if let reason = requestors.reasonAgainst(try message.request(), by: requestor, host: host) {
                throw IRMAError(.invalidRequest, "next session not authorized: \(reason)")
            }
        } catch {
            throw .invalidRequest(error.displayText)
        }
        return message
    }
}

extension SessionRecord {
    /// Returns `true` while another process handles the answer of the wallet.
    ///
    /// A process that finds a claim of its own has failed to keep what it made of it.
    func isClaimed(byOthersThan name: String, at now: Int64) -> Bool {
        guard let claim, !status.isFinal else { return false }
        return claim.owner != name && now < claim.end
    }

    /// The attributes that were shown, with their values, as the sessions behind this one demand them.
    ///
    /// A disjunction that was answered with nothing keeps its place, since wallets answer it with nothing again.
    var shown: Condiscon {
        let lists = result.disclosed.prefix(effectiveRequest.disclose.disjunctions.count)
        return Condiscon(
            lists.map { list in
                let requests = (list ?? []).map { attribute in
                    AttributeRequest(attribute.id, value: attribute.id.attribute == nil ? nil : attribute.rawValue)
                }
                return AttributeDisjunction([AttributeConjunction(requests)])
            }
        )
    }
}
