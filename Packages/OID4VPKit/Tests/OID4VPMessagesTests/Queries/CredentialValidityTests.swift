import Foundation
import JSONKit
import OID4VPMessages
import Testing

/// Credentials outside their validity do not answer.
struct CredentialValidityTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)

    private static let dcql: JSONObject = [
        "dcql_query": [
            "credentials": [["id": "q", "format": "dc+sd-jwt", "meta": [:], "claims": [["path": ["name"]]]]]
        ]
    ]
    private static let definition: JSONObject = [
        "presentation_definition": [
            "id": "p", "input_descriptors": [["id": "q", "constraints": ["fields": [["path": ["$.name"]]]]]],
        ]
    ]

    private func credential(_ name: CredentialName, _ validity: CredentialValidity) -> TestCredential {
        var credential = TestCredential(name, .sdJWT, claims: ["name": "Ada"])
        credential.validity = validity
        return credential
    }

    private var store: [TestCredential] {
        [
            credential("expired", CredentialValidity(from: nil, until: Self.now - 1)),
            credential("later", CredentialValidity(from: Self.now + 1, until: nil)),
            credential("valid", CredentialValidity(from: Self.now - 1, until: Self.now + 1)),
            credential("unlimited", .unlimited),
        ]
    }

    private func request(
        _ query: JSONObject,
        _ version: OpenID4VPVersion
    ) throws(OID4VPError) -> PresentationRequest {
        var members: JSONObject = [
            "response_type": "vp_token", "response_mode": "direct_post", "response_uri": "https://v.example/post",
            "nonce": "n-0S6_WzA2Mj",
        ]
        for (name, value) in query { members[name] = value }
        let parameters = AuthorizationParameters(members)
        let target = try ResponseTarget(parameters, version: version, client: nil)
        return try PresentationRequest(parameters, version: version, target: target)
    }

    @Test(arguments: [
        (CredentialValidity.unlimited, [true, true, true]),
        (CredentialValidity(from: now, until: nil), [false, true, true]),
        (CredentialValidity(from: nil, until: now), [true, false, false]),
        (CredentialValidity(from: nil, until: now, includesEnd: true), [true, true, false]),
        (CredentialValidity(from: now, until: now, includesEnd: true), [false, true, false]),
        (CredentialValidity(from: now, until: now), [false, false, false]),
    ])
    func hasEnds(_ validity: CredentialValidity, expected: [Bool]) {
        #expect([-1, 0, 1].map { validity.contains(Self.now + $0) } == expected)
    }

    @Test(arguments: [(dcql, OpenID4VPVersion.v1), (definition, .draft23)])
    func leavesOutWhatIsNotValid(_ query: JSONObject, version: OpenID4VPVersion) throws {
        let result = try request(query, version).evaluate(over: store, at: Self.now)
        #expect(result.queries[0].matches.map(\.credential) == ["valid", "unlimited"])
        #expect(result.queries[0].mismatches.map(\.credential) == ["expired", "later"])
        #expect(result.queries[0].mismatches.map(\.reason) == [.expired, .notYetValid])
        let late = try request(query, version).evaluate(over: Array(store.prefix(1)), at: Self.now)
        #expect(!late.isSatisfied)
        expect(.unsatisfied) { () throws(OID4VPError) in try late.preferredPlan() }
    }

    /// The reason that holders can do nothing about comes first.
    @Test func namesTheTimesOnlyOfCredentialsThatAnswerOtherwise() throws {
        let query = try DCQLQuery(json: ["credentials": [["id": "q", "format": "mso_mdoc", "meta": [:]]]])
        let outcome = try #require(query.evaluate(over: store, at: Self.now)["q"])
        #expect(outcome.mismatches.map(\.reason) == [.format, .format, .format, .format])
    }

    /// A verifier checks the times by itself, and reports them.
    @Test func evaluatesWithoutATime() throws {
        let dcql = try DCQLQuery(json: Self.dcql["dcql_query"] ?? .null)
        #expect(dcql.evaluate(over: store)["q"]?.matches.count == 4)
        let definition = try PresentationDefinition(json: Self.definition["presentation_definition"] ?? .null)
        #expect(definition.evaluate(over: store)["q"]?.matches.count == 4)
    }
}
