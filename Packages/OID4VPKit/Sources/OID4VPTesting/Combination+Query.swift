public import JSONKit
public import OID4VPMessages
public import OID4VPVerifier

extension Combination {
    /// The query for one claim of the format.
    public func query() throws -> ResponseExpectation.Query {
        version == .v1 ? .dcql(try dcql()) : .definition(try definition())
    }

    /// The query in DCQL.
    public func dcql() throws -> DCQLQuery {
        let (meta, path): (JSONValue, JSONValue) =
            switch format {
            case .mdoc: (["doctype_value": "org.iso.18013.5.1.mDL"], ["org.iso.18013.5.1", "family_name"])
            case .sdJWT: (["vct_values": ["urn:pid"]], ["family_name"])
            default: (["type_values": [["https://club.example/Member"]]], ["credentialSubject", "level"])
            }
        return try DCQLQuery(
            json: [
                "credentials": [
                    ["id": "q", "format": .string(format.text), "meta": meta, "claims": [["path": path]]]
                ]
            ]
        )
    }

    /// The query as a presentation definition.
    public func definition() throws -> PresentationDefinition {
        let (formats, path): (JSONValue, JSONValue) =
            switch format {
            case .mdoc: (["mso_mdoc": ["alg": ["ES256"]]], "$['org.iso.18013.5.1']['family_name']")
            case .sdJWT where version == .draft21:
                (["vc+sd-jwt": ["sd-jwt_alg_values": ["EdDSA"]]], "$.family_name")
            case .sdJWT: (["dc+sd-jwt": ["sd-jwt_alg_values": ["EdDSA"]]], "$.family_name")
            case .linkedData: (["ldp_vc": ["proof_type": ["Ed25519Signature2020"]]], "$.credentialSubject.level")
            default: (["jwt_vc_json": ["alg": ["EdDSA"]]], "$.vc.credentialSubject.level")
            }
        let descriptor: JSONValue = [
            "id": .string(queryID.text), "format": formats, "constraints": ["fields": [["path": [path]]]],
        ]
        return try PresentationDefinition(json: ["id": "d", "input_descriptors": [descriptor]])
    }

    /// The name of the query; that of a descriptor for an mdoc is the document type (ISO/IEC TS 18013-7, Annex B).
    public var queryID: QueryID {
        version != .v1 && format == .mdoc ? "org.iso.18013.5.1.mDL" : "q"
    }

    /// Returns `true` for claims with the one that was asked for, and without the one beside it.
    public func isDisclosed(in claims: JSONObject) -> Bool {
        switch format {
        case .mdoc: claims["org.iso.18013.5.1"] == ["family_name": "Lovelace"]
        case .sdJWT: claims["family_name"] == "Lovelace" && claims["given_name"] == nil
        default:
            ["gold"] == [claims["credentialSubject"]?["level"] ?? claims["credentialSubject"]?[0]?["level"]]
        }
    }
}
