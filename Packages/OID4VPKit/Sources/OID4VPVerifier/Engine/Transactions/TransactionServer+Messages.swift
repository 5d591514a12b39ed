import CredentialServing
import JSONKit

extension TransactionServer {
    /// A new transaction, which the store does not have yet.
    func newRecord(
        _ wishes: TransactionRequest,
        _ party: any TransactionParty,
        requestor: String?,
        from time: Int64,
        for lifetime: Int64
    ) throws(TransactionError) -> TransactionRecord {
        let keys = try party.makeKeys(for: wishes, using: services.randomness)
        var record = TransactionRecord(
            id: TransactionTokens.make(using: services.randomness),
            requestID: TransactionTokens.make(using: services.randomness),
            frontendToken: TransactionTokens.make(using: services.randomness),
            requestor: requestor,
            startedAt: time,
            wishes: wishes,
            state: keys.state,
            keyID: keys.keyID,
            secrets: keys.secrets,
            deadline: time + lifetime
        )
        record.note(.created, at: time)
        return record
    }

    /// What the requestor has to show to the wallet.
    func started(
        _ record: TransactionRecord,
        _ party: any TransactionParty
    ) async throws(TransactionError) -> StartedTransaction {
        let context = context(of: record)
        let request = try await party.outgoingRequest(context)
        func link(_ base: String) -> String? {
            if case .link(let query) = request { base + "?" + query } else { nil }
        }
        var object: JSONValue?
        if case .digitalCredential(let value) = request { object = value }
        return StartedTransaction(
            id: record.id,
            expiresAt: record.deadline / 1000,
            qrText: link(options.walletLink),
            link: link(record.wishes.walletLink ?? options.walletLink),
            digitalCredentialRequest: object,
            statusURL: url + "frontend/" + record.frontendToken
        )
    }

    /// The request object of an open transaction.
    ///
    /// - Parameters:
    ///   - record: The transaction.
    ///   - form: What the wallet posted; nil for GET.
    func requestObject(
        for record: TransactionRecord,
        wallet form: FormParameters?
    ) async throws(TransactionError) -> String {
        let unknown = TransactionError(.unknownRequest, "there is no such request")
        guard record.status.isOpen, record.wishes.form == .reference else { throw unknown }
        let party = try party(of: record)
        let object: String
        do throws(OID4VPVerifierError) {
            object = try await party.requestObject(context(of: record), wallet: form)
        } catch {
            try await note(.requestRefused, error.code.description, in: record)
            guard error.code == .signingFailed else {
                throw TransactionError(.invalidRequest, error.message, cause: error)
            }
            throw TransactionError(.internalError, "the request could not be signed", cause: error)
        }
        // The answer goes out only where the transaction is still open.
        try await change(.requestor(record.id)) { record, now -> Result<Void, TransactionError> in
            guard record.status.isOpen else { return .failure(unknown) }
            record.status = .requested
            record.note(.requestFetched, form == nil ? "get" : "post", at: now)
            return .success(())
        }
        return object
    }

    /// Reads a response to an open transaction.
    func read(
        _ response: ReceivedResponse,
        for record: TransactionRecord
    ) async throws -> ResponseContent {
        try await party(of: record).read(response, context(of: record))
    }

    /// Verifies a response.
    func verify(_ content: ResponseContent, for record: TransactionRecord) async -> ResponseOutcome {
        do throws(TransactionError) {
            return await (try party(of: record)).verify(content, context(of: record))
        } catch {
            let failure = TransactionFailure(code: error.code.description, message: error.message)
            return ResponseOutcome(failure: failure, report: nil, credentials: nil)
        }
    }

    /// The party of a stored transaction; one that another process knows alone is none.
    private func party(of record: TransactionRecord) throws(TransactionError) -> any TransactionParty {
        guard let party = parties[record.wishes.relyingParty] else {
            throw TransactionError(.internalError, "the relying party is not one of this server")
        }
        return party
    }

    private func context(of record: TransactionRecord) -> TransactionContext {
        TransactionContext(
            wishes: record.wishes,
            keys: TransactionKeys(state: record.state, keyID: record.keyID, secrets: record.secrets ?? [:]),
            requestURL: url + "request/" + record.requestID,
            responseURL: url + "response/" + record.requestID,
            walletLink: record.wishes.walletLink ?? options.walletLink,
            startedAt: Self.date(record.startedAt),
            expiresAt: Self.date(record.deadline),
            time: Self.date(now),
            randomness: services.randomness
        )
    }
}
