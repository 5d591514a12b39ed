import CryptoCore
import JOSEKit
import JSONKit
import SDJWTKit
import Testing

@Suite struct SerializationTests {
    private let scene: Scene

    init() throws {
        scene = try Scene()
    }

    @Test func compactIsWrittenAsReceived() async throws {
        for sdJWT in [try await scene.credential(), try await scene.presentation()] {
            let text = try sdJWT.compactSerialization()
            let read = try SDJWT(compact: text)
            #expect(read.serialization == .compact)
            #expect(try read.compactSerialization() == text)
            #expect(read.disclosures == sdJWT.disclosures)
            #expect((read.keyBindingJWT == nil) == text.hasSuffix("~"))
        }
    }

    @Test(arguments: [false, true])
    func jsonSerializationsCarryTheSame(isGeneral: Bool) async throws {
        let presentation = try await scene.presentation()
        let json = try isGeneral ? presentation.generalSerialization() : presentation.flattenedSerialization()
        let read = try SDJWT(json: json)
        #expect(read.serialization == (isGeneral ? .general : .flattened))
        #expect(try read.compactSerialization() == presentation.compactSerialization())
        let verified = try scene.verify(read).get()
        #expect(verified["given_name"] == "Erika")
        #expect(verified.keyBinding?.claims["nonce"] == .string(Scene.nonce))
        let again = try isGeneral ? read.generalSerialization() : read.flattenedSerialization()
        #expect(again == json)
    }

    @Test func aPresentationKeepsTheFormOfTheCredential() async throws {
        let credential = try SDJWT(json: try await scene.credential().flattenedSerialization())
        let presentation = try await credential.presentation(disclosing: [["given_name"]])
            .bound(by: scene.holder, scene.keyBinding)
        #expect(presentation.serialization == .flattened)
        #expect(try scene.verify(SDJWT(json: presentation.flattenedSerialization())).get()["given_name"] == "Erika")
    }

    @Test func theFirstSignatureWithAnAcceptedAlgorithmIsVerified() async throws {
        let credential = try await scene.credential()
        let other = try Scene.signer(8, .p384)
        let object = try JSONValue(parsing: try credential.generalSerialization())
        let own = try #require(object["signatures"]?[0])
        let payload = try #require(object["payload"]?.stringValue)
        let header: JSONValue = ["alg": "ES384", "typ": "dc+sd-jwt"]
        let protected = Base64URL.encode(header.encoded())
        let signature = try other.signature(for: Array("\(protected).\(payload)".utf8))
        let added: JSONValue = ["protected": .string(protected), "signature": .string(Base64URL.encode(signature))]
        let both: JSONValue = ["payload": .string(payload), "signatures": [own, added]]
        let sdJWT = try SDJWT(json: both.encoded())
        #expect(scene.verify(sdJWT, .noKeyBinding).verified != nil)
        let verification = SDJWTVerifier.verify(
            sdJWT,
            issuerKey: IssuerKey(other.publicKey),
            policy: .credential(algorithms: [.es384]),
            expecting: .noKeyBinding,
            at: scene.now
        )
        #expect(try verification.get().header["alg"] == "ES384")
        let mixed = SDJWTVerifier.verify(
            sdJWT,
            issuerKey: IssuerKey(other.publicKey),
            policy: .credential(algorithms: [.es256, .es384]),
            expecting: .noKeyBinding,
            at: scene.now
        )
        mixed.expectRefusal(.issuerSignature, .invalidIssuerSignature)
        expectRefusal(.invalidValue) { try sdJWT.compactSerialization() }
        expectRefusal(.invalidValue) { try sdJWT.flattenedSerialization() }
    }

    /// A recipient leaves out signatures that it cannot read (RFC 7515, section 5.2), and so does what it writes.
    @Test func aFurtherSignatureThatCannotBeReadIsLeftOut() async throws {
        let object = try JSONValue(parsing: try await scene.credential().generalSerialization())
        let own = try #require(object["signatures"]?[0])
        let unreadable: JSONValue = ["protected": .string(Base64URL.encode(Array("[]".utf8))), "signature": "AA"]
        let both: JSONValue = ["payload": object["payload"] ?? nil, "signatures": [own, unreadable]]
        let credential = try SDJWT(json: both.encoded())
        #expect(credential.issuerSignedJWT.signatures.count == 2)
        #expect(scene.verify(credential, .noKeyBinding).verified != nil)
        #expect(try JSONValue(parsing: credential.generalSerialization()) == object)
        let presentation = try credential.presentation(disclosing: [["given_name"]])
        let read = try SDJWT(json: presentation.generalSerialization())
        #expect(read.issuerSignedJWT.signatures.count == 1)
        #expect(try scene.verify(read, .noKeyBinding).get()["given_name"] == "Erika")
    }

    @Test func refusesMisplacedHeaderParameters() async throws {
        let object = try JSONValue(parsing: try await scene.credential().generalSerialization())
        let first = try #require(object["signatures"]?[0]?.objectValue)
        func refuse(_ code: SDJWTError.Code, _ signatures: JSONValue...) {
            let value: JSONValue = ["payload": object["payload"] ?? nil, "signatures": .array(signatures)]
            expectRefusal(code) { try SDJWT(json: value.encoded()) }
        }
        func with(_ header: JSONValue) -> JSONValue {
            var signature = first
            signature["header"] = header
            return .object(signature)
        }
        refuse(.malformed, .object(first), with(["disclosures": []]))
        refuse(.malformed, .object(first), with(["kb_jwt": "x"]))
        refuse(.malformed, with(["disclosures": "x"]))
        refuse(.malformed, with(["disclosures": [1]]))
        refuse(.malformed, with(["kb_jwt": 1]))
        refuse(.malformedDisclosure, with(["disclosures": ["x"]]))
        refuse(.malformedJWT, with(["kb_jwt": "x"]))
        refuse(.malformedJWT)
    }

    @Test(arguments: [
        "", "a", "a.b.c", "~", "~~", "a~", "a.b~", "..~", "e30.e30.AA~~", "e30.W10.AA~", "e30.e30.AA~x~", "{}",
    ])
    func refusesOtherTexts(text: String) {
        #expect(throws: SDJWTError.self) { try SDJWT(compact: text) }
    }

    @Test func saysWhatIsWrongWithAText() async throws {
        let text = try await scene.credential().compactSerialization()
        expectRefusal(.malformed) { try SDJWT(compact: text.filter { $0 != "~" }) }
        expectRefusal(.malformedDisclosure) { try SDJWT(compact: text + "~") }
        expectRefusal(.malformedJWT) { try SDJWT(compact: text + "W10") }
        expectRefusal(.malformedJWT) { try SDJWT(compact: "x" + text) }
        expectRefusal(.malformedJWT) { try SDJWT(compact: "x~") }
        expectRefusal(.malformed) { try SDJWT(json: Array(text.utf8)) }
        expectRefusal(.malformedJWT) { try SDJWT(json: "{}") }
    }

    @Test func refusesPayloadsThatAreNoClaims() async throws {
        for payload: JSONValue in [[], "x", 1, nil] {
            let text = try await assemble(payload, signer: scene.issuer)
            expectRefusal(.malformedJWT) { try SDJWT(compact: text) }
        }
        let unencoded = try await JWS.sign(
            Array("{}".utf8),
            header: ["b64": true, "crit": ["b64"]],
            with: scene.issuer
        ).compactSerialization()
        expectRefusal(.malformedJWT) { try SDJWT(compact: unencoded + "~") }
        let doubled = try await JWS.sign(Array(#"{"a":1,"a":2}"#.utf8), with: scene.issuer).compactSerialization()
        expectRefusal(.malformedJWT) { try SDJWT(compact: doubled + "~") }
    }

    @Test func limits() async throws {
        let text = try await scene.credential().compactSerialization()
        let count = try SDJWT(compact: text).disclosures.count
        var limits = SDJWTLimits(disclosures: count)
        _ = try SDJWT(compact: text, limits: limits)
        limits.disclosures -= 1
        expectRefusal(.limitExceeded) { try SDJWT(compact: text, limits: limits) }
        let json = try SDJWT(compact: text).flattenedSerialization()
        expectRefusal(.limitExceeded) { try SDJWT(json: json, limits: limits) }
        limits = SDJWTLimits(size: text.utf8.count)
        _ = try SDJWT(compact: text, limits: limits)
        limits.size -= 1
        expectRefusal(.limitExceeded) { try SDJWT(compact: text, limits: limits) }
        expectRefusal(.limitExceeded) { try SDJWT(json: json, limits: limits) }
        let tildes = [UInt8](repeating: UInt8(ascii: "~"), count: 900_000)
        expectRefusal(.limitExceeded) { try SDJWT(compact: tildes) }
        let deep = String(repeating: #"{"a":"#, count: 100) + "1" + String(repeating: "}", count: 100)
        let jwt = try await JWS.sign(Array(deep.utf8), with: scene.issuer).compactSerialization()
        expectRefusal(.limitExceeded) { try SDJWT(compact: jwt + "~") }
    }

    @Test func describesItselfWithoutClaims() async throws {
        #expect(try await scene.presentation().description == "SD-JWT+KB with 2 Disclosures")
        #expect(try await scene.credential().description.hasPrefix("SD-JWT with"))
    }
}
