import JSONKit
import OID4VPMessages
import TestSupport
import Testing

/// The examples that the specification prints, draft by draft.
@Suite(.enabled(if: vectors.isAvailable, VectorSet.absence))
struct SpecificationExampleTests {
    /// The result of reading an example.
    private enum Outcome: Equatable {
        case read
        case refused(OID4VPError.Code)
        case passedOver(String)
    }

    private typealias Refusal = (code: OID4VPError.Code, reason: String)

    /// The refusals by version and name of the file, with their reasons.
    private static let refusals: [String: Refusal] = {
        var refusals: [String: Refusal] = [
            "1.0 signed_request_payload.json": (.invalidQuery, "the query is left out: {}"),
            "1.0 signed_request_payload_compact.json": (.invalidQuery, "the query is left out: {}"),
            "1.0 request_object_client_id_did.json": (.missingParameter, "no response_mode, which 1.0 requires"),
        ]
        for draft in ["draft-21", "draft-23"] {
            refusals["\(draft) request_value.json"] = (.missingParameter, "no response_mode for the platform")
            refusals["\(draft) signed_request_payload.json"] = (.invalidDefinition, "the definition is left out: {}")
            refusals["\(draft) request_object_client_id_did.json"] = (
                .invalidParameter, "the definition is an ellipsis"
            )
            refusals["\(draft) id_token_is_jwt_vp.json"] = (.malformed, "an entry of the submission has no path")
        }
        return refusals
    }()

    private func outcome(_ example: JSONValue) throws -> Outcome {
        guard let json = example["json"] else { return .passedOver("no well-formed JSON in the specification") }
        let version: OpenID4VPVersion = example["version"] == "1.0" ? .v1 : .draft23
        do throws(OID4VPError) {
            return try read(json, version, kind: example["kind"]?.stringValue ?? "")
        } catch {
            return .refused(error.code)
        }
    }

    private func read(_ json: JSONValue, _ version: OpenID4VPVersion, kind: String) throws(OID4VPError) -> Outcome {
        let options = version == .v1 ? RequestReadingOptions.strict : .deployed
        if json["response_type"] != nil, kind != "client_metadata" {
            let parameters = AuthorizationParameters(json.objectValue ?? [:])
            let version = try OpenID4VPVersion(of: parameters)
            let client: ClientIdentifier? =
                if let id = try parameters.text("client_id") {
                    try ClientIdentifier(id, scheme: try parameters.text("client_id_scheme"))
                } else { nil }
            let target = try ResponseTarget(
                parameters,
                version: version,
                client: client,
                channel: kind == "digital_credentials_api" ? .digitalCredentials : .redirects
            )
            _ = try PresentationRequest(parameters, version: version, target: target, options: options)
        } else if json["credentials"] != nil {
            _ = try DCQLQuery(json: json, options: version == .v1 ? .strict : .drafts)
        } else if json["input_descriptors"] != nil {
            _ = try PresentationDefinition(json: json)
        } else if let definition = json["vp_token"]?["presentation_definition"] {
            _ = try PresentationDefinition(json: definition)
        } else if json["descriptor_map"] != nil {
            _ = try PresentationSubmission(json: json)
        } else if let submission = json["presentation_submission"], submission["descriptor_map"] != nil {
            _ = try PresentationSubmission(json: submission)
        } else if kind == "client_metadata" {
            var deviations: [Deviation] = []
            let members = json["client_metadata"] ?? json
            _ = try ClientMetadata(
                members.objectValue ?? [:],
                version: version,
                options: options,
                deviations: &deviations
            )
        } else if let code = json["error"]?.stringValue {
            _ = AuthorizationErrorCode(code)
        } else if kind == "response" || kind == "digital_credentials_api", let presentation = presentation(in: json) {
            try read(presentation: presentation)
        } else {
            return .passedOver(reason(for: json, kind))
        }
        return .read
    }

    /// The linked-data presentation of an example: the whole, or a member of an answer.
    private func presentation(in json: JSONValue) -> JSONValue? {
        if json["verifiableCredential"] != nil { return json }
        guard let token = json["vp_token"], token != "...", token.arrayValue == nil else { return nil }
        return token
    }

    /// Reads a presentation as the answer to a definition.
    private func read(presentation: JSONValue) throws(OID4VPError) {
        let definition = try PresentationDefinition(
            json: ["id": "pd", "input_descriptors": [["id": "a", "constraints": [:]]]]
        )
        let entry = PresentationSubmission.Entry(descriptor: "a", format: "ldp_vp", path: "$")
        let submission = PresentationSubmission(id: "s", definition: "pd", entries: [entry])
        let response = VPToken.definition(presentations: [presentation], submission: submission).parameters
        for parameters in [ResponseParameters(response), ResponseParameters(ResponseParameters(response).form)] {
            var deviations: [Deviation] = []
            let token = try VPToken(parameters, answering: definition, deviations: &deviations)
            #expect(token.presentations == [presentation] && deviations.isEmpty)
        }
    }

    /// The reason that an example is none of this module's messages.
    private func reason(for json: JSONValue, _ kind: String) -> String {
        if json["vp_token"] == "..." { return "the presentation and the submission are left out" }
        if json["typ"] != nil { return "the header of a token, which JOSEKit reads" }
        if json["sd_hash"] != nil { return "the content of a Key Binding JWT, which SDJWTKit reads" }
        if json["vp"] != nil { return "the content of a presentation as a token, which LinkedDataKit reads" }
        if kind == "credentials" { return "a credential, which SDJWTKit or LinkedDataKit reads" }
        if json["sub_jwk"] != nil || json["_vp_token"] != nil { return "an ID token of SIOPv2, which is not supported" }
        Issue.record("no reason for \(kind): \(json)")
        return "unknown"
    }

    @Test(arguments: vectorFiles(with: "examples"))
    func readsOrRefusesWithAReason(_ file: VectorFile) throws {
        var passedOver: [(name: String, reason: String)] = []
        let examples = try file.json().cases("examples")
        for example in examples {
            let file = try example.text("file").split(separator: "/").last ?? ""
            let name = "\(try example.text("version")) \(file)"
            switch try outcome(example) {
            case .read: #expect(Self.refusals[name] == nil, "\(name)")
            case .refused(let code):
                #expect(Self.refusals[name]?.code == code, "\(name)")
                print("examples: \(name) is refused: \(Self.refusals[name]?.reason ?? "?")")
            case .passedOver(let reason): passedOver.append((name, reason))
            }
        }
        file.report(ran: examples.count - passedOver.count, passedOver: passedOver)
    }
}
