import CryptoCore
import JOSEKit
import JSONKit
import Testing

/// Refusals of malformed structures, before any key is used.
@Suite struct StructureRefusalTests {
    private let header = #"{"alg":"ES256"}"#

    private func key() throws -> PublicKey { try TestKeys.p256.get().publicKey }

    // MARK: Kinds and parts

    @Test func theOtherKindIsNamed() throws {
        let pair = try EncryptionPair(.dir, .a128GCM)
        let encrypted = try JWE.encrypt([1], to: pair.recipient, with: .a128GCM)
        let signed = try JWS.authenticate([1], header: ["alg": "HS256"], hmacKey: TestKeys.symmetric(32))
        expectRefusal(.wrongKind) { try JWS(compact: encrypted.compactSerialization()) }
        expectRefusal(.wrongKind) { try JWT(compact: encrypted.compactSerialization()) }
        expectRefusal(.wrongKind) { try JWS(json: encrypted.flattenedSerialization()) }
        expectRefusal(.wrongKind) { try JWS(json: encrypted.generalSerialization()) }
        expectRefusal(.wrongKind) { try JWE(compact: signed.compactSerialization()) }
        expectRefusal(.wrongKind) { try EncryptedJWT(compact: signed.compactSerialization()) }
        expectRefusal(.wrongKind) { try JWE(json: signed.flattenedSerialization()) }
        expectRefusal(.wrongKind) { try JWE(json: signed.generalSerialization()) }
    }

    @Test(arguments: ["", ".", "a.b", "a.b.c.d", "a.b.c.d.e.f", "......"])
    func otherNumbersOfPartsAreRefused(text: String) {
        expectRefusal(.malformed) { try JWS(compact: text) }
        expectRefusal(.malformed) { try JWE(compact: text) }
    }

    @Test(arguments: ["[]", "1", "\"\"", "null", "{", "{}x", "\u{feff}{}", "{\"alg\":\"ES256\",}", "{'alg':'ES256'}"])
    func headersThatAreNoObjectAreRefused(header: String) {
        expectRefusal(.malformed, at: "protected") { try JWS(compact: compact(header, "{}", "s")) }
        expectRefusal(.malformed, at: "protected") { try JWE(compact: compact(header, "", "i", "c", "t")) }
    }

    /// Reading a long list takes no longer than its length.
    @Test func criticalParametersAreFew() throws {
        func header(_ count: Int) -> String {
            let names = (0..<count).map { "\"x\(100_000 + $0)\"" }
            let members = (0..<min(count, 64)).map { "\"x\(100_000 + $0)\":1" }.joined(separator: ",")
            return "{\"alg\":\"ES256\",\"crit\":[\(names.joined(separator: ","))],\(members)}"
        }
        #expect(try JWS(compact: compact(header(64), "{}", "s")).signatures[0].protectedHeader.critical()?.count == 64)
        for count in [65, 40_000] {
            expectRefusal(.limitExceeded, at: "crit") { try JWS(compact: compact(header(count), "{}", "s")) }
            expectRefusal(.limitExceeded, at: "crit") { try JWE(compact: compact(header(count), "", "i", "c", "t")) }
        }
    }

    /// The bytes of a symmetric key are not looked at, however many there are.
    @Test func keysInHeadersArePublic() {
        let key: JSONValue = ["kty": "oct", "k": .string(Base64URL.encode([UInt8](repeating: 0xff, count: 400_000)))]
        expectRefusal(.invalidHeader, at: "epk") { try JOSEHeader(["epk": key]).ephemeralPublicKey() }
        expectRefusal(.keyMismatch) { try JOSEHeader(["jwk": key]).jwk() }
    }

    @Test func headersAreUTF8() {
        let header = Base64URL.encode(Array(#"{"alg":""#.utf8) + [0xff] + Array(#""}"#.utf8))
        expectRefusal(.malformed, at: "protected") { try JWS(compact: header + ".e30.c2ln") }
    }

    @Test func emptyHeadersAreRefused() {
        expectRefusal(.malformed) { try JWS(compact: ".e30.c2ln") }
        expectRefusal(.malformed) { try JWS(compact: "e30.e30.c2ln") }
        expectRefusal(.malformed) { try JWS(json: #"{"payload":"","signature":""}"#) }
        expectRefusal(.malformed) { try JWE(json: #"{"ciphertext":""}"#) }
    }

    @Test(arguments: [
        #"{"payload":"","protected":"e30","signature":"","signatures":[]}"#, #"{"payload":"","signatures":[]}"#,
        #"{"payload":"","signatures":{}}"#, #"{"payload":"","signatures":[1]}"#, #"{"payload":1,"signature":""}"#,
        #"{"payload":"","header":{"alg":"ES256"}}"#, #"{"payload":"","header":[],"signature":""}"#,
        #"{"payload":"","protected":{},"signature":""}"#, #"{"payload":"","header":{"alg":"ES256"},"signature":null}"#,
    ])
    func otherJSONFormsOfAJWSAreRefused(text: String) {
        expectRefusal(.malformed) { try JWS(json: text) }
    }

    @Test(arguments: [
        #"{"unprotected":{"a":1},"recipients":[],"ciphertext":""}"#,
        #"{"unprotected":{"a":1},"recipients":[{}],"encrypted_key":"","ciphertext":""}"#,
        #"{"unprotected":{"a":1},"recipients":[{}],"header":{},"ciphertext":""}"#, #"{"unprotected":{"a":1}}"#,
        #"{"unprotected":1,"ciphertext":""}"#, #"{"unprotected":{"a":1},"ciphertext":1}"#,
        #"{"unprotected":{"a":1},"recipients":[[]],"ciphertext":""}"#, "[]",
    ])
    func otherJSONFormsOfAJWEAreRefused(text: String) {
        expectRefusal(.malformed) { try JWE(json: text) }
    }

    // MARK: base64url

    @Test(arguments: ["=", "==", "+", "/", " ", "\n", "%", "é"])
    func everyPartIsCanonical(addition: String) throws {
        let signed = try JWS.authenticate([1], header: ["alg": "HS256"], hmacKey: TestKeys.symmetric(32))
        let encrypted = try JWE.encrypt([1], to: EncryptionPair(.a128KW, .a128GCM).recipient, with: .a128GCM)
        for (text, read) in [
            (try signed.compactSerialization(), { _ = try JWS(compact: $0) }),
            (try encrypted.compactSerialization(), { _ = try JWE(compact: $0) }),
        ] as [(String, (String) throws -> Void)] {
            let parts = text.split(separator: ".").map(String.init)
            for index in parts.indices {
                for damaged in [addition + parts[index], parts[index] + addition] {
                    var all = parts
                    all[index] = damaged
                    expectRefusal(.invalidBase64URL) { try read(all.joined(separator: ".")) }
                }
            }
        }
    }

    @Test func unusedBitsAreZero() throws {
        // The same 32 bytes of a MAC, with an unused bit set in the last character.
        let signed = try JWS.authenticate([1], header: ["alg": "HS256"], hmacKey: TestKeys.symmetric(32))
        let text = try signed.compactSerialization()
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        let last = try #require(text.last.flatMap { alphabet.firstIndex(of: $0) })
        expectRefusal(.invalidBase64URL, at: "signature") {
            try JWS(compact: text.dropLast() + String(alphabet[last | 1]))
        }
    }

    // MARK: Duplicates

    @Test func membersOccurOnce() throws {
        let twice = #"{"alg":"HS256","alg":"ES256"}"#
        expectRefusal(.duplicateMember) { try JWS(compact: compact(twice, "{}", "s")) }
        expectRefusal(.duplicateMember) { try JWS(compact: compact(#"{"alg":"HS256","\u0061lg":"none"}"#, "{}", "s")) }
        expectRefusal(.duplicateMember) { try JWE(compact: compact(twice, "", "i", "c", "t")) }
        expectRefusal(.duplicateMember) {
            try JWS(json: #"{"payload":"","payload":"","header":{"alg":"ES256"},"signature":""}"#)
        }
        expectRefusal(.duplicateMember) { try JWE(json: #"{"ciphertext":"","ciphertext":"","header":{"alg":"dir"}}"#) }
        expectRefusal(.duplicateMember) { try JWK(decoding: #"{"kty":"oct","k":"AA","k":"AQ"}"#) }
        expectRefusal(.duplicateMember) { try JWKSet(decoding: #"{"keys":[],"keys":[]}"#) }
        expectRefusal(.duplicateMember) { try JWTClaims(decoding: Array(#"{"sub":"a","sub":"b"}"#.utf8)) }
    }

    @Test func headersAreDisjoint() {
        let protected = Base64URL.encode(Array(header.utf8))
        expectRefusal(.duplicateMember, at: "alg") {
            try JWS(json: #"{"payload":"","protected":"\#(protected)","header":{"alg":"ES256"},"signature":""}"#)
        }
        expectRefusal(.duplicateMember, at: "alg") {
            try JWE(json: #"{"protected":"\#(protected)","unprotected":{"alg":"dir"},"ciphertext":""}"#)
        }
        expectRefusal(.duplicateMember, at: "alg") {
            try JWE(json: #"{"protected":"\#(protected)","header":{"alg":"dir"},"ciphertext":""}"#)
        }
        expectRefusal(.duplicateMember, at: "kid") {
            try JWE(json: #"{"unprotected":{"kid":"a"},"recipients":[{"header":{"kid":"b"}}],"ciphertext":""}"#)
        }
        expectRefusal(.duplicateMember, at: "alg") {
            try JWS.Unsigned(payload: [], header: ["alg": "ES256"], unprotectedHeader: ["alg": "ES256"])
        }
    }

    // MARK: crit

    @Test(arguments: [
        #""crit":[]"#, #""crit":{}"#, #""crit":"exp""#, #""crit":[1],"x":1"#, #""crit":["x","x"],"x":1"#,
        #""crit":["x"]"#,
        #""crit":["alg"]"#, #""crit":["crit"]"#, #""crit":["typ"],"typ":"JWT""#, #""crit":["enc"],"enc":"A128GCM""#,
        #""crit":["p2c"],"p2c":1"#, #""crit":[""]"#,
    ])
    func critKeepsItsRules(parameters: String) {
        expectRefusal(.invalidCritical) {
            try JWS(compact: compact(#"{"alg":"ES256",\#(parameters)}"#, "{}", "s"))
        }
        expectRefusal(.invalidCritical) {
            try JWE(compact: compact(#"{"alg":"dir",\#(parameters)}"#, "", "i", "c", "t"))
        }
    }

    @Test func critIsProtected() {
        expectRefusal(.invalidCritical, at: "crit") {
            try JWS(json: #"{"payload":"","header":{"alg":"ES256","crit":["x"],"x":1},"signature":""}"#)
        }
        expectRefusal(.invalidCritical, at: "crit") {
            try JWE(json: #"{"unprotected":{"alg":"dir","crit":["x"],"x":1},"ciphertext":""}"#)
        }
    }

    @Test func critIsUnderstoodOrRefused() async throws {
        let signer = try TestKeys.es256()
        let header: JOSEHeader = ["alg": "ES256", "crit": ["https://example.com/x"], "https://example.com/x": 1]
        let message = try await JWS.sign([1], header: header, with: signer)
        var policy: JWSVerificationPolicy = [.es256]
        expectRefusal(.criticalNotUnderstood) { try message.verify(with: signer.publicKey, policy: policy) }
        policy.understoodParameters = ["https://example.com/x"]
        #expect(try message.verify(with: signer.publicKey, policy: policy).payload == [1])

        let pair = try EncryptionPair(.dir, .a128GCM)
        let encrypted = try JWE.encrypt(
            [1],
            to: pair.recipient,
            with: .a128GCM,
            header: ["crit": ["b64"], "b64": false]
        )
        await expectRefusal(.criticalNotUnderstood, at: "b64") {
            try await encrypted.decrypt(with: pair.key, policy: .everything)
        }
    }

    // MARK: Limits

    @Test func sizeIsBounded() throws {
        let limit = JOSELimits.default.size
        #expect(limit == 1_000_000)
        let head = Base64URL.encode(Array(header.utf8)) + "."
        let fitting = head + String(repeating: "A", count: limit - head.utf8.count - 4) + ".AAA"
        #expect(fitting.utf8.count == limit)
        _ = try? JWS(compact: fitting)
        expectRefusal(.limitExceeded) { try JWS(compact: fitting + "A") }
        expectRefusal(.limitExceeded) { try JWE(compact: fitting + "A") }
        expectRefusal(.limitExceeded) { try JWT(compact: fitting + "A") }
        let spaces = String(repeating: " ", count: limit - 1)
        expectRefusal(.malformed) { try JWS(json: "{" + spaces) }
        expectRefusal(.limitExceeded) { try JWS(json: "{}" + spaces) }
        expectRefusal(.limitExceeded) { try JWE(json: "{}" + spaces) }
        expectRefusal(.limitExceeded) { try JWK(decoding: "{}" + spaces) }
        expectRefusal(.limitExceeded) { try JWKSet(decoding: "{}" + spaces) }
        _ = try JWS(compact: head + String(repeating: "A", count: limit) + ".AAAA", limits: JOSELimits(size: 2 * limit))
    }

    /// A status list is one string: no other limit than that of the size holds for it.
    @Test func oneStringMayTakeAllOfTheSize() {
        for size in [1000, 9 << 20] { #expect(JOSELimits(size: size).json.stringLength == size) }
    }

    @Test(arguments: [10, 64, 65, 100_000])
    func depthIsBounded(depth: Int) throws {
        // The header itself is one level.
        let nested = String(repeating: "[", count: depth - 1) + String(repeating: "]", count: depth - 1)
        let deep = #"{"alg":"ES256","x":\#(nested)}"#
        let isDeep = depth > JOSELimits.default.depth
        func expect(_ read: () throws -> Void) throws {
            if isDeep { expectRefusal(.limitExceeded) { try read() } } else { try read() }
        }
        try expect { _ = try JWS(compact: compact(deep, "{}", "sig")) }
        try expect { _ = try JWE(compact: compact(deep, "", "ivx", "ctx", "tag")) }
        try expect { _ = try JWTClaims(decoding: Array(deep.utf8)) }
        try expect { _ = try JWK(decoding: #"{"kty":"oct","k":"AAAA","x":\#(nested)}"#) }
    }

    @Test func countsAreBounded() throws {
        let limits = JOSELimits.default
        func signatures(_ count: Int) -> String {
            let one = #"{"header":{"alg":"ES256"},"signature":""}"#
            return #"{"payload":"","signatures":[\#([String](repeating: one, count: count).joined(separator: ","))]}"#
        }
        #expect(try JWS(json: signatures(limits.signatures)).signatures.count == limits.signatures)
        expectRefusal(.limitExceeded, at: "signatures") { try JWS(json: signatures(limits.signatures + 1)) }

        func recipients(_ count: Int) -> String {
            let list = [String](repeating: "{}", count: count).joined(separator: ",")
            return #"{"unprotected":{"alg":"A128KW"},"recipients":[\#(list)],"ciphertext":""}"#
        }
        #expect(try JWE(json: recipients(limits.recipients)).recipients.count == limits.recipients)
        expectRefusal(.limitExceeded, at: "recipients") { try JWE(json: recipients(limits.recipients + 1)) }

        func keys(_ count: Int) -> String {
            #"{"keys":[\#([String](repeating: "{}", count: count).joined(separator: ","))]}"#
        }
        #expect(try JWKSet(decoding: keys(limits.keys)).ignored.count == limits.keys)
        expectRefusal(.limitExceeded) { try JWKSet(decoding: keys(limits.keys + 1)) }

        func chain(_ count: Int) -> JOSEHeader { ["x5c": .array([JSONValue](repeating: "AAAA", count: count))] }
        #expect(try chain(limits.certificates).certificateChain()?.count == limits.certificates)
        expectRefusal(.limitExceeded, at: "x5c") { try chain(limits.certificates + 1).certificateChain() }
        let many = String(repeating: "1,", count: limits.values) + "1"
        expectRefusal(.limitExceeded) { try JWTClaims(decoding: Array(#"{"x":[\#(many)]}"#.utf8)) }
    }

    @Test(arguments: [
        #"{"x5c":"AAAA"}"#, #"{"x5c":[]}"#, #"{"x5c":[1]}"#, #"{"x5c":["A-_A"]}"#, #"{"x5c":[""]}"#,
        #"{"x5c":["AAA"]}"#,
    ])
    func chainsAreListsOfBase64(header: String) throws {
        let read = try JWS(compact: compact(header, "{}", "sig")).unverifiedHeader()
        expectRefusal(.invalidHeader, at: "x5c") { try read.certificateChain() }
    }
}
