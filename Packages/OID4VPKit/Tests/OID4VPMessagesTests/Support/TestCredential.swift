import JOSEKit
import JSONKit
import OID4VPMessages

/// A credential of the vectors, or one that a test makes.
struct TestCredential: QueryableCredential {
    var credentialName: CredentialName
    var format: CredentialFormat
    var types: [ExactText] = []
    var claims: JSONObject = [:]
    var envelope: JSONObject?
    var isHolderBound = true
    var authorityKeyIdentifiers: [[UInt8]] = []
    var issuerAlgorithms: [ExactText] = []
    var holderAlgorithms: [ExactText]?
    var validity = CredentialValidity.unlimited

    init(
        _ id: CredentialName,
        _ format: CredentialFormat,
        types: [ExactText] = [],
        claims: JSONObject = [:],
        isHolderBound: Bool = true
    ) {
        credentialName = id
        self.format = format
        self.types = types
        self.claims = claims
        self.isHolderBound = isHolderBound
    }

    /// A credential of the store in `dcql.json`.
    init(_ id: String, dcql json: JSONValue) throws {
        credentialName = CredentialName(id)
        format = CredentialFormat(json["format"]?.stringValue ?? "")
        let type = json["vct"]?.stringValue ?? json["doctype"]?.stringValue
        types = (type.map { [$0] } ?? json["types"]?.arrayValue?.compactMap(\.stringValue) ?? []).map(ExactText.init)
        claims = json["claims"]?.objectValue ?? [:]
        isHolderBound = json["holderBound"]?.boolValue ?? true
        for authority in json["authorities"]?.arrayValue ?? [] where authority["type"] == "aki" {
            for value in authority["values"]?.arrayValue ?? [] {
                authorityKeyIdentifiers.append(try Base64URL.decode(value.stringValue ?? ""))
            }
        }
    }

    /// A credential of the store in `presentation-exchange.json`, which says nothing of its format.
    init(_ id: String, presentationExchange json: JSONValue) {
        credentialName = CredentialName(id)
        format = json["vct"] == nil ? .linkedData : .sdJWT
        claims = json.objectValue ?? [:]
    }
}
