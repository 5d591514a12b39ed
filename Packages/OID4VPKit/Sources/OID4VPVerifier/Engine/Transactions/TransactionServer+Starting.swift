@_spi(Layers) import CredentialTransport
import JOSEKit
public import JSONKit

/// A transaction that has started, with its link and its QR code.
public struct StartedTransaction: Hashable, Sendable {
    /// The requestor's name for the transaction: a secret of the requestor.
    public let id: String
    /// The time in seconds since 1970 at which it expires.
    public let expiresAt: Int64
    /// The text of a QR code for a wallet on another device; nil for the Digital Credentials API.
    public let qrText: String?
    /// The link for a wallet on this device; nil for the Digital Credentials API, and where the relying party's profile demands
    /// a response code of the browser that the request does not.
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
    /// - Parameter request: The request.
    /// - Returns: The transaction, with the link, the text of a QR code or the request for the Digital Credentials API.
    /// - Throws: ``TransactionError/Code-swift.struct/invalidRequest`` for a request that this server or relying party
    ///   cannot serve, ``TransactionError/Code-swift.struct/unknownRelyingParty``,
    ///   ``TransactionError/Code-swift.struct/invalidCertificate`` for a relying party whose certificate has
    ///   expired or is not valid yet, ``TransactionError/Code-swift.struct/tooManyTransactions``,
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
        let party = try await party(named: wishes.relyingParty)
        let id = TransactionTokens.make(using: services.randomness)
        let time = now
        guard openTransactions.open(id, of: wishes.relyingParty, until: time + lifetime, at: time) else {
            throw TransactionError(.tooManyTransactions, "the relying party has too many open transactions")
        }
        do throws(TransactionError) {
            let requestID = TransactionTokens.make(using: services.randomness)
            let context = context(of: wishes, requestID: requestID, for: lifetime)
            let new = try await party.newRequest(context)
            guard let request = try? JSONValue(parsing: new.request.encodedBytes) else {
                throw TransactionError(.internalError, "the request cannot be kept")
            }
            let expectation = new.request.expectation
            var record = TransactionRecord(
                id: id,
                requestID: requestID,
                frontendToken: TransactionTokens.make(using: services.randomness),
                requestor: requestor,
                startedAt: time,
                wishes: wishes,
                state: expectation.state,
                keyID: new.hasOwnKey ? expectation.decryption?.key.keyID : nil,
                request: request,
                deadline: time + lifetime
            )
            record.note(.created, at: time)
            try await insert(record)
            return started(record, new.delivery)
        } catch {
            openTransactions.close(id, of: wishes.relyingParty)
            throw error
        }
    }

    /// The links or the object that the requestor shows to the wallet.
    private func started(_ record: TransactionRecord, _ delivery: NewRequest.Delivery) -> StartedTransaction {
        var links: (qrText: String, link: String?)?
        var object: JSONValue?
        switch delivery {
        case .links(let qrText, let link): links = (qrText, link)
        case .digitalCredential(let value): object = value
        }
        return StartedTransaction(
            id: record.id,
            expiresAt: record.deadline / 1000,
            qrText: links?.qrText,
            link: links?.link,
            digitalCredentialRequest: object,
            statusURL: url + "frontend/" + record.frontendToken
        )
    }

    /// The time in milliseconds that the wallet has, after the server's own part of the request was checked.
    private func checkedLifetime(_ wishes: TransactionRequest) throws(TransactionError) -> Int64 {
        let longest = options.lifetime.wholeMilliseconds
        let lifetime = wishes.lifetime.map { min(max($0, 0), Int64(UInt32.max)) * 1000 } ?? longest
        guard lifetime > 0, lifetime <= longest else {
            throw WishReader.refusal("lifetime", "it must be from 1 to \(longest / 1000) seconds")
        }
        guard wishes.transactionData.count <= WishReader.maximumElements else {
            throw WishReader.refusal("transaction_data", "it has more than \(WishReader.maximumElements) entries")
        }
        if let callback = wishes.callback { try requireCallable(callback) }
        if let link = wishes.walletLink, !ServerCheck.isLinkBase(link) {
            throw WishReader.refusal("wallet_link", "it is no beginning of a link")
        }
        guard wishes.form != .digitalCredentials || wishes.redirect == nil else {
            throw WishReader.refusal("redirect_uri", "the Digital Credentials API sends no browser on")
        }
        return lifetime
    }

    /// Refuses a callback that the result would never be sent to.
    private func requireCallable(_ callback: String) throws(TransactionError) {
        guard let url = try? HTTPURL(callback) else {
            throw WishReader.refusal("callback_uri", "it is no URL of http or https")
        }
        guard let transport = services.transport, services.resultSigner != nil else {
            throw WishReader.refusal("callback_uri", "this server sends no results")
        }
        do throws(TransportError) {
            try transport.requireAllowed(url)
        } catch {
            throw WishReader.refusal("callback_uri", "this server sends no results to it: \(error.message)")
        }
    }
}

extension StartedTransaction: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The time of expiry; name, links and request open the transaction.
    public var description: String { "transaction until \(expiresAt)" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
