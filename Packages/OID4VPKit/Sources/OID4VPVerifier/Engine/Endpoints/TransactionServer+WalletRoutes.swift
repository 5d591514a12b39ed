import CredentialServing
import CredentialTransport
import HTTPTypes
import JOSEKit
import JSONKit

extension TransactionServer {
    /// The endpoints of wallets.
    var walletRoutes: [Route] {
        [
            .get("/request/{token}") { request in
                try await self.requestObject(for: try Self.requestKey(request), wallet: nil)
            },
            .post(
                "/request/{token}",
                options: RouteOptions(maximumBodySize: options.maximumWalletMetadataSize)
            ) { request in
                let key = try Self.requestKey(request)
                let form = try await request.form(upTo: self.options.maximumWalletMetadataSize)
                return try await self.requestObject(for: key, wallet: form)
            },
            .post("/response/{token}", options: RouteOptions(maximumBodySize: options.maximumResponseSize)) { request in
                let form = try await request.form(upTo: self.options.maximumResponseSize)
                guard let token = try? request.token() else { throw Self.refusedResponse }
                return try await self.takeResponse(form, at: TransactionRecord.requestKey(token))
            },
            .post("/response", options: RouteOptions(maximumBodySize: options.maximumResponseSize)) { request in
                let form = try await request.form(upTo: self.options.maximumResponseSize)
                guard let key = Self.key(of: form) else { throw Self.refusedResponse }
                return try await self.takeResponse(form, at: key)
            },
        ]
    }

    /// The answer to a response for which there is no open transaction.
    static let refusedResponse = TransactionError(.refusedResponse, "no request waits for this response")

    private static func requestKey(_ request: ServerRequest) throws(TransactionError) -> SessionKey {
        guard let token = try? request.token() else {
            throw TransactionError(.unknownRequest, "there is no such request")
        }
        return TransactionRecord.requestKey(token)
    }

    /// The name of the transaction that a response to the address of all transactions belongs to: the key of an encrypted
    /// one, and the state of another.
    private static func key(of form: FormParameters) -> SessionKey? {
        if let response = form["response"] {
            guard let keyID = try? JWE(compact: response).protectedHeader.keyID() else { return nil }
            return TransactionRecord.keyIDKey(keyID)
        }
        return form["state"].map(TransactionRecord.stateKey)
    }

    /// The request object, again until the transaction is answered or expires.
    private func requestObject(for key: SessionKey, wallet form: FormParameters?) async throws -> ServerResponse {
        let record: TransactionRecord
        do throws(TransactionError) {
            record = try await self.record(.other(key))
        } catch {
            guard error.code == .unknownTransaction else { throw error }
            throw TransactionError(.unknownRequest, "there is no such request")
        }
        let object = try await requestObject(for: record, wallet: form)
        var response = ServerResponse(.ok, body: .bytes(Array(object.utf8)))
        response.headerFields[.contentType] = "application/oauth-authz-req+jwt"
        response.headerFields[.cacheControl] = "no-store"
        return response
    }

    /// Takes a response; where it is refused, the refusal tells nothing about the reason.
    private func takeResponse(_ form: FormParameters, at key: SessionKey) async throws -> ServerResponse {
        do throws(TransactionError) {
            let redirect = try await answer(.other(key), with: form)
            return .uncached(JSONValue.object(redirect.map { ["redirect_uri": .string($0)] } ?? [:]).encoded())
        } catch {
            guard error.code == .unknownTransaction else { throw error }
            throw Self.refusedResponse
        }
    }
}

extension ServerRequest {
    /// The parameters of a form.
    func form(upTo size: Int) async throws -> FormParameters {
        try require(.form)
        let body = try await bytes(upTo: size)
        guard let text = String(validating: body, as: UTF8.self), let form = try? FormParameters(decoding: text) else {
            throw TransactionError(.invalidRequest, "the body is no form, or has a parameter twice")
        }
        return form
    }
}
