import CryptoCore
import JOSEKit
import JSONKit
import Testing

/// The figures of RFC 7797, section 4.
@Suite struct RFC7797Tests {
    private let payload = Array("$.02".utf8)

    private func key() throws -> JWK {
        let k = "AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow"
        return try JWK(json: ["kty": "oct", "k": .string(k)])
    }

    @Test func encodedPayload() throws {
        let message = try JWS(compact: "eyJhbGciOiJIUzI1NiJ9.JC4wMg.5mvfOroL-g7HyqJoozehmsaqmvTYGEq5jTI1gVvoEoQ")
        #expect(try message.verify(with: key(), policy: [.hs256]).payload == payload)
    }

    @Test func unencodedPayload() throws {
        let message = try JWS(
            json: """
                {"protected": "eyJhbGciOiJIUzI1NiIsImI2NCI6ZmFsc2UsImNyaXQiOlsiYjY0Il19", "payload": "$.02",
                 "signature": "A5dxf2s96_n5FLueVuW1Z_vh161FwXZC4YLPff6dmDY"}
                """
        )
        let verified = try message.verify(with: key(), policy: [.hs256])
        #expect(verified.payload == payload)
        #expect(try !verified.header.encodesPayload())
        expectRefusal(.notSerializable) { try message.compactSerialization() }
    }

    @Test func detachedUnencodedPayload() throws {
        let text =
            "eyJhbGciOiJIUzI1NiIsImI2NCI6ZmFsc2UsImNyaXQiOlsiYjY0Il19..A5dxf2s96_n5FLueVuW1Z_vh161FwXZC4YLPff6dmDY"
        let message = try JWS(compact: text)
        #expect(try message.verify(with: key(), policy: [.hs256], detachedPayload: payload).payload == payload)
        let made = try JWS.authenticate(
            payload,
            detached: true,
            header: ["alg": "HS256", "b64": false, "crit": ["b64"]],
            hmacKey: key().symmetricKey()
        )
        #expect(try made.compactSerialization() == text)
    }

    @Test(arguments: ["a.b", "é", "a\u{7f}", "a\nb"])
    func compactPayloadsArePrintable(payload: String) throws {
        let made = try JWS.authenticate(
            Array(payload.utf8),
            header: ["alg": "HS256", "b64": false, "crit": ["b64"]],
            hmacKey: key().symmetricKey()
        )
        expectRefusal(.notSerializable) { try made.compactSerialization() }
        let message = try JWS(json: made.flattenedSerialization())
        #expect(try message.verify(with: key(), policy: [.hs256]).payload == Array(payload.utf8))
    }

    @Test func unencodedPayloadMustBeCritical() {
        for header in [#"{"alg":"HS256","b64":false}"#, #"{"alg":"HS256","b64":false,"crit":["x"],"x":1}"#] {
            let text = Base64URL.encode(Array(header.utf8)) + ".a." + Base64URL.encode([1])
            expectRefusal(.invalidCritical, at: "crit") { try JWS(compact: text) }
        }
        expectRefusal(.invalidHeader, at: "b64") {
            try JWS(
                json: #"{"payload":"a","protected":"eyJhbGciOiJIUzI1NiJ9","header":{"b64":false},"signature":"AA"}"#
            )
        }
        expectRefusal(.invalidHeader, at: "b64") {
            try JWS.Unsigned(payload: [], header: ["alg": "HS256", "b64": "no", "crit": ["b64"]])
        }
    }

    @Test func everySignatureEncodesAlike() async throws {
        let signer = try TestKeys.es256()
        let signed = try await JWS.sign(payload, with: signer)
        await expectRefusal(.invalidHeader) {
            try await signed.addingSignature(header: ["b64": false, "crit": ["b64"]], with: signer)
        }
        expectRefusal(.invalidHeader, at: "signatures") {
            try JWS(
                json: """
                    {"payload": "", "signatures": [
                      {"protected": "eyJhbGciOiJIUzI1NiJ9", "signature": "AA"},
                      {"protected": "eyJhbGciOiJIUzI1NiIsImI2NCI6ZmFsc2UsImNyaXQiOlsiYjY0Il19", "signature": "AA"}]}
                    """
            )
        }
    }

    @Test func tokensEncodeTheirPayload() throws {
        let made = try JWS.authenticate(
            Array("{}".utf8),
            header: ["alg": "HS256", "b64": false, "crit": ["b64"]],
            hmacKey: key().symmetricKey()
        )
        expectRefusal(.invalidHeader, at: "b64") { try JWT(made) }
    }
}
