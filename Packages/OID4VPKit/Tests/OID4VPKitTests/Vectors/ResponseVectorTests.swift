import JOSEKit
import JSONKit
import OID4VPMessages
import TestSupport
import Testing

private let vectors = VectorSet("oid4vp")

/// The files whose cases have a private key.
private let files = vectors.files(withExtension: "json").filter { file in
    let json = try? JSONValue(parsing: file.bytes())
    return json?["vectors"]?[0]?["privateJwk"] != nil
}

@Suite(.enabled(if: vectors.isAvailable, VectorSet.absence))
struct ResponseVectorTests {
    private let policy = JWEDecryptionPolicy(
        algorithms: EncryptionSupport.default.algorithms,
        encryptions: EncryptionSupport.default.encryptions
    )

    private func content(_ text: String, _ key: JSONValue) async throws -> JSONValue {
        let jwe = try JWE(compact: text)
        let content = try await jwe.decrypt(with: .jwk(try JWK(json: key)), policy: policy)
        return try JSONValue(parsing: content.plaintext)
    }

    @Test(arguments: files)
    func decryptsWhatIsValidAlone(_ file: VectorFile) async throws {
        let cases = try #require(try JSONValue(parsing: file.bytes())["vectors"]?.arrayValue)
        for entry in cases {
            let id = entry["id"]?.stringValue ?? "?"
            let key = try #require(entry["privateJwk"], "\(id)")
            let text = try #require(entry["jwe"]?.stringValue, "\(id)")
            if entry["expected"] == "decrypts" {
                #expect(try await content(text, key) == entry["payload"], "\(id)")
            } else {
                await #expect(throws: JOSEError.self, "\(id)") { try await content(text, key) }
            }
        }
        file.report(ran: cases.count)
    }

    /// The wallet's own responses have the headers of the vectors, and their recipient reads them.
    @Test(arguments: files)
    func encryptsAsTheVectorsDo(_ file: VectorFile) async throws {
        let cases = try #require(try JSONValue(parsing: file.bytes())["vectors"]?.arrayValue)
            .filter { $0["expected"] == "decrypts" }
        for entry in cases {
            let id = entry["id"]?.stringValue ?? "?"
            let key = try #require(entry["privateJwk"])
            let header = try #require(entry["header"])
            var members = try #require(try JWK(json: key).publicJWK?.members)
            members["alg"] = header["alg"]
            members["kid"] = header["kid"]
            let metadata: JSONObject = [
                "jwks": ["keys": [.object(members)]],
                "encrypted_response_enc_values_supported": [try #require(header["enc"])],
            ]
            var deviations: [Deviation] = []
            let encryption = try ResponseEncryption(
                try ClientMetadata(metadata, version: .v1, deviations: &deviations),
                version: .v1,
                deviations: &deviations
            )
            let (apu, apv) = (header["apu"]?.stringValue, header["apv"]?.stringValue)
            let payload = try #require(entry["payload"]?.objectValue)
            let text = try encryption.encrypt(
                payload,
                partyUInfo: try apu.map { try Base64URL.decode($0) },
                partyVInfo: try apv.map { try Base64URL.decode($0) }
            )
            let sent = try JWE(compact: text).protectedHeader
            for name in ["alg", "enc", "kid", "apu", "apv"] { #expect(sent[name] == header[name], "\(id), \(name)") }
            #expect(sent["epk"]?["crv"] == header["epk"]?["crv"], "\(id)")
            #expect(try await content(text, key) == .object(payload), "\(id)")
        }
        file.report(ran: cases.count)
    }
}
