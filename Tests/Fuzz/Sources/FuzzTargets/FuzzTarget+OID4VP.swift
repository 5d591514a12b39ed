import JSONKit
import OID4VPMessages
import SDJWTKit

extension FuzzTarget {
    /// Requests, queries and responses of OpenID4VP.
    package static let oid4vp: [FuzzTarget] = [
        FuzzTarget(name: "oid4vp-url") { input in
            let text = String(decoding: input, as: UTF8.self)
            let request = try AuthorizationRequest(url: text, options: .deployed)
            guard let strict = try? AuthorizationRequest(url: text) else { return }
            require(request.deviations.isEmpty && strict.deviations.isEmpty, "what is strict deviates")
        },
        FuzzTarget(name: "oid4vp-client-identifier") { input in
            let client = try ClientIdentifier(String(decoding: input, as: UTF8.self))
            require(!client.text.text.hasPrefix("origin:"), "a request bears the prefix that the wallet alone may make")
        },
        FuzzTarget(name: "oid4vp-request") { input in
            guard let members = try JSONValue(parsing: input).objectValue else { return }
            for channel in [ResponseTarget.Channel.redirects, .digitalCredentials] {
                let strict = try? request(members, channel, .strict)
                guard let tolerant = try? request(members, channel, .deployed) else {
                    require(strict == nil, "a tolerance refuses what is strict")
                    continue
                }
                require(strict?.deviations.isEmpty != false, "what is strict deviates")
                require(!tolerant.nonce.isEmpty, "a request without a nonce is read")
                require(tolerant.target.mode.address != nil, "a request with an unknown response mode is read")
            }
        },
        FuzzTarget(name: "oid4vp-dcql") { input in
            let query = try DCQLQuery(json: try JSONValue(parsing: input))
            let again = try DCQLQuery(json: query.json)
            require(again.json.encoded() == query.json.encoded(), "a query changes when it is written and read")
            try check(query.evaluate(over: wallet))
        },
        FuzzTarget(name: "oid4vp-definition") { input in
            let definition = try PresentationDefinition(json: try JSONValue(parsing: input))
            try check(definition.evaluate(over: wallet))
            guard let converted = try? definition.convertedToDCQL() else { return }
            _ = try DCQLQuery(json: converted.query.json)
        },
        FuzzTarget(name: "oid4vp-json-path") { input in
            let query = try JSONPathQuery(String(decoding: input, as: UTF8.self))
            let root = JSONValue.object(wallet[0].claims)
            for node in try query.nodes(in: root) {
                require(value(at: node.path, in: root) == node.value, "a node is not the value at its place")
            }
        },
        FuzzTarget(name: "oid4vp-json-schema") { input in
            // An array of a schema and a value.
            guard let parts = try JSONValue(parsing: input).arrayValue, parts.count == 2 else { return }
            _ = try JSONSchema(parts[0]).accepts(parts[1])
        },
        FuzzTarget(name: "oid4vp-pattern") { input in
            let parts = input.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
            let texts = parts.map { String(decoding: $0, as: UTF8.self) }
            let pattern = try LinearPattern(texts[0])
            _ = pattern.matches(texts.count > 1 ? texts[1] : texts[0])
        },
        FuzzTarget(name: "oid4vp-response") { input in
            let parameters = try ResponseParameters(form: String(decoding: input, as: UTF8.self))
            var deviations: [Deviation] = []
            if let token = try? VPToken(parameters, answering: try asked(), deviations: &deviations) {
                require(deviations.isEmpty, "what is strict deviates")
                guard case .queries(let answers) = token else { return }
                require(answers.allSatisfy { ["a", "b"].contains($0.query.text) }, "an answer to no query is read")
                require(answers.allSatisfy { !$0.presentations.isEmpty }, "an answer without presentations is read")
            }
            _ = try VPToken(parameters, answering: try defined(), deviations: &deviations)
        },
    ]

    /// The value at a place, found without the query's own steps.
    private static func value(at path: ClaimPath, in root: JSONValue) -> JSONValue? {
        path.components.reduce(root) { value, component in
            switch component {
            case .name(let name): value?.objectValue?[name]
            case .index(let index): value?[index]
            case .all: nil
            }
        }
    }

    private static func request(
        _ members: JSONObject,
        _ channel: ResponseTarget.Channel,
        _ options: RequestReadingOptions
    ) throws -> PresentationRequest {
        let parameters = AuthorizationParameters(members, limits: options.limits)
        let version = try OpenID4VPVersion(of: parameters)
        let client = try parameters.text("client_id").map {
            try ClientIdentifier($0, scheme: try parameters.text("client_id_scheme"))
        }
        let target = try ResponseTarget(parameters, version: version, client: client, channel: channel)
        return try PresentationRequest(parameters, version: version, target: target, options: options)
    }

    /// A plan for disclosure holds what was asked for, and what is there.
    private static func check(_ result: QueryResult) throws {
        guard result.isSatisfied, let plan = try? result.preferredPlan() else { return }
        for entry in plan.entries {
            require(
                result[entry.query]?.match(of: entry.match.credential) == entry.match,
                "a plan differs from its match"
            )
            require(
                wallet.contains { $0.credentialName == entry.match.credential },
                "a plan names an unknown credential"
            )
        }
    }

    private static func asked() throws -> DCQLQuery {
        try DCQLQuery(
            json: [
                "credentials": [
                    ["id": "a", "format": "dc+sd-jwt", "meta": ["vct_values": ["pid"]]],
                    ["id": "b", "format": "mso_mdoc", "multiple": true, "meta": ["doctype_value": "mdl"]],
                ]
            ]
        )
    }

    private static func defined() throws -> PresentationDefinition {
        let descriptors: JSONValue = [["id": "a", "constraints": [:]], ["id": "b", "constraints": [:]]]
        return try PresentationDefinition(json: ["id": "d", "input_descriptors": descriptors])
    }

    private static let wallet: [any QueryableCredential] = [
        HeldCredential(
            credentialName: "pid",
            format: .sdJWT,
            types: ["pid"],
            claims: [
                "vct": "pid", "given_name": "Erika", "age": 42, "nationalities": ["DE", "FR"],
                "address": ["locality": "Köln", "lines": [["text": "1"], ["text": "2"]]],
            ]
        ),
        HeldCredential(
            credentialName: "mdl",
            format: .mdoc,
            types: ["mdl"],
            claims: ["n": ["family_name": "Mustermann", "age_over_18": true]]
        ),
        HeldCredential(
            credentialName: "degree",
            format: .linkedData,
            types: ["https://a.example/Degree"],
            claims: [
                "type": ["VerifiableCredential", "Degree"], "credentialSubject": ["id": "did:a:b", "degree": "MSc"],
            ]
        ),
    ]

    /// A credential in the wallet that requests are evaluated over.
    private struct HeldCredential: QueryableCredential {
        let credentialName: CredentialName
        let format: CredentialFormat
        let types: [ExactText]
        let claims: JSONObject
        let isHolderBound = true
    }
}
