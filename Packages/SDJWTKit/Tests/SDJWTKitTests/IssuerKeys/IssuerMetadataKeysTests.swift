import CredentialTransport
import CryptoCore
import Foundation
import JOSEKit
import JSONKit
import SDJWTKit
import Synchronization
import Testing

@Suite struct IssuerMetadataKeysTests {
    private static let place = "https://issuer.example/.well-known/jwt-vc-issuer"
    private let scene: Scene

    init() throws {
        scene = try Scene()
    }

    private func keySet(_ keys: (PublicKey, String)...) throws -> JSONValue {
        let keys = try keys.map { JSONValue.object(try JWK($0.0, keyID: $0.1).members) }
        return ["keys": .array(keys)]
    }

    private func key(
        _ answers: [String: InMemoryHTTPAnswer],
        issuer: String? = "https://issuer.example"
    ) async throws -> IssuerKey {
        let keys = IssuerMetadataKeys(transport: InMemoryHTTPTransport(answers)) { _ in true }
        return try await keys.key(for: ["kid": "1"], issuer: issuer, at: scene.now)
    }

    private func answer(_ value: JSONValue) -> InMemoryHTTPAnswer {
        .ok(value.encoded(), type: .json)
    }

    @Test func keysOfAnIssuerVerifyItsCredentials() async throws {
        let metadata: JSONValue = [
            "issuer": "https://issuer.example",
            "jwks": try keySet((scene.stranger.publicKey, "0"), (scene.issuer.publicKey, "1")),
        ]
        let transport = InMemoryHTTPTransport([Self.place: answer(metadata)])
        let verifier = SDJWTVerifier(
            policy: .credential(algorithms: [.es256]),
            issuerKeys: IssuerMetadataKeys(transport: transport, issuers: ["https://issuer.example"]),
            clock: { [now = scene.now] in now }
        )
        let builder = SDJWTBuilder(credentialType: "t", claims: ["iss": "https://issuer.example"])
        let credential = try await builder.sign(with: scene.issuer, header: ["kid": "1"])
        #expect(await verifier.verify(credential, expecting: .noKeyBinding).verified != nil)
        #expect(await verifier.verify(credential, expecting: .noKeyBinding).verified != nil)
        #expect(transport.requests.count == 1)
        let wrong = try await builder.sign(with: scene.issuer, header: ["kid": "0"])
        await verifier.verify(wrong, expecting: .noKeyBinding).expectRefusal(.issuerSignature, .invalidIssuerSignature)
        let unknown = try await builder.sign(with: scene.issuer, header: ["kid": "2"])
        await verifier.verify(unknown, expecting: .noKeyBinding).expectRefusal(
            .issuerSignature,
            .invalidIssuerSignature
        )
    }

    @Test(arguments: [
        ("https://issuer.example", "https://issuer.example/.well-known/jwt-vc-issuer"),
        ("https://issuer.example/", "https://issuer.example/.well-known/jwt-vc-issuer"),
        ("https://issuer.example/tenant/1234", "https://issuer.example/.well-known/jwt-vc-issuer/tenant/1234"),
        ("https://issuer.example/tenant/", "https://issuer.example/.well-known/jwt-vc-issuer/tenant"),
        ("https://issuer.example:8443/a", "https://issuer.example:8443/.well-known/jwt-vc-issuer/a"),
    ])
    func theWellKnownPathGoesBetweenHostAndPath(issuer: String, place: String) async throws {
        let metadata: JSONValue = ["issuer": .string(issuer), "jwks": try keySet((scene.issuer.publicKey, "1"))]
        _ = try await key([place: answer(metadata)], issuer: issuer)
    }

    /// Earlier drafts had the well-known path behind the issuer's.
    @Test(
        arguments: [
            ("https://issuer.example/tenant", 404, "https://issuer.example/tenant/.well-known/jwt-vc-issuer", true),
            ("https://issuer.example/tenant/", 410, "https://issuer.example/tenant/.well-known/jwt-vc-issuer", true),
            ("https://issuer.example/tenant", 500, "https://issuer.example/tenant/.well-known/jwt-vc-issuer", false),
            ("https://issuer.example/tenant", 404, "https://other.example/tenant/.well-known/jwt-vc-issuer", false),
        ]
    )
    func anAppendedPathIsToleratedByName(issuer: String, status: Int, place: String, isTaken: Bool) async throws {
        let metadata: JSONValue = ["issuer": .string(issuer), "jwks": try keySet((scene.issuer.publicKey, "1"))]
        let answer = answer(metadata)
        let transport = InMemoryHTTPTransport { request throws(TransportError) in
            request.url.description == place ? answer : InMemoryHTTPAnswer(status: status)
        }
        func verification(_ tolerances: Set<SDJWTTolerance>) async throws -> Verification<VerifiedSDJWT> {
            let verifier = SDJWTVerifier(
                policy: .credential(algorithms: [.es256]),
                issuerKeys: IssuerMetadataKeys(transport: transport, tolerances: tolerances) { _ in true },
                clock: { [now = scene.now] in now }
            )
            let builder = SDJWTBuilder(credentialType: "t", claims: ["iss": .string(issuer)])
            let credential = try await builder.sign(with: scene.issuer, header: ["kid": "1"])
            return await verifier.verify(credential, expecting: .noKeyBinding)
        }
        try await verification([]).expectRefusal(.issuerKey, .retrievalFailed)
        #expect(transport.requests.count == 1)
        let tolerant = try await verification(.deployed)
        #expect((tolerant.verified != nil) == isTaken, "\(tolerant.checks)")
        #expect(tolerant.deviations.map(\.tolerance) == (isTaken ? ["appendedMetadataPath"] : []))
    }

    /// A document at the specified place decides, even a wrong one.
    @Test func anAppendedPathIsTriedOnlyWhereTheOtherIsMissing() async throws {
        let issuer = "https://issuer.example/tenant"
        let metadata: JSONValue = ["issuer": "https://evil.example", "jwks": try keySet((scene.issuer.publicKey, "1"))]
        let transport = InMemoryHTTPTransport([
            "https://issuer.example/.well-known/jwt-vc-issuer/tenant": answer(metadata)
        ])
        let keys = IssuerMetadataKeys(transport: transport, tolerances: .deployed) { _ in true }
        await expectRefusal(.issuerMismatch) { try await keys.key(for: [:], issuer: issuer, at: scene.now) }
        // An issuer without a path has one place alone.
        await expectRefusal(.retrievalFailed) {
            try await keys.key(for: [:], issuer: "https://issuer.example", at: scene.now)
        }
        #expect(transport.requests.count == 2)
    }

    /// A proxy that changes an answer gives it the status 203 (RFC 9110, section 15.3.4).
    @Test(arguments: [(203, true), (201, false), (204, false), (206, false)])
    func takesAnswersWithTheDocument(status: Int, isTaken: Bool) async throws {
        let metadata: JSONValue = ["issuer": "https://issuer.example", "jwks_uri": "https://keys.example/set"]
        var answers = [
            Self.place: answer(metadata), "https://keys.example/set": answer(try keySet((scene.issuer.publicKey, "1"))),
        ]
        for place in answers.keys.sorted() {
            answers[place]?.status = status
            if isTaken {
                _ = try await key(answers)
            } else {
                await expectRefusal(.retrievalFailed) { try await key(answers) }
                answers[place]?.status = 200
            }
        }
    }

    @Test func keysFromElsewhere() async throws {
        let metadata: JSONValue = ["issuer": "https://issuer.example", "jwks_uri": "https://keys.example/set"]
        let set = InMemoryHTTPAnswer.ok(
            try keySet((scene.issuer.publicKey, "1")).encoded(),
            type: try MediaType("application/jwk-set+json")
        )
        _ = try await key([Self.place: answer(metadata), "https://keys.example/set": set])
        await expectRefusal(.retrievalFailed) { try await key([Self.place: answer(metadata)]) }
        let insecure: JSONValue = ["issuer": "https://issuer.example", "jwks_uri": "http://keys.example/set"]
        await expectRefusal(.issuerKeyNotFound) { try await key([Self.place: answer(insecure)]) }
    }

    @Test(arguments: [
        "http://issuer.example", "issuer.example", "did:web:issuer.example", "https://issuer.example?a=b",
        "https://issuer.example#a", "https://user@issuer.example", "HTTPS://issuer.example", "https://", "",
    ])
    func onlyHTTPSURLsAreIssuers(issuer: String) async {
        await expectRefusal(.issuerKeyNotFound) { try await key([:], issuer: issuer) }
        await expectRefusal(.issuerKeyNotFound) { try await key([:], issuer: nil) }
    }

    @Test func metadataMustBeTheIssuersAndComplete() async throws {
        let keys = try keySet((scene.issuer.publicKey, "1"))
        func refuse(_ code: SDJWTError.Code, _ metadata: JSONValue) async {
            await expectRefusal(code) { try await key([Self.place: answer(metadata)]) }
        }
        await refuse(.issuerMismatch, ["issuer": "https://issuer.example/", "jwks": keys])
        await refuse(.issuerMismatch, ["issuer": 1, "jwks": keys])
        await refuse(.issuerMismatch, ["jwks": keys])
        await refuse(.issuerKeyNotFound, ["issuer": "https://issuer.example"])
        await refuse(.issuerKeyNotFound, ["issuer": "https://issuer.example", "jwks": []])
        await refuse(.issuerKeyNotFound, ["issuer": "https://issuer.example", "jwks_uri": 1])
        await refuse(
            .issuerKeyNotFound,
            ["issuer": "https://issuer.example", "jwks": keys, "jwks_uri": "https://keys.example"]
        )
        await refuse(.issuerKeyNotFound, [])
        await expectRefusal(.issuerKeyNotFound) { try await key([Self.place: .ok(Array("{".utf8), type: .json)]) }
    }

    @Test func refusesFailedRetrievals() async throws {
        await expectRefusal(.retrievalFailed) { try await key([:]) }
        await expectRefusal(.retrievalFailed) { try await key([Self.place: .redirect(to: "https://evil.example")]) }
        await expectRefusal(.retrievalFailed) { try await key([Self.place: .ok([], type: try MediaType("text/html"))]) }
        let large = [UInt8](repeating: UInt8(ascii: " "), count: 65 * 1024)
        await expectRefusal(.retrievalFailed) { try await key([Self.place: .ok(large, type: .json)]) }
        await expectRefusal(.retrievalFailed) { try await key([:], issuer: "https://127.0.0.1") }
    }

    @Test(arguments: [(nil, true), (2, true), (1, false), (0, false)] as [(Int?, Bool)])
    func redirectsAreFollowedWithinALimit(limit: Int?, isFound: Bool) async throws {
        let metadata: JSONValue = ["issuer": "https://issuer.example", "jwks_uri": "https://keys.example/set"]
        let transport = InMemoryHTTPTransport([
            Self.place: .redirect(to: "https://cdn.example/metadata"),
            "https://cdn.example/metadata": answer(metadata),
            "https://keys.example/set": .redirect(to: "https://cdn.example/a"),
            "https://cdn.example/a": .redirect(to: "/b"),
            "https://cdn.example/b": answer(try keySet((scene.issuer.publicKey, "1"))),
        ])
        let keys =
            limit.map { IssuerMetadataKeys(transport: transport, redirects: $0) { _ in true } }
            ?? IssuerMetadataKeys(transport: transport) { _ in true }
        if isFound {
            _ = try await keys.key(for: ["kid": "1"], issuer: "https://issuer.example", at: scene.now)
        } else {
            await expectRefusal(.retrievalFailed) {
                try await keys.key(for: ["kid": "1"], issuer: "https://issuer.example", at: scene.now)
            }
        }
        await expectRefusal(.retrievalFailed) { try await key([Self.place: .redirect(to: "http://issuer.example/")]) }
    }

    @Test func issuersMustBeTrustedBeforeTheyAreAsked() async throws {
        let transport = InMemoryHTTPTransport([:])
        let keys = IssuerMetadataKeys(transport: transport, issuers: ["https://issuer.example"])
        await expectRefusal(.issuerNotTrusted) {
            try await keys.key(for: [:], issuer: "https://evil.example", at: scene.now)
        }
        #expect(transport.requests.isEmpty)
    }

    @Test func keysAreKeptForAWhile() async throws {
        let metadata: JSONValue = [
            "issuer": "https://issuer.example", "jwks": try keySet((scene.issuer.publicKey, "1")),
        ]
        let transport = InMemoryHTTPTransport([Self.place: answer(metadata)])
        let keys = IssuerMetadataKeys(
            transport: transport,
            caching: DocumentCacheOptions(minimumLifetime: 0, defaultLifetime: 10)
        ) { _ in true }
        for (seconds, count) in [(0.0, 1), (9.9, 1), (10, 2), (15, 2)] {
            _ = try await keys.key(
                for: [:],
                issuer: "https://issuer.example",
                at: scene.now.addingTimeInterval(seconds)
            )
            #expect(transport.requests.count == count)
        }
    }

    /// The issuer's own lifetime counts, within the bounds of the receiver.
    @Test(
        arguments: [
            ("max-age=100", nil, 100), ("max-age=10000", nil, 1000), ("max-age=1", nil, 10), ("no-store", nil, 10),
            ("public", nil, 50), ("max-age=100", "max-age=40", 40), ("max-age=40", "max-age=100", 40),
            ("max-age=100", "", 50), ("max-age=20", "", 20),
        ] as [(String, String?, TimeInterval)]
    )
    func keysAreKeptAsLongAsTheIssuerSays(cacheControl: String, ofKeys: String?, seconds: TimeInterval) async throws {
        let set = try keySet((scene.issuer.publicKey, "1"))
        var metadata: JSONObject = ["issuer": "https://issuer.example"]
        metadata[ofKeys == nil ? "jwks" : "jwks_uri"] = ofKeys == nil ? set : "https://keys.example/set"
        let transport = InMemoryHTTPTransport([
            Self.place: answer(.object(metadata)).caching(cacheControl),
            "https://keys.example/set": answer(set).caching(ofKeys ?? ""),
        ])
        let keys = IssuerMetadataKeys(
            transport: transport,
            caching: DocumentCacheOptions(minimumLifetime: 10, maximumLifetime: 1000, defaultLifetime: 50)
        ) { _ in true }
        for (time, isFetched) in [(0, true), (seconds - 0.5, false), (seconds, true)] {
            let count = transport.requests.count
            _ = try await keys.key(for: [:], issuer: "https://issuer.example", at: scene.now.addingTimeInterval(time))
            #expect((transport.requests.count > count) == isFetched, "\(time)")
        }
    }

    // MARK: New keys

    /// A server whose answer changes, and that counts its requests.
    private func server(_ answers: ChangingAnswer) -> InMemoryHTTPTransport {
        InMemoryHTTPTransport { _ throws(TransportError) in answers.value }
    }

    private func metadata(_ keys: (PublicKey, String)...) throws -> InMemoryHTTPAnswer {
        let list = try keys.map { JSONValue.object(try JWK($0.0, keyID: $0.1).members) }
        return answer(["issuer": "https://issuer.example", "jwks": ["keys": .array(list)]])
    }

    /// Keys that are kept for five minutes, and asked for again every ten seconds at most.
    private func keys(_ transport: InMemoryHTTPTransport) -> IssuerMetadataKeys {
        IssuerMetadataKeys(
            transport: transport,
            caching: DocumentCacheOptions(defaultLifetime: 300, refetchInterval: 10)
        ) { _ in true }
    }

    private func hasKey(_ keyID: String, _ keys: IssuerMetadataKeys, after seconds: TimeInterval) async throws -> Bool {
        try await verifies(signer: scene.issuer, ["kid": .string(keyID)], keys, after: seconds)
    }

    private func verifies(
        signer: SoftwareSigner,
        _ header: JOSEHeader,
        _ keys: any IssuerKeyResolver,
        after seconds: TimeInterval
    ) async throws -> Bool {
        let builder = SDJWTBuilder(credentialType: "t", claims: ["iss": "https://issuer.example"])
        let credential = try await builder.sign(with: signer, header: header)
        let verifier = SDJWTVerifier(
            policy: .credential(algorithms: [.es256]),
            issuerKeys: keys,
            clock: { [now = scene.now] in now.addingTimeInterval(seconds) }
        )
        return await verifier.verify(credential, expecting: .noKeyBinding).verified != nil
    }

    @Test func anUnknownKeyIsAskedForWithinARateLimit() async throws {
        let key = scene.issuer.publicKey
        let answers = ChangingAnswer(try metadata((key, "1")))
        let transport = server(answers)
        let keys = self.keys(transport)
        #expect(try await hasKey("1", keys, after: 0))
        answers.value = try metadata((key, "1"), (key, "2"))
        // Not before the interval has passed, then at once.
        #expect(try await !hasKey("2", keys, after: 9.9))
        #expect(transport.requests.count == 1)
        #expect(try await hasKey("2", keys, after: 10))
        #expect(transport.requests.count == 2)
        // Strangers with unknown keys cost one request in ten seconds, and known keys none.
        for seconds in stride(from: 10.0, to: 30, by: 0.5) {
            #expect(try await !hasKey("stranger's", keys, after: seconds))
            #expect(try await hasKey("1", keys, after: seconds))
        }
        #expect(transport.requests.count == 3)
    }

    /// Where the header names no key, only the failed signature shows that the issuer has a new one.
    @Test(arguments: [false, true])
    func aSignatureByNoKnownKeyCausesARequestWithinARateLimit(amongMechanisms: Bool) async throws {
        let answers = ChangingAnswer(try metadata((scene.issuer.publicKey, "1")))
        let transport = server(answers)
        let metadataKeys = keys(transport)
        let keys: any IssuerKeyResolver =
            amongMechanisms ? IssuerKeyMechanisms(metadata: metadataKeys) : metadataKeys
        #expect(try await verifies(signer: scene.issuer, [:], keys, after: 0))
        answers.value = try metadata((scene.stranger.publicKey, "2"))
        // Not before the interval has passed, then at once.
        #expect(try await !verifies(signer: scene.stranger, [:], keys, after: 9.9))
        #expect(transport.requests.count == 1)
        #expect(try await verifies(signer: scene.stranger, [:], keys, after: 10))
        #expect(transport.requests.count == 2)
        // A forged signature costs one request in ten seconds, and a valid one none.
        for seconds in stride(from: 10.0, to: 30, by: 0.5) {
            #expect(try await !verifies(signer: scene.issuer, [:], keys, after: seconds))
            #expect(try await verifies(signer: scene.stranger, [:], keys, after: seconds))
        }
        #expect(transport.requests.count == 3)
        // A failure leaves the verdict about the known keys.
        answers.value = InMemoryHTTPAnswer(status: 500)
        #expect(try await !verifies(signer: scene.issuer, [:], keys, after: 110))
        #expect(transport.requests.count == 4)
    }

    @Test func aNewKeyUnderTheSameNameIsAskedForWithinARateLimit() async throws {
        let answers = ChangingAnswer(try metadata((scene.issuer.publicKey, "1")))
        let transport = server(answers)
        let keys = self.keys(transport)
        #expect(try await verifies(signer: scene.issuer, ["kid": "1"], keys, after: 0))
        answers.value = try metadata((scene.stranger.publicKey, "1"))
        #expect(try await !verifies(signer: scene.stranger, ["kid": "1"], keys, after: 9.9))
        #expect(transport.requests.count == 1)
        #expect(try await verifies(signer: scene.stranger, ["kid": "1"], keys, after: 10))
        #expect(transport.requests.count == 2)
        for seconds in stride(from: 10.0, to: 30, by: 0.5) {
            #expect(try await !verifies(signer: scene.issuer, ["kid": "1"], keys, after: seconds))
            #expect(try await verifies(signer: scene.stranger, ["kid": "1"], keys, after: seconds))
        }
        #expect(transport.requests.count == 3)
    }

    @Test func aFailureKeepsTheKeysThatAreKnown() async throws {
        let key = scene.issuer.publicKey
        let answers = ChangingAnswer(try metadata((key, "1")))
        let transport = server(answers)
        let keys = self.keys(transport)
        #expect(try await hasKey("1", keys, after: 0))
        answers.value = InMemoryHTTPAnswer(status: 500)
        #expect(try await !hasKey("2", keys, after: 10))
        #expect(try await hasKey("1", keys, after: 11))
        // A failure counts as a request, too.
        #expect(try await !hasKey("2", keys, after: 19.9))
        #expect(transport.requests.count == 2)
        #expect(try await !hasKey("2", keys, after: 20))
        #expect(transport.requests.count == 3)
        #expect(try await !hasKey("1", keys, after: 300))
    }

    @Test func tasksThatNeedTheSameKeysShareARequest() async throws {
        let answers = ChangingAnswer(try metadata((scene.issuer.publicKey, "1")))
        let transport = InMemoryHTTPTransport { _ throws(TransportError) in
            // Long enough for the others to join.
            for _ in 0..<1000 { await Task.yield() }
            return answers.value
        }
        let keys = IssuerMetadataKeys(transport: transport) { _ in true }
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<20 { group.addTask { (try? await hasKey("1", keys, after: 0)) == true } }
            for await isVerified in group { #expect(isVerified) }
        }
        #expect(transport.requests.count < 20)
    }
}

/// An answer that a test changes during its use.
private final class ChangingAnswer: Sendable {
    private let content: Mutex<InMemoryHTTPAnswer>

    init(_ value: InMemoryHTTPAnswer) {
        content = Mutex(value)
    }

    var value: InMemoryHTTPAnswer {
        get { content.withLock { $0 } }
        set { content.withLock { $0 = newValue } }
    }
}
