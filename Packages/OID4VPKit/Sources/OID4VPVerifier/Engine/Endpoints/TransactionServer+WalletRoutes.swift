import CredentialServing
import CredentialTransport
import HTTPTypes
import JOSEKit
import JSONKit

extension TransactionServer {
    /// The endpoints of wallets.
    var walletRoutes: [ServerRoute] {
        [
            .get("/request/{token}") { request in
                let isSent = request.method != .head
                return try await self.requestObject(for: try Self.requestKey(request), wallet: nil, isSent: isSent)
            },
            .post(
                "/request/{token}",
                options: ServerRouteOptions(maximumBodySize: options.maximumWalletMetadataSize)
            ) { request in
                let key = try Self.requestKey(request)
                let form = try await request.formText(upTo: self.options.maximumWalletMetadataSize)
                return try await self.requestObject(for: key, wallet: form)
            },
            .post("/response/{token}", options: responseOptions) { request in
                let response = try await self.response(in: request)
                guard let token = try? request.token() else { throw Self.refusedResponse }
                return try await self.take(response, at: TransactionRecord.requestKey(token))
            },
            .post("/response", options: responseOptions) { request in
                var response = try await self.response(in: request)
                guard let key = try await self.key(of: &response) else { throw Self.refusedResponse }
                return try await self.take(response, at: key)
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

    /// The options of endpoints that take a response: with time for its verification.
    var responseOptions: ServerRouteOptions {
        ServerRouteOptions(
            deadline: options.verificationDeadline + options.callDeadline,
            maximumBodySize: options.maximumResponseSize
        )
    }

    /// The name of a response's transaction: the state, possibly encrypted to a key that wallets know beforehand, or
    /// the name of a key for a single request.
    ///
    /// - Parameter response: The response, of which the JWE is read here.
    private func key(of response: inout ReceivedResponse) async throws(TransactionError) -> SessionKey? {
        // What is no token of a transaction never reaches the store.
        func isToken(_ text: String) -> Bool { TransactionTokens.isToken(text) }
        if let state = response.state { return isToken(state) ? TransactionRecord.stateKey(state) : nil }
        guard let jwe = response.readJWE() else { return nil }
        let keyID = try? jwe.protectedHeader.keyID()
        if let state = try await state(inside: jwe, namingKey: keyID) {
            return isToken(state) ? TransactionRecord.stateKey(state) : nil
        }
        guard let keyID, isToken(keyID) else { return nil }
        return TransactionRecord.keyIDKey(keyID)
    }

    /// The response in the form of a call.
    private func response(in request: ServerRequest) async throws -> ReceivedResponse {
        let bytes = try await request.formBytes(upTo: options.maximumResponseSize)
        do throws(OID4VPVerifierError) {
            return try ReceivedResponse(form: bytes[...], limits: ResponseLimits(size: options.maximumResponseSize))
        } catch {
            throw TransactionError(.invalidRequest, "the response cannot be read", cause: error)
        }
    }

    /// The request object, again until the transaction is answered or expires.
    private func requestObject(
        for key: SessionKey,
        wallet form: String?,
        isSent: Bool = true
    ) async throws -> ServerResponse {
        let record: TransactionRecord
        do throws(TransactionError) {
            record = try await self.record(.other(key))
        } catch {
            guard error.code == .unknownTransaction else { throw error }
            throw TransactionError(.unknownRequest, "there is no such request")
        }
        let object = try await requestObject(for: record, wallet: form, isSent: isSent)
        var response = ServerResponse(.ok, body: .bytes(Array(object.utf8)))
        response.headerFields[.contentType] = "application/oauth-authz-req+jwt"
        response.headerFields[.cacheControl] = "no-store"
        return response
    }

    /// Takes a response; a refusal does not give the reason.
    private func take(_ response: ReceivedResponse, at key: SessionKey) async throws -> ServerResponse {
        do throws(TransactionError) {
            let redirect = try await answer(.other(key), with: response)
            return .uncached(JSONValue.object(redirect.map { ["redirect_uri": .string($0)] } ?? [:]).encoded())
        } catch {
            guard error.code == .unknownTransaction else { throw error }
            throw Self.refusedResponse
        }
    }
}

extension ServerRequest {
    /// The bytes of a form.
    func formBytes(upTo size: Int) async throws -> [UInt8] {
        let bytes = try await bytes(upTo: size)
        // A body without content has no type.
        if !bytes.isEmpty { try require(.form) }
        return bytes
    }

    /// The text of a form.
    func formText(upTo size: Int) async throws -> String {
        let bytes = try await formBytes(upTo: size)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw TransactionError(.invalidRequest, "the body is not UTF-8")
        }
        return text
    }
}
