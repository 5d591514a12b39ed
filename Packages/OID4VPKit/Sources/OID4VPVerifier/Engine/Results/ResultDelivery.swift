import CredentialServing
import CredentialTransport
import CryptoCore
import JOSEKit
import JSONKit

extension TransactionServer {
    /// The type of signed results (`typ`).
    static let resultTokenType = "oid4vp-result+jwt"
    /// The time in seconds for which a signed result is valid.
    private static let resultTokenLifetime: Int64 = 300

    /// Sends the result of a transaction that has ended to its callback, if it has one: failures as well as successes.
    ///
    /// The claims leave the store once the callback has taken them. Those that need a response code are not in the message.
    /// A result that the requestor has fetched meanwhile is not sent any more: claims are given out once.
    func deliver(_ record: TransactionRecord) {
        guard let url = record.wishes.callback else { return }
        let hasClaims = !record.wishes.requiresResponseCode
        let result = TransactionResult(record, withClaims: hasClaims)
        let message = { @Sendable () async throws -> HTTPTransportRequest? in
            guard self.services.resultSigner != nil, try await self.isAwaited(record) else { return nil }
            return .post(
                try HTTPURL(url),
                body: Array(try await self.token(result).utf8),
                type: try MediaType("application/jwt"),
                accepting: .any,
                statuses: .successful
            )
        }
        callbacks?.deliver(message, named: record.id) {
            // A failure leaves the claims in the store until their time is up.
            _ = try? await self.change(.requestor(record.id)) { record, now in
                if hasClaims { record.removeClaims() }
                record.note(.callbackAccepted, at: now)
                return .success(())
            }
        } whenRefused: { error in
            _ = try? await self.change(.requestor(record.id)) { record, now in
                record.note(.callbackRefused, error.code.description, at: now)
                return .success(())
            }
        }
    }

    /// Returns `false` for a result that the callback or the requestor has, or that is no longer kept.
    private func isAwaited(_ record: TransactionRecord) async throws -> Bool {
        do throws(TransactionError) {
            return try await !self.record(.requestor(record.id)).isResultTaken
        } catch {
            guard error.code == .unknownTransaction else { throw error }
            return false
        }
    }

    /// The time in milliseconds after which a result that its callback has not taken is looked at again.
    private static let deliveryInterval: Int64 = 30_000

    /// Notes a result that is on its way, for the processes that share the store: this one may be gone before it is taken.
    ///
    /// A store that cannot take the note leaves the result to this process alone.
    func noteDelivery(of record: TransactionRecord) async {
        guard let shared, record.wishes.callback != nil else { return }
        let time = now + Self.deliveryInterval
        guard time < record.expiry(limits) else { return }
        try? await shared.add(record.id, until: time)
    }

    /// Sends a result once more that its callback has not taken, unless it is on its way from this process.
    ///
    /// The callback may get it twice: the process that ended the transaction may still try.
    func redeliver(_ record: TransactionRecord) async {
        guard record.status.isFinal, record.wishes.callback != nil, !record.isResultTaken else { return }
        await noteDelivery(of: record)
        if callbacks?.isUnderWay(record.id) == false { deliver(record) }
    }

    /// Waits until every response that was taken is verified, and every result has been sent to its callback, or given up.
    ///
    /// The verification of a response goes on when the wallet's connection drops. One whose transaction has ended meanwhile, by
    /// a cancellation or its deadline, is not waited for.
    public func finishDeliveries() async {
        await work.finish()
        await callbacks?.finish()
    }

    /// The signed form of a result.
    func token(_ result: TransactionResult) async throws -> String {
        guard let signer = services.resultSigner else {
            throw TransactionError(.notSupported, "the server has no key that signs results")
        }
        let time = now / 1000
        var members: JSONObject = [
            "iss": .string(options.resultIssuer), "iat": .integer(time),
            "exp": .integer(time + Self.resultTokenLifetime), "jti": .string(result.id),
        ]
        members["result"] = result.json
        return try await JWT.sign(JWTClaims(members), header: JOSEHeader(type: Self.resultTokenType), with: signer)
            .compactSerialization()
    }
}

extension TransactionRecord {
    /// Indicates a result that the callback has taken or cannot get, or that the requestor has fetched.
    fileprivate var isResultTaken: Bool {
        events.contains { [.callbackAccepted, .callbackRefused, .resultFetched].contains($0.name) }
    }
}
