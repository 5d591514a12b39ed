import JSONKit
import OID4VPMessages
import Testing

struct AuthorizationRequestTests {
    @Test func decodesPercentSignsOnceAfterSplitting() throws {
        let form = try FormParameters(decoding: "a=%2525+b&c=1%262&d&&e==")
        #expect(form["a"] == "%25 b")
        #expect(form["c"] == "1&2")
        #expect(form["d"]?.isEmpty == true)
        #expect(form["e"] == "=")
    }

    @Test func writesFormsAsItReadsThem() throws {
        var form = FormParameters()
        form.append("vp_token", "{\"a\": \"ü+&=%\"}")
        form.append("state", "n-0S6_Wz~A.2Mj")
        #expect(form.text.hasPrefix("vp_token=%7B%22a%22%3A%20%22%C3%BC%2B%26%3D%25%22%7D&state=n-0S6_Wz~A.2Mj"))
        #expect(try FormParameters(decoding: form.text)["vp_token"] == "{\"a\": \"ü+&=%\"}")
    }

    /// RFC 6749, section 3.1.
    @Test func takesParametersWithoutValueForNone() throws {
        let form = try FormParameters(decoding: "state=&nonce&scope=a&error=")
        let request = AuthorizationParameters(form)
        #expect(!request.contains("state") && !request.contains("nonce") && request.contains("scope"))
        let response = ResponseParameters(form)
        #expect(!response.contains("state") && response["nonce"] == nil && response.textBytes("state") == nil)
        #expect(try response.state == nil && response.errorCode == nil)
        #expect(response.members == ["scope": "a"])
        expect(.repeatedParameter) { () throws(OID4VPError) in try FormParameters(decoding: "state=&state=a") }
    }

    @Test(arguments: ["a=%", "a=%2", "a=%zz", "a=%ff", "a=%c3"])
    func refusesMalformedForm(_ text: String) {
        expect(.invalidURL) { () throws(OID4VPError) in try FormParameters(decoding: text) }
    }

    @Test func refusesRepeatedParameters() {
        expect(.repeatedParameter) { () throws(OID4VPError) in try FormParameters(decoding: "a=1&b=2&%61=3") }
        let many = (0..<65).map { "a\($0)=1" }.joined(separator: "&")
        expect(.limitExceeded) { () throws(OID4VPError) in try FormParameters(decoding: many) }
    }

    /// Each level has words of its own, the cause keeps its code, and a check that fails by the error says both.
    @Test func errorsSayWhatTheirCauseSaysOnce() throws {
        let parameters = try AuthorizationParameters(FormParameters(decoding: "dcql_query=x"))
        let error = #expect(throws: OID4VPError.self) { try parameters.value("dcql_query") }
        let below = try #require(error?.cause as? JSONError)
        #expect(error?.description == "invalidParameter in dcql_query: it is not JSON (\(below))")
        #expect(error?.fault == .failed("invalidParameter", "it is not JSON (\(below))", path: ["dcql_query"]))
        #expect(!below.message.contains("it is not JSON"))
    }

    @Test(arguments: [
        "openid4vp://authorize?client_id=a", "openid4vp:?client_id=a", "https://wallet.example/x?client_id=a#f",
    ])
    func readsURLsOfAnyScheme(_ url: String) throws {
        #expect(try AuthorizationRequest(url: url).clientID == "a")
    }

    @Test(arguments: [
        "", "client_id=a", "?client_id=a", "openid4vp://authorize", "4vp://a?client_id=a", "a b://?client_id=a",
    ])
    func refusesWhatIsNoURL(_ url: String) {
        expect(.invalidURL) { () throws(OID4VPError) in try AuthorizationRequest(url: url) }
    }

    @Test func refusesLongURL() {
        let url = "openid4vp://?client_id=" + String(repeating: "a", count: 32 << 10)
        expect(.limitExceeded) { () throws(OID4VPError) in try AuthorizationRequest(url: url) }
    }

    @Test func refusesContradictions() throws {
        func refuse(_ code: OID4VPError.Code, _ query: String) {
            expect(code) { () throws(OID4VPError) in try AuthorizationRequest(url: "openid4vp://?" + query) }
        }
        refuse(.missingParameter, "response_type=vp_token")
        refuse(.contradictoryParameters, "client_id=a&request=b&request_uri=https%3A%2F%2Fx.example%2F")
        refuse(.contradictoryParameters, "client_id=a&request_uri_method=get")
        refuse(.invalidRequestURI, "client_id=a&request_uri=http%3A%2F%2Fx.example%2F")
        refuse(.invalidRequestURIMethod, "client_id=a&request_uri=https%3A%2F%2Fx.example%2F&request_uri_method=GET")
        let tolerant = RequestReadingOptions(tolerances: [.methodWithoutURI])
        let request = try AuthorizationRequest(
            url: "openid4vp://?client_id=a&request_uri_method=get",
            options: tolerant
        )
        #expect(request.deviations.map(\.tolerance) == ["methodWithoutURI"])
    }

    @Test func readsParametersFromElsewhere() throws {
        let parameters: JSONObject = ["client_id": "a", "dcql_query": ["credentials": []], "nonce": "n"]
        let request = try AuthorizationRequest(parameters: parameters)
        guard case .parameters(let read) = request.form else {
            Issue.record("\(request.form)")
            return
        }
        #expect(request.clientID == "a" && read.members["dcql_query"]?["credentials"] == [])
        let reference = try AuthorizationRequest(parameters: ["client_id": "a", "request_uri": "https://x.example/"])
        guard case .reference = reference.form else {
            Issue.record("\(reference.form)")
            return
        }
        for parameters: JSONObject in [
            [:], ["client_id": 1], ["client_id": "a", "request": 1], ["client_id": "a", "request_uri": []],
            ["client_id": "a", "request": "b", "request_uri": "https://x.example/"],
        ] { #expect(throws: OID4VPError.self) { try AuthorizationRequest(parameters: parameters) } }
        expect(.limitExceeded) { () throws(OID4VPError) in
            try AuthorizationRequest(parameters: [
                "client_id": "a", "nonce": .string(String(repeating: "a", count: 256 << 10)),
            ])
        }
    }

    @Test func detectsVersionsInOrder() throws {
        func version(_ members: JSONObject) throws(OID4VPError) -> OpenID4VPVersion {
            try OpenID4VPVersion(of: AuthorizationParameters(members))
        }
        #expect(try version(["client_id_scheme": "did", "presentation_definition": [:]]) == .draft21)
        #expect(try version(["client_id_scheme": "did", "scope": "a"]) == .draft21)
        #expect(try version(["presentation_definition_uri": "https://x.example"]) == .draft23)
        #expect(try version(["dcql_query": [:]]) == .v1)
        #expect(try version(["scope": "a"]) == .v1)
        // These name no query.
        for scope in ["", "openid"] as [JSONValue] {
            #expect(try version(["scope": scope, "dcql_query": [:]]) == .v1)
            #expect(try version(["scope": scope, "presentation_definition": [:]]) == .draft23)
        }
        expect(.contradictoryParameters) { () throws(OID4VPError) in
            try version(["scope": "openid", "presentation_definition": [:], "dcql_query": [:]])
        }
        expect(.contradictoryParameters) { () throws(OID4VPError) in
            try version(["client_id_scheme": "did", "dcql_query": [:]])
        }
        expect(.contradictoryParameters) { () throws(OID4VPError) in try version(["scope": "a", "dcql_query": [:]]) }
        expect(.missingParameter) { () throws(OID4VPError) in try version(["nonce": "a"]) }
    }

    @Test func refusesReservedAndUnknownIdentifiers() {
        expect(.unsupportedClientIdentifier) { () throws(OID4VPError) in
            try ClientIdentifier("origin:https://x.example")
        }
        expect(.unsupportedClientIdentifier) { () throws(OID4VPError) in try ClientIdentifier("a", scheme: "x509_hash")
        }
        #expect((try? ClientIdentifier("frob:x"))?.hasUnknownPrefix == true)
        #expect((try? ClientIdentifier("frob"))?.hasUnknownPrefix == false)
        #expect((try? ClientIdentifier("x509_san_dns:a"))?.asRegistered == nil)
    }
}
