import JSONKit
import OID4VPMessages
import SDJWTKit
import Testing

struct PresentationDefinitionTests {
    private func definition(_ descriptor: JSONObject, _ others: JSONObject = [:]) -> JSONValue {
        var members: JSONObject = ["id": "d", "constraints": [:]]
        for (name, value) in descriptor { members[name] = value }
        var definition: JSONObject = ["id": "p", "input_descriptors": [.object(members)]]
        for (name, value) in others { definition[name] = value }
        return .object(definition)
    }

    private func fields(_ fields: JSONValue...) -> JSONObject { ["constraints": ["fields": .array(fields)]] }

    private func outcome(
        _ definition: JSONValue,
        _ credentials: TestCredential...
    ) throws -> QueryOutcome {
        try PresentationDefinition(json: definition).evaluate(over: credentials).queries[0]
    }

    // MARK: Reading

    @Test func refusesMalformedDefinition() {
        let malformed: [JSONValue] = [
            1, [:], ["id": "p"], ["id": "p", "input_descriptors": []], ["id": "", "input_descriptors": [1]],
            definition(["id": ""]), definition(["id": nil]), definition(["constraints": nil]),
            definition(["constraints": ["fields": 1]]), definition(fields([:])), definition(fields(["path": []])),
            definition(fields(["path": [1]])), definition(fields(["path": ["$.a"], "optional": "no"])),
            definition(["constraints": ["limit_disclosure": "sometimes"]]), definition(["group": "A"]),
            definition(["format": []]), definition(["format": ["ldp_vc": 1]]),
            ["id": "p", "input_descriptors": [["id": "d", "constraints": [:]], ["id": "d", "constraints": [:]]]],
        ]
        for json in malformed {
            expect(.invalidDefinition) { () throws(OID4VPError) in try PresentationDefinition(json: json) }
        }
    }

    @Test func refusesMalformedRequirement() {
        let malformed: [JSONValue] = [
            [], [1], [[:]], [["rule": "some", "from": "A"]], [["rule": "all"]],
            [["rule": "all", "from": "A", "from_nested": [["rule": "all", "from": "A"]]]],
            [["rule": "all", "from": "Z"]], [["rule": "pick", "count": 0, "from": "A"]],
            [["rule": "pick", "count": 1, "min": 2, "from": "A"]],
            [["rule": "pick", "count": 2, "max": 1, "from": "A"]], [["rule": "pick", "min": 2, "max": 1, "from": "A"]],
            [["rule": "pick", "max": 0, "from": "A"]], [["rule": "pick", "count": -1, "from": "A"]],
            [["rule": "all", "from_nested": []]],
        ]
        for requirements in malformed {
            expect(.invalidDefinition) { () throws(OID4VPError) in
                try PresentationDefinition(
                    json: definition(["group": ["A"]], ["submission_requirements": requirements])
                )
            }
        }
    }

    @Test func takesANumberWithinItsBounds() throws {
        for bounds in [["min": 1], ["max": 3], ["min": 2, "max": 2]] as [JSONObject] {
            var requirement: JSONObject = ["rule": "pick", "count": 2, "from": "A"]
            for (name, value) in bounds { requirement[name] = value }
            let members: JSONObject = ["submission_requirements": [.object(requirement)]]
            let read = try PresentationDefinition(json: definition(["group": ["A"]], members))
            #expect(read.requirements.map(\.count) == [2...2])
        }
    }

    /// JSON Schema compares the array, and deployed verifiers mean its elements.
    @Test func testsElementsOfArraysUnderATolerance() throws {
        let credential = TestCredential("c", .jwt, claims: ["type": ["VerifiableCredential", "Degree"], "n": [1]])
        let filter: JSONValue = ["type": "string", "pattern": "^Degree$"]
        let read = try PresentationDefinition(
            json: definition(fields(["path": ["$.n"]], ["path": ["$.type"], "filter": filter]))
        )
        #expect(read.evaluate(over: [credential]).queries[0].mismatches.map(\.reason) == [.otherValues])
        let result = read.evaluate(over: [credential], tolerances: [.elementwiseFilters])
        #expect(result.queries[0].matches.map(\.claims) == [[["n"], ["type", 1]]])
        #expect(result.deviations.map(\.tolerance) == ["elementwiseFilters"])
        #expect(result.deviations.map(\.path) == [["d", "$.type"]])
        // What the filter accepts as it is needs no tolerance.
        let array = try PresentationDefinition(
            json: definition(fields(["path": ["$.type"], "filter": ["contains": ["const": "Degree"]]]))
        )
        let plain = array.evaluate(over: [credential], tolerances: [.elementwiseFilters])
        #expect(plain.queries[0].matches.count == 1 && plain.deviations.isEmpty)
        // What is about arrays says nothing of a text, which would pass.
        for filter in [
            ["contains": ["const": "Other"]], ["minItems": 3], ["items": ["const": "x"]], ["not": ["type": "array"]],
            ["type": ["string", "null"]],
        ] as [JSONValue] {
            let arrays = try PresentationDefinition(json: definition(fields(["path": ["$.type"], "filter": filter])))
            let result = arrays.evaluate(over: [credential], tolerances: [.elementwiseFilters])
            #expect(result.queries[0].matches.isEmpty, "\(filter)")
        }
        let other = TestCredential("o", .jwt, claims: ["type": ["VerifiableCredential"], "n": 1])
        #expect(read.evaluate(over: [other], tolerances: .deployed).queries[0].matches.isEmpty)
    }

    /// A wallet takes what it can of a verifier's alternatives.
    @Test func leavesOutWhatIsNotImplementedForAWallet() throws {
        let credential = TestCredential("c", .sdJWT, claims: ["a": "x"])
        func outcome(_ field: JSONValue) throws(OID4VPError) -> QueryOutcome {
            let json = definition(fields(["path": ["$.a"]], field))
            let isPath = field["filter"] == nil
            expect(isPath ? .unsupportedPath : .unsupportedPattern) { () throws(OID4VPError) in
                try PresentationDefinition(json: json)
            }
            let read = try PresentationDefinition(json: json, skippingAlternatives: true)
            return read.evaluate(over: [credential]).queries[0]
        }
        let filter = "$.b[?(@.c=='d')]"
        #expect(try outcome(["path": [.string(filter), "$.a"]]).matches.count == 1)
        #expect(try outcome(["path": [.string(filter)], "optional": true]).matches.count == 1)
        let pattern: JSONValue = ["type": "string", "pattern": "^(?!foo)"]
        #expect(try outcome(["path": ["$.a"], "filter": pattern, "optional": true]).matches.count == 1)
        for field in [["path": [.string(filter)]], ["path": ["$.a"], "filter": pattern]] as [JSONValue] {
            #expect(throws: OID4VPError.self) { try outcome(field) }
        }
    }

    @Test func refusesRequiredFeaturesByName() {
        let unsupported: [JSONValue] = [
            definition(["constraints": ["subject_is_issuer": "required"]]),
            definition(["constraints": ["is_holder": [["field_id": ["a"], "directive": "required"]]]]),
            definition(["constraints": ["same_subject": [["field_id": ["a"], "directive": "required"]]]]),
            definition(["constraints": ["statuses": ["active": ["directive": "required"]]]]),
            definition(fields(["path": ["$.a"], "predicate": "required"])), definition([:], ["frame": [:]]),
        ]
        for json in unsupported {
            expect(.unsupportedFeature) { () throws(OID4VPError) in try PresentationDefinition(json: json) }
        }
        #expect(throws: Never.self) {
            try PresentationDefinition(json: definition(["constraints": ["subject_is_issuer": "preferred"]]))
        }
    }

    @Test func saysWhichFieldIsMalformed() {
        let path = ["presentation_definition", "input_descriptors[0]", "constraints", "fields[0]"]
        expect(.invalidPath, at: path) { () throws(OID4VPError) in
            try PresentationDefinition(json: definition(fields(["path": ["a"]])))
        }
        expect(.unsupportedPattern, at: path) { () throws(OID4VPError) in
            try PresentationDefinition(
                json: definition(fields(["path": ["$.a"], "filter": ["type": "string", "pattern": "(a)\\1"]]))
            )
        }
    }

    @Test func boundsItsParts() throws {
        let limits = PresentationDefinitionLimits(descriptors: 1, fields: 2, entries: 3, requirementDepth: 2)
        func refuse(_ json: JSONValue) {
            expect(.limitExceeded) { () throws(OID4VPError) in try PresentationDefinition(json: json, limits: limits) }
        }
        let field: JSONValue = ["path": ["$.a", "$.b", "$.c"]]
        _ = try PresentationDefinition(json: definition(fields(field, field)), limits: limits)
        refuse(definition(fields(field, field, field)))
        refuse(definition(fields(["path": ["$.a", "$.b", "$.c", "$.d"]])))
        let descriptor: JSONValue = ["id": "e", "constraints": [:]]
        refuse(["id": "p", "input_descriptors": [descriptor, descriptor]])
        func nested(_ depth: Int) -> JSONValue {
            var requirement: JSONValue = ["rule": "all", "from": "A"]
            for _ in 1..<depth { requirement = ["rule": "all", "from_nested": [requirement]] }
            return definition(["group": ["A"]], ["submission_requirements": [requirement]])
        }
        _ = try PresentationDefinition(json: nested(2), limits: limits)
        refuse(nested(3))
    }

    @Test func boundsTheWorkOnEachCredential() throws {
        let limits = PresentationDefinitionLimits(steps: 200)
        let field: JSONValue = ["path": ["$..x"], "optional": true]
        let claims: JSONObject = ["list": .array(Array(repeating: 0, count: 100))]
        let store = [TestCredential("large", .sdJWT, claims: claims), TestCredential("small", .sdJWT)]
        let one = try PresentationDefinition(json: definition(fields(field)), limits: limits)
        let outcome = one.evaluate(over: store).queries[0]
        #expect(outcome.matches.map(\.credential) == ["small"])
        #expect(outcome.mismatches.map(\.reason) == [.limitExceeded])
    }

    @Test func boundsThePatternsOfAllFiltersTogether() throws {
        func patterns(_ count: Int) -> JSONValue {
            let field: JSONValue = ["path": ["$.a"], "filter": ["pattern": "a{4000}"]]
            return definition(["constraints": ["fields": .array(Array(repeating: field, count: count))]])
        }
        _ = try PresentationDefinition(json: patterns(16))
        expect(.limitExceeded) { () throws(OID4VPError) in try PresentationDefinition(json: patterns(17)) }
    }

    // MARK: Evaluating

    @Test(
        arguments: [
            // Each takes all steps for one value alone.
            ["const": "x", "allOf": [["$ref": "#"]]], ["pattern": "^x", "not": ["not": ["$ref": "#"]]],
        ] as [JSONValue]
    )
    func showsNoValueByItsLimits(_ filter: JSONValue) throws {
        let json = definition(fields(["path": ["$.name"], "filter": filter]))
        let guessed = try outcome(json, TestCredential("c", .sdJWT, claims: ["name": "x"]))
        let other = try outcome(json, TestCredential("c", .sdJWT, claims: ["name": "y"]))
        #expect(guessed.matches.isEmpty && guessed.mismatches.first?.reason == .limitExceeded)
        #expect(other.matches.isEmpty && other.mismatches.first?.reason == .otherValues)
    }

    @Test func evaluatesOtherCredentialsBesideOneWithALongText() throws {
        let json = definition(fields(["path": ["$.name"], "filter": ["pattern": "^x"]]))
        let long = TestCredential("long", .sdJWT, claims: ["name": .string(String(repeating: "x", count: 5000))])
        let found = try outcome(json, long, TestCredential("short", .sdJWT, claims: ["name": "xy"]))
        #expect(found.matches.map(\.credential) == ["short"])
        #expect(found.mismatches.map(\.reason) == [.limitExceeded])
    }

    @Test func comparesFormatsAndAlgorithms() throws {
        var credential = TestCredential("c", .sdJWT)
        credential.issuerAlgorithms = ["ES256"]
        func reason(_ format: JSONValue, _ others: JSONObject = [:]) throws -> QueryMismatch.Reason? {
            try outcome(definition(["format": format], others), credential).mismatches.first?.reason
        }
        #expect(try reason(["vc+sd-jwt": [:]]) == nil)
        #expect(try reason(["dc+sd-jwt": ["sd-jwt_alg_values": ["ES256"]]]) == nil)
        #expect(try reason(["dc+sd-jwt": ["sd-jwt_alg_values": ["ES384"]]]) == .algorithm)
        #expect(try reason(["mso_mdoc": ["alg": ["ES256"]]]) == .format)
        // The formats of the definition count for descriptors without any.
        let outer: JSONObject = ["format": ["mso_mdoc": [:]]]
        #expect(try outcome(definition([:], outer), credential).mismatches.first?.reason == .format)
        #expect(try reason(["dc+sd-jwt": [:]], outer) == nil)
    }

    @Test func tellsTheHoldersAlgorithmsFromTheIssuers() throws {
        var credential = TestCredential("c", .sdJWT)
        credential.issuerAlgorithms = ["ES256"]
        credential.holderAlgorithms = ["ES256"]
        var linked = TestCredential("l", .linkedData)
        linked.issuerAlgorithms = ["RsaSignature2018"]
        func reason(_ format: JSONValue, _ credential: TestCredential) throws -> QueryMismatch.Reason? {
            try outcome(definition(["format": format]), credential).mismatches.first?.reason
        }
        var lists: JSONObject = ["sd-jwt_alg_values": ["ES256"], "kb-jwt_alg_values": ["ES384", "ES256"]]
        #expect(try reason(["vc+sd-jwt": .object(lists)], credential) == nil)
        lists["kb-jwt_alg_values"] = ["ES384"]
        #expect(try reason(["vc+sd-jwt": .object(lists)], credential) == .algorithm)
        // The algorithms of an envelope are about the signature of the holder.
        let envelope: JSONValue = ["proof_type": ["Ed25519Signature2020"]]
        #expect(try reason(["ldp_vp": envelope], linked) == nil)
        #expect(try reason(["ldp_vp": envelope, "ldp_vc": ["proof_type": ["RsaSignature2018"]]], linked) == nil)
        #expect(try reason(["ldp_vp": envelope, "ldp_vc": envelope], linked) == .algorithm)
    }

    @Test func takesTheDescriptorsNameForTheDocumentType() throws {
        let mdl = TestCredential("m", .mdoc, types: ["org.iso.mdl"], claims: ["ns": ["age": 20]])
        let field: JSONObject = fields(["path": ["$['ns']['age']"], "intent_to_retain": false])
        #expect(try outcome(definition(field), mdl).mismatches.first?.reason == .type)
        var named = field
        named["id"] = "org.iso.mdl"
        #expect(try outcome(definition(named), mdl).matches.first?.claims == [["ns", "age"]])
    }

    @Test func demandsLimitedDisclosureOfFormatsThatCan() throws {
        let limited = definition(["constraints": ["limit_disclosure": "required"]])
        #expect(try outcome(limited, TestCredential("c", .linkedData)).mismatches.first?.reason == .limitedDisclosure)
        #expect(try outcome(limited, TestCredential("c", .sdJWT)).matches.count == 1)
        let preferred = definition(["constraints": ["limit_disclosure": "preferred"]])
        #expect(try outcome(preferred, TestCredential("c", .linkedData)).matches.count == 1)
    }

    @Test func looksForClaimsOfTokensInBothPlaces() throws {
        var token = TestCredential("c", .jwt, claims: ["credentialSubject": ["name": "Ada"]])
        token.envelope = ["iss": "did:example:1", "vc": .object(token.claims)]
        let json = definition(
            fields(
                ["path": ["$.vc.credentialSubject.name"]],
                ["path": ["$.credentialSubject.name"]],
                ["path": ["$.iss"]]
            )
        )
        #expect(try outcome(json, token).matches.first?.claims == [["credentialSubject", "name"], ["iss"]])
    }

    @Test func disclosesOnlyValuesThatTheFilterAccepts() throws {
        let credential = TestCredential(
            "c",
            .sdJWT,
            claims: ["accounts": [["id": "DE1"], ["id": "US1"], ["id": "DE2"]]]
        )
        let filtered = fields(["path": ["$.accounts[*].id"], "filter": ["pattern": "^DE"]])
        #expect(
            try outcome(definition(filtered), credential).matches.first?.claims == [
                ["accounts", 0, "id"], ["accounts", 2, "id"],
            ]
        )
        let none = fields(["path": ["$.accounts[*].id", "$.other"], "filter": ["pattern": "^FR"]])
        let mismatch = try #require(outcome(definition(none), credential).mismatches.first)
        #expect(mismatch.reason == .otherValues && mismatch.claims == [["accounts", 0, "id"]])
    }

    @Test func writesSubmissionsAsItReadsThem() throws {
        let json: JSONValue = [
            "id": "s", "definition_id": "p",
            "descriptor_map": [
                [
                    "id": "d", "format": "ldp_vp", "path": "$",
                    "path_nested": ["id": "d", "format": "ldp_vc", "path": "$.verifiableCredential[0]"],
                ], ["id": "e", "format": "vc+sd-jwt", "path": "$[1]"],
            ],
        ]
        let submission = try PresentationSubmission(json: json)
        #expect(submission.json == json)
        #expect(submission.entries[0].nested == [.init(format: "ldp_vc", path: "$.verifiableCredential[0]")])
    }

    @Test func refusesMalformedSubmission() {
        func refuse(_ code: OID4VPError.Code, _ entry: JSONValue) {
            let json: JSONValue = ["id": "s", "definition_id": "p", "descriptor_map": [entry]]
            expect(code) { () throws(OID4VPError) in try PresentationSubmission(json: json) }
        }
        refuse(.malformed, 1)
        refuse(.malformed, ["id": "d", "format": "ldp_vp"])
        refuse(.malformed, ["id": "d", "path": "$"])
        refuse(
            .malformed,
            ["id": "d", "format": "f", "path": "$", "path_nested": ["id": "e", "format": "f", "path": "$"]]
        )
        var deep: JSONValue = ["format": "f", "path": "$"]
        for _ in 0..<4 { deep = ["format": "f", "path": "$", "path_nested": deep] }
        refuse(.limitExceeded, ["id": "d", "format": "f", "path": "$", "path_nested": deep])
        expect(.malformed) { () throws(OID4VPError) in
            try PresentationSubmission(json: ["id": "s", "definition_id": "p", "descriptor_map": []])
        }
    }
}
