import JSONKit
import OID4VPMessages
import SDJWTKit
import Testing

struct ConvertedQueryTests {
    private func definition(
        _ fields: JSONValue,
        id: String = "d",
        format: JSONValue = ["dc+sd-jwt": [:]],
        constraints: JSONObject = [:]
    ) throws -> PresentationDefinition {
        var constraints = constraints
        constraints["fields"] = fields
        return try PresentationDefinition(json: [
            "id": "p",
            "input_descriptors": [["id": .string(id), "format": format, "constraints": .object(constraints)]],
        ])
    }

    private func requirements(_ requirements: JSONValue) throws -> DCQLQuery {
        let descriptors = [("a", "A"), ("b", "A"), ("c", "A"), ("d", "B")].map { id, group -> JSONValue in
            ["id": .string(id), "group": [.string(group)], "format": ["dc+sd-jwt": [:]], "constraints": [:]]
        }
        return try PresentationDefinition(json: [
            "id": "p", "input_descriptors": .array(descriptors), "submission_requirements": requirements,
        ]).convertedToDCQL().query
    }

    @Test func convertsTypesPathsAndValues() throws {
        let converted = try definition([
            ["path": ["$.vct"], "filter": ["type": "string", "enum": ["urn:a", "urn:b"]]],
            ["path": ["$.address['country']"], "filter": ["const": "DE"]], ["path": ["$.list[1]"]],
        ]).convertedToDCQL()
        #expect(
            converted.query.json == [
                "credentials": [
                    [
                        "id": "d", "format": "dc+sd-jwt", "meta": ["vct_values": ["urn:a", "urn:b"]],
                        "claims": [["path": ["address", "country"], "values": ["DE"]], ["path": ["list", 1]]],
                    ]
                ]
            ]
        )
    }

    @Test func convertsMdocsByTheirDocumentType() throws {
        let converted = try definition(
            [["path": ["$['ns']['age']"], "intent_to_retain": true]],
            id: "org.iso.mdl",
            format: ["mso_mdoc": ["alg": ["ES256"]]],
            constraints: ["limit_disclosure": "required"]
        ).convertedToDCQL()
        #expect(converted.queryIDs == ["org.iso.mdl": "org_iso_mdl"])
        #expect(converted.formats == [FormatRequirement(format: .mdoc, algorithms: ["ES256"])])
        #expect(
            converted.query.json == [
                "credentials": [
                    [
                        "id": "org_iso_mdl", "format": "mso_mdoc", "meta": ["doctype_value": "org.iso.mdl"],
                        "claims": [["path": ["ns", "age"], "intent_to_retain": true]],
                    ]
                ]
            ]
        )
    }

    @Test func convertsPathsInTokensToThoseInTheCredential() throws {
        let format: JSONValue = ["jwt_vc_json": [:]]
        let both =
            [
                ["path": ["$.vc.credentialSubject.name"]], ["path": ["$.credentialSubject.level"]],
            ] as JSONValue
        let converted = try definition(both, format: format).convertedToDCQL()
        #expect(
            converted.query.credentials[0].claims.map(\.path) == [
                ["credentialSubject", "name"], ["credentialSubject", "level"],
            ]
        )
        var token = TestCredential("c", .jwt, claims: ["credentialSubject": ["name": "Ada", "level": "gold"]])
        token.envelope = ["iss": "did:example:1", "vc": .object(token.claims)]
        #expect(converted.query.evaluate(over: [token]).isSatisfied)
        for path in ["$.iss", "$.vc", "$.sub"] {
            let other = try definition([["path": [.string(path)]]], format: format)
            expect(.notConvertible) { () throws(OID4VPError) in try other.convertedToDCQL() }
        }
    }

    @Test func convertsAlternativesToClaimSets() throws {
        let converted = try definition([
            ["path": ["$.a", "$.b"]], ["path": ["$.c"]], ["path": ["$.d"], "optional": true],
        ]).convertedToDCQL()
        #expect(converted.query.credentials[0].claims.map(\.path) == [["a"], ["b"], ["c"], ["d"]])
        #expect(
            converted.query.credentials[0].claimSets == [
                ["c0", "c2", "c3"], ["c0", "c2"], ["c1", "c2", "c3"], ["c1", "c2"],
            ]
        )
    }

    @Test func convertsRequirementsToSets() throws {
        #expect(
            try requirements([["rule": "all", "from": "A"]]).credentialSets == [
                CredentialSetQuery(options: [["a", "b", "c"]])
            ]
        )
        #expect(
            try requirements([["rule": "pick", "from": "A"]]).credentialSets == [
                CredentialSetQuery(options: [["a"], ["b"], ["c"]])
            ]
        )
        let pairs = try requirements([["rule": "pick", "count": 2, "from": "A"]]).credentialSets[0].options
        #expect(Set(pairs.map(Set.init)) == [["a", "b"], ["a", "c"], ["b", "c"]])
        #expect(
            try requirements([["rule": "pick", "max": 1, "from": "B"]]).credentialSets == [
                CredentialSetQuery(options: [["d"]], isRequired: false)
            ]
        )
        let nested: JSONValue = [
            [
                "rule": "pick", "count": 1,
                "from_nested": [["rule": "all", "from": "A"], ["rule": "all", "from": "B"]],
            ]
        ]
        #expect(
            try requirements(nested).credentialSets == [
                CredentialSetQuery(options: [["a", "b", "c"], ["d"]])
            ]
        )
    }

    @Test(
        arguments: [
            ["$..a"], ["$.a[*]"], ["$.a[-1]"], ["$.a[0:2]"], ["$['a','b']"], ["$"],
        ] as [[String]]
    )
    func refusesPathsWithoutCounterpart(_ paths: [String]) throws {
        let definition = try definition([["path": .array(paths.map { .string($0) })]])
        expect(.notConvertible, at: ["input_descriptors", "d", "fields[0]"]) { () throws(OID4VPError) in
            try definition.convertedToDCQL()
        }
    }

    @Test(
        arguments: [
            ["type": "string"], ["pattern": "a"], ["const": decimal("1.5")], ["const": nil], ["enum": [[:]]],
            ["const": "a", "minLength": 1], ["type": "number", "const": "a"], true,
        ] as [JSONValue]
    )
    func refusesFiltersThatFixNoValue(_ filter: JSONValue) throws {
        let definition = try definition([["path": ["$.a"], "filter": filter]])
        expect(.notConvertible) { () throws(OID4VPError) in try definition.convertedToDCQL() }
    }

    @Test func refusesWhatDCQLCannotSay() throws {
        let refused = [
            try definition([], format: ["dc+sd-jwt": [:], "mso_mdoc": [:]]),
            try definition([], format: ["ldp_vc": [:]], constraints: ["limit_disclosure": "required"]),
            try definition([["path": ["$.vct"]]]),
            try definition([["path": ["$.vct"], "filter": ["const": 1]]]),
            try definition([["path": ["$.ns"]]], format: ["mso_mdoc": [:]]),
            try definition([["path": ["$.a"], "optional": true]]),
            try definition(.array((0..<7).map { ["path": ["$.a\($0)", "$.b\($0)"]] })),
            try PresentationDefinition(json: ["id": "p", "input_descriptors": [["id": "d", "constraints": [:]]]]),
            try PresentationDefinition(json: [
                "id": "p",
                "input_descriptors": [
                    ["id": "d", "format": ["dc+sd-jwt": ["alg": ["ES256"]]], "constraints": [:]],
                    ["id": "e", "format": ["dc+sd-jwt": ["alg": ["ES384"]]], "constraints": [:]],
                ],
            ]),
        ]
        for definition in refused {
            expect(.notConvertible) { () throws(OID4VPError) in try definition.convertedToDCQL() }
        }
    }

    @Test func refusesRequirementsWithTooManyCombinations() throws {
        let descriptors = (0..<20).map { place -> JSONValue in
            ["id": "d\(place)", "group": ["A"], "format": ["dc+sd-jwt": [:]], "constraints": [:]]
        }
        let definition = try PresentationDefinition(json: [
            "id": "p", "input_descriptors": .array(descriptors),
            "submission_requirements": [["rule": "pick", "count": 10, "from": "A"]],
        ])
        expect(.notConvertible) { () throws(OID4VPError) in try definition.convertedToDCQL() }
    }

    @Test func givesDistinctNames() throws {
        let definition = try PresentationDefinition(json: [
            "id": "p",
            "input_descriptors": .array(
                ["a b", "a_b", "a.b"].map {
                    ["id": .string($0), "format": ["dc+sd-jwt": [:]], "constraints": [:]]
                }
            ),
        ])
        let ids = try definition.convertedToDCQL().query.credentials.map(\.id)
        #expect(ids == ["a_b", "a_b-2", "a_b-3"])
    }

    /// Both languages find the same credentials and ask for the same claims, whatever the definition.
    @Test(arguments: 0..<300)
    func asksForTheSame(_ seed: Int) throws {
        var random = RandomQueries(seed: UInt64(seed))
        let store = (0..<6).map { place in
            var credential = random.credential(named: "c\(place)")
            credential.isHolderBound = true
            return credential
        }
        let definition = try PresentationDefinition(json: random.convertibleDefinition())
        let converted = try definition.convertedToDCQL()
        let expected = definition.evaluate(over: store)
        let found = converted.query.evaluate(over: store)
        #expect(found.isSatisfied == expected.isSatisfied)
        for outcome in expected.queries {
            let other = try #require(converted.queryIDs[outcome.id].flatMap { found[$0] })
            #expect(other.matches.map(\.credential) == outcome.matches.map(\.credential))
            #expect(other.matches.map { Set($0.claims) } == outcome.matches.map { Set($0.claims) })
        }
    }
}
