import CredentialServing
public import JSONKit

extension TransactionServer {
    /// Takes a wallet's response from a form.
    ///
    /// - Returns: The address for the user's browser, if there is one.
    /// - Throws: ``TransactionError/Code-swift.struct/refusedResponse`` for anything but the first response to an open
    ///   transaction, in the form that was asked for; ``TransactionError/Code-swift.struct/rejectedResponse`` for one that
    ///   does not verify, unless there is an address for the browser.
    func answer(_ locator: Locator, with form: FormParameters) async throws(TransactionError) -> String? {
        let record = try await record(locator)
        guard record.wishes.form != .digitalCredentials else { throw Self.refusedResponse }
        let ended = try await take(.form(form), for: record)
        if let redirect = ended.wishes.redirect, let code = ended.responseCode {
            return redirect.address(responseCode: code)
        }
        guard ended.status != .failed else {
            throw TransactionError(.rejectedResponse, "the presentations were not accepted")
        }
        return nil
    }

    /// Takes a response of the Digital Credentials API, which the relying party's page handed to its backend.
    ///
    /// - Parameters:
    ///   - id: The requestor's name for the transaction.
    ///   - data: The member `data` of the credential that the browser gave to the page.
    ///   - origin: The origin of the page, which the backend knows from elsewhere than the page's script.
    /// - Returns: The state after the verification.
    /// - Throws: ``TransactionError/Code-swift.struct/alreadyEnded`` for a transaction that has a response or has ended,
    ///   ``TransactionError/Code-swift.struct/invalidRequest`` for one that is not of the Digital Credentials API, for an
    ///   origin that was not expected and for a response that is not of the form that was asked for.
    @discardableResult
    public func answer(
        _ id: String,
        digitalCredential data: JSONObject,
        from origin: String
    ) async throws(TransactionError) -> TransactionStatus {
        let record = try await record(.requestor(id))
        guard record.wishes.form == .digitalCredentials else {
            throw TransactionError(.invalidRequest, "the transaction is not of the Digital Credentials API")
        }
        guard record.wishes.expectedOrigins.contains(where: { $0.hasSameBytes(as: origin) }) else {
            throw TransactionError(.invalidRequest, "the origin was not expected", path: ["origin"])
        }
        do throws(TransactionError) {
            return try await take(.digitalCredential(data, origin: origin), for: record).status
        } catch {
            guard error.code == .refusedResponse else { throw error }
            guard try await status(of: id) == .created else {
                throw TransactionError(.alreadyEnded, "the transaction has a response, or has ended")
            }
            throw TransactionError(.invalidRequest, "the response is not one to this transaction", path: ["data"])
        }
    }

    /// Takes a response to an open transaction.
    ///
    /// The transaction is marked before the response is verified, so that of two responses one is taken. It is verified
    /// also where the wallet goes away meanwhile.
    private func take(
        _ response: ReceivedResponse,
        for record: TransactionRecord
    ) async throws(TransactionError) -> TransactionRecord {
        guard record.status.isOpen else {
            try await note(.responseRefused, "already_ended", in: record)
            throw Self.refusedResponse
        }
        let content: ResponseContent
        do {
            content = try await read(response, for: record)
        } catch let error as OID4VPVerifierError {
            try await note(.responseRefused, error.code.description, in: record)
            throw Self.refusedResponse
        } catch {
            throw TransactionError(.internalError, "the response could not be read", cause: error)
        }
        let outcome = await Task { () async -> Result<TransactionRecord, TransactionError> in
            do throws(TransactionError) {
                return .success(try await self.finish(content, for: record))
            } catch {
                return .failure(error)
            }
        }.value
        return try outcome.get()
    }

    /// Marks the transaction as answered, verifies the response, and ends the transaction.
    private func finish(
        _ content: ResponseContent,
        for record: TransactionRecord
    ) async throws(TransactionError) -> TransactionRecord {
        let code = record.wishes.redirect.map { _ in TransactionTokens.make(using: services.randomness) }
        if case .error(let failure) = content {
            return try await changeOpen(record, to: .isOpen) { record, now in
                record.note(.responseReceived, at: now)
                record.responseCode = code
                record.end(.declined, failure, at: now)
            }
        }
        let time = options.verificationDeadline.milliseconds
        try await changeOpen(record, to: .isOpen) { record, now in
            record.note(.responseReceived, at: now)
            record.status = .answered
            // Nothing is decrypted a second time.
            record.secrets = nil
            record.deadline = now + time
        }
        let outcome = await verify(content, for: record)
        return try await changeOpen(record, to: .isAnswered) { record, now in
            record.responseCode = code
            record.verification = outcome.report
            record.credentials = outcome.credentials
            record.end(outcome.failure == nil ? .verified : .failed, outcome.failure, at: now)
        }
    }

    private enum Demand {
        case isOpen
        case isAnswered

        func isMet(by status: TransactionStatus) -> Bool {
            switch self {
            case .isOpen: status.isOpen
            case .isAnswered: status == .answered
            }
        }
    }

    /// Changes a transaction that is still in the state that it was found in.
    @discardableResult
    private func changeOpen(
        _ record: TransactionRecord,
        to demand: Demand,
        _ body: @Sendable (inout TransactionRecord, Int64) -> Void
    ) async throws(TransactionError) -> TransactionRecord {
        try await change(.requestor(record.id)) { record, now -> Result<Void, TransactionError> in
            guard demand.isMet(by: record.status) else {
                record.note(.responseRefused, "already_ended", at: now)
                return .failure(Self.refusedResponse)
            }
            body(&record, now)
            return .success(())
        }.record
    }

    /// Adds an event to the log of a transaction.
    func note(
        _ name: TransactionEvent.Name,
        _ detail: String,
        in record: TransactionRecord
    ) async throws(TransactionError) {
        try await change(.requestor(record.id)) { record, now in
            record.note(name, detail, at: now)
            return .success(())
        }
    }
}

/// A response as it was received.
enum ReceivedResponse: Sendable {
    case form(FormParameters)
    case digitalCredential(JSONObject, origin: String)
}

extension TransactionStatus {
    /// Indicates a state in which a response is taken.
    var isOpen: Bool { self == .created || self == .requested }
}
