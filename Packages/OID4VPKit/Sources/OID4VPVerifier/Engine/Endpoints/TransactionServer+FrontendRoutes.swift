import CredentialServing
import CredentialTransport
import JSONKit

extension TransactionServer {
    /// The endpoints of a page that shows a QR code: the state alone, by a name that opens nothing else.
    var frontendRoutes: [ServerRoute] {
        [
            .get("/frontend/{token}") { request in
                .uncached(JSONText.status(try await self.frontendRecord(request)))
            },
            .get("/frontend/{token}/events") { request in
                self.events(of: try await self.frontendRecord(request), for: request)
            },
        ]
    }

    private func frontendRecord(_ request: ServerRequest) async throws(TransactionError) -> TransactionRecord {
        try await record(.other(TransactionRecord.frontendKey(try request.token())))
    }
}

extension ServerRequest {
    /// A token in the path.
    ///
    /// - Throws: ``TransactionError/Code-swift.struct/unknownTransaction`` for a value that is not a token.
    func token() throws(TransactionError) -> String {
        guard let token = try? parameters.text("token"), TransactionTokens.isToken(token) else {
            throw TransactionError(.unknownTransaction, "there is no such transaction")
        }
        return token
    }

    /// The whole body.
    func bytes(upTo size: Int) async throws -> [UInt8] { try await body.collect(upTo: size) }

    /// Refuses a body of another media type than the endpoint takes.
    func require(_ type: MediaType) throws(TransactionError) {
        guard contentType == type else {
            throw TransactionError(.invalidRequest, "the content type must be \(type)")
        }
    }
}

extension TransactionServer {
    /// The stream of a transaction's states, the current one first; it ends after a final one.
    func events(of record: TransactionRecord, for request: ServerRequest) -> ServerResponse {
        .events(for: request, clock: services.clock.timer) { stream in
            for await status in self.statuses(of: record) {
                let data = JSONValue.object(["status": .string(status.rawValue)]).text(.compact)
                try await stream.send(OutgoingEvent(data: data, type: "status"))
            }
        }
    }
}

/// The bodies of small answers.
enum JSONText {
    /// An error.
    static func error(_ code: String, _ message: String) -> [UInt8] {
        JSONValue.object(["error": .string(code), "error_description": .string(message)]).encoded()
    }

    /// A state.
    static func status(_ record: TransactionRecord) -> [UInt8] {
        var object: JSONObject = ["status": .string(record.status.rawValue)]
        if record.status.isOpen { object["expires_at"] = .integer(record.deadline / 1000) }
        return JSONValue.object(object).encoded()
    }
}
