import CredentialServing
import JSONKit

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
