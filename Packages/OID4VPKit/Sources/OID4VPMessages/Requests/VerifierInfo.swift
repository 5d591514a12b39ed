public import JSONKit
@_spi(Layers) import VerificationCore

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
    /// A malformed element says nothing for the verifier: it is left out and reported as the deviation
    /// `ignoredVerifierInfo`, as wallets ignore elements that they do not recognize.
    ///
    /// - Throws: ``OID4VPError/Code/invalidParameter``, ``OID4VPError/Code/limitExceeded``.
    static func entries(
        _ parameters: AuthorizationParameters,
        limits: RequestLimits,
        _ deviations: inout [Deviation]
    ) throws(OID4VPError) -> [VerifierInfo] {
        let name = parameters.contains("verifier_info") ? "verifier_info" : "verifier_attestations"
        guard let value = try parameters.value(name) else { return [] }
        var entries: [VerifierInfo] = []
        let elements = try MemberReader.elements(value, atMost: limits.entries, .invalidParameter, at: [name])
        for (place, element) in elements.enumerated() {
            do throws(OID4VPError) {
                let reader = try MemberReader(element, .invalidParameter, at: ["\(name)[\(place)]"])
                entries.append(try VerifierInfo(reader, limits))
            } catch {
                guard error.code == .invalidParameter else { throw error }
                deviations.append(Deviation("ignoredVerifierInfo", at: error.path, error.messageWithCause))
            }
        }
        return entries
    }

    private init(_ reader: MemberReader, _ limits: RequestLimits) throws(OID4VPError) {
        guard let data = reader["data"], data.stringValue != nil || data.objectValue != nil else {
            throw reader.invalid("data", "it must be a text or an object")
        }
        self.data = data
        format = ExactText(try reader.requiredText("format"))
        credentials = try reader.texts("credential_ids", atMost: limits.entries)?.map { QueryID($0) }
    }
}

extension VerifierInfo: CustomStringConvertible {
    /// The format and the queries on one line, with invisible characters escaped; the attestation itself is left out.
    public var description: String {
        let queries = credentials.map { "for " + $0.map(\.text).joined(separator: ", ") } ?? "for all queries"
        return "\(format) \(queries)".escapedForDisplay()
    }
}
