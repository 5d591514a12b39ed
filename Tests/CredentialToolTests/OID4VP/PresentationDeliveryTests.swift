import CommandSupport
import CredentialTransport
import Foundation
import OID4VPKit
import OID4VPMessages
import Synchronization
import Testing

@testable import CredentialTool

/// The report of an answer by what the verifier said to it.
@Suite struct PresentationDeliveryTests {
    private static let address = "https://v.example/response"
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)

    /// Sends an answer to a verifier, and describes what became of it.
    private func delivery(_ answer: InMemoryHTTPAnswer) async throws -> PresentationDelivery {
        try await delivery(over: InMemoryHTTPTransport([Self.address: answer]))
    }

    /// Sends an answer over a transport.
    private func delivery(over transport: some HTTPTransport) async throws -> PresentationDelivery {
        var form = FormParameters()
        for (name, value) in [
            ("client_id", "redirect_uri:" + Self.address), ("response_type", "vp_token"), ("nonce", "n1"),
            ("response_mode", "direct_post"), ("response_uri", Self.address),
            ("dcql_query", #"{"credentials":[{"id":"q","format":"dc+sd-jwt","meta":{"vct_values":["urn:pid"]}}]}"#),
        ] {
            form.append(name, value)
        }
        let request = try await RequestAuthenticator(policy: RequestAuthenticationPolicy(), transport: transport)
            .authenticate(try AuthorizationRequest(url: "openid4vp://?" + form.text), at: Self.now).get()
        let response = try await AuthorizationResponder(request).errorResponse(.accessDenied, at: Self.now)
        let sender = ResponseSender(transport: transport)
        return try await PresentationDelivery.sending(response, to: HTTPURL(Self.address), with: sender)
    }

    /// A verifier that gives these answers one after the other, or lets the connection end in an error.
    private func verifier(_ answers: [Result<InMemoryHTTPAnswer, TransportError>]) -> InMemoryHTTPTransport {
        let remaining = Mutex(answers[...])
        return InMemoryHTTPTransport { _ in
            try remaining.withLock { $0.popFirst() ?? .success(InMemoryHTTPAnswer(status: 500)) }.get()
        }
    }

    private func lines(_ delivery: PresentationDelivery) -> [String] {
        Outline.labeled(delivery.verdict(of: [("verdict", "presented")]) + delivery.members).lines
    }

    @Test func namesTheAddressForTheUser() async throws {
        let answer = InMemoryHTTPAnswer.ok(Array(#"{"redirect_uri":"https://v.example/done"}"#.utf8), type: .json)
        let taken = try await delivery(answer)
        #expect(!taken.isRefusal)
        let expected = ["verdict: presented", "sent to: \(Self.address)", "redirect_uri: https://v.example/done"]
        #expect(lines(taken) == expected)
    }

    /// A verifier that refuses the answer was presented nothing.
    @Test func saysWhyTheVerifierRefused() async throws {
        let body = #"{"error":"invalid_request","error_description":"the nonce is used up"}"#
        let answer = InMemoryHTTPAnswer(status: 400, body: Array(body.utf8))
        let refused = try await delivery(answer)
        #expect(refused.isRefusal)
        let lines = lines(refused)
        #expect(lines.first == "verdict: rejected", "\(lines)")
        for line in ["status: 400", "error: invalid_request", "error_description: the nonce is used up"] {
            #expect(lines.contains(line), "\(lines)")
        }
    }

    /// The verifier may have taken it: what it answered says neither.
    @Test func tellsAnAnswerThatSaysNothing() async throws {
        let unread = try await delivery(.ok(Array("<html>".utf8), type: .json))
        #expect(unread.isRefusal)
        #expect(lines(unread).first == "verdict: unconfirmed", "\(lines(unread))")
        #expect(lines(unread).contains("status: 200"), "\(lines(unread))")
    }

    @Test(arguments: [TransportError.Code.exchangeFailed, .timedOut, .incompleteBody])
    func sendsAnAnswerOnceMoreThatMayHaveArrived(_ code: TransportError.Code) async throws {
        let verifier = verifier([
            .failure(TransportError(code, "no answer")),
            .success(.ok(Array(#"{"redirect_uri":"https://v.example/done"}"#.utf8), type: .json)),
        ])
        let taken = try await delivery(over: verifier)
        #expect(lines(taken).contains("redirect_uri: https://v.example/done"))
        let bodies = verifier.requests.map(\.body)
        #expect(bodies.count == 2 && bodies[0] == bodies[1])
    }

    /// The verifier may refuse it because it took the first.
    @Test func callsTheSecondRefusalUnconfirmed() async throws {
        let refusal = InMemoryHTTPAnswer(status: 400, body: Array(#"{"error":"invalid_request"}"#.utf8))
        let delivery = try await delivery(
            over: verifier([.failure(TransportError(.exchangeFailed, "no answer")), .success(refusal)])
        )
        #expect(delivery.isRefusal)
        #expect(lines(delivery).first == "verdict: unconfirmed", "\(lines(delivery))")
    }

    @Test(arguments: [
        [TransportError.Code.connectionFailed], [.addressNotAllowed], [.exchangeFailed, .timedOut],
    ])
    func givesUpWhereNothingArrivesOrNoAnswerComesTwice(_ codes: [TransportError.Code]) async throws {
        let verifier = verifier(codes.map { .failure(TransportError($0, "no answer")) })
        await #expect(throws: OID4VPError.self) { try await delivery(over: verifier) }
        #expect(verifier.requests.count == codes.count)
    }
}
