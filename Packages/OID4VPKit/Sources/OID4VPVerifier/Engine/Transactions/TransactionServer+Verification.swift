import CredentialServing
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
        return try await change(record, if: \.status.isOpen) { record, now in
            record.note(.responseReceived, at: now)
            record.responseDigest = digest
            record.responseCode = code
            record.end(.declined, failure, at: now)
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
                try? await timer.sleep(for: limit)
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
    private func take(
        _ record: TransactionRecord,
        _ digest: String?
    ) async throws(TransactionError) -> TransactionRecord {
        let time = options.verificationDeadline.milliseconds
        return try await change(record, if: \.status.isOpen) { record, now in
            record.note(.responseReceived, at: now)
            record.status = .answered
            record.responseDigest = digest
            // Nothing is decrypted a second time.
            record.request = nil
            record.deadline = now + time
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
        try await change(record, if: { $0.status == .answered }) { record, now in
            record.responseCode = code
            record.verification = outcome.report
            record.credentials = outcome.failure == nil ? outcome.credentials ?? [:] : nil
            record.end(outcome.failure == nil ? .verified : .failed, outcome.failure, at: now)
        }
    }

    /// Ends a transaction whose response was not verified in time, unless a reader has seen that first.
    private func interrupt(_ record: TransactionRecord) async throws(TransactionError) -> TransactionRecord {
        try await change(record, if: { $0.status == .answered || $0.isInterrupted }) { record, _ in
            if record.status == .answered { record.interrupt() }
        }
    }

    /// A code for the browser that the wallet sends on; nil if it sends none.
    private func makeResponseCode(for record: TransactionRecord) -> String? {
        record.wishes.redirect.map { _ in TransactionTokens.make(using: services.randomness) }
    }

    /// Changes a transaction that is still in a state.
    private func change(
        _ record: TransactionRecord,
        if isExpected: @Sendable (TransactionRecord) -> Bool,
        _ body: @Sendable (inout TransactionRecord, Int64) -> Void
    ) async throws(TransactionError) -> TransactionRecord {
        try await change(.requestor(record.id)) { record, now -> Result<Void, TransactionError> in
            guard isExpected(record) else {
                record.note(.responseRefused, "already_ended", at: now)
                return .failure(Self.refusedResponse)
            }
            body(&record, now)
            return .success(())
        }.record
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
