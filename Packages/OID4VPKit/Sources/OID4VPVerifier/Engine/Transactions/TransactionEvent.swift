import JSONKit

/// An entry of a transaction's log: the time and the name of an event, never a claim, a token or a key.
public struct TransactionEvent: Hashable, Sendable {
    /// The kind of an event: an open set.
    public struct Name: Hashable, Sendable, CustomStringConvertible {
        /// The name in JSON.
        public let description: String

        /// Takes a name.
        init(_ description: String) {
            self.description = description
        }

        /// A requestor started the transaction.
        public static let created = Name("created")
        /// A wallet fetched the request; the detail is `get` or `post`.
        public static let requestFetched = Name("request_fetched")
        /// A wallet's attempt to fetch the request was refused; the detail is the error's code.
        public static let requestRefused = Name("request_refused")
        /// A response was refused without ending the transaction; the detail is the error's code.
        public static let responseRefused = Name("response_refused")
        /// A response was taken.
        public static let responseReceived = Name("response_received")
        /// A response that was taken came again, and was answered like the first time.
        public static let responseRepeated = Name("response_repeated")
        /// The response is verified.
        public static let verified = Name("verified")
        /// The response was refused; the detail is the failure's code.
        public static let failed = Name("failed")
        /// The wallet sent an error; the detail is its code.
        public static let declined = Name("declined")
        /// No response came in time.
        public static let expired = Name("expired")
        /// The requestor cancelled the transaction.
        public static let cancelled = Name("cancelled")
        /// The requestor fetched the result.
        public static let resultFetched = Name("result_fetched")
        /// A call for the result had no response code, or a wrong one.
        public static let resultRefused = Name("result_refused")
        /// The requestor's callback took the result.
        public static let callbackAccepted = Name("callback_accepted")
        /// The callback's URL is not one that the server sends to; the detail is the error's code.
        public static let callbackRefused = Name("callback_refused")
        /// The store could not be asked, or did not take a change; the detail is the error's code.
        ///
        /// Only an observer is told.
        public static let storeFailed = Name("store_failed")
    }

    /// The time in milliseconds since 1970.
    public let time: Int64
    /// The kind.
    public let name: Name
    /// A detail; nil for none.
    public let detail: String?

    /// The largest number of entries.
    ///
    /// Events that strangers can cause at will stop earlier, so that there is always room for those that end a transaction.
    static let maximumCount = 64
    static let maximumRepeatedCount = 48

    /// The events that strangers can cause at will.
    static let repeatable: Set<Name> = [
        .requestFetched, .requestRefused, .responseRefused, .responseRepeated, .resultRefused,
    ]

    var json: JSONValue {
        var object: JSONObject = ["time": .integer(time), "event": .string(name.description)]
        if let detail { object["detail"] = .string(detail) }
        return .object(object)
    }

    init(time: Int64, name: Name, detail: String? = nil) {
        self.time = time
        self.name = name
        self.detail = detail
    }

    init(json: JSONValue) throws {
        let reader = RecordReader(json)
        self.init(
            time: try reader.integer("time"),
            name: Name(try reader.text("event")),
            detail: json["detail"]?.stringValue
        )
    }
}
