import JSONKit
import OpenIDFederation
import Testing

/// Metadata policies: the example that the specification prints, every operator, and the combinations that it excludes.
struct MetadataPolicyTests {
    private static let type = "openid_relying_party"

    private func policy(_ parameters: JSONValue) throws(FederationError) -> MetadataPolicy {
        try MetadataPolicy([Self.type: parameters])
    }

    private func applied(_ parameters: JSONValue, to metadata: JSONValue) throws(FederationError) -> JSONValue? {
        try policy(parameters).applied(to: [Self.type: metadata])[Self.type]
    }

    /// OpenID Federation 1.0, section 6.1.5.
    @Test func exampleOfTheSpecification() throws {
        let anchor: JSONValue = [
            "grant_types": [
                "default": ["authorization_code"], "subset_of": ["authorization_code", "refresh_token"],
                "superset_of": ["authorization_code"],
            ],
            "token_endpoint_auth_method": [
                "one_of": ["private_key_jwt", "self_signed_tls_client_auth"], "essential": true,
            ],
            "token_endpoint_auth_signing_alg": ["one_of": ["PS256", "ES256"]],
            "subject_type": ["value": "pairwise"],
            "contacts": ["add": ["helpdesk@federation.example.org"]],
        ]
        let intermediate: JSONValue = [
            "grant_types": ["subset_of": ["authorization_code"]],
            "token_endpoint_auth_method": ["one_of": ["self_signed_tls_client_auth"]],
            "contacts": ["add": ["helpdesk@org.example.org"]],
        ]
        let merged: JSONValue = [
            "grant_types": [
                "default": ["authorization_code"], "superset_of": ["authorization_code"],
                "subset_of": ["authorization_code"],
            ],
            "token_endpoint_auth_method": ["one_of": ["self_signed_tls_client_auth"], "essential": true],
            "token_endpoint_auth_signing_alg": ["one_of": ["PS256", "ES256"]],
            "subject_type": ["value": "pairwise"],
            "contacts": ["add": ["helpdesk@federation.example.org", "helpdesk@org.example.org"]],
        ]
        let policy = try policy(anchor).merging(policy(intermediate))
        #expect(try policy == self.policy(merged))
        let resolved = try policy.applied(
            to: [
                Self.type: [
                    "redirect_uris": ["https://rp.example.org/callback"], "response_types": ["code"],
                    "token_endpoint_auth_method": "self_signed_tls_client_auth",
                    "contacts": ["rp_admins@rp.example.org"],
                    "sector_identifier_uri": "https://org.example.org/sector-ids.json",
                    "policy_uri": "https://org.example.org/policy.html",
                ]
            ]
        )
        #expect(
            resolved[Self.type] == [
                "redirect_uris": ["https://rp.example.org/callback"], "grant_types": ["authorization_code"],
                "response_types": ["code"], "token_endpoint_auth_method": "self_signed_tls_client_auth",
                "subject_type": "pairwise", "sector_identifier_uri": "https://org.example.org/sector-ids.json",
                "policy_uri": "https://org.example.org/policy.html",
                "contacts": [
                    "rp_admins@rp.example.org", "helpdesk@federation.example.org", "helpdesk@org.example.org",
                ],
            ]
        )
    }

    /// OpenID Federation 1.0, section 6.1.3.1.8.
    @Test(
        arguments: [
            (true, ["a", "e"], ["a"]), (false, ["a", "e"], ["a"]), (true, ["d", "e"], []), (false, ["d", "e"], []),
            (false, nil, nil),
        ] as [(Bool, JSONValue?, JSONValue?)]
    )
    func subsetsOfEssentialParameters(isEssential: Bool, input: JSONValue?, output: JSONValue?) throws {
        let operators: JSONValue = ["p": ["essential": .bool(isEssential), "subset_of": ["a", "b", "c"]]]
        let result = try applied(operators, to: .object(JSONObject(input.map { [("p", $0)] } ?? [])))
        #expect(result == .object(JSONObject(output.map { [("p", $0)] } ?? [])))
    }

    @Test(
        arguments: [
            (["value": "x"], "y", "x"), (["value": nil], "y", nil), (["add": ["b"]], ["a"], ["a", "b"]),
            (["add": ["a"]], ["a"], ["a"]), (["add": ["a"]], nil, ["a"]), (["default": 1], nil, 1),
            (["default": 1], 2, 2),
            (["one_of": ["a", "b"]], "b", "b"), (["one_of": ["a"]], nil, nil),
            (["one_of": [1, ["k": 1]]], ["k": 1], ["k": 1]),
            (["superset_of": ["a"]], ["b", "a"], ["b", "a"]), (["superset_of": ["a"]], nil, nil),
            (["essential": true], "x", "x"), (["unknown": ["x"]], "y", "y"), (["value": ["k": 1]], nil, ["k": 1]),
        ] as [(JSONValue, JSONValue?, JSONValue?)]
    )
    func operators(_ operators: JSONValue, on input: JSONValue?, give output: JSONValue?) throws {
        let result = try applied(["p": operators], to: .object(JSONObject(input.map { [("p", $0)] } ?? [])))
        #expect(result == .object(JSONObject(output.map { [("p", $0)] } ?? [])))
    }

    @Test(
        arguments: [
            (["add": ["b"]], "a"), (["add": ["b"]], [[true]]), (["one_of": ["a"]], "b"), (["one_of": ["a"]], ["a"]),
            (["subset_of": ["a"]], "a"), (["superset_of": ["a"]], ["b"]), (["superset_of": ["a"]], "a"),
            (["essential": true], nil), (["value": nil, "subset_of": ["a"]], nil),
        ] as [(JSONValue, JSONValue?)]
    )
    func refusedMetadata(_ operators: JSONValue, _ input: JSONValue?) {
        let error = #expect(throws: FederationError.self) {
            _ = try applied(["p": operators], to: .object(JSONObject(input.map { [("p", $0)] } ?? [])))
        }
        #expect([.metadataPolicyViolation, .invalidMetadataPolicy].contains(error?.code))
        #expect(error?.path.first == Self.type)
    }

    /// The combinations and forms that section 6.1.3 excludes.
    @Test(
        arguments: [
            ["value": ["a"], "add": ["b"]], ["value": nil, "add": ["b"]], ["value": nil, "default": "a"],
            ["value": "a", "one_of": ["b"]], ["value": ["a"], "subset_of": ["b"]],
            ["value": ["a"], "superset_of": ["b"]],
            ["value": nil, "essential": true], ["add": ["a"], "one_of": ["a"]], ["add": ["a"], "subset_of": ["b"]],
            ["one_of": ["a"], "subset_of": ["a"]], ["one_of": ["a"], "superset_of": ["a"]],
            ["subset_of": ["a"], "superset_of": ["a", "b"]], ["value": "a", "subset_of": ["a"]], ["default": nil],
            ["essential": "true"], ["add": "a"], ["one_of": [nil]], ["subset_of": [["a"]]], ["superset_of": [true]],
        ] as [JSONValue]
    )
    func excludedPolicies(_ operators: JSONValue) {
        let error = #expect(throws: FederationError.self) { _ = try policy(["p": operators]) }
        #expect(error?.code == .invalidMetadataPolicy)
    }

    @Test(
        arguments: [
            (["value": "a"], ["value": "b"]), (["default": "a"], ["default": "b"]),
            (["one_of": ["a"]], ["one_of": ["b"]]),
            (["subset_of": ["a"]], ["superset_of": ["b"]]), (["subset_of": ["a"]], ["add": ["b"]]),
            (["one_of": ["a"]], ["value": "b"]), (["value": nil], ["essential": true]),
        ] as [(JSONValue, JSONValue)]
    )
    func contradictingSuperiors(_ superior: JSONValue, _ subordinate: JSONValue) throws {
        let (first, second) = (try policy(["p": superior]), try policy(["p": subordinate]))
        for (above, below) in [(first, second), (second, first)] {
            let error = #expect(throws: FederationError.self) { _ = try above.merging(below) }
            #expect(error?.code == .invalidMetadataPolicy)
            #expect(error?.path.prefix(2) == [Self.type, "p"])
        }
    }

    /// The values of a scope stand in one text.
    @Test func scopes() throws {
        let operators: JSONValue = ["scope": ["subset_of": ["openid", "email"], "superset_of": ["openid"]]]
        #expect(try applied(operators, to: ["scope": "phone openid"]) == ["scope": "openid"])
        #expect(try applied(["scope": ["default": "openid email"]], to: [:]) == ["scope": "openid email"])
        #expect(throws: FederationError.self) { _ = try applied(operators, to: ["scope": "email"]) }
    }

    /// A policy adds no type to an entity, and leaves what it does not name.
    @Test func otherTypes() throws {
        let metadata: JSONObject = ["openid_provider": ["x": 1]]
        #expect(try policy(["p": ["default": 1]]).applied(to: metadata) == metadata)
        #expect(try MetadataPolicy().merging(policy(["p": ["default": 1]])) == policy(["p": ["default": 1]]))
    }

    @Test(arguments: [["a"], ["t": "x"], ["t": ["p": "x"]]] as [JSONValue])
    func malformedPolicies(_ value: JSONValue) {
        let error = #expect(throws: FederationError.self) { _ = try MetadataPolicy(value) }
        #expect(error?.code == .invalidMetadataPolicy)
    }
}
