import CryptoCore
import JOSEKit
import JSONKit
import TestSupport
import Testing

/// Keys that are refused, and uses that a key's own members forbid.
@Suite struct KeyRefusalTests {
    private let payload = Array("payload".utf8)

    private func members() throws -> JSONObject { try JWK(TestKeys.p256.get().publicKey).members }

    private func read(_ members: JSONObject) throws -> JWK { try JWK(json: .object(members)) }

    // MARK: Numbers

    @Test func pointsAreOnTheirCurve() throws {
        var key = try members()
        key["y"] = key["x"]
        expectRefusal(.invalidKey, at: "x") { try read(key) }
    }

    @Test func coordinatesHaveFullWidth() throws {
        var key = try members()
        let x = try Base64URL.decode(#require(key["x"]?.stringValue))
        for other in [[0] + x, Array(x.dropFirst()), x + x, []] {
            key["x"] = .string(Base64URL.encode(other))
            expectRefusal(.invalidKey, at: "x") { try read(key) }
        }
    }

    @Test(arguments: ["kty", "crv", "x", "y"])
    func membersAreRequired(name: String) throws {
        var key = try members()
        key[name] = nil
        expectRefusal(.invalidKey, at: name) { try read(key) }
        key[name] = 1
        expectRefusal(.invalidKey, at: name) { try read(key) }
    }

    @Test func otherTypesAndCurvesAreNotSupported() throws {
        expectRefusal(.unsupportedKey, at: "kty") { try JWK(json: ["kty": "AKP"]) }
        expectRefusal(.unsupportedKey, at: "kty") { try JWK(json: ["kty": "ec"]) }
        for (type, curve) in [
            ("EC", "P-224"), ("EC", "Ed25519"), ("OKP", "P-256"), ("EC", "brainpoolP256r1"), ("EC", "p-256"),
        ] {
            expectRefusal(.unsupportedKey, at: "crv") { try JWK(json: ["kty": .string(type), "crv": .string(curve)]) }
        }
        expectRefusal(.malformed) { try JWK(json: []) }
    }

    @Test(EngineCoverage.demanded) func curvesWithoutANameAreNotSupported() {
        expectRefusal(.unsupportedKey, at: "crv") { try JWK(PrivateKey.generate(.brainpoolP256r1).publicKey) }
    }

    @Test func privatePartBelongsToThePublicOne() throws {
        var key = try JWK(TestKeys.p256.get()).membersWithSecrets()
        key["d"] = try JWK(PrivateKey.generate(.p256)).membersWithSecrets()["d"]
        expectRefusal(.invalidKey, at: "d") { try read(key) }
        key["d"] = .string(Base64URL.encode([UInt8](repeating: 0, count: 32)))
        expectRefusal(.invalidKey, at: "d") { try read(key) }
    }

    @Test func rsaKeysAreComplete() throws {
        let key = try JWK(TestKeys.rsa.get()).membersWithSecrets()
        for name in ["d", "p", "q", "dp", "dq", "qi"] {
            var partial = key
            partial[name] = nil
            expectRefusal(.invalidKey, at: name) { try read(partial) }
        }
        var other = key
        other["dp"] = key["dq"]
        expectRefusal(.invalidKey) { try read(other) }
        var several = key
        several["oth"] = []
        expectRefusal(.unsupportedKey, at: "oth") { try read(several) }
    }

    @Test func rsaNumbersAreMinimalAndStrong() throws {
        let key = try JWK(TestKeys.rsa.get().publicKey).members
        let modulus = try Base64URL.decode(#require(key["n"]?.stringValue))
        for (name, number) in [("n", [0] + modulus), ("n", []), ("e", [0, 1, 0, 1]), ("e", [])] {
            var other = key
            other[name] = .string(Base64URL.encode(number))
            expectRefusal(.invalidKey, at: name) { try read(other) }
        }
        for (name, number) in [("n", Array(modulus.prefix(128))), ("e", [1]), ("e", [2])] {
            var other = key
            other[name] = .string(Base64URL.encode(number))
            expectRefusal(.invalidKey) { try read(other) }
        }
    }

    // MARK: Attributes

    @Test func operationsAreDistinctAndAgreeWithTheUse() throws {
        for (use, operations) in [
            ("sig", #"["verify","verify"]"#), ("sig", #"["encrypt"]"#), ("enc", #"["verify"]"#), ("sig", "1"),
            ("sig", "[1]"),
        ] {
            var key = try members()
            key["use"] = .string(use)
            key["key_ops"] = try JSONValue(parsing: operations)
            expectRefusal(.invalidKey, at: "key_ops") { try read(key) }
        }
        var fitting = try members()
        fitting["use"] = "sig"
        fitting["key_ops"] = ["verify", "https://example.com/other"]
        #expect(try read(fitting).keyOperations?.count == 2)
    }

    @Test func ownRestrictionsAreEnforced() async throws {
        let signer = try TestKeys.es256()
        let message = try await JWS.sign(payload, with: signer)
        for (name, value) in [
            ("use", "enc"), ("alg", "ES384"), ("alg", "ECDH-ES"), ("key_ops", ["sign"]), ("key_ops", []),
        ] as [(String, JSONValue)] {
            var key = try members()
            key[name] = value
            let jwk = try read(key)
            expectRefusal(.keyRestricted, at: name) { try message.verify(with: jwk, policy: [.es256]) }
            expectRefusal(.keyRestricted, at: name) { try message.verify(with: JWKSet([jwk]), policy: [.es256]) }
        }
        for (name, value) in [("use", "sig"), ("alg", "ES256"), ("key_ops", ["verify", "sign"])]
            as [(String, JSONValue)]
        {
            var key = try members()
            key[name] = value
            #expect(try message.verify(with: read(key), policy: [.es256]).payload == payload)
        }
        expectRefusal(.keyRestricted, at: "use") { try JWK(TestKeys.p256.get(), use: .encryption).signer() }
        expectRefusal(.keyMismatch) { try JWK(PrivateKey.generate(.x25519)).signer() }
        expectRefusal(.notPrivate) { try JWK(signer.publicKey).signer() }
    }

    @Test func ownRestrictionsAreEnforcedForEncryption() async throws {
        let key = try TestKeys.p256.get()
        let made = try JWE.encrypt(payload, to: .publicKey(key.publicKey, .ecdhES), with: .a128GCM)
        for (name, value) in [("use", "sig"), ("alg", "ECDH-ES+A128KW"), ("key_ops", ["verify"])]
            as [(String, JSONValue)]
        {
            var members = try JWK(key).membersWithSecrets()
            members[name] = value
            let jwk = try read(members)
            await expectRefusal(.keyRestricted, at: name) {
                try await made.decrypt(with: .jwk(jwk), policy: .everything)
            }
            expectRefusal(.keyRestricted, at: name) {
                try JWEEncryptionKey.jwk(#require(jwk.publicJWK), .ecdhES, for: .a128GCM)
            }
        }
        // A recipient's public key does nothing in an agreement; browsers export it so.
        for (operations, isTaken) in [([], true), (["deriveBits"], true), (["verify"], false)] as [(JSONValue, Bool)] {
            var members = try JWK(key.publicKey).members
            members["key_ops"] = operations
            let recipient = try? JWEEncryptionKey.jwk(read(members), .ecdhES, for: .a128GCM)
            #expect((recipient != nil) == isTaken)
            var own = try JWK(key).membersWithSecrets()
            own["key_ops"] = operations
            let content = try? await made.decrypt(with: .jwk(read(own)), policy: .everything)
            #expect((content != nil) == (operations == ["deriveBits"]))
        }
        let direct = try JWK(symmetric: TestKeys.symmetric(16), algorithm: "A128GCM")
        let own = try JWE.encrypt(payload, to: .jwk(direct, .dir, for: .a128GCM), with: .a128GCM)
        #expect(try await own.decrypt(with: .jwk(direct), policy: .everything).plaintext == payload)
        expectRefusal(.keyRestricted, at: "alg") { try JWEEncryptionKey.jwk(direct, .a128KW, for: .a128GCM) }
        expectRefusal(.missingAlgorithm) { try JWEEncryptionKey.jwk(JWK(key.publicKey), for: .a128GCM) }
        await expectRefusal(.notPrivate) { try await made.decrypt(with: .jwk(JWK(key.publicKey)), policy: .everything) }
    }

    @Test func privateMembersAreRefusedWhereAPublicKeyIsExpected() async throws {
        let jwk = try JWK(TestKeys.p256.get())
        let message = try await JWS.sign(payload, with: TestKeys.es256())
        expectRefusal(.privateMembers) { try jwk.publicKey() }
        expectRefusal(.privateMembers) { try message.verify(with: jwk, policy: [.es256]) }
        expectRefusal(.privateMembers) { try JWEEncryptionKey.jwk(jwk, .ecdhES, for: .a128GCM) }
        let members = JSONValue.object(jwk.membersWithSecrets())
        expectRefusal(.privateMembers) { try JWTConfirmation(json: ["jwk": members]) }
        #expect(try message.verify(with: #require(jwk.publicJWK), policy: [.es256]).payload == payload)
        #expect(!(jwk.publicJWK?.members.contains("d") ?? true))
    }

    @Test func certificatesBelongToTheKey() async throws {
        let authority = try await TestAuthority()
        let jwk = try JWK(certificate: authority.leaf)
        #expect(try JWK(decoding: jwk.encoded()).certificateChain == [authority.leaf.derBytes])
        #expect(try JWK(pem: authority.leaf.pem).publicKey() == authority.signer.publicKey)
        var other = jwk.members
        let stranger = try JWK(PrivateKey.generate(.p256).publicKey).members
        (other["x"], other["y"]) = (stranger["x"], stranger["y"])
        expectRefusal(.certificateMismatch, at: "x5c") { try read(other) }
        var thumbprint = jwk.members
        thumbprint["x5t#S256"] = .string(Base64URL.encode([UInt8](repeating: 1, count: 32)))
        expectRefusal(.certificateMismatch, at: "x5t#S256") { try read(thumbprint) }
        var sha1 = jwk.members
        sha1["x5t"] = .string(Base64URL.encode([UInt8](repeating: 1, count: 20)))
        expectRefusal(.certificateMismatch, at: "x5t") { try read(sha1) }
        var garbage = jwk.members
        garbage["x5c"] = ["AAAA"]
        expectRefusal(.invalidKey, at: "x5c") { try read(garbage) }
        expectRefusal(.invalidKey, at: "PEM") { try JWK(pem: "no key") }
        #expect(try JWK(der: authority.leaf.derBytes).certificateChain == [authority.leaf.derBytes])
        expectRefusal(.invalidKey, at: "DER") { try JWK(der: [0x30, 0x00]) }
    }

    // MARK: Sets

    @Test func setsSkipWhatTheyDoNotUnderstand() throws {
        let good = JSONValue.object(try members())
        let set = try JWKSet(json: ["keys": [["kty": "AKP"], good, 1, ["kty": "EC", "crv": "P-256"], good]])
        #expect(set.keys.count == 2)
        #expect(set.ignored.map(\.index) == [0, 2, 3])
        #expect(set.ignored.map(\.reason.code) == [.unsupportedKey, .malformed, .invalidKey])
        for text in ["[]", "{}", #"{"keys":{}}"#, "1"] { expectRefusal(.malformed) { try JWKSet(decoding: text) } }
        #expect(try JWKSet(decoding: set.encoded()).keys.count == 2)
    }

    @Test func identifiersChooseTheKey() async throws {
        let (first, second) = (try TestKeys.es256(), try SoftwareSigner(PrivateKey.generate(.p256)))
        let keys = [try JWK(first.publicKey, keyID: "1"), try JWK(second.publicKey, keyID: "2")]
        let set = JWKSet(keys)
        let named = try await JWS.sign(payload, header: ["kid": "2"], with: second)
        #expect(try named.verify(with: set, policy: [.es256]).jwk?.keyID == "2")
        let swapped = try await JWS.sign(payload, header: ["kid": "1"], with: second)
        expectRefusal(.invalidSignature) { try swapped.verify(with: set, policy: [.es256]) }
        let unknown = try await JWS.sign(payload, header: ["kid": "3"], with: second)
        expectRefusal(.noKey) { try unknown.verify(with: set, policy: [.es256]) }
        let without = try await JWS.sign(payload, with: second)
        #expect(try without.verify(with: set, policy: [.es256]).jwk?.keyID == "2")
        expectRefusal(.noKey) { try without.verify(with: JWKSet([]), policy: [.es256]) }
    }

    @Test func ambiguousIdentifiersAreRefused() async throws {
        let signer = try TestKeys.es256()
        let message = try await JWS.sign(payload, header: ["kid": "1"], with: signer)
        let own = try JWK(signer.publicKey, keyID: "1")
        let other = try JWK(PrivateKey.generate(.p256).publicKey, keyID: "1")
        let alternative = try JWK(PrivateKey.generate(.ed25519).publicKey, keyID: "1")
        expectRefusal(.noKey) { try message.verify(with: JWKSet([own, other]), policy: [.es256]) }
        #expect(try message.verify(with: JWKSet([own, alternative, own]), policy: [.es256]).payload == payload)
        let members = JSONValue.object(own.members)
        let broken = try JWKSet(json: ["keys": [members, ["kty": "EC", "kid": "1"]]])
        expectRefusal(.noKey) { try message.verify(with: broken, policy: [.es256]) }
        let foreign = try JWKSet(json: ["keys": [members, ["kty": "AKP", "kid": "1"]]])
        #expect(try message.verify(with: foreign, policy: [.es256]).payload == payload)
    }

    @Test func setsWithPublicKeysDoNotAuthenticate() throws {
        let secret = try JWK(symmetric: TestKeys.symmetric(32), keyID: "1")
        let message = try JWS.authenticate(
            payload,
            header: ["alg": "HS256", "kid": "1"],
            hmacKey: TestKeys.symmetric(32)
        )
        #expect(try message.verify(with: JWKSet([secret]), policy: [.hs256]).payload == payload)
        let mixed = JWKSet([secret, try JWK(TestKeys.p256.get().publicKey, keyID: "2")])
        expectRefusal(.noKey) { try message.verify(with: mixed, policy: [.hs256]) }
    }
}
