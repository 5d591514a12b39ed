import CredentialTransport
import Foundation
import JSONKit
import OID4VPKit
import OID4VPMessages
import TestSupport
import Testing

struct ResponseSenderTests {
    private let scene: RequestScene

    init() throws { scene = try RequestScene() }

    private func response() async throws -> AuthorizationResponse {
        let request = try await scene.request()
        return try await AuthorizationResponder(request)
            .response(with: RequestScene.token, to: request.presentationRequest(), at: scene.now)
    }

    private func send(
        _ answer: InMemoryHTTPAnswer,
        schemes: Set<String> = [],
        tolerances: Set<AnswerTolerance> = []
    ) async throws -> VerifierAnswer {
        let transport = InMemoryHTTPTransport([RequestScene.address: answer])
        let sender = ResponseSender(transport: transport, appSchemes: schemes, tolerances: tolerances)
        let response = try await response()
        do {
            let answer = try await sender.send(response)
            #expect(transport.requests.count == 1)
            return answer
        } catch {
            // The response is not sent again, whatever the outcome.
            #expect(transport.requests.count == 1)
            throw error
        }
    }

    private static func json(_ text: String) -> InMemoryHTTPAnswer { .ok(Array(text.utf8), type: .json) }

    private func failure(
        _ answer: InMemoryHTTPAnswer,
        tolerances: Set<AnswerTolerance> = []
    ) async throws -> OID4VPError {
        try #require(await #expect(throws: OID4VPError.self) { try await send(answer, tolerances: tolerances) })
    }

    @Test func postsTheFormAndReadsTheAnswer() async throws {
        let transport = InMemoryHTTPTransport([
            RequestScene.address: Self.json("{\"redirect_uri\":\"https://v.example/done#response_code=5cQ\",\"a\":[1]}")
        ])
        let answer = try await ResponseSender(transport: transport).send(try await response())
        #expect(answer.status == 200 && answer.redirectURI == "https://v.example/done#response_code=5cQ")
        #expect(JSONValue.object(answer.additionalMembers) == ["a": [1]] && answer.deviations.isEmpty)
        #expect(answer.headers.contains { $0.name == "content-type" && $0.value == "application/json" })
        let request = try #require(transport.requests.first)
        #expect(request.description.hasPrefix("POST https://v.example/post ("))
        #expect(
            String(decoding: request.body, as: UTF8.self)
                == "vp_token=%7B%22pid%22%3A%5B%22a~b~c%22%5D%7D&state=s1"
        )
        #expect(try await send(Self.json("{}")).redirectURI == nil)
    }

    @Test(arguments: [
        "http://v.example/", "javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "other.app:/x",
        "https://127.0.0.1/", "https://[::1]/", "https://10.0.0.1/x", "https://user@v.example/", "https://v.example/ x",
        "//v.example", "", "https:v.example", "https://v.example/\u{202e}", "HTTP://v.example",
    ])
    func refusesAddressesThatTheAppMustNotOpen(_ address: String) async throws {
        let body = JSONValue.object(["redirect_uri": .string(address)]).text()
        let answer = try await send(Self.json(body), schemes: ["wallet.example", "javascript", "http", "data", "file"])
        #expect(answer.redirectURI == nil && answer.refusedRedirectURI == address)
    }

    /// The path of the address is the name of the transaction.
    @Test func noErrorShowsTheAddress() async throws {
        let error = try await failure(InMemoryHTTPAnswer(status: 400))
        #expect(
            "\(error)" == "responseRefused in response_uri: the verifier did not take the response "
                + "(unexpectedStatus: the status is 400)"
        )
        let malformed = try await failure(Self.json("[]"))
        #expect(
            "\(malformed)" == "invalidAnswer in response_uri: the verifier's answer is malformed "
                + "(contentTypeNotAccepted: the answer is no JSON object)"
        )
        let elsewhere = InMemoryHTTPTransport([:])
        let response = try await response()
        let unsent = await #expect(throws: OID4VPError.self) {
            try await ResponseSender(transport: elsewhere).send(response)
        }
        #expect(unsent.map { "\($0)".contains("v.example") } == false)
    }

    @Test func opensTheAppsOwnScheme() async throws {
        let answer = try await send(
            Self.json("{\"redirect_uri\":\"Wallet.Example:/x#y\"}"),
            schemes: ["wallet.EXAMPLE"]
        )
        #expect(answer.redirectURI == "Wallet.Example:/x#y" && answer.refusedRedirectURI == nil)
        let odd = try await send(Self.json("{\"redirect_uri\":1}"))
        #expect(odd.redirectURI == nil && odd.refusedRedirectURI == nil)
    }

    @Test(arguments: [400, 404, 422, 500, 503])
    func reportsRefusalsWithTheirBody(_ status: Int) async throws {
        var answer = Self.json("{\"error\":\"x\",\"redirect_uri\":\"https://v.example/\"}")
        answer.status = status
        let error = try await failure(answer)
        #expect(error.code == .responseRefused && error.verifierAnswer?.status == status)
        #expect(error.verifierAnswer?.additionalMembers["error"] == "x")
        #expect(error.verifierAnswer?.redirectURI == nil)
        #expect(!error.description.contains("redirect_uri"))
        answer.body = [UInt8](repeating: 0x20, count: (64 << 10) + 1)
        #expect(try await failure(answer).verifierAnswer?.body.isEmpty == true)
    }

    @Test func followsNoRedirect() async throws {
        for status in [301, 302, 303, 307, 308] {
            var answer = InMemoryHTTPAnswer.redirect(to: "https://v.example/elsewhere")
            answer.status = status
            let error = try await failure(answer)
            #expect(error.code == .responseRefused && error.verifierAnswer?.status == status)
        }
    }

    @Test func refusesAnswersThatAreNoJSONUnlessTolerated() async throws {
        let html = InMemoryHTTPAnswer.ok(Array("<html>".utf8), type: try MediaType("text/html"))
        for answer in [html, Self.json(""), Self.json("[]"), Self.json("{\"a\":1,\"a\":2}"), Self.json("{} x")] {
            let error = try await failure(answer)
            #expect(error.code == .invalidAnswer && error.verifierAnswer?.body == answer.body)
            let tolerated = try await send(answer, tolerances: [.notJSON])
            #expect(tolerated.deviations.map(\.tolerance) == ["notJSON"] && tolerated.body == answer.body)
        }
        let plain = InMemoryHTTPAnswer.ok(Array("{}".utf8), type: try MediaType("text/plain"))
        #expect(try await failure(plain).code == .invalidAnswer)
        #expect(try await send(plain, tolerances: .deployed).deviations.map(\.tolerance) == ["otherContentType"])
        var created = Self.json("{}")
        created.status = 201
        #expect(try await failure(created).code == .responseRefused)
        #expect(try await send(created, tolerances: .deployed).deviations.map(\.tolerance) == ["otherStatus"])
    }

    @Test func boundsTheAnswer() async throws {
        let limit = ResponseSender.defaultLimits.maximumBodySize
        let body = "{\"a\":\"" + String(repeating: "x", count: limit - 8) + "\"}"
        #expect(try await send(Self.json(body)).body.count == limit)
        let error = try await failure(Self.json(body + " "))
        #expect(error.code == .responseNotSent && error.verifierAnswer != nil)
    }
}
