import CryptoCore
import JOSEKit
import JSONKit
import SDJWTKit
import Testing

@Suite struct SDJWTBuilderTests {
    private let scene: Scene

    init() throws {
        scene = try Scene()
    }

    private func payload(_ sdJWT: SDJWT) throws -> JSONObject {
        let value = try JSONValue(parsing: try #require(sdJWT.issuerSignedJWT.unverifiedPayload))
        return try #require(value.objectValue)
    }

    @Test func hidesWhatIsMarkedAndNothingElse() async throws {
        let credential = try await scene.credential()
        let payload = try payload(credential)
        #expect(payload["given_name"] == nil)
        #expect(payload["address"] == nil)
        #expect(payload["iss"] == "https://issuer.example")
        #expect(payload["vct"] == .string(Scene.credentialType))
        #expect(payload["_sd_alg"] == "sha-256")
        #expect(payload["_sd"]?.arrayValue?.count == 4)
        #expect(payload["nationalities"]?.arrayValue?.allSatisfy { $0["..."] != nil } == true)
        #expect(payload["degrees"]?[0]?["type"] == "Bachelor")
        #expect(payload["degrees"]?[0]?["_sd"]?.arrayValue?.count == 1)
        #expect(payload["cnf"]?["jwk"]?["kty"] == "EC")
        #expect(credential.disclosures.count == 10)
        let whole = try scene.verify(credential, .noKeyBinding).get().claims
        var expected = Scene.claims
        expected["vct"] = .string(Scene.credentialType)
        expected["cnf"] = payload["cnf"]
        #expect(whole == expected)
    }

    @Test func digestsStandInAnOrderThatTellsNothing() async throws {
        let credential = try await scene.credential()
        let digests = try #require(try payload(credential)["_sd"]?.arrayValue?.compactMap(\.stringValue))
        #expect(digests == digests.sorted())
    }

    @Test func everythingButTheSignatureRepeatsWithTheRandomSource() async throws {
        let (one, other) = (try await scene.credential(), try await scene.credential())
        #expect(one.disclosures == other.disclosures)
        #expect(one.issuerSignedJWT.unverifiedPayload == other.issuerSignedJWT.unverifiedPayload)
        let fresh = try await scene.builder().sign(with: scene.issuer)
        #expect(Set(fresh.disclosures).isDisjoint(with: one.disclosures))
    }

    @Test func decoysHideTheNumberOfClaims() async throws {
        var builder = SDJWTBuilder(claims: ["a": 1, "list": [1, 2, 3], "o": ["b": 1]])
        try builder.conceal(["a"])
        try builder.conceal(["list", 1])
        try builder.addDecoys(3)
        try builder.addDecoys(2, at: ["list"])
        try builder.addDecoys(4, at: ["o"])
        let sdJWT = try await builder.sign(with: scene.issuer)
        let payload = try payload(sdJWT)
        #expect(payload["_sd"]?.arrayValue?.count == 4)
        #expect(payload["list"]?.arrayValue?.count == 5)
        #expect(payload["o"]?["_sd"]?.arrayValue?.count == 4)
        #expect(sdJWT.disclosures.count == 2)
        let lengths = payload["_sd"]?.arrayValue?.compactMap { $0.stringValue?.utf8.count }
        #expect(lengths == [43, 43, 43, 43])
        #expect(try sdJWT.unverifiedPayload().claims == ["a": 1, "list": [1, 2, 3], "o": ["b": 1]])
        #expect(try sdJWT.presentation(disclosing: []).unverifiedPayload().claims == ["list": [1, 3], "o": ["b": 1]])
    }

    @Test(arguments: [SDHashAlgorithm.sha256, .sha384, .sha512])
    func hashFunctions(algorithm: SDHashAlgorithm) async throws {
        var builder = try scene.builder()
        builder.hashAlgorithm = algorithm
        let credential = try await builder.sign(with: scene.issuer)
        #expect(try payload(credential)["_sd_alg"] == .string(algorithm.rawValue))
        let presentation = try await credential.presentation(disclosing: [["given_name"]])
            .bound(by: scene.holder, scene.keyBinding)
        #expect(try scene.verify(presentation).get()["given_name"] == "Erika")
    }

    @Test func withoutMarksThereAreNoDigests() async throws {
        let builder = SDJWTBuilder(type: "example+sd-jwt", claims: ["a": [1, ["b": nil]]])
        let sdJWT = try await builder.sign(with: scene.issuer, header: ["kid": "key-1"])
        #expect(try payload(sdJWT) == ["a": [1, ["b": nil]]])
        let header = try #require(sdJWT.issuerSignedJWT.signatures.first?.protectedHeader)
        #expect(header.members.names == ["alg", "kid", "typ"])
        #expect(try sdJWT.compactSerialization().hasSuffix("~"))
    }

    @Test(arguments: ["iss", "nbf", "exp", "cnf", "vct", "vct#integrity", "aka_vcts", "status"])
    func claimsThatDecideAboutValidityCannotBeHidden(name: String) throws {
        var claims: JSONObject = ["a": 1]
        claims[name] = ["x": ["y"]]
        var credential = SDJWTBuilder(credentialType: "t", claims: claims)
        expectRefusal(.claimNotConcealable) { try credential.conceal([.name(name)]) }
        expectRefusal(.claimNotConcealable) { try credential.conceal([.name(name), "x"]) }
        expectRefusal(.claimNotConcealable) { try credential.addDecoys(1, at: [.name(name)]) }
        credential.openClaims = []
        if name != "vct" { try credential.conceal([.name(name)]) }
    }

    @Test(arguments: [["aka_vcts": []], ["aka_vcts": ["t"]], ["aka_vcts": "u"], ["aka_vcts": [1]]] as [JSONObject])
    func refusesTypesThatVerifiersRefuse(claims: JSONObject) async throws {
        await expectRefusal(.invalidClaim) {
            try await SDJWTBuilder(credentialType: "t", claims: claims).sign(with: scene.issuer)
        }
        await expectRefusal(.invalidClaim) {
            try await SDJWTBuilder(credentialType: "", claims: [:]).sign(with: scene.issuer)
        }
    }

    @Test func subjectTimeOfIssuanceAndSingleRecipientsCanBeHidden() async throws {
        var credential = SDJWTBuilder(credentialType: "t", claims: ["sub": "s", "iat": 1])
        try credential.conceal(["sub"])
        try credential.conceal(["iat"])
        let claims: JSONObject = ["aud": ["a", "b"], "exp": 1]
        for plain in [SDJWTBuilder(claims: claims), SDJWTBuilder(credentialType: "t", claims: claims)] {
            var builder = plain
            try builder.conceal(["aud", 1])
            expectRefusal(.claimNotConcealable) { try builder.conceal(["aud"]) }
            expectRefusal(.claimNotConcealable) { try builder.conceal(["exp"]) }
        }
    }

    @Test func refusesPathsThatSelectNothing() {
        var builder = SDJWTBuilder(claims: ["a": ["b": 1], "l": [1]])
        expectRefusal(.claimNotFound) { try builder.conceal(["c"]) }
        expectRefusal(.claimNotFound) { try builder.conceal(["a", "c"]) }
        expectRefusal(.claimNotFound) { try builder.conceal(["l", 1]) }
        expectRefusal(.claimPathMismatch) { try builder.conceal(["a", nil]) }
        expectRefusal(.claimPathMismatch) { try builder.conceal(["l", "x"]) }
        expectRefusal(.claimPathMismatch) { try builder.conceal(["a", "b", "c"]) }
        expectRefusal(.invalidClaimPath) { try builder.conceal([]) }
        expectRefusal(.claimPathMismatch) { try builder.addDecoys(1, at: ["a", "b"]) }
        expectRefusal(.invalidValue) { try builder.addDecoys(-1) }
        expectRefusal(.invalidValue) { try builder.addDecoys(1001) }
        expectRefusal(.limitExceeded) { try builder.conceal(ClaimPath(Array(repeating: "a", count: 129))) }
    }

    @Test(
        arguments: [["_sd": 1], ["...": 1], ["a": ["_sd": []]], ["a": [["...": "x"]]], ["_sd_alg": "x"]] as [JSONObject]
    )
    func refusesReservedNames(claims: JSONObject) async {
        let builder = SDJWTBuilder(claims: claims)
        await expectRefusal(.reservedClaimName) { try await builder.sign(with: scene.issuer) }
    }

    @Test func refusesWhatDoesNotGoTogether() async throws {
        var builder = SDJWTBuilder(type: "example+sd-jwt", claims: ["cnf": [:]])
        await expectRefusal(.invalidValue) { try await builder.sign(with: scene.issuer, header: ["typ": "x"]) }
        await expectRefusal(.invalidValue) { try await builder.sign(with: scene.issuer, header: ["alg": "ES256"]) }
        expectRefusal(.invalidValue) { try builder.prepare(header: [:]) }
        expectRefusal(.invalidValue) { try builder.prepare(header: ["alg": "none"]) }
        expectRefusal(.algorithmNotAllowed) { try builder.prepare(header: ["alg": "HS256"]) }
        builder.holderKey = try JWK(scene.holder.publicKey)
        expectRefusal(.duplicateClaim) { try builder.prepare(header: ["alg": "ES256"]) }
        builder = SDJWTBuilder(claims: ["a": 1])
        builder.hashAlgorithm = SDHashAlgorithm(rawValue: "sha-1")
        expectRefusal(.unsupportedHashAlgorithm) { try builder.prepare(header: ["alg": "ES256"]) }
        builder.hashAlgorithm = .sha256
        builder.saltSize = 15
        try builder.conceal(["a"])
        expectRefusal(.invalidValue) { try builder.prepare(header: ["alg": "ES256"]) }
        builder.saltSize = 16
        builder.holderKey = try JWK(symmetric: SecretBytes([UInt8](repeating: 7, count: 32)))
        expectRefusal(.invalidValue) { try builder.prepare(header: ["alg": "ES256"]) }
    }

    @Test func onlyThePublicPartOfTheHoldersKeyIsWritten() async throws {
        var builder = SDJWTBuilder(credentialType: "t", claims: [:])
        builder.holderKey = try JWK(PrivateKey.generate(.p256, using: Scene.random(2)))
        let confirmation = try payload(try await builder.sign(with: scene.issuer))["cnf"]
        #expect(confirmation?["jwk"]?["d"] == nil)
        #expect(confirmation?["jwk"]?["x"] != nil)
    }

    /// The holder chooses the key: digests in it would become claims of the issuer, with a Disclosure that the holder makes.
    @Test(
        arguments: [
            ("_sd", ["x"]), ("a", ["_sd": ["x"]]), ("n", [["...": "x"]]), ("...", "x"), ("_sd_alg", "sha-512"),
            ("x5u", "x"),
            ("admin", true),
        ] as [(String, JSONValue)]
    )
    func furtherMembersOfTheHoldersKeyAreNotSigned(name: String, value: JSONValue) async throws {
        var members = try JWK(scene.holder.publicKey, keyID: "1", use: .signature, algorithm: "ES256").members
        members["key_ops"] = ["verify"]
        let own = members
        members[name] = value
        var builder = SDJWTBuilder(credentialType: "t", claims: [:])
        builder.holderKey = try JWK(json: .object(members))
        let credential = try await builder.sign(with: scene.issuer)
        #expect(try payload(credential)["cnf"] == ["jwk": .object(own)])
        #expect(scene.verify(credential, .noKeyBinding).verified != nil)
    }

    @Test func signsInTwoSteps() throws {
        let unsigned = try scene.builder().prepare(header: ["alg": "ES256"], using: Scene.random(4))
        #expect(unsigned.algorithm == .es256)
        #expect(unsigned.disclosures.count == 10)
        let credential = try unsigned.completed(with: try scene.issuer.signature(for: unsigned.bytesToSign))
        #expect(scene.verify(credential, .noKeyBinding).verified != nil)
        expectRefusal(.signingFailed) { try unsigned.completed(with: [1, 2, 3]) }
    }

    @Test func reportsASignerThatFails() async throws {
        let builder = try scene.builder()
        await expectRefusal(.signingFailed) {
            try await builder.sign(with: FailingSigner(publicKey: scene.issuer.publicKey))
        }
    }
}

/// A signer whose key is out of reach.
struct FailingSigner: Signer {
    struct Unreachable: Error {}

    let publicKey: PublicKey
    var algorithm: SignatureAlgorithm { .ecdsaSHA256 }

    func signature(for message: [UInt8]) async throws -> [UInt8] { throw Unreachable() }
}
