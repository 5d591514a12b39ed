import CredentialServing
import CredentialTransport
import CryptoCore
import HTTPTypes
import JOSEKit
import JSONKit

extension TransactionServer {
    /// The endpoints of requestors, each with a token.
    var requestorRoutes: [ServerRoute] {
        [
            .post("/transactions") { request in try await self.startTransaction(request) },
            .get("/transactions/{token}") { request in
                .uncached(JSONText.status(try await self.requestorRecord(request)))
            },
            .delete("/transactions/{token}") { request in
                try await self.cancel(try await self.requestorRecord(request).id)
                return ServerResponse(.noContent)
            },
            .get("/transactions/{token}/events") { request in
                self.events(of: try await self.requestorRecord(request), for: request)
            },
            .get("/transactions/{token}/log") { request in
                let record = try await self.requestorRecord(request)
                return .uncached(JSONValue.object(["events": .array(record.events.map(\.json))]).encoded())
            },
            .post("/transactions/{token}/result") { request in try await self.takeResult(request) },
            .post(
                "/transactions/{token}/digital-credential",
                options: responseOptions
            ) { request in try await self.takeDigitalCredential(request) },
            .get("/keys") { request in
                _ = try await self.requestor(of: request)
                guard let signer = self.services.resultSigner, let key = try? JWK(signer.publicKey, use: .signature)
                else { throw TransactionError(.notSupported, "the server has no key that signs results") }
                return .uncached(JSONValue.object(["keys": [.object(key.members)]]).encoded())
            },
        ]
    }

    /// The requestor that a call's token shows.
    private func requestor(of request: ServerRequest) async throws(TransactionError) -> TransactionRequestor {
        try await requestor(authorization: request.headerFields[.authorization])
    }

    /// The transaction of a call, if it is one of the requestor's.
    private func requestorRecord(_ request: ServerRequest) async throws(TransactionError) -> TransactionRecord {
        let requestor = try await requestor(of: request)
        let record = try await record(.requestor(try request.token()))
        guard record.requestor?.hasSameBytes(as: requestor.name) == true else {
            throw TransactionError(.unknownTransaction, "there is no such transaction")
        }
        return record
    }

    private func startTransaction(_ request: ServerRequest) async throws -> ServerResponse {
        let requestor = try await requestor(of: request)
        try request.require(.json)
        let body = try await request.bytes(upTo: options.maximumCallSize)
        let wanted = try TransactionRequest(decoding: body, defaultRelyingParty: requestor.onlyRelyingParty)
        guard requestor.relyingParties.contains(where: { $0.hasSameBytes(as: wanted.relyingParty) }) else {
            throw TransactionError(.forbidden, "the requestor does not act for the relying party")
        }
        let started = try await start(wanted, requestor: requestor.name)
        return .uncached(started.json.encoded(), status: .created)
    }

    private func takeResult(_ request: ServerRequest) async throws -> ServerResponse {
        let record = try await requestorRecord(request)
        let body = try await request.bytes(upTo: 4096)
        var code: String?
        if !body.isEmpty {
            try request.require(.json)
            guard let json = try? JSONValue(parsing: body), json.objectValue != nil else {
                throw TransactionError(.invalidRequest, "the body is no object of JSON")
            }
            if let value = json["response_code"] {
                guard let text = value.stringValue else {
                    throw TransactionError(.invalidRequest, "it must be a text", path: ["response_code"])
                }
                code = text
            }
        }
        return .uncached(try await result(of: record.id, responseCode: code).json.encoded())
    }

    private func takeDigitalCredential(_ request: ServerRequest) async throws -> ServerResponse {
        let record = try await requestorRecord(request)
        try request.require(.json)
        let body = try await request.bytes(upTo: options.maximumResponseSize)
        guard let json = try? JSONValue(parsing: body, limits: JSONLimits(size: options.maximumResponseSize)),
            let origin = json["origin"]?.stringValue, let data = json["data"]?.objectValue
        else { throw TransactionError(.invalidRequest, "the body must have the members origin and data") }
        let status = try await answer(record.id, digitalCredential: data, from: origin)
        return .uncached(JSONValue.object(["status": .string(status.rawValue)]).encoded())
    }
}

extension TransactionRequestor {
    /// The relying party of a requestor that has one.
    fileprivate var onlyRelyingParty: String? { relyingParties.count == 1 ? relyingParties[0] : nil }
}
