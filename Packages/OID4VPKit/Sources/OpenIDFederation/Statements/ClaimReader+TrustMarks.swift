import JOSEKit
import JSONKit

extension ClaimReader {
    /// Refuses claims about trust marks of another form than theirs (section 3.2); whether a mark is trusted is not decided
    /// here (section 7).
    func checkTrustMarks(_ limits: JOSELimits) throws(FederationError) {
        if let value = members["trust_marks"] {
            guard let marks = value.arrayValue else { throw invalid("trust_marks", "it must be an array") }
            for mark in marks { try checkTrustMark(mark, limits) }
        }
        for type in try object("trust_mark_issuers")?.objectValue ?? [:] {
            let issuers = inside("trust_mark_issuers")
            guard let elements = type.value.arrayValue else { throw issuers.invalid(type.name, "it must be an array") }
            for element in elements { try issuers.requireIdentifier(element, type.name) }
        }
        for type in try object("trust_mark_owners")?.objectValue ?? [:] {
            let owners = inside("trust_mark_owners")
            try owners.requireIdentifier(type.value["sub"], type.name)
            guard let keys = type.value["jwks"], (try? JWKSet(json: keys, limits: limits)) != nil else {
                throw owners.invalid(type.name, "its jwks must be a set of keys")
            }
        }
    }

    private func checkTrustMark(_ mark: JSONValue, _ limits: JOSELimits) throws(FederationError) {
        guard let type = mark["trust_mark_type"]?.stringValue, let text = mark["trust_mark"]?.stringValue else {
            throw invalid("trust_marks", "each needs trust_mark_type and trust_mark")
        }
        guard let payload = try? JWS(compact: text, limits: limits).unverifiedPayload,
            let named = try? JWTClaims(decoding: payload, limits: limits)["trust_mark_type"]?.stringValue,
            named.hasSameBytes(as: type)
        else { throw invalid("trust_marks", "the trust mark is no token of the type beside it") }
    }

    private func requireIdentifier(_ value: JSONValue?, _ name: String) throws(FederationError) {
        guard let text = value?.stringValue, (try? EntityIdentifier(text)) != nil else {
            throw invalid(name, "it must hold identifiers of entities")
        }
    }
}
