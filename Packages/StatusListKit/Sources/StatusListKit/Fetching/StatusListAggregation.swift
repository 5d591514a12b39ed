import JSONKit

/// The lists of an issuer, enumerated, for fetching them ahead (Token Status List, section 9).
public struct StatusListAggregation: Sendable {
    /// The URIs of the lists.
    public let uris: [String]

    /// Reads an aggregation: a JSON object with the member `status_lists`.
    ///
    /// - Throws: ``StatusListError/Code/malformed``, ``StatusListError/Code/limitExceeded``.
    public init(json text: some Collection<UInt8>, limits: StatusListLimits = .default) throws(StatusListError) {
        let text = Array(text)
        let value: JSONValue
        do {
            value = try JSONValue(parsing: text, limits: JSONLimits(size: limits.tokenSize, depth: 16))
        } catch {
            throw StatusListError(.malformed, error.message, path: ["aggregation"], cause: error)
        }
        guard let elements = value["status_lists"]?.arrayValue else {
            throw Self.error(.malformed, "a list is expected")
        }
        guard elements.count <= limits.aggregatedLists else {
            throw Self.error(.limitExceeded, "\(elements.count) lists, over \(limits.aggregatedLists)")
        }
        let uris = elements.compactMap(\.stringValue)
        guard uris.count == elements.count else { throw Self.error(.malformed, "a list of strings is expected") }
        self.uris = uris
    }

    /// An aggregation of these lists.
    public init(uris: [String]) {
        self.uris = uris
    }

    /// The aggregation as JSON.
    public func encoded() -> [UInt8] {
        let value: JSONValue = ["status_lists": .array(uris.map { .string($0) })]
        return value.encoded()
    }

    private static func error(_ code: StatusListError.Code, _ message: String) -> StatusListError {
        StatusListError(code, message, path: ["aggregation", "status_lists"])
    }
}
