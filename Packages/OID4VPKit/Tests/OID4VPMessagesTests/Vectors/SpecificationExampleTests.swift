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
        } else {
            return .passedOver("no message of this module: \(kind)")
        }
        return .read
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
