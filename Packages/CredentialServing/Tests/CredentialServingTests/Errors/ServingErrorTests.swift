import CredentialServing
import HTTPTypes
import Testing

struct ServingErrorTests {
    @Test func describesItselfInOneLine() {
        let error = ServingError(.notFound, "no \u{202e}path\r\n", path: ["a\n"], cause: CancellationError()).inside(
            "b"
        )
        #expect(error.description == #"notFound in b.a\u{A}: no \u{202E}path\u{D}\u{A} (CancellationError())"#)
    }

    @Test func responseLeavesOutCause() async {
        let error = ServingError(.notFound, #"a "b" \"#, cause: CancellationError())
        let response = ServerResponse(refusing: error)
        #expect(
            response.body.bytesIfReady.map { String(decoding: $0, as: UTF8.self) }
                == #"{"error":"notFound","message":"a \"b\" \\"}"#
        )
        #expect(response.headerFields[.cacheControl] == "no-store")
    }
}
