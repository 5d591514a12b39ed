public import JSONKit

/// An attestation about the verifier that comes with its request, such as a registration certificate (section 5.11).
///
/// It is handed on as received: nothing of it is verified here.
public struct VerifierInfo: Sendable {
    /// The format, which says how to verify it.
    public let format: ExactText
    /// The attestation.
    public let data: JSONValue
    /// The queries that it is about; nil for all.
    public let credentials: [QueryID]?

    /// Reads `verifier_info`, or `verifier_attestations` as drafts 26 to 28 have it.
    ///
    /// - Throws: ``OID4VPError/Code/invalidParameter``, ``OID4VPError/Code/limitExceeded``.
    static func entries(
        _ parameters: AuthorizationParameters,
        limits: RequestLimits
    ) throws(OID4VPError) -> [VerifierInfo] {
        let name = parameters.contains("verifier_info") ? "verifier_info" : "verifier_attestations"
        guard let value = try parameters.value(name) else { return [] }
        var entries: [VerifierInfo] = []
        let elements = try MemberReader.elements(value, atMost: limits.entries, .invalidParameter, at: [name])
        for (place, element) in elements.enumerated() {
            let reader = try MemberReader(element, .invalidParameter, at: ["\(name)[\(place)]"])
            guard let data = reader["data"], data.stringValue != nil || data.objectValue != nil else {
                throw reader.invalid("data", "it must be a text or an object")
            }
            entries.append(
                VerifierInfo(
                    format: ExactText(try reader.requiredText("format")),
                    data: data,
                    credentials: try reader.texts("credential_ids", atMost: limits.entries)?.map { QueryID($0) }
                )
            )
        }
        return entries
    }
}

extension VerifierInfo: CustomStringConvertible {
    /// The format and the queries on one line, with invisible characters escaped; the attestation itself is left out.
    public var description: String {
        let queries = credentials.map { "for " + $0.map(\.text).joined(separator: ", ") } ?? "for all queries"
        return "\(format) \(queries)".escapedForDisplay()
    }
}
