import CredentialServing
import IRMAMessages
import IdemixCore
import JSONKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A wallet's answer to the request of its session.
enum WalletProofs: Sendable {
    case disclosure(DisclosureResponse)
    case signature(SignedMessage)
    case commitments(IssuanceCommitments)
    /// More proofs or places than the request can use, of which none was read.
    case excess
    /// Proofs that cannot verify, of which the disclosed attributes were not read.
    case refused(DisclosureOutcome)

    /// The largest message in bytes with proofs that are read at once.
    ///
    /// The disclosure of one credential is shorter, and costs less to read than to screen.
    private static let unscreenedSize = 8 << 10

    /// Reads the body for an endpoint, as an answer to a request.
    init(
        _ body: [UInt8],
        _ endpoint: WalletEndpoint,
        answering request: SessionRequest,
        screening: ProofScreening,
        at time: Date
    ) throws(RemoteError) {
        let limits = WalletAnswerLimits(request)
        do throws(IRMAError) {
            let json = try JSONValue(message: body, limits: limits.json)
            try limits.check(json)
            let isOutOfPlace = json.elementCount(ofLists: "indices") > limits.places
            // A commitment is screened before the signatures of keyshare servers are verified.
            let isScreened = body.count > Self.unscreenedSize || endpoint == .commitments
            func proofs(
                _ member: String,
                _ read: () throws(IRMAError) -> WalletProofs
            ) throws(IRMAError) -> WalletProofs {
                guard !isOutOfPlace, json.elementCount(ofMember: member) <= limits.proofs else { return .excess }
                if isScreened, let refusal = try screening.refusal(of: json, member: member, at: time) {
                    return .refused(refusal)
                }
                return try read()
            }
            switch (endpoint, request.kind) {
            case (.proofs, .disclosing):
                self = try proofs("proofs") { () throws(IRMAError) in .disclosure(try DisclosureResponse(json: json)) }
            case (.proofs, .signing):
                self = try proofs("signature") { () throws(IRMAError) in .signature(try SignedMessage(json: json)) }
            case (.commitments, .issuing):
                self = try proofs("combinedProofs") { () throws(IRMAError) in
                    .commitments(try IssuanceCommitments(json: json))
                }
            default: throw IRMAError(.invalidRequest, "not the endpoint for this kind of session")
            }
        } catch {
            throw error.code == .invalidRequest ? .invalidRequest(error.message) : .malformed(error)
        }
    }
}

extension SessionServer {
    /// The answer to a wallet's proofs or commitments.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint.
    ///   - call: The request.
    ///   - read: Reads the body up to a size, which happens only for the session's own wallet.
    func answer(
        _ endpoint: WalletEndpoint,
        _ call: WalletCall,
        reading read: (Int) async throws(RemoteError) -> [UInt8]
    ) async throws(RemoteError) -> WalletAnswer {
        var session = try await loaded(.wallet(call.token))
        try session.value.requireHost(call.host)
        if !session.value.mayRepeat(endpoint, call.authorization, at: now),
            let refusal = session.value.refusal(of: call.authorization)
        {
            throw refusal
        }
        let body = try await read(WalletAnswerLimits(session.value.effectiveRequest).size)
        // The body took its time: another request may have come in between.
        session = try await reloaded(session, .wallet(call.token))
        for _ in 0..<Self.attempts {
            if let answer = session.value.repeatedAnswer(endpoint, call.authorization, body: body, at: now) {
                return answer
            }
            if let refusal = session.value.refusal(of: call.authorization) { throw refusal }
            let answer = try await work.outcome(for: call.token) { [session] () async throws(RemoteError) in
                try await self.answer(body, endpoint, call, session)
            }
            if let answer = answer ?? nil { return answer }
            // The work on another message is over, which may be this one's earlier copy, or another process has it.
            session = try await loaded(.wallet(call.token))
        }
        throw RemoteError(.internalError)
    }

    /// Handles a body, and keeps the answer with the session's next state; nil if another process did so.
    private func answer(
        _ body: [UInt8],
        _ endpoint: WalletEndpoint,
        _ call: WalletCall,
        _ session: TypedSession<SessionRecord>
    ) async throws(RemoteError) -> WalletAnswer? {
        let authorization = call.authorization
        // Another process, or the same one later, may have the scheme: the session waits for it.
        guard history.material(session.value.materialID).hasSchemes(of: session.value.effectiveRequest) else {
            throw RemoteError(.internalError)
        }
        let proofs = try walletProofs(body, endpoint, session.value)
        guard var session = try await claim(session, .wallet(call.token)) else { return nil }
        let before = session.value
        let (outcome, next) = await handle(proofs, &session.value)
        let answer = WalletAnswer(outcome)
        let isRefused = session.value.result.proofStatus != .valid
        let mark = BodyMark(of: body, isRefused: isRefused, using: services.randomness)
        session.value.claim = nil
        session.value.keep(answer, endpoint, authorization, mark: mark)
        var failure: RemoteError?
        do {
            if try await commit(session, from: before) != nil { return answer }
        } catch {
            failure = error
        }
        // Another request was first, or nobody knows whether this one was kept: the session tells.
        let record = try await record(.wallet(call.token))
        if let kept = record.repeatedAnswer(endpoint, authorization, body: body, at: now) {
            // The end is told here, unless the look at uncertain ends has taken it.
            if failure != nil, record.status.isFinal, uncertainEnds.forget(record.token) {
                tellEnd(of: record)
            }
            return kept
        }
        if let next { try? await cancel(.requestor(next)) }
        guard let failure else { throw record.refusal(of: authorization) ?? RemoteError(.internalError) }
        if failure.name == .malformedInput { try await fail(failure, .wallet(call.token)) }
        throw failure
    }

    private func walletProofs(
        _ body: [UInt8],
        _ endpoint: WalletEndpoint,
        _ record: SessionRecord
    ) throws(RemoteError) -> WalletProofs {
        let request = record.effectiveRequest
        let screening = ProofScreening(
            schemes: history.material(record.materialID).schemes,
            policy: options.disclosurePolicy,
            request: request
        )
        return try WalletProofs(body, endpoint, answering: request, screening: screening, at: Self.date(now))
    }

    /// Cancels a session whose next state cannot be kept.
    private func fail(_ error: RemoteError, _ locator: Locator) async throws(RemoteError) {
        try await change(locator) { record, now in
            record.fail(error, at: now)
            return .success(())
        }
    }

    /// Handles proofs; the record has the session's next state then.
    ///
    /// - Returns: The answer, and the requestor's token of the next session of a chain.
    private func handle(
        _ proofs: WalletProofs,
        _ record: inout SessionRecord
    ) async -> (Result<JSONValue, RemoteError>, next: String?) {
        let time = now
        record.lastActive = time
        do throws(RemoteError) {
            var response = try await handle(proofs, &record, at: time)
            let next = try await startNext(&record)
            response.nextSession = next?.pointer
            // The wallet repeats its message within a time after the answer, which others may have held up.
            record.lastActive = now
            record.setStatus(.done)
            let json: JSONValue
            do throws(IRMAError) {
                json = try response.json(for: record.version ?? .v2_8)
            } catch {
                throw RemoteError(.exception, message: error.displayText)
            }
            return (.success(json), next?.token)
        } catch {
            record.fail(error, at: now)
            return (.failure(error), nil)
        }
    }

    private func handle(
        _ proofs: WalletProofs,
        _ record: inout SessionRecord,
        at time: Int64
    ) async throws(RemoteError) -> ServerSessionResponse {
        let material = history.material(record.materialID)
        let outcome: DisclosureOutcome
        switch proofs {
        case .excess:
            guard record.request.kind != .issuing else { throw RemoteError(.invalidProofs) }
            record.result.proofStatus = .invalid
            return ServerSessionResponse(proofStatus: .invalid)
        case .refused(let refused):
            guard record.request.kind != .issuing else { throw IssuanceWork.error(for: refused) }
            outcome = refused
        case .disclosure(let response):
            outcome = DisclosureVerifier(schemes: material.schemes, policy: options.disclosurePolicy).verify(
                response,
                answering: record.effectiveRequest,
                at: Self.date(time),
                accumulators: await knownAccumulators(for: record)
            )
        case .signature(let message):
            record.result.signature = message.forResult(schemes: material.schemes)
            outcome = await verify(message, record, material, at: time)
        case .commitments(let commitments):
            let work = IssuanceWork(
                material: material,
                record: record,
                policy: options.disclosurePolicy,
                authority: services.revocationAuthority,
                copyIssuer: services.copyIssuer,
                accumulators: await knownAccumulators(for: record),
                randomness: services.randomness
            )
            let issued = try await work.issue(commitments, at: Self.date(time))
            record.result.disclosed = issued.disclosed
            record.result.proofStatus = .valid
            return ServerSessionResponse(proofStatus: .valid, signatures: issued.signatures, sdJWTs: issued.copies)
        }
        if outcome.verification.refusal?.reason == .issuerKeyNotFound { throw RemoteError(.unknownPublicKey) }
        record.result.disclosed = outcome.disclosed
        record.result.proofStatus = outcome.proofStatus
        record.verification = outcome.verification.report
        return ServerSessionResponse(proofStatus: outcome.proofStatus)
    }

    private func verify(
        _ message: SignedMessage,
        _ record: SessionRecord,
        _ material: ServerMaterial,
        at time: Int64
    ) async -> DisclosureOutcome {
        var keys = TimestampKeys()
        if let timestamp = message.timestamp,
            let server = try? material.schemes.timestampServer(of: message.signature)
        {
            keys = await services.timestampKeys.keys(for: timestamp, of: server)
        }
        return SignatureVerifier(
            schemes: material.schemes,
            timestampKeys: keys,
            policy: options.disclosurePolicy
        ).verify(
            message,
            answering: record.effectiveRequest,
            at: Self.date(time),
            accumulators: await knownAccumulators(for: record)
        )
    }
}

extension SessionServer {
    /// The accumulators that the server knows for the types in a session's request.
    func knownAccumulators(for record: SessionRecord) async -> KnownAccumulators {
        var known: KnownAccumulators = [:]
        for type in (record.request.parameters.revocation?.demands ?? [:]).keys {
            known[type] = await services.revocation?.knownAccumulators(of: type)
        }
        return known
    }
}
