import CredentialServing
@_spi(Layers) import CredentialTransport
import JSONKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension TransactionServer {
    /// Ends the transaction by the wallet's error.
    func decline(
        _ record: TransactionRecord,
        with error: WalletErrorResponse,
        _ digest: String?
    ) async throws(TransactionError) -> TransactionRecord {
        let failure = TransactionFailure(walletError: error)
        let code = makeResponseCode(for: record)
        return try await change(record) { record, now in
            guard record.status.isOpen else { return false }
            record.note(.responseReceived, at: now)
            record.responseDigest = digest
            record.responseCode = code
            record.end(.declined, failure, at: now)
            return true
        }
    }

    /// Marks the transaction as answered, verifies the presentations, and ends the transaction.
    ///
    /// A verification that does not end in time is cancelled. The transaction ends without waiting for the parts of it that
    /// do not react.
    func verify(
        _ response: PresentationResponse,
        _ digest: String?,
        for expectation: ResponseExpectation,
        of record: TransactionRecord,
        by party: any TransactionParty
    ) async throws(TransactionError) -> TransactionRecord {
        let taken = try await take(record, digest)
        let (timer, limit, time) = (services.clock.timer, options.verificationDeadline, Self.date(now))
        let ended = await withTaskGroup(of: ResponseOutcome?.self) { group in
            group.addTask { await party.verify(response, for: expectation, at: time) }
            group.addTask {
                try? await timer.sleep(for: limit.boundedForTimers)
                return nil
            }
            let outcome = await group.next() ?? nil
            group.cancelAll()
            return await Result(awaiting: { () async throws(TransactionError) in
                guard let outcome else { return try await self.interrupt(taken) }
                return try await self.end(taken, by: outcome)
            })
        }
        return try ended.get()
    }

    /// Marks an open transaction as answered.
    ///
    /// If the answer of the store is lost, the random mark shows whether the change was made, which is told to the observer
    /// then. A store that is away has changed nothing, and the wallet may try again.
    private func take(
        _ record: TransactionRecord,
        _ digest: String?
    ) async throws(TransactionError) -> TransactionRecord {
        let time = options.verificationDeadline.wholeMilliseconds
        let mark = TransactionTokens.make(using: services.randomness)
        let attempt = { @Sendable () async throws(TransactionError) -> TransactionRecord in
            let change = { @Sendable (record: inout TransactionRecord, now: Int64) -> Result<Bool, TransactionError> in
                if record.mark == mark { return .success(true) }
                guard record.status.isOpen else { return .failure(Self.refusal(noting: &record, at: now)) }
                record.note(.responseReceived, at: now)
                record.status = .answered
                record.mark = mark
                record.responseDigest = digest
                // Nothing is decrypted a second time.
                record.request = nil
                record.deadline = now + time
                return .success(false)
            }
            let (wasMade, taken) = try await self.change(.requestor(record.id), change)
            if wasMade { self.notifyOfResponse(to: taken) }
            // Its time may have been up since.
            guard taken.status == .answered else { throw Self.refusedResponse }
            return taken
        }
        do throws(TransactionError) {
            return try await attempt()
        } catch {
            guard error.isOutcomeUnknown else { throw error }
            return try await persistently(until: now + time, attempt)
        }
    }

    /// Ends the transaction by the outcome of the verification.
    private func end(
        _ record: TransactionRecord,
        by outcome: ResponseOutcome
    ) async throws(TransactionError) -> TransactionRecord {
        let code = makeResponseCode(for: record)
        do throws(TransactionError) {
            return try await end(record, by: outcome, code)
        } catch {
            guard error.code == .tooLarge else { throw error }
            let failure = TransactionFailure(code: "tooLarge", message: "the store has no room for the result")
            return try await end(record, by: ResponseOutcome(failure: failure, report: nil, credentials: nil), code)
        }
    }

    private func end(
        _ record: TransactionRecord,
        by outcome: ResponseOutcome,
        _ code: String?
    ) async throws(TransactionError) -> TransactionRecord {
        let status: TransactionStatus = outcome.failure == nil ? .verified : .failed
        return try await persistently(until: record.deadline) { () async throws(TransactionError) in
            try await self.change(record) { record, now in
                guard record.status == .answered else {
                    // An earlier attempt may have been made.
                    return record.status == status && record.failure == outcome.failure && record.responseCode == code
                }
                record.responseCode = code
                record.verification = outcome.report
                record.credentials = outcome.failure == nil ? outcome.credentials ?? [:] : nil
                record.end(status, outcome.failure, at: now)
                return true
            }
        }
    }

    /// Ends a transaction whose response was not verified in time, unless a reader has seen that first.
    private func interrupt(_ record: TransactionRecord) async throws(TransactionError) -> TransactionRecord {
        try await change(record) { record, _ in
            if record.status == .answered { record.interrupt() }
            return record.isInterrupted
        }
    }

    /// A code for the browser that the wallet sends on; nil if it sends none.
    private func makeResponseCode(for record: TransactionRecord) -> String? {
        record.wishes.redirect.map { _ in TransactionTokens.make(using: services.randomness) }
    }

    /// Changes a transaction.
    ///
    /// - Parameter body: Changes the record; returns `false` for one in another state than the change is for.
    private func change(
        _ record: TransactionRecord,
        _ body: @Sendable (inout TransactionRecord, Int64) -> Bool
    ) async throws(TransactionError) -> TransactionRecord {
        try await change(.requestor(record.id)) { record, now -> Result<Void, TransactionError> in
            guard body(&record, now) else { return .failure(Self.refusal(noting: &record, at: now)) }
            return .success(())
        }.record
    }

    /// The refusal of a response to a transaction in another state, which the log notes.
    private static func refusal(noting record: inout TransactionRecord, at now: Int64) -> TransactionError {
        record.note(.responseRefused, "already_ended", at: now)
        return refusedResponse
    }

    /// The pause before the second attempt of a change, which doubles up to the longest.
    private static let pauses = (first: Duration.milliseconds(100), longest: Duration.seconds(2))

    /// Makes a change, again after a pause as long as the store is away, until a time.
    ///
    /// - Parameter change: The change; one that was made before is not made again.
    private func persistently(
        until deadline: Int64,
        _ change: @Sendable () async throws(TransactionError) -> TransactionRecord
    ) async throws(TransactionError) -> TransactionRecord {
        var pause = Self.pauses.first
        while true {
            do throws(TransactionError) {
                return try await change()
            } catch {
                guard error.isPassing, now < deadline, (try? await services.clock.timer.sleep(for: pause)) != nil
                else { throw error }
                pause = min(pause * 2, Self.pauses.longest)
            }
        }
    }
}

extension TransactionError {
    /// Indicates a change that the store may have made, though it did not answer.
    fileprivate var isOutcomeUnknown: Bool { (cause as? SessionStoreError)?.code == .outcomeUnknown }

    /// Indicates a failure of the store after which another attempt may succeed.
    fileprivate var isPassing: Bool {
        code == .unavailable && (cause as? SessionStoreError)?.code != .closed
    }
}

extension Result {
    /// The outcome of work that waits.
    init(awaiting work: () async throws(Failure) -> Success) async {
        do throws(Failure) {
            self = .success(try await work())
        } catch {
            self = .failure(error)
        }
    }
}
