import CryptoCore
import Foundation
import JOSEKit
import JSONKit
import Testing

/// Figures that the RFCs print, small ones of each kind.
@Suite struct PublishedFigureTests {
    private static let claims =
        "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"

    @Test func rfc7515AppendixA1() throws {
        let k = "AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow"
        let key = try JWK(json: ["kty": "oct", "k": .string(k)])
        let text = "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.\(Self.claims).dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
        let verified = try JWT(compact: text).verify(
            with: .jwk(key),
            policy: [.hs256],
            claims: JWTClaimsPolicy(issuers: ["joe"]),
            at: Date(timeIntervalSince1970: 1_300_819_379)
        ).get()
        #expect(verified.claims["http://example.com/is_root"] == true)
        try JWT(compact: text).verify(with: key, policy: [.hs256], claims: JWTClaimsPolicy(), at: .now)
            .expectRefusal(.expired, at: "exp")
    }

    @Test func rfc7515AppendixA3() throws {
        let key = try JWK(
            json: [
                "kty": "EC", "crv": "P-256", "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
                "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
            ]
        )
        let signature = "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q"
        let message = try JWS(compact: "eyJhbGciOiJFUzI1NiJ9.\(Self.claims).\(signature)")
        #expect(try message.verify(with: key, policy: [.es256]).algorithm == .es256)
        #expect(Base64URL.encode(key.thumbprint()) == "oKIywvGUpTVTyxMQ3bwIIeQUudfr_CkLMjCE19ECD-U")
    }

    @Test func rfc7516AppendixA3() async throws {
        let key = try JWK(json: ["kty": "oct", "k": "GawgguFyGrWKav7AX4VKUg"])
        let text =
            "eyJhbGciOiJBMTI4S1ciLCJlbmMiOiJBMTI4Q0JDLUhTMjU2In0.6KB707dM9YTIgHtLvtgWQ8mKwboJW3of9locizkDTHzBC2IlrT1oOQ."
            + "AxY8DCtDaGlsbGljb3RoZQ.KDlTtXchhZTGufMYmOYGS4HffxPSUrfmqCHXaI9wOGY.U0m_YmjN04DJvceFICbCVQ"
        let policy = JWEDecryptionPolicy(algorithms: [.a128KW], encryptions: [.a128CBC_HS256])
        let decrypted = try await JWE(compact: text).decrypt(with: .jwk(key), policy: policy)
        #expect(String(decoding: decrypted.plaintext, as: UTF8.self) == "Live long and prosper.")
    }

    @Test func rfc8037AppendixA() async throws {
        let key = try JWK(
            json: [
                "kty": "OKP", "crv": "Ed25519", "d": "nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A",
                "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
            ]
        )
        #expect(Base64URL.encode(key.thumbprint()) == "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k")
        let made = try await JWS.sign(Array("Example of Ed25519 signing".utf8), with: key.signer())
        #expect(
            try made.compactSerialization()
                == "eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc."
                + "hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg"
        )
    }

    /// RFC 7638, section 3.1, and RFC 9278, section 3.
    @Test func thumbprintOfAnRSAKey() throws {
        let modulus =
            "0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n"
            + "3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdA"
            + "ZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-"
            + "kEgU8awapJzKnqDKgw"
        let key = try JWK(
            json: ["kty": "RSA", "n": .string(modulus), "e": "AQAB", "alg": "RS256", "kid": "2011-04-29"]
        )
        #expect(Base64URL.encode(key.thumbprint()) == "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs")
        #expect(
            key.thumbprintURI()
                == "urn:ietf:params:oauth:jwk-thumbprint:sha-256:NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs"
        )
    }

    /// RFC 7518, appendix C: the whole message instead of the key alone.
    @Test func agreementWithBothParties() async throws {
        let bob = try JWK(
            json: [
                "kty": "EC", "crv": "P-256", "x": "weNJy2HscCSM6AEDTDg04biOvhFhyyWvOHQfeF_PxMQ",
                "y": "e8lnCO-AlStT-NJVX-crhB7QRYhiix03illJOVAOyck", "d": "VEmDZpDXXK8p8N0Cndsxs924q6nS1RXFASRl6BfUqdw",
            ]
        )
        let ephemeral = try Base64URL.decode("0_NxaRPUMQoAJt50Gz8YiTr8gRTwyEaCumd-MToTmIo")
        let recipient = try JWEEncryptionKey.publicKey(
            #require(bob.publicJWK).publicKey(),
            .ecdhES,
            partyUInfo: Array("Alice".utf8),
            partyVInfo: Array("Bob".utf8)
        )
        let source = ScriptedRandomSource([ephemeral, [UInt8](repeating: 0, count: 12)])
        let made = try JWE.encrypt([1], to: recipient, with: .a128GCM, using: source)
        #expect(made.protectedHeader["epk"]?["x"] == "gI0GAILBdu7T53akrFmMyGcsF3n5dO7MmwNBHKW5SV0")
        let derived = try SecretBytes(Base64URL.decode("VqqN6vgjbSBcIijNcacQGg"))
        let opened = try JWE(json: made.flattenedSerialization())
        let direct = try AEADAlgorithm.aes128GCM.seal(
            [1],
            key: derived,
            nonce: [UInt8](repeating: 0, count: 12),
            additionalData: Base64URL.encodedBytes(made.protectedHeader.encoded())
        )
        #expect(try JSONValue(parsing: opened.flattenedSerialization()).text("tag") == Base64URL.encode(direct.tag))
        #expect(try await opened.decrypt(with: .jwk(bob), policy: .everything).plaintext == [1])
    }
}
