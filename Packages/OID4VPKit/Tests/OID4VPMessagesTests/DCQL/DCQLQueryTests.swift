import JSONKit
import OID4VPMessages
import SDJWTKit
import Testing

struct DCQLQueryTests {
    private let store: [any QueryableCredential] = [
        TestCredential("pid", .sdJWT, types: ["urn:pid"], claims: ["name": "Ada", "age": 36, "list": ["a", "b"]]),
        TestCredential("old", .olderSDJWT, types: ["urn:pid"], claims: ["name": "Grace"]),
        TestCredential("mdl", .mdoc, types: ["org.iso.mdl"], claims: ["ns": ["name": "Ada"]]),
    ]

    private func query(_ members: JSONObject) -> JSONValue {
        var query: JSONObject = ["id": "q", "format": "dc+sd-jwt", "meta": [:]]
        for (name, value) in members { query[name] = value }
        return ["credentials": [.object(query)]]
    }

    private func result(
        _ members: JSONObject,
        options: DCQLEvaluationOptions = DCQLEvaluationOptions()
    ) throws -> QueryOutcome {
        try #require(DCQLQuery(json: query(members)).evaluate(over: store, options: options)["q"])
    }

    @Test func saysWhyCredentialsDoNotMatch() throws {
        func reasons(_ members: JSONObject) throws -> [QueryMismatch.Reason] {
            try result(members).mismatches.map(\.reason)
        }
        #expect(try reasons(["format": "mso_mdoc"]) == [.format, .format])
        #expect(try reasons(["meta": ["vct_values": ["urn:other"]]]) == [.type, .type, .format])
        #expect(try reasons(["claims": [["path": ["age"]]]]) == [.missingClaims, .format])
        #expect(try reasons(["claims": [["path": ["name"], "values": ["Ada"]]]]) == [.otherValues, .format])
        let sets: JSONObject = [
            "claims": [["id": "a", "path": ["age"]], ["id": "n", "path": ["name"], "values": ["Alan"]]],
            "claim_sets": [["n"], ["a", "n"]],
        ]
        let outcome = try result(sets)
        #expect(outcome.mismatches.map(\.reason) == [.claimSets, .claimSets, .format])
        #expect(outcome.mismatches[1].claims == [["age"], ["name"]])
        let authorities: JSONValue = [["type": "aki", "values": ["AAAA"]]]
        #expect(try reasons(["trusted_authorities": authorities]) == [.trustedAuthority, .trustedAuthority, .format])
    }

    @Test func keepsNamesOfSDJWTApartOnDemand() throws {
        #expect(try result([:]).matches.map(\.credential) == ["pid", "old"])
        let strict = DCQLEvaluationOptions(equatesSDJWTNames: false)
        #expect(try result([:], options: strict).matches.map(\.credential) == ["pid"])
        #expect(try result(["format": "vc+sd-jwt"], options: strict).matches.map(\.credential) == ["old"])
    }

    @Test func asksForAuthoritiesOfOtherKinds() throws {
        let list: JSONObject = ["trusted_authorities": [["type": "etsi_tl", "values": ["https://list.example"]]]]
        #expect(try result(list).matches.isEmpty)
        let options = DCQLEvaluationOptions { authority, credential in
            authority.type == "etsi_tl" && authority.values == ["https://list.example"]
                && credential.credentialName == "pid"
        }
        #expect(try result(list, options: options).matches.map(\.credential) == ["pid"])
    }

    @Test func comparesIntegersByValue() throws {
        let claims: JSONValue = [["path": ["age"], "values": [decimal("36.0")]]]
        #expect(try result(["claims": claims]).matches.map(\.credential) == ["pid"])
    }

    @Test func readsFormsOfDraftsUnderTolerances() throws {
        let older: JSONValue = [
            "credentials": [
                ["id": "m", "format": "mso_mdoc", "claims": [["namespace": "ns", "claim_name": "name"]]]
            ]
        ]
        expect(.invalidQuery) { () throws(OID4VPError) in try DCQLQuery(json: older) }
        let names = DCQLReadingOptions(tolerances: [.namespaceAndClaimName])
        expect(.invalidQuery, at: ["dcql_query", "credentials[0]", "meta"]) { () throws(OID4VPError) in
            try DCQLQuery(json: older, options: names)
        }
        let meta = DCQLReadingOptions(tolerances: [.missingMeta])
        expect(.invalidQuery, at: ["dcql_query", "credentials[0]", "claims[0]", "path"]) { () throws(OID4VPError) in
            try DCQLQuery(json: older, options: meta)
        }
        let query = try DCQLQuery(json: older, options: .drafts)
        #expect(query["m"]?.claims.map(\.path) == [["ns", "name"]])
        #expect(query.deviations.map(\.tolerance) == ["namespaceAndClaimName", "missingMeta"])
        #expect(query.evaluate(over: store)["m"]?.matches.map(\.credential) == ["mdl"])
    }

    /// A verifier's misspelt member would change what its query asks for.
    @Test func refusesUnknownMembersOfOnesOwnQuery() throws {
        let known: JSONValue = [
            "credentials": [
                [
                    "id": "a", "format": "dc+sd-jwt", "meta": ["vct_values": ["t"]], "multiple": false,
                    "require_cryptographic_holder_binding": true,
                    "trusted_authorities": [["type": "aki", "values": ["AAAA"]]],
                    "claims": [["id": "n", "path": ["name"], "values": ["Ada"]]], "claim_sets": [["n"]],
                ],
                [
                    "id": "b", "format": "mso_mdoc", "meta": ["doctype_value": "d"],
                    "claims": [["path": ["ns", "e"], "intent_to_retain": false]],
                ],
                ["id": "c", "format": "ldp_vc", "meta": ["type_values": [["t"]]]],
            ],
            "credential_sets": [["options": [["a"], ["b"], ["c"]], "required": true, "purpose": "x"]],
        ]
        #expect(try DCQLQuery(json: known, options: .authoring).credentials.count == 3)
        let text = String(decoding: known.encoded(), as: UTF8.self)
        for (name, other) in [
            ("credential_sets", "credential_set"), ("multiple", "multiples"), ("claim_sets", "claimSets"),
            ("vct_values", "vct_values\":[\"t\"],\"vct_value"), ("doctype_value", "doctype_value\":\"d\",\"docType"),
            ("type_values", "type_values\":[[\"t\"]],\"types"), ("values", "values\":[\"AAAA\"],\"value"),
            ("intent_to_retain", "intentToRetain"), ("required", "require"),
        ] {
            let misspelt = try JSONValue(parsing: Array(text.replacing("\"\(name)\"", with: "\"\(other)\"").utf8))
            #expect(try DCQLQuery(json: misspelt).credentials.count == 3, "\(name)")
            let error = #expect(throws: OID4VPError.self, "\(name)") {
                try DCQLQuery(json: misspelt, options: .authoring)
            }
            #expect(error?.code == .invalidQuery && error?.message == "the member is unknown")
        }
    }

    @Test func boundsItsParts() throws {
        func claims(_ count: Int) -> JSONValue { .array(Array(repeating: ["path": ["a"]], count: count)) }
        _ = try DCQLQuery(json: query(["claims": claims(256)]))
        expect(.limitExceeded) { () throws(OID4VPError) in try DCQLQuery(json: query(["claims": claims(257)])) }
        func path(_ length: Int) -> JSONValue { [["path": .array(Array(repeating: "a", count: length))]] }
        _ = try DCQLQuery(json: query(["claims": path(16)]))
        expect(.limitExceeded) { () throws(OID4VPError) in try DCQLQuery(json: query(["claims": path(17)])) }
        func queries(_ count: Int) -> JSONValue {
            ["credentials": .array((0..<count).map { ["id": "q\($0)", "format": "x", "meta": [:]] })]
        }
        _ = try DCQLQuery(json: queries(64))
        expect(.limitExceeded) { () throws(OID4VPError) in try DCQLQuery(json: queries(65)) }
        func values(_ count: Int) -> JSONValue {
            [["path": ["a"], "values": .array(Array(repeating: "v", count: count))]]
        }
        _ = try DCQLQuery(json: query(["claims": values(256)]))
        expect(.limitExceeded) { () throws(OID4VPError) in try DCQLQuery(json: query(["claims": values(257)])) }
    }

    @Test func refusesToMakeAnInvalidQuery() {
        expect(.invalidQuery) { () throws(OID4VPError) in try DCQLQuery(credentials: []) }
        expect(.invalidQuery) { () throws(OID4VPError) in
            try DCQLQuery(credentials: [CredentialQuery(id: "a b", format: .mdoc)])
        }
    }
}
