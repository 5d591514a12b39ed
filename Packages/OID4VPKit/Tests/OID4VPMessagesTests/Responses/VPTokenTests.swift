import JSONKit
import OID4VPMessages
import Testing

struct VPTokenTests {
    // MARK: DCQL

    private static let query = try? DCQLQuery(
        credentials: [
            CredentialQuery(id: "pid", format: .sdJWT), CredentialQuery(id: "any", format: .mdoc, allowsMultiple: true),
        ]
    )

    private func read(
        _ parameters: ResponseParameters,
        _ options: ResponseReadingOptions = .strict
    ) throws(OID4VPError) -> (VPToken, [String]) {
        guard let query = Self.query else { throw OID4VPError(.invalidQuery, "the query of the test is not valid") }
        var deviations: [Deviation] = []
        let token = try VPToken(parameters, answering: query, options: options, deviations: &deviations)
        return (token, deviations.map(\.tolerance))
    }

    private func read(
        _ token: JSONValue,
        _ options: ResponseReadingOptions = .strict
    ) throws(OID4VPError) -> (VPToken, [String]) {
        try read(ResponseParameters(["vp_token": token]), options)
    }

    @Test func readsWhatItWrites() throws {
        let token = VPToken.queries([
            VPToken.Answer(query: "pid", presentations: ["a~b~c"]),
            VPToken.Answer(query: "any", presentations: [["type": "VerifiablePresentation"], "o2d"]),
        ])
        let text: JSONValue = ["vp_token": ["pid": ["a~b~c"], "any": [["type": "VerifiablePresentation"], "o2d"]]]
        #expect(JSONValue.object(token.parameters) == text)
        #expect(try read(ResponseParameters(token.parameters)).0.presentations == token.presentations)
        let form = ResponseParameters(token.parameters).form
        let received = try ResponseParameters(form: form.text)
        #expect(received.isForm)
        #expect(try JSONValue.object(read(received).0.parameters) == text)
    }

    @Test func joinsTheAnswersToOneQuery() {
        let token = VPToken.queries(["1", "2"].map { VPToken.Answer(query: "any", presentations: [.string($0)]) })
        #expect(JSONValue.object(token.parameters) == ["vp_token": ["any": ["1", "2"]]])
    }

    @Test func refusesWhatAnswersNoQueryOrTooMuch() {
        expect(.missingParameter, at: ["vp_token"]) { () throws(OID4VPError) in try read(ResponseParameters([:])) }
        let refused: [JSONValue] = [
            [], "a~b~c", ["other": ["a"]], ["pid": []], ["pid": ["a", "b"]], ["pid": [1]], ["pid": [""]],
            ["pid": [["a"]]], ["pid": [nil]], ["pi\u{301}d": ["a"]],
        ]
        for token in refused {
            expect(.invalidParameter) { () throws(OID4VPError) in try read(token) }
            expect(.invalidParameter) { () throws(OID4VPError) in
                try read(ResponseParameters(ResponseParameters(["vp_token": token]).form))
            }
        }
        let twice = "{\"pid\":[\"a\"],\"pid\":[\"b\"]}"
        expect(.invalidParameter) { () throws(OID4VPError) in
            try read(ResponseParameters(FormParameters(decoding: "vp_token=" + twice)))
        }
        expect(.repeatedParameter) { () throws(OID4VPError) in try ResponseParameters(form: "vp_token=1&vp_token=2") }
    }

    @Test func readsSinglePresentationsUnderATolerance() throws {
        expect(.invalidParameter, at: ["vp_token", "pid"]) { () throws(OID4VPError) in try read(["pid": "a~b~c"]) }
        let (token, deviations) = try read(["pid": "a~b~c"], .deployed)
        #expect(token.presentations == ["a~b~c"] && deviations == ["singlePresentations"])
        expect(.invalidParameter) { () throws(OID4VPError) in try read("{\"pid\":[\"a\"]}") }
        #expect(try read("{\"pid\":[\"a\"]}", .deployed).1 == ["textForValue"])
    }

    @Test func boundsPresentationsSizeAndDepth() throws {
        var options = ResponseReadingOptions.strict
        options.limits.presentations = 3
        let accepted: JSONValue = ["pid": ["a"], "any": ["b", "c"]]
        #expect(try read(accepted, options).0.presentations.count == 3)
        expect(.limitExceeded) { () throws(OID4VPError) in try read(["pid": ["a"], "any": ["b", "c", "d"]], options) }
        let limits = ResponseLimits(size: 10, depth: 2)
        #expect(throws: Never.self) { try ResponseParameters(form: "state=1234", limits: limits) }
        expect(.limitExceeded) { () throws(OID4VPError) in try ResponseParameters(form: "state=12345", limits: limits) }
        #expect(throws: Never.self) { try ResponseParameters(decoding: "{\"a\":[]}".utf8, limits: limits) }
        expect(.limitExceeded) { () throws(OID4VPError) in
            try ResponseParameters(decoding: "{\"a\":[[]]}".utf8, limits: ResponseLimits(depth: 2))
        }
        expect(.malformed) { () throws(OID4VPError) in try ResponseParameters(decoding: "[]".utf8) }
        expect(.malformed) { () throws(OID4VPError) in try ResponseParameters(decoding: "{\"a\":1,\"a\":1}".utf8) }
    }

    // MARK: Presentation Exchange

    private static let definition = try? PresentationDefinition(
        json: [
            "id": "pd", "input_descriptors": [["id": "d1", "constraints": [:]], ["id": "d2", "constraints": [:]]],
        ]
    )

    private static func submission(_ paths: [(String, String)], of definition: String = "pd") -> JSONValue {
        let entries = paths.map {
            PresentationSubmission.Entry(descriptor: QueryID($0.0), format: "vc+sd-jwt", path: $0.1)
        }
        return PresentationSubmission(id: "s", definition: definition, entries: entries).json
    }

    private func read(
        _ token: JSONValue,
        _ submission: JSONValue,
        form: Bool = false,
        _ options: ResponseReadingOptions = .strict
    ) throws(OID4VPError) -> (VPToken, [String]) {
        guard let definition = Self.definition else { throw OID4VPError(.invalidDefinition, "of the test") }
        var deviations: [Deviation] = []
        var parameters = ResponseParameters(["vp_token": token, "presentation_submission": submission])
        if form { parameters = ResponseParameters(parameters.form) }
        let read = try VPToken(parameters, answering: definition, options: options, deviations: &deviations)
        return (read, deviations.map(\.tolerance))
    }

    @Test(arguments: [true, false])
    func readsSubmissions(form: Bool) throws {
        let single = try read("a~b~", Self.submission([("d1", "$"), ("d2", "$")]), form: form).0
        #expect(single.parameters["vp_token"] == "a~b~")
        let object = try read(["proof": [:]], Self.submission([("d1", "$")]), form: form).0
        #expect(object.presentations == [["proof": [:]]])
        let several = try read(
            ["a~b~", ["proof": [:]]],
            Self.submission([("d2", "$[1]"), ("d1", "$[0]")]),
            form: form
        ).0
        guard case .definition(_, let submission) = several else {
            Issue.record("no definition")
            return
        }
        #expect(submission.entries.map { several.presentation(at: $0) } == [["proof": [:]], "a~b~"])
        #expect(several.parameters["vp_token"] == ["a~b~", ["proof": [:]]])
    }

    @Test func refusesSubmissionsThatDoNotFit() {
        func refuse(_ token: JSONValue, _ submission: JSONValue, at path: String) {
            do throws(OID4VPError) {
                _ = try read(token, submission)
                Issue.record("nothing was refused; expected an error at \(path)")
            } catch {
                #expect(error.code == .invalidParameter && error.path.last == path, "\(error)")
            }
        }
        refuse("a", Self.submission([("d1", "$")], of: "other"), at: "definition_id")
        refuse("a", Self.submission([("d3", "$")]), at: "id")
        refuse("a", Self.submission([("d1", "$"), ("d1", "$")]), at: "id")
        for path in ["$[1]", "$.a", "$[-1]", "$[99999999999999999999]", "", "$[*]", "$[0][0]"] where !path.isEmpty {
            refuse(["a"], Self.submission([("d1", path)]), at: "path")
        }
        refuse(["a", "b"], Self.submission([("d1", "$")]), at: "path")
        refuse(["a"], Self.submission([("d1", "$")]), at: "path")
        refuse("a", Self.submission([("d1", "$[0]")]), at: "path")
        refuse(["a", "b"], Self.submission([("d1", "$[0]")]), at: "presentation_submission")
        refuse([], Self.submission([("d1", "$")]), at: "vp_token")
        refuse([1], Self.submission([("d1", "$[0]")]), at: "vp_token")
    }

    @Test func reportsLooseFormsOfWallets() throws {
        let array = Self.submission([("d1", "$[0]")])
        #expect(try read("a", array, .deployed).1 == ["looseSubmissionPaths"])
        #expect(try read(["a"], Self.submission([("d1", "$")]), .deployed).1 == ["looseSubmissionPaths"])
        let twice = Self.submission([("d1", "$[0]"), ("d1", "$[1]")])
        #expect(try read(["a", "b"], twice, .deployed).1 == ["repeatedDescriptors"])
        func nested(
            _ format: String,
            _ inner: String,
            _ path: String
        ) throws -> ([PresentationSubmission.Place], [String]) {
            let entry: JSONValue = [
                "id": "d1", "format": .string(format), "path": "$[0]",
                "path_nested": ["format": .string(inner), "path": .string(path)],
            ]
            let submission: JSONValue = ["id": "s", "definition_id": "pd", "descriptor_map": [entry]]
            let (token, deviations) = try read(["a"], submission, .deployed)
            guard case .definition(_, let read) = token else { return ([], []) }
            return (read.entries[0].nested, deviations)
        }
        let repeated = try nested("jwt_vp", "jwt_vc", "$[0].vp.verifiableCredential[0]")
        #expect(repeated.0.map(\.path) == ["$.vp.verifiableCredential[0]"] && repeated.1 == ["looseSubmissionPaths"])
        let inBrackets = try nested("jwt_vp", "jwt_vc", "$[0]['vp']['verifiableCredential'][0]")
        #expect(inBrackets.0.map(\.path) == ["$['vp']['verifiableCredential'][0]"])
        for path in ["$", "$[0]"] {
            let same = try nested("vc+sd-jwt", "vc+sd-jwt", path)
            #expect(same.0.isEmpty && same.1 == ["looseSubmissionPaths"])
        }
        let plain = try nested("jwt_vp", "jwt_vc", "$.vp.verifiableCredential[0]")
        #expect(plain.0.map(\.path) == ["$.vp.verifiableCredential[0]"] && plain.1.isEmpty)
        let quoted = "\"a~b~\""
        expect(.invalidParameter) { () throws(OID4VPError) in
            try read(.string(quoted), Self.submission([("d1", "$")]), form: true)
        }
        let (token, deviations) = try read(.string(quoted), Self.submission([("d1", "$")]), form: true, .deployed)
        #expect(token.presentations == ["a~b~"] && deviations == ["quotedPresentation"])
        let text = Self.submission([("d1", "$")]).text()
        expect(.invalidParameter) { () throws(OID4VPError) in try read("a", .string(text)) }
        #expect(try read("a", .string(text), .deployed).1 == ["textForValue"])
    }
}
