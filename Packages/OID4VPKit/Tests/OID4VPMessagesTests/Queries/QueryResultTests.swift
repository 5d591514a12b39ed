import JSONKit
import OID4VPMessages
import SDJWTKit
import Testing

struct QueryResultTests {
    private let store: [any QueryableCredential] = [
        TestCredential("a1", .sdJWT, types: ["a"]), TestCredential("a2", .sdJWT, types: ["a"]),
        TestCredential("b1", .sdJWT, types: ["b"]), TestCredential("c1", .sdJWT, types: ["c"]),
    ]

    private func result(
        _ types: [String],
        sets: [CredentialSetQuery] = [],
        allowsMultiple: Bool = false
    ) throws -> QueryResult {
        let queries = types.map {
            CredentialQuery(
                id: QueryID($0),
                format: .sdJWT,
                type: .vct([ExactText($0)]),
                allowsMultiple: allowsMultiple
            )
        }
        return try DCQLQuery(credentials: queries, credentialSets: sets).evaluate(over: store)
    }

    private func names(_ plan: PresentationPlan) -> [String] {
        plan.entries.map { "\($0.query):\($0.match.credential)" }
    }

    @Test func plansEveryQueryWithoutSets() throws {
        let result = try result(["a", "b"])
        #expect(names(try result.preferredPlan()) == ["a:a1", "b:b1"])
        #expect(names(try result.plan(choosing: ["a": ["a2"], "b": ["b1"]])) == ["a:a2", "b:b1"])
        expect(.invalidSelection) { () throws(OID4VPError) in try result.plan(choosing: ["a": ["a1"]]) }
        expect(.invalidSelection) { () throws(OID4VPError) in try result.plan(choosing: ["a": ["b1"], "b": ["b1"]]) }
        expect(.invalidSelection) { () throws(OID4VPError) in
            try result.plan(choosing: ["a": ["a1", "a2"], "b": ["b1"]])
        }
        expect(.invalidSelection) { () throws(OID4VPError) in
            try result.plan(choosing: ["a": ["a1"], "b": ["b1"], "z": ["a1"]])
        }
    }

    @Test func takesSeveralCredentialsWherePermitted() throws {
        let result = try result(["a"], allowsMultiple: true)
        #expect(names(try result.plan(choosing: ["a": ["a2", "a1"]])) == ["a:a2", "a:a1"])
        expect(.invalidSelection) { () throws(OID4VPError) in try result.plan(choosing: ["a": ["a1", "a1"]]) }
    }

    @Test func refusesWhatTheStoreCannotAnswer() throws {
        let result = try result(["a", "z"])
        #expect(!result.isSatisfied)
        expect(.unsatisfied) { () throws(OID4VPError) in try result.preferredPlan() }
        expect(.unsatisfied) { () throws(OID4VPError) in try result.plan(choosing: ["a": ["a1"]]) }
    }

    @Test func answersOneOptionOfEachRequiredSet() throws {
        let sets = [
            CredentialSetQuery(options: [["z"], ["a", "b"], ["c"]]),
            CredentialSetQuery(options: [["c"]], isRequired: false),
        ]
        let result = try result(["a", "b", "c", "z"], sets: sets)
        #expect(result.isSatisfied)
        #expect(result.choices[0].missing == ["z"])
        #expect(names(try result.preferredPlan()) == ["a:a1", "b:b1"])
        #expect(names(try result.plan(choosing: ["c": ["c1"]])) == ["c:c1"])
        #expect(names(try result.plan(choosing: ["a": ["a1"], "b": ["b1"], "c": ["c1"]])).count == 3)
        // Half of an option, whether alone or beside a whole one.
        expect(.invalidSelection) { () throws(OID4VPError) in try result.plan(choosing: ["a": ["a1"]]) }
        expect(.invalidSelection) { () throws(OID4VPError) in try result.plan(choosing: ["a": ["a1"], "c": ["c1"]]) }
        expect(.invalidSelection) { () throws(OID4VPError) in try result.plan(choosing: [:]) }
    }

    @Test func answersAnOptionalSetWhereNothingIsRequired() throws {
        let sets = [["z"], ["b"], ["c"]].map { CredentialSetQuery(options: [$0], isRequired: false) }
        #expect(names(try result(["b", "c", "z"], sets: sets).preferredPlan()) == ["b:b1"])
        let unanswered = try result(["z"], sets: [sets[0]])
        #expect(unanswered.isSatisfied)
        #expect(try unanswered.preferredPlan().entries.isEmpty)
    }

    @Test func answersNothingOutsideOfSets() throws {
        let result = try result(["a", "b"], sets: [CredentialSetQuery(options: [["a"]])])
        expect(.invalidSelection) { () throws(OID4VPError) in
            try result.plan(choosing: ["a": ["a1"], "b": ["b1"]])
        }
    }

    @Test func answersAsManyDescriptorsAsArePicked() throws {
        let descriptors = ["a", "b", "c"].map { type -> JSONValue in
            [
                "id": .string(type), "group": ["G"],
                "constraints": ["fields": [["path": ["$.vct"], "filter": ["const": .string(type)]]]],
            ]
        }
        let definition = try PresentationDefinition(json: [
            "id": "p", "input_descriptors": .array(descriptors),
            "submission_requirements": [["rule": "pick", "min": 1, "max": 2, "from": "G"]],
        ])
        let store = ["a", "b", "c"].map { TestCredential(CredentialName($0), .sdJWT, claims: ["vct": .string($0)]) }
        let result = definition.evaluate(over: store)
        #expect(names(try result.preferredPlan()) == ["a:a"])
        #expect(try result.plan(choosing: ["a": ["a"], "c": ["c"]]).entries.count == 2)
        expect(.invalidSelection) { () throws(OID4VPError) in
            try result.plan(choosing: ["a": ["a"], "b": ["b"], "c": ["c"]])
        }
        expect(.invalidSelection) { () throws(OID4VPError) in try result.plan(choosing: [:]) }
    }
}
