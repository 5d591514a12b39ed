import CredentialTransport
import CryptoCore
import Foundation
import JOSEKit
import JSONKit
import OID4VPKit
import OID4VPMessages
import Synchronization
import TestSupport
import Testing

/// Requests and answers that are large, slow, repeated, mixed up, expired or forged.
struct HostileMessageTests {
    private let scene: RequestScene

    init() throws { scene = try RequestScene() }

    private static let requestType = "application/oauth-authz-req+jwt"

    private func url(_ client: String? = nil, method: String = "get") -> String {
        var form = FormParameters()
        form.append("client_id", client ?? scene.clientID)
        form.append("request_uri", "https://v.example/r")
        form.append("request_uri_method", method)
        return "openid4vp://?" + form.text
    }

    private func authenticate(
        _ transport: any HTTPTransport,
        policy: RequestAuthenticationPolicy? = nil,
        url: String? = nil,
        at time: Date? = nil
    ) async throws -> Verification<AuthenticatedRequest> {
        await RequestAuthenticator(policy: policy ?? scene.policy, transport: transport)
            .authenticate(try AuthorizationRequest(url: url ?? self.url()), at: time ?? scene.now)
    }

    private func transport(_ body: String) -> InMemoryHTTPTransport {
        InMemoryHTTPTransport { _ throws(TransportError) in
            .ok(Array(body.utf8), type: try MediaType(Self.requestType))
        }
    }

    private func refusal(_ body: String) async throws -> Check? {
        let transport = transport(body)
        let refusal = try await authenticate(transport).refusal
        // Whatever is wrong with a request, nobody is told before it is authenticated.
        #expect(transport.requests.count == 1)
        return refusal?.check
    }

    // MARK: Size and time

    @Test func readsNoMoreOfAnEndlessBodyThanItsLimit() async throws {
        let written = Mutex(0)
        func endless(_ type: String) -> InMemoryHTTPTransport {
            InMemoryHTTPTransport { _ throws(TransportError) in
                .streaming(type: try MediaType(type)) { write throws(TransportError) in
                    while true {
                        written.withLock { $0 += 1024 }
                        try await write([UInt8](repeating: 0x20, count: 1024))
                    }
                }
            }
        }
        #expect(try await authenticate(endless(Self.requestType)).refusal?.reason == .requestNotRetrieved)
        #expect(written.withLock { $0 } == (64 << 10) + 1024)
        written.withLock { $0 = 0 }
        let request = try await scene.request()
        let response = try await AuthorizationResponder(request).errorResponse(.accessDenied, at: scene.now)
        let error = await #expect(throws: OID4VPError.self) {
            try await ResponseSender(transport: endless("application/json")).send(response)
        }
        #expect(error?.code == .responseNotSent && written.withLock { $0 } == (64 << 10) + 1024)
        written.withLock { $0 = 0 }
        let asked = try await scene.request(
            ["presentation_definition_uri": "https://v.example/pd"],
            without: ["dcql_query"]
        )
        let definition = await #expect(throws: OID4VPError.self) {
            let resolver = QueryResolver(transport: endless("application/json"))
            return try await asked.presentationRequest(resolvingWith: resolver)
        }
        #expect(definition?.code == .invalidDefinitionDocument && written.withLock { $0 } == (256 << 10) + 1024)
    }

    @Test func waitsForASlowPeerNoLongerThanItsLimit() async throws {
        let address = try #require(IPAddress("93.184.216.34"))
        let clock = ManualClock()
        let transport = GuardedHTTPTransport(
            connector: SilentConnector(),
            resolver: FixedHostResolver(["v.example": [address]]),
            clock: clock
        )
        async let verification = authenticate(transport)
        await clock.waitForSleeper(.seconds(10))
        clock.advance(by: .seconds(10))
        #expect(try await verification.refusal?.reason == .requestNotRetrieved)
        let request = try await scene.request()
        let response = try await AuthorizationResponder(request).errorResponse(.accessDenied, at: scene.now)
        async let sending = ResponseSender(transport: transport).send(response)
        await clock.waitForSleeper(.seconds(30))
        clock.advance(by: .seconds(30))
        do {
            _ = try await sending
            Issue.record("an answer came")
        } catch {
            #expect((error as? OID4VPError)?.code == .responseNotSent)
        }
    }

    @Test func refusesObjectsOfTenMegabytes() async throws {
        let large = String(repeating: "a", count: 10 << 20)
        #expect(try await refusal(large) == .requestObject)
        #expect(throws: OID4VPError.self) {
            try AuthorizationRequest(url: "openid4vp://?client_id=a&request=" + large)
        }
        #expect(throws: OID4VPError.self) { try AuthorizationRequest(url: "openid4vp://?client_id=" + large) }
        let authenticator = RequestAuthenticator(policy: scene.policy, transport: InMemoryHTTPTransport([:]))
        let signatures: JSONValue = ["payload": .string(large), "signatures": [["protected": "e30", "signature": ""]]]
        let cases: [(ExactText, JSONObject)] = [
            (PlatformRequest.signed, ["request": .string(large)]),
            (PlatformRequest.multiSigned, ["request": signatures]),
            (PlatformRequest.unsigned, scene.claims.merging(["response_mode": "dc_api", "nonce": .string(large)])),
        ]
        for (name, data) in cases {
            let request = PlatformRequest(protocolIdentifier: name, data: data, origin: "https://v.example")
            let refusal = await authenticator.authenticate(request, at: scene.now).refusal
            #expect(refusal?.check == .requestObject, "\(name)")
        }
    }

    // MARK: Form

    @Test func refusesDuplicateMembers() async throws {
        func object(header: String = "", claims: String = "") async throws -> String {
            let kid = "\"typ\":\"oauth-authz-req+jwt\",\"alg\":\"EdDSA\",\"kid\":\"\(scene.keyID)\""
            let text = JSONValue.object(scene.claims).text().dropLast() + claims + "}"
            let input = Base64URL.encode(Array("{\(kid)\(header)}".utf8)) + "." + Base64URL.encode(Array(text.utf8))
            let signer = try SoftwareSigner(scene.key, algorithm: .ed25519)
            let signature = try signer.signature(for: Array(input.utf8))
            return input + "." + Base64URL.encode(signature)
        }
        #expect(try await authenticate(transport(try await object())).refusal == nil)
        #expect(try await refusal(object(claims: ",\"nonce\":\"x\"")) == .requestObject)
        #expect(try await refusal(object(header: ",\"kid\":\"x\"")) == .requestObject)
        let nested = ",\"client_metadata\":{\"client_name\":\"a\",\"client_name\":\"b\"}"
        #expect(try await refusal(object(claims: nested)) == .requestObject)
        // A text that is JSON is read as strictly.
        let request = try await scene.request(["dcql_query": "{\"credentials\":[],\"credentials\":[]}"])
        #expect(throws: OID4VPError.self) { try request.presentationRequest() }
    }

    @Test(arguments: [
        "", "{}", "{\"client_id\":\"a\"}", "a.b.c", "e30.e30.", "eyJhbGciOiJub25lIn0.e30.", "a.b.c.d.e", "....", "null",
        "e30.e30", "<html></html>", "\u{feff}a.b.c",
    ])
    func refusesBodiesThatAreNoSignedObject(_ body: String) async throws {
        // A token without a signature is read before it is found to be no request.
        #expect([.requestObject, .type].contains(try await refusal(body)))
    }

    // MARK: Keys and signatures

    private func token(_ header: JOSEHeader, _ claims: JSONObject, _ key: PrivateKey) async throws -> String {
        let signer = try SoftwareSigner(key, algorithm: .ed25519)
        return try await JWT.sign(JWTClaims(claims), header: header, with: signer).compactSerialization()
    }

    @Test func refusesOtherKeysThanTheClients() async throws {
        let other = try RequestScene()
        let mine = JOSEHeader(type: "oauth-authz-req+jwt", keyID: scene.keyID)
        #expect(try await refusal(token(mine, scene.claims, other.key)) == .signature)
        let foreign = JOSEHeader(type: "oauth-authz-req+jwt", keyID: other.keyID)
        #expect(try await refusal(token(foreign, scene.claims, other.key)) == .signature)
        let none = JOSEHeader(type: "oauth-authz-req+jwt")
        #expect(try await refusal(token(none, scene.claims, scene.key)) == .signature)
        // A key in the header is nobody's.
        var own = none
        own["jwk"] = .object(try JWK(other.key.publicKey).members)
        #expect(try await refusal(token(own, scene.claims, other.key)) == .signature)
        var critical = mine
        critical["crit"] = ["exp"]
        critical["exp"] = 1
        let refused = try await refusal(token(critical, scene.claims, scene.key))
        #expect(refused == .signature || refused == .requestObject)
    }

    @Test func refusesMACsAndMissingSignatures() async throws {
        let payload = Base64URL.encode(JSONValue.object(scene.claims).encoded())
        for algorithm in ["none", "HS256", "RS1", "ES256"] {
            let header: JSONObject = [
                "typ": "oauth-authz-req+jwt", "alg": .string(algorithm), "kid": .string(scene.keyID),
            ]
            let input = Base64URL.encode(JSONValue.object(header).encoded()) + "." + payload
            for signature in ["", Base64URL.encode([UInt8](repeating: 0, count: 64))] {
                let check = try await refusal(input + "." + signature)
                #expect(check == .signature || check == .requestObject, "\(algorithm)")
            }
        }
    }

    // MARK: Time, replay and mix-up

    @Test func refusesWhatIsPastOrNotYetValid() async throws {
        let now = Int(scene.now.timeIntervalSince1970)
        let cases: [(JSONObject, Check)] = [
            (["exp": .integer(now - 61)], .validity), (["nbf": .integer(now + 61)], .validity),
            (["iat": .integer(now + 61)], .issuedAt), (["exp": "soon"], .validity),
        ]
        for (changes, check) in cases { #expect(try await refusal(scene.object(changes)) == check, "\(changes)") }
        let within: JSONObject = ["exp": .integer(now - 59), "nbf": .integer(now + 59), "iat": .integer(now + 59)]
        #expect(try await authenticate(transport(scene.object(within))).refusal == nil)
    }

    @Test func refusesCertificatesThatHaveExpired() async throws {
        let x509 = try await X509Scene()
        let key = try PrivateKey.generate(.p256)
        let claims = try x509.claims(key)
        let transport = transport(try await x509.object(claims))
        func refusal(_ days: Double) async throws -> Refusal? {
            let time = x509.now.addingTimeInterval(days * 86_400)
            return try await authenticate(transport, policy: x509.policy, url: url(x509.hashID), at: time).refusal
        }
        #expect(try await refusal(0) == nil)
        #expect(try await refusal(2)?.check == .signature)
        #expect(try await refusal(-2)?.check == .signature)
    }

    /// An object that was made for another transaction of the same wallet does not repeat the new value.
    @Test func refusesReplayedObjects() async throws {
        let replayed = try await scene.object(["wallet_nonce": "of-another-transaction"])
        let verification = try await authenticate(transport(replayed), url: url(method: "post"))
        #expect(verification.refusal?.check == .walletNonce)
        let missing = try await authenticate(transport(scene.object()), url: url(method: "post"))
        #expect(missing.refusal?.check == .walletNonce)
    }

    @Test func refusesTheObjectOfAnotherClientOrWallet() async throws {
        let other = try RequestScene()
        #expect(try await refusal(other.object()) == .clientMatch)
        #expect(try await refusal(scene.object(["aud": "https://other-wallet.example"])) == .audience)
        #expect(try await refusal(scene.object(["client_id_scheme": "did"], without: ["dcql_query"])) == .clientMatch)
    }

    /// A page relays the request of another page: its origin is not the one that the verifier expects.
    @Test func refusesRequestsThatAnotherPageRelays() async throws {
        let object = try await scene.object(
            ["response_mode": "dc_api", "expected_origins": ["https://v.example"]],
            without: ["response_uri", "state"]
        )
        let authenticator = RequestAuthenticator(policy: scene.policy, transport: InMemoryHTTPTransport([:]))
        for origin in ["https://evil.example", "https://v.example/", "https://V.example", "http://v.example", ""] {
            let request = PlatformRequest(
                protocolIdentifier: PlatformRequest.signed,
                data: ["request": .string(object)],
                origin: origin
            )
            #expect(await authenticator.authenticate(request, at: scene.now).refusal?.check == .expectedOrigins)
        }
    }

    @Test func sendsNoErrorForUnauthenticatedRequests() async throws {
        for changes: JSONObject in [
            ["nonce": nil, "response_uri": "https://evil.example/"], ["exp": 1], ["aud": "x"], ["client_id": "y"],
        ] {
            let transport = transport(try await scene.object(changes, without: ["state"]))
            let verification = try await authenticate(transport)
            if let request = verification.verified {
                #expect(throws: OID4VPError.self) { try request.presentationRequest() }
            }
            #expect(transport.requests.allSatisfy { $0.body.isEmpty && $0.url.path == "/r" })
        }
    }
}

/// A connector whose peer never answers.
private struct SilentConnector: HTTPConnector {
    func connection(to address: IPAddress, for url: HTTPURL, timeout: Duration) -> any HTTPConnection { Silent() }

    private struct Silent: HTTPConnection {
        func exchange(_ request: HTTPTransportRequest, receiver: any ResponseReceiver) async throws(TransportError) {
            for await _ in AsyncStream<Never>.makeStream().stream {}
            throw TransportError(.cancelled, "the task was cancelled")
        }

        func close() async {}
    }
}
