import CredentialServing
@_spi(Layers) import CredentialTransport
public import JSONKit

extension TransactionServer {
    /// Takes a wallet's response from a form.
    ///
    /// A wallet whose answer was lost may send the very same response again, and is answered like the first time.
    ///
    /// - Returns: The address for the user's browser, if there is one.
    /// - Throws: ``TransactionError/Code-swift.struct/refusedResponse`` for anything but the first response to an open
    ///   transaction and its repetition, in the form that was asked for;
    ///   ``TransactionError/Code-swift.struct/rejectedResponse`` for one that does not verify, unless there is an address for
    ///   the browser.
    func answer(_ locator: Locator, with response: ReceivedResponse) async throws(TransactionError) -> String? {
        let record = try await record(locator)
        guard record.wishes.form != .digitalCredentials else { throw Self.refusedResponse }
        let ended = try await takeOrRepeat(response, for: record)
        if let redirect = ended.wishes.redirect, let code = ended.responseCode {
            return redirect.address(responseCode: code)
        }
        // As for a repetition: no verdict came of the response.
        guard !ended.isInterrupted else { throw Self.refusedResponse }
        guard ended.status != .failed else {
            throw TransactionError(.rejectedResponse, "the presentations were not accepted")
        }
        return nil
    }

    /// Takes a response, or finds that it is the one that was taken before.
    private func takeOrRepeat(
        _ response: ReceivedResponse,
        for record: TransactionRecord
    ) async throws(TransactionError) -> TransactionRecord {
        if let ended = try await end(repeating: response, to: record) { return ended }
        do throws(TransactionError) {
            return try await take(response, for: record)
        } catch {
            // The same response may have been taken since the transaction was read.
            guard error.code == .refusedResponse, record.status.isOpen,
                let ended = try await end(repeating: response, to: self.record(.requestor(record.id)))
            else { throw error }
            return ended
        }
    }

    /// The end that the very same response has brought, after a verification that is under way; nil for any other response.
    private func end(
        repeating response: ReceivedResponse,
        to record: TransactionRecord
    ) async throws(TransactionError) -> TransactionRecord? {
        guard options.repetitionLifetime > .zero, record.isAnswered(by: response.digest) else { return nil }
        for await status in statuses(of: record) where status.isFinal { break }
        let ended = try await self.record(.requestor(record.id))
        guard ended.answersRepetition(at: now, for: options.repetitionLifetime.wholeMilliseconds) else { return nil }
        try await note(.responseRepeated, in: ended)
        return ended
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
    ///   origin that is not one of the relying party and for a response that is not of the form that was asked for,
    ///   ``TransactionError/Code-swift.struct/unknownRelyingParty`` for one of a relying party that this server does not have,
    ///   ``TransactionError/Code-swift.struct/unavailable`` where a ``RelyingPartySource`` fails.
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
        do throws(TransactionError) {
            return try await take(ReceivedResponse(digitalCredentials: data, origin: origin), for: record).status
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
    /// The transaction is marked before the response is verified, so that of two responses one is taken. A caller that is
    /// cancelled waits no longer, since the wallet is gone or its time is up; the response is verified all the same.
    private func take(
        _ response: ReceivedResponse,
        for record: TransactionRecord
    ) async throws(TransactionError) -> TransactionRecord {
        guard record.status.isOpen else {
            try await note(.responseRefused, "already_ended", in: record)
            throw Self.refusedResponse
        }
        let party: any TransactionParty
        do throws(TransactionError) {
            party = try await self.party(of: record)
        } catch {
            guard error.code == .unknownRelyingParty else { throw error }
            try await note(.responseRefused, error.code.description, in: record)
            throw record.wishes.form == .digitalCredentials ? error : Self.refusedResponse
        }
        let expectation = party.expectation(try request(of: record).expectation, of: response)
        let content: WalletResponse
        do throws(OID4VPVerifierError) {
            content = try await party.reader.read(response, for: expectation, at: Self.date(now))
        } catch {
            try await note(.responseRefused, error.code.description, in: record)
            throw Self.refusedResponse
        }
        return try await work.outcome(for: record.id) { () async throws(TransactionError) in
            try await self.end(record, by: content, response.digest, for: expectation, of: party)
        }
    }

    /// Ends the transaction by a response.
    private func end(
        _ record: TransactionRecord,
        by response: WalletResponse,
        _ digest: String?,
        for expectation: ResponseExpectation,
        of party: any TransactionParty
    ) async throws(TransactionError) -> TransactionRecord {
        switch response {
        case .error(let error): try await decline(record, with: error, digest)
        case .presentations(let presentations):
            try await verify(presentations, digest, for: expectation, of: record, by: party)
        }
    }

    /// Adds an event to the log of a transaction.
    func note(
        _ name: TransactionEvent.Name,
        _ detail: String? = nil,
        in record: TransactionRecord
    ) async throws(TransactionError) {
        try await change(.requestor(record.id)) { record, now in
            record.note(name, detail, at: now)
            return .success(())
        }
    }
}

extension TransactionFailure {
    /// The failure of a transaction that the wallet ended; the wallet's texts are cut, and a code that OAuth does not permit
    /// (RFC 6749, section 5.2) is left out.
    init(walletError error: WalletErrorResponse) {
        let isCode = error.code.text.utf8.allSatisfy { (0x20..<0x7f).contains($0) && $0 != 0x22 && $0 != 0x5c }
        self.init(
            code: isCode ? String(error.code.text.prefix(64)) : "unknown",
            message: String((error.description ?? error.code.fixedDescription).prefix(256))
        )
    }
}

extension TransactionStatus {
    /// Indicates a state in which a response is taken.
    var isOpen: Bool { self == .created || self == .requested }
}
