import CredentialTransport
import CryptoCore
import Foundation
import JOSEKit
import JSONKit
import OID4VPKit
import OID4VPMessages
import TestSupport
import Testing

struct AuthorizationResponderTests {
    private let scene: RequestScene

    init() throws { scene = try RequestScene() }

    private func response(
        _ changes: JSONObject,
        without removed: [String] = [],
        token: VPToken = RequestScene.token
    ) async throws -> AuthorizationResponse {
        let request = try await scene.request(changes, without: removed)
        return try await AuthorizationResponder(request)
            .response(with: token, to: request.presentationRequest(), at: scene.now)
    }

    // MARK: Ways

    @Test func postsAForm() async throws {
        let response = try await response([:])
        guard case .post(let url, let form) = response.delivery else {
            Issue.record("\(response.delivery)")
            return
        }
        #expect(url.description == RequestScene.address && response.errorCode == nil)
        #expect(form.items.map(\.name) == ["vp_token", "state"])
        #expect(form["vp_token"] == "{\"pid\":[\"a~b~c\"]}" && form["state"] == "s1")
    }

    @Test(arguments: [
        ("fragment", "https://v.example/cb", "https://v.example/cb#"),
        ("query", "https://v.example/cb", "https://v.example/cb?"),
        ("query", "https://v.example/cb?a=1", "https://v.example/cb?a=1&"),
        ("query", "https://v.example/cb?", "https://v.example/cb?"),
        ("query", "https://v.example/cb?a=1&", "https://v.example/cb?a=1&"),
        ("fragment", "app.example:/cb", "app.example:/cb#"),
    ])
    func opensRedirects(_ mode: String, _ address: String, _ start: String) async throws {
        let response = try await response(
            ["response_mode": .string(mode), "redirect_uri": .string(address)],
            without: ["response_uri"]
        )
        guard case .open(let url) = response.delivery else {
            Issue.record("\(response.delivery)")
            return
        }
        #expect(url == start + "vp_token=%7B%22pid%22%3A%5B%22a~b~c%22%5D%7D&state=s1")
    }

    @Test func makesAPageThatEscapesEverything() async throws {
        let address = "https://v.example/cb?a=1&b='\"<>"
        let refused = try await scene.verification(
            ["response_mode": "form_post", "redirect_uri": .string(address)],
            without: ["response_uri"]
        )
        #expect(refused.refusal?.check == .responseAddress)
        let token = VPToken.queries([VPToken.Answer(query: "pid", presentations: [["a": "<script>'&"]])])
        let response = try await response(
            ["response_mode": "form_post", "redirect_uri": "https://v.example/cb?a=1&b=2"],
            without: ["response_uri"],
            token: token
        )
        guard case .page(let page) = response.delivery else {
            Issue.record("\(response.delivery)")
            return
        }
        #expect(page.address == "https://v.example/cb?a=1&b=2")
        #expect(page.html.contains("action=\"https://v.example/cb?a=1&#38;b=2\""))
        #expect(
            page.html.contains("name=\"vp_token\" value=\"{&#34;pid&#34;:[{&#34;a&#34;:&#34;&#60;script&#62;&#39;&#38;")
        )
        #expect(!page.html.contains("<script>"))
    }

    @Test func sendsSubmissionsOfDrafts() async throws {
        let request = try await scene.draftRequest([:])
        let response = try await AuthorizationResponder(request)
            .response(with: RequestScene.submitted, to: request.presentationRequest(), at: scene.now)
        guard case .post(_, let form) = response.delivery else {
            Issue.record("\(response.delivery)")
            return
        }
        #expect(form["vp_token"] == "a~b~")
        #expect(form["presentation_submission"]?.hasPrefix("{\"id\":\"s\",\"definition_id\":\"pd\"") == true)
    }

    @Test(arguments: ["iar-post", "iae_post", "ia_post"])
    func handsAMapToTheAppDuringIssuance(_ mode: String) async throws {
        let endpoint = InteractiveEndpoint(url: "https://as.example/ia")
        let request = try await scene.request(
            ["response_mode": .string(mode)],
            without: ["response_uri", "state"],
            endpoint: endpoint
        )
        let prefix = String(mode.prefix { $0 != "-" && $0 != "_" })
        #expect(request.audience == prefix + ":https://as.example/ia")
        #expect(request.interactiveEndpoint == "https://as.example/ia")
        let response = try await AuthorizationResponder(request)
            .response(with: RequestScene.token, to: request.presentationRequest(), at: scene.now)
        guard case .app(let members) = response.delivery else {
            Issue.record("\(response.delivery)")
            return
        }
        #expect(JSONValue.object(members) == ["vp_token": ["pid": ["a~b~c"]]])
        let transport = InMemoryHTTPTransport([:])
        await #expect(throws: OID4VPError.self) { try await ResponseSender(transport: transport).send(response) }
        #expect(transport.requests.isEmpty)
    }

    @Test func followsDeployedWalletsWhereARequestDuringIssuanceHasAnAddress() async throws {
        let url = "https://as.example/ia"
        let deployed = try await scene.request(
            ["response_mode": "iar-post"],
            endpoint: InteractiveEndpoint(url: url)
        )
        #expect(deployed.audience == scene.clientID && deployed.interactiveEndpoint == nil)
        let standard = try await scene.request(
            ["response_mode": "iar-post"],
            endpoint: InteractiveEndpoint(url: url, prevailsOverResponseURI: true)
        )
        #expect(standard.audience == "iar:" + url && standard.interactiveEndpoint == url)
        // Without an endpoint there is no audience, which the binding of presentations refuses.
        let unknown = try await scene.request(["response_mode": "iar-post"], without: ["response_uri"])
        #expect(unknown.interactiveEndpoint == nil)
        let content = try unknown.presentationRequest()
        #expect(throws: OID4VPError.self) {
            try PresentationBinding(unknown, content, mdocGeneratedNonce: "w")
        }
        let malformed = try await scene.verification(
            ["response_mode": "iar-post"],
            without: ["response_uri"],
            endpoint: InteractiveEndpoint(url: "http://as.example/ia")
        )
        #expect(malformed.refusal?.check == .responseAddress)
    }

    // MARK: Refusals

    @Test func refusesTheContentOfAnotherRequest() async throws {
        let request = try await scene.request()
        let responder = AuthorizationResponder(request)
        for changes: JSONObject in [["nonce": "other"], ["response_uri": "https://v.example/x"], ["state": "s2"]] {
            let other = try await scene.request(changes).presentationRequest()
            let error = await #expect(throws: OID4VPError.self) {
                try await responder.response(with: RequestScene.token, to: other, at: scene.now)
            }
            #expect(error?.code == .invalidResponse)
        }
    }

    @Test func refusesUnrequestedPresentations() async throws {
        let request = try await scene.request()
        let content = try request.presentationRequest()
        let answers: [VPToken] = [
            .queries([VPToken.Answer(query: "other", presentations: ["a"])]),
            .queries([VPToken.Answer(query: "pid", presentations: ["a", "b"])]), RequestScene.submitted,
        ]
        for token in answers {
            let error = await #expect(throws: OID4VPError.self) {
                try await AuthorizationResponder(request).response(with: token, to: content, at: scene.now)
            }
            #expect(error?.code == .invalidResponse)
        }
    }

    @Test func refusesToSendAPartOfTheAnswer() async throws {
        func query(_ id: String) -> JSONValue { ["id": .string(id), "format": "dc+sd-jwt", "meta": [:]] }
        let both: JSONObject = ["credentials": [query("pid"), query("age")]]
        var sets = both
        sets["credential_sets"] = [
            ["options": [["pid", "age"], ["age"]]], ["options": [["pid"]], "required": false],
        ]
        func sends(_ queries: [QueryID], _ asked: JSONObject) async throws -> Bool {
            let request = try await scene.request(["dcql_query": .object(asked)])
            let token = VPToken.queries(queries.map { VPToken.Answer(query: $0, presentations: ["a~b~c"]) })
            let responder = AuthorizationResponder(request)
            do throws(OID4VPError) {
                _ = try await responder.response(with: token, to: request.presentationRequest(), at: scene.now)
                return true
            } catch {
                #expect(error.code == .invalidResponse && error.path == ["vp_token"])
                return false
            }
        }
        #expect(try await sends(["pid", "age"], both))
        #expect(try await !sends(["pid"], both))
        #expect(try await sends(["age"], sets))
        #expect(try await !sends(["pid"], sets), "the set that must be answered is not")
    }

    @Test func refusesToLeaveDescriptorsOut() throws {
        let definition = try PresentationDefinition(
            json: [
                "id": "pd",
                "input_descriptors": [
                    ["id": "d1", "group": ["A"], "constraints": [:]], ["id": "d2", "group": ["A"], "constraints": [:]],
                ],
            ]
        )
        #expect(definition.isSatisfied(by: ["d1", "d2"]) && !definition.isSatisfied(by: ["d1"]))
        let choice = try PresentationDefinition(
            json: [
                "id": "pd", "submission_requirements": [["rule": "pick", "count": 1, "from": "A"]],
                "input_descriptors": [
                    ["id": "d1", "group": ["A"], "constraints": [:]], ["id": "d2", "group": ["A"], "constraints": [:]],
                ],
            ]
        )
        #expect(choice.isSatisfied(by: ["d1"]) && !choice.isSatisfied(by: []))
    }

    @Test func answersWithAServerErrorWhereBuildingFails() async throws {
        let request = try await scene.request()
        let content = try request.presentationRequest()
        let responder = AuthorizationResponder(request)
        let failed = try await responder.response(to: content, at: scene.now) { () async throws(OID4VPError) in
            throw OID4VPError(.invalidSelection, "the signer failed")
        }
        guard case .post(_, let form) = failed.delivery else {
            Issue.record("\(failed.delivery)")
            return
        }
        #expect(form["error"] == "server_error" && form["vp_token"] == nil)
        #expect(failed.errorCode == .serverError && failed.failure?.code == .invalidSelection)
        #expect(!form.text.contains("signer"))
        struct Locked: Error {}
        let locked = try await responder.response(to: content, at: scene.now) { throw Locked() }
        #expect(locked.errorCode == .serverError && locked.failure?.code == .presentationFailed)
        #expect(locked.failure?.cause is Locked)
        for (code, answer) in [
            (OID4VPError.Code.unsatisfied, AuthorizationErrorCode.accessDenied),
            (.invalidTransactionData, .invalidTransactionData), (.malformed, .serverError),
        ] {
            let refused = try await responder.response(to: content, at: scene.now) { () async throws(OID4VPError) in
                throw OID4VPError(code, "none")
            }
            #expect(refused.errorCode == answer && refused.failure?.code == code)
        }
        let made = try await responder.response(to: content, at: scene.now) { RequestScene.token }
        #expect(made.errorCode == nil)
    }

    /// The model of an app's view, which is not Sendable in the closure that it passes.
    @MainActor private final class Model {
        private(set) var steps: [String] = []

        func answer(
            _ content: PresentationRequest,
            _ responder: AuthorizationResponder,
            at time: Date
        ) async throws -> AuthorizationResponse {
            let response = try await responder.response(to: content, at: time) {
                steps.append("signing")
                MainActor.assertIsolated()
                return RequestScene.token
            }
            steps.append("done")
            return response
        }
    }

    @Test func makesPresentationsOnTheCallersActor() async throws {
        let request = try await scene.request()
        let model = Model()
        let made = try await model.answer(request.presentationRequest(), AuthorizationResponder(request), at: scene.now)
        #expect(made.errorCode == nil)
        #expect(await model.steps == ["signing", "done"])
    }
}
