import CommandSupport
import CredentialTransport
import Foundation
import OID4VPKit
import OID4VPMessages
import Testing

@testable import CredentialTool

/// The report of an answer by what the verifier said to it.
@Suite struct PresentationDeliveryTests {
    private static let address = "https://v.example/response"
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)

    /// Sends an answer to a verifier, and describes what became of it.
    private func delivery(_ answer: InMemoryHTTPAnswer) async throws -> PresentationDelivery? {
        var form = FormParameters()
        for (name, value) in [
            ("client_id", "redirect_uri:" + Self.address), ("response_type", "vp_token"), ("nonce", "n1"),
            ("response_mode", "direct_post"), ("response_uri", Self.address),
            ("dcql_query", #"{"credentials":[{"id":"q","format":"dc+sd-jwt","meta":{"vct_values":["urn:pid"]}}]}"#),
        ] {
            form.append(name, value)
        }
        let transport = InMemoryHTTPTransport([Self.address: answer])
        let request = try await RequestAuthenticator(policy: RequestAuthenticationPolicy(), transport: transport)
            .authenticate(try AuthorizationRequest(url: "openid4vp://?" + form.text), at: Self.now).get()
        let response = try await AuthorizationResponder(request).errorResponse(.accessDenied, at: Self.now)
        let url = try HTTPURL(Self.address)
        do throws(OID4VPError) {
            return PresentationDelivery(try await ResponseSender(transport: transport).send(response), from: url)
        } catch {
            return PresentationDelivery(error, from: url)
        }
    }

    private func lines(_ delivery: PresentationDelivery) -> [String] {
        Outline.labeled(delivery.verdict(of: [("verdict", "presented")]) + delivery.members).lines
    }

    @Test func namesTheAddressForTheUser() async throws {
        let answer = InMemoryHTTPAnswer.ok(Array(#"{"redirect_uri":"https://v.example/done"}"#.utf8), type: .json)
        let taken = try #require(try await delivery(answer))
        #expect(!taken.isRefusal)
        let expected = ["verdict: presented", "sent to: \(Self.address)", "redirect_uri: https://v.example/done"]
        #expect(lines(taken) == expected)
    }

    /// A verifier that refuses the answer was presented nothing.
    @Test func saysWhyTheVerifierRefused() async throws {
        let body = #"{"error":"invalid_request","error_description":"the nonce is used up"}"#
        let answer = InMemoryHTTPAnswer(status: 400, body: Array(body.utf8))
        let refused = try #require(try await delivery(answer))
        #expect(refused.isRefusal)
        let lines = lines(refused)
        #expect(lines.first == "verdict: rejected", "\(lines)")
        for line in ["status: 400", "error: invalid_request", "error_description: the nonce is used up"] {
            #expect(lines.contains(line), "\(lines)")
        }
    }

    /// The verifier may have taken it: what it answered says neither.
    @Test func tellsAnAnswerThatSaysNothing() async throws {
        let unread = try #require(try await delivery(.ok(Array("<html>".utf8), type: .json)))
        #expect(unread.isRefusal)
        #expect(lines(unread).first == "verdict: unconfirmed", "\(lines(unread))")
        #expect(lines(unread).contains("status: 200"), "\(lines(unread))")
    }

    @Test func hasNothingToSayWithoutAnAnswer() throws {
        let error = OID4VPError(.responseNotSent, "no answer came")
        #expect(PresentationDelivery(error, from: try HTTPURL(Self.address)) == nil)
    }
}
