import CredentialTransport
import HTTPTypes
import Testing

@Suite struct TransportErrorTests {
    @Test func descriptionNamesCodePlaceAndMessage() {
        let error = TransportError(.addressNotAllowed, "is wrong", path: ["inner"]).inside("outer")
        #expect(error.path == ["outer", "inner"])
        #expect(error.description == "addressNotAllowed in outer.inner: is wrong")
    }

    /// Seconds or a date of HTTP in any of its forms (RFC 9110, sections 5.6.7 and 10.2.3).
    @Test(
        arguments: [
            ("0", 0), ("120", 120), ("86400", 86_400), ("99999999999999999999999", 86_400), ("-1", nil), ("1.5", nil),
            ("", nil),
            ("soon", nil), ("Sun, 06 Nov 1994 08:49:42 GMT", 5), ("Sunday, 06-Nov-94 08:50:37 GMT", 60),
            ("Sun Nov  6 09:49:37 1994", 3600), ("Sun, 06 Nov 1994 08:49:36 GMT", 0),
            ("Fri, 31 Dec 9999 23:59:59 GMT", 86_400),
        ] as [(String, Int?)]
    )
    func readsRetryAfter(value: String, seconds: Int?) async throws {
        let fields: HTTPFields = [.retryAfter: value, .date: "Sun, 06 Nov 1994 08:49:37 GMT"]
        let error = await refused(fields)
        #expect(error?.retryAfter == seconds.map { .seconds($0) })
    }

    @Test func dateOfRetryAfterNeedsTheDateOfTheAnswer() async {
        let error = await refused([.retryAfter: "Sun, 06 Nov 1994 08:49:42 GMT"])
        #expect(error?.status == 503 && error?.retryAfter == nil)
        #expect(TransportError(.timedOut, "no answer").retryAfter == nil)
    }

    private func refused(_ fields: HTTPFields) async -> TransportError? {
        let url = "https://a.example/"
        let transport = InMemoryHTTPTransport([url: InMemoryHTTPAnswer(status: 503, headerFields: fields)])
        return await refusal(.unexpectedStatus) {
            try await transport.response(to: .get(HTTPURL(url), accepting: [.json]))
        }
    }
}
