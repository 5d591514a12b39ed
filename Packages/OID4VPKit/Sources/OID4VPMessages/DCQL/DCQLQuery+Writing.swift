public import JSONKit
import SDJWTKit

extension DCQLQuery {
    /// The query for the parameter `dcql_query`; what has its default is left out.
    public var json: JSONValue {
        var members: JSONObject = ["credentials": .array(credentials.map(\.json))]
        if !credentialSets.isEmpty { members["credential_sets"] = .array(credentialSets.map(\.json)) }
        return .object(members)
    }
}

extension CredentialQuery {
    fileprivate var json: JSONValue {
        var members: JSONObject = [
            "id": .string(id.text), "format": .string(format.text), "meta": .object(type.meta),
        ]
        if allowsMultiple { members["multiple"] = true }
        if !requiresHolderBinding { members["require_cryptographic_holder_binding"] = false }
        if !trustedAuthorities.isEmpty {
            members["trusted_authorities"] = .array(
                trustedAuthorities.map { ["type": .string($0.type.text), "values": .texts($0.values)] }
            )
        }
        if !claims.isEmpty { members["claims"] = .array(claims.map(\.json)) }
        if !claimSets.isEmpty { members["claim_sets"] = .array(claimSets.map(JSONValue.texts)) }
        return .object(members)
    }
}

extension CredentialTypeQuery {
    fileprivate var meta: JSONObject {
        switch self {
        case .any: [:]
        case .vct(let values): ["vct_values": .texts(values)]
        case .docType(let value): ["doctype_value": .string(value.text)]
        case .expandedTypes(let values): ["type_values": .array(values.map(JSONValue.texts))]
        }
    }
}

extension ClaimQuery {
    fileprivate var json: JSONValue {
        var members = JSONObject()
        if let id { members["id"] = .string(id.text) }
        members["path"] = path.json
        if !values.isEmpty { members["values"] = .array(values) }
        if let intentToRetain { members["intent_to_retain"] = .bool(intentToRetain) }
        return .object(members)
    }
}

extension CredentialSetQuery {
    fileprivate var json: JSONValue {
        var members: JSONObject = ["options": .array(options.map(JSONValue.texts))]
        if !isRequired { members["required"] = false }
        if let purpose { members["purpose"] = .string(purpose) }
        return .object(members)
    }
}

extension JSONValue {
    /// An array of names.
    static func texts(_ names: [some ExactName]) -> JSONValue { .array(names.map { .string($0.text) }) }
}
