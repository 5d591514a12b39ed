import CredentialServing
import JSONKit

extension TransactionServer {
    /// The request object of an open transaction.
    ///
    /// - Parameters:
    ///   - record: The transaction.
    ///   - form: The form that the wallet posted; nil for GET.
    ///   - isSent: Indicates that the wallet gets the object; false for HEAD, which changes nothing.
    func requestObject(
        for record: TransactionRecord,
        wallet form: String?,
        isSent: Bool = true
    ) async throws(TransactionError) -> String {
        let unknown = TransactionError(.unknownRequest, "there is no such request")
        guard record.status.isOpen, record.wishes.form == .reference else { throw unknown }
        let party: any TransactionParty
        do throws(TransactionError) {
            party = try await self.party(of: record)
        } catch {
            guard error.code == .unknownRelyingParty else { throw error }
            try await note(.requestRefused, error.code.description, in: record)
            throw unknown
        }
        let request = try request(of: record)
        let object: String
        do throws(OID4VPVerifierError) {
            let post = try form.map { text throws(OID4VPVerifierError) in try RequestURIPost(form: text) }
            object = try await party.requestObject(of: request, for: post, at: Self.date(now))
        } catch {
            try await note(.requestRefused, error.code.description, in: record)
            switch error.code {
            case .invalidWalletMetadata, .limitExceeded:
                throw TransactionError(.invalidRequest, "the request cannot be made for the wallet", cause: error)
            case .invalidRequest:
                // The request has expired, which it does in whole seconds.
                throw unknown
            case .clientChanged:
                throw TransactionError(.unknownRequest, "the request is of an earlier key or certificate", cause: error)
            default:
                throw TransactionError(.internalError, "the request could not be made", cause: error)
            }
        }
        guard isSent else { return object }
        // The answer goes out only where the transaction is still open.
        try await change(.requestor(record.id)) { record, now -> Result<Void, TransactionError> in
            guard record.status.isOpen else { return .failure(unknown) }
            record.status = .requested
            record.note(.requestFetched, form == nil ? "get" : "post", at: now)
            return .success(())
        }
        return object
    }

    /// The request of an open transaction.
    func request(of record: TransactionRecord) throws(TransactionError) -> CreatedRequest {
        do {
            guard let request = record.request else { throw RecordReader.damage("request") }
            return try CreatedRequest(decoding: request.encoded())
        } catch {
            throw TransactionError(.internalError, "a stored transaction is damaged", path: ["request"])
        }
    }

    /// A transaction, as its party sees it.
    func context(of wishes: TransactionRequest, requestID: String, for lifetime: Int64) -> TransactionContext {
        TransactionContext(
            wishes: wishes,
            requestURL: url + "request/" + requestID,
            responseURL: url + "response/" + requestID,
            commonResponseURL: url + "response",
            time: Self.date(now),
            lifetime: Double(lifetime) / 1000,
            randomness: services.randomness
        )
    }
}
