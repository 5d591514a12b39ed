import JSONKit

extension TransactionRecord {
    /// The limits of a stored transaction, within which every response fits that was taken.
    private static let storageLimits = JSONLimits(size: 16 << 20, depth: 96)

    /// The form in which stores keep a transaction; private to this implementation.
    func encoded() -> [UInt8] {
        var object: JSONObject = [
            "id": .string(id), "request": .string(requestID), "frontend": .string(frontendToken),
            "started": .integer(startedAt), "wishes": wishes.json, "deadline": .integer(deadline),
            "status": .string(status.rawValue), "events": .array(events.map(\.json)),
        ]
        object["requestor"] = requestor.map { .string($0) }
        object["state"] = state.map { .string($0) }
        object["key"] = keyID.map { .string($0) }
        object["message"] = request
        object["failure"] = failure.map { ["code": .string($0.code), "message": .string($0.message)] }
        object["mark"] = mark.map { .string($0) }
        object["digest"] = responseDigest.map { .string($0) }
        object["code"] = responseCode.map { .string($0) }
        object["verification"] = verification
        object["credentials"] = credentials
        return JSONValue.object(object).encoded()
    }

    /// Reads what ``encoded()`` wrote.
    init(decoding bytes: [UInt8]) throws {
        let json = try JSONValue(parsing: bytes, limits: Self.storageLimits)
        let reader = RecordReader(json)
        guard let status = TransactionStatus(rawValue: try reader.text("status")) else {
            throw RecordReader.damage("status")
        }
        self.init(
            id: try reader.text("id"),
            requestID: try reader.text("request"),
            frontendToken: try reader.text("frontend"),
            requestor: json["requestor"]?.stringValue,
            startedAt: try reader.integer("started"),
            wishes: try TransactionRequest(json: try reader.member("wishes"), isStored: true),
            state: json["state"]?.stringValue,
            keyID: json["key"]?.stringValue,
            request: json["message"],
            deadline: try reader.integer("deadline"),
            status: status
        )
        if let failure = json["failure"].map(RecordReader.init) {
            self.failure = TransactionFailure(code: try failure.text("code"), message: try failure.text("message"))
        }
        mark = json["mark"]?.stringValue
        responseDigest = json["digest"]?.stringValue
        responseCode = json["code"]?.stringValue
        verification = json["verification"]
        credentials = json["credentials"]
        events = try (json["events"]?.arrayValue ?? []).map(TransactionEvent.init(json:))
    }
}
