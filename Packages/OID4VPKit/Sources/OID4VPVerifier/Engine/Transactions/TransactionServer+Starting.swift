import CredentialTransport
public import JSONKit

/// A transaction that has started, with what shows it to the wallet.
public struct StartedTransaction: Hashable, Sendable {
    /// The requestor's name for the transaction: a secret of the requestor.
    public let id: String
    /// The time in seconds since 1970 at which it expires.
    public let expiresAt: Int64
    /// The text of a QR code for a wallet on another device; nil for the Digital Credentials API.
    public let qrText: String?
    /// The link for a wallet on this device; nil for the Digital Credentials API.
    public let link: String?
    /// The request for the Digital Credentials API, with `protocol` and `data`; nil for links.
    public let digitalCredentialRequest: JSONValue?
    /// The URL under which a page that shows the QR code sees the state; `/events` behind it gives it as events.
    public let statusURL: String

    /// The transaction in JSON.
    public var json: JSONValue {
        var object: JSONObject = [
            "id": .string(id), "status": .string(TransactionStatus.created.rawValue),
            "expires_at": .integer(expiresAt), "status_uri": .string(statusURL),
        ]
        object["qr_text"] = qrText.map { .string($0) }
        object["link"] = link.map { .string($0) }
        object["digital_credential"] = digitalCredentialRequest
        return .object(object)
    }
}

extension TransactionServer {
    /// Starts a transaction.
    ///
    /// - Parameter request: The wish.
    /// - Returns: The transaction, with the link, the text of a QR code or the request for the Digital Credentials API.
    /// - Throws: ``TransactionError/Code-swift.struct/invalidRequest`` for a wish that this server or relying party cannot
    ///   fulfil, ``TransactionError/Code-swift.struct/tooManyTransactions``,
    ///   ``TransactionError/Code-swift.struct/unavailable``.
    public func start(_ request: TransactionRequest) async throws(TransactionError) -> StartedTransaction {
        try await start(request, requestor: nil)
    }

    /// Starts a transaction of a requestor.
    func start(
        _ wishes: TransactionRequest,
        requestor: String?
    ) async throws(TransactionError) -> StartedTransaction {
        let lifetime = try checkedLifetime(wishes)
        let party = try relyingParty(of: wishes)
        let time = now
        let record = try newRecord(wishes, party, requestor: requestor, from: time, for: lifetime)
        guard openTransactions.open(record.id, of: wishes.relyingParty, until: record.deadline, at: time) else {
            throw TransactionError(.tooManyTransactions, "the relying party has too many open transactions")
        }
        do throws(TransactionError) {
            let started = try await self.started(record, party)
            try await insert(record)
            return started
        } catch {
            openTransactions.close(record.id, of: wishes.relyingParty)
            throw error
        }
    }

    /// The relying party of a wish.
    func relyingParty(of wishes: TransactionRequest) throws(TransactionError) -> any TransactionParty {
        guard let party = parties[wishes.relyingParty] else {
            throw WishReader.refusal("relying_party", "it is unknown")
        }
        return party
    }

    /// The time in milliseconds that the wallet has, after the parts of the wish were checked that concern the server alone.
    private func checkedLifetime(_ wishes: TransactionRequest) throws(TransactionError) -> Int64 {
        let longest = options.lifetime.milliseconds
        let lifetime = wishes.lifetime.map { min(max($0, 0), Int64(UInt32.max)) * 1000 } ?? longest
        guard lifetime > 0, lifetime <= longest else {
            throw WishReader.refusal("lifetime", "it must be from 1 to \(longest / 1000) seconds")
        }
        if let callback = wishes.callback {
            guard (try? HTTPURL(callback)) != nil else {
                throw WishReader.refusal("callback_uri", "it is no URL of http or https")
            }
            guard services.transport != nil, services.resultSigner != nil else {
                throw WishReader.refusal("callback_uri", "this server sends no results")
            }
        }
        if let link = wishes.walletLink, !ServerCheck.isLinkBase(link) {
            throw WishReader.refusal("wallet_link", "it is no beginning of a link")
        }
        if wishes.form == .digitalCredentials {
            guard wishes.redirect == nil else {
                throw WishReader.refusal("redirect_uri", "the Digital Credentials API sends no browser on")
            }
            guard !wishes.expectedOrigins.isEmpty else {
                throw WishReader.refusal("expected_origins", "it is missing")
            }
        } else if !wishes.expectedOrigins.isEmpty {
            throw WishReader.refusal("expected_origins", "it belongs to the Digital Credentials API")
        }
        return lifetime
    }

}
