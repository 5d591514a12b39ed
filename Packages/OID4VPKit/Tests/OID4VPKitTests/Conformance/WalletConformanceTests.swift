import CredentialTransport
import CryptoCore
import Foundation
import JOSEKit
import JSONKit
import OID4VPKit
import OID4VPMessages
import SDJWTKit
import Synchronization
import TestSupport
import Testing

/// The modules of the OpenID Foundation's conformance suite for wallets of OpenID4VP 1.0, by their names.
struct WalletConformanceTests {
    private let scene: RequestScene
    private let wallet: PresentationScene

    init() async throws {
        scene = try RequestScene()
        wallet = try await PresentationScene.make()
    }

    // MARK: Flow

    /// The messages between wallet and verifier.
    private struct Exchange {
        let response: AuthorizationResponse
        let form: FormParameters
        let answer: VerifierAnswer
    }

    private static func query(_ claims: [ClaimPath], id: String = "pid") -> JSONObject {
        var query: JSONObject = [
            "id": .string(id), "format": "dc+sd-jwt", "meta": ["vct_values": ["urn:pid"]],
        ]
        if !claims.isEmpty { query["claims"] = .array(claims.map { ["path": $0.json] }) }
        return query
    }

    private static func dcql(_ queries: JSONObject..., sets: JSONValue? = nil) -> JSONValue {
        var query: JSONObject = ["credentials": .array(queries.map { .object($0) })]
        if let sets { query["credential_sets"] = sets }
        return .object(query)
    }

    /// The whole of a wallet's part: from the authenticated request to the verifier's answer.
    private func present(_ request: AuthenticatedRequest) async throws -> Exchange {
        let transport = InMemoryHTTPTransport([
            RequestScene.address: .ok(Array("{\"redirect_uri\":\"https://v.example/done#a\"}".utf8), type: .json)
        ])
        let credentials = [try await wallet.sdJWT()]
        let responder = AuthorizationResponder(request)
        let response: AuthorizationResponse
        do throws(OID4VPError) {
            let content = try request.presentationRequest()
            let plan = try content.evaluate(over: credentials.queryable, at: scene.now).preferredPlan()
            response = try await responder.response(to: content, at: scene.now) { () async throws(OID4VPError) in
                let binding = try PresentationBinding(
                    request,
                    content,
                    mdocGeneratedNonce: responder.mdocGeneratedNonce
                )
                return try await PresentationBuilder(content, binding)
                    .prepare(plan, of: credentials, at: scene.now).signed(with: wallet.signers)
            }
        } catch {
            response = try await responder.errorResponse(to: error, at: scene.now)
        }
        let answer = try await ResponseSender(transport: transport).send(response)
        let body = try #require(transport.requests.first).body
        let form = try FormParameters(decoding: String(decoding: body, as: UTF8.self))
        return Exchange(response: response, form: form, answer: answer)
    }

    /// The claims that a verifier reads from the answer to the query `pid`.
    private func claims(_ form: FormParameters, id: String = "pid") async throws -> JSONObject {
        let token = try JSONValue(parsing: try #require(form["vp_token"]))
        let text = try #require(token[id]?[0]?.stringValue)
        let expectation = KeyBindingExpectation(audience: scene.clientID, nonce: RequestScene.nonce)
        let sdJWT = try SDJWT(compact: text)
        return try await wallet.sdJWTVerifier.verify(sdJWT, expecting: .keyBinding(expectation)).get().claims
    }

    /// The code that a request is answered with; nothing may have been sent before.
    private func refusal(
        _ changes: JSONObject,
        without removed: [String] = []
    ) async throws -> AuthorizationErrorCode? {
        let verification = try await scene.verification(changes, without: removed)
        guard let request = verification.verified else { return verification.refusal?.authorizationCode }
        return try await present(request).response.errorCode
    }

    // MARK: Positive modules

    @Test("happy flow") func happyFlow() async throws {
        let request = try await scene.request(["dcql_query": Self.dcql(Self.query([["family_name"]]))])
        let exchange = try await present(request)
        #expect(exchange.response.errorCode == nil && exchange.form["state"] == "s1")
        #expect(try await claims(exchange.form)["family_name"] == "Lovelace")
        #expect(exchange.answer.redirectURI == "https://v.example/done#a")
    }

    @Test("long state and nonce") func longStateAndNonce() async throws {
        let (state, nonce) = (String(repeating: "s", count: 4096), String(repeating: "n", count: 4096))
        let exchange = try await present(
            try await scene.request([
                "state": .string(state), "nonce": .string(nonce),
                "dcql_query": Self.dcql(Self.query([["family_name"]])),
            ])
        )
        #expect(exchange.form["state"] == state)
        let token = try JSONValue(parsing: try #require(exchange.form["vp_token"]))
        let presentation = try SDJWT(compact: try #require(token["pid"]?[0]?.stringValue))
        let binding = try JSONValue(parsing: try #require(presentation.keyBindingJWT?.unverifiedPayload))
        #expect(binding["nonce"] == .string(nonce) && binding["aud"] == .string(scene.clientID))
    }

    @Test("extra parameters") func extraParameters() async throws {
        let exchange = try await present(
            try await scene.request([
                "dcql_query": Self.dcql(Self.query([["family_name"]]).merging(["extra": ["a": 1]])),
                "extra_parameter": "x", "another": [1, ["b": nil]], "client_metadata": ["unknown": true],
            ])
        )
        #expect(exchange.response.errorCode == nil)
    }

    @Test("iss that differs from the client identifier") func differentIssuer() async throws {
        let exchange = try await present(
            try await scene.request([
                "iss": "https://other.example", "dcql_query": Self.dcql(Self.query([["family_name"]])),
            ])
        )
        #expect(exchange.response.errorCode == nil)
    }

    @Test("encryption key without use") func keyWithoutUse() async throws {
        let key = try PrivateKey.generate(.p256)
        var metadata = try RequestScene.metadata(key)
        var member = try #require(metadata["jwks"]?["keys"]?[0]?.objectValue)
        member["use"] = nil
        metadata["jwks"] = ["keys": [.object(member)]]
        let exchange = try await present(
            try await scene.request([
                "response_mode": "direct_post.jwt", "client_metadata": .object(metadata),
                "dcql_query": Self.dcql(Self.query([["family_name"]])),
            ])
        )
        #expect(exchange.form.items.map(\.name) == ["response"])
        let (content, _) = try await decrypted(try #require(exchange.form["response"]), with: key)
        let inside = try #require(try JSONValue(parsing: content).objectValue)
        #expect(inside["state"] == "s1" && inside["vp_token"]?["pid"]?.arrayValue?.count == 1)
    }

    @Test("fewer claims than available") func fewerClaims() async throws {
        let exchange = try await present(
            try await scene.request(["dcql_query": Self.dcql(Self.query([["address", "country"]]))])
        )
        let claims = try await claims(exchange.form)
        #expect(claims["address"] == ["country": "GB"] && claims["family_name"] == nil && claims["given_name"] == nil)
    }

    @Test("no claims in the query") func noClaims() async throws {
        let exchange = try await present(try await scene.request(["dcql_query": Self.dcql(Self.query([]))]))
        let claims = try await claims(exchange.form)
        for name in ["address", "family_name", "given_name"] { #expect(claims[name] == nil, "\(name)") }
        #expect(claims["vct"] == "urn:pid")
    }

    @Test("optional credential set") func optionalSet() async throws {
        var other = Self.query([["family_name"]], id: "other")
        other["meta"] = ["vct_values": ["urn:other"]]
        let sets: JSONValue = [["options": [["pid"]]], ["options": [["other"]], "required": false]]
        let query = Self.dcql(Self.query([["family_name"]]), other, sets: sets)
        let exchange = try await present(try await scene.request(["dcql_query": query]))
        let token = try JSONValue(parsing: try #require(exchange.form["vp_token"]))
        #expect(token.objectValue?.names == ["pid"])
    }

    // MARK: Negative modules

    @Test("required credential that does not match") func nonMatchingCredential() async throws {
        var other = Self.query([["family_name"]], id: "other")
        other["meta"] = ["vct_values": ["urn:other"]]
        let exchange = try await present(
            try await scene.request(["dcql_query": Self.dcql(Self.query([["family_name"]]), other)])
        )
        #expect(exchange.form["error"] == "access_denied" && exchange.form["vp_token"] == nil)
        #expect(exchange.form["state"] == "s1")
    }

    @Test("unusable encryption key") func unusableKey() async throws {
        let key = try PrivateKey.generate(.p256)
        var metadata = try RequestScene.metadata(key)
        var member = try #require(metadata["jwks"]?["keys"]?[0]?.objectValue)
        member["use"] = "sig"
        metadata["jwks"] = ["keys": [.object(member)]]
        let changes: JSONObject = ["response_mode": "direct_post.jwt", "client_metadata": .object(metadata)]
        let exchange = try await present(try await scene.request(changes))
        // Never presentations in the clear, where encrypted ones were asked for.
        #expect(exchange.form.items.map(\.name) == ["error", "error_description", "state"])
        #expect(exchange.form["error"] == "invalid_request")
    }

    @Test(
        "invalid client identifier prefix",
        arguments: ["frob:x", "DECENTRALIZED_IDENTIFIER:did:key:z", "origin:https://v"]
    )
    func invalidPrefix(_ client: String) async throws {
        let object = try await scene.object(["client_id": .string(client)])
        let transport = InMemoryHTTPTransport([:])
        var form = FormParameters()
        form.append("client_id", client)
        form.append("request", object)
        let verification = await RequestAuthenticator(policy: scene.policy, transport: transport)
            .authenticate(try AuthorizationRequest(url: "openid4vp://?" + form.text), at: scene.now)
        #expect(verification.refusal?.reason == "unsupportedClientIdentifier")
        #expect(verification.refusal?.authorizationCode == .invalidRequest && transport.requests.isEmpty)
    }

    @Test("invalid request object signature") func invalidSignature() async throws {
        var parts = try await scene.object().split(separator: ".").map(String.init)
        var signature = try Base64URL.decode(parts[2])
        signature[0] ^= 1
        parts[2] = Base64URL.encode(signature)
        var form = FormParameters()
        form.append("client_id", scene.clientID)
        form.append("request", parts.joined(separator: "."))
        let transport = InMemoryHTTPTransport([:])
        let verification = await RequestAuthenticator(policy: scene.policy, transport: transport)
            .authenticate(try AuthorizationRequest(url: "openid4vp://?" + form.text), at: scene.now)
        #expect(verification.refusal?.check == .signature && transport.requests.isEmpty)
    }

    @Test("client_id mismatch") func clientIDMismatch() async throws {
        let other = try RequestScene()
        let verification = try await scene.verification(["client_id": .string(other.clientID)])
        #expect(verification.refusal?.check == .clientMatch)
        #expect(verification.refusal?.authorizationCode == .invalidRequest)
    }

    @Test("missing nonce") func missingNonce() async throws {
        #expect(try await refusal([:], without: ["nonce"]) == .invalidRequest)
        #expect(try await refusal(["nonce": ""]) == .invalidRequest)
    }

    @Test("redirect_uri with direct_post") func redirectURIWithDirectPost() async throws {
        // The verifier is told at its own address.
        #expect(try await refusal(["redirect_uri": "https://v.example/cb"]) == .invalidRequest)
    }

    @Test("response_uri is not the client identifier") func responseURIIsNotTheClient() async throws {
        var form = FormParameters()
        for (name, value) in scene.claims { form.append(name, value.stringValue ?? value.text()) }
        func url(_ client: String) throws -> String {
            var form = FormParameters()
            for (name, value) in scene.claims where name != "aud" {
                form.append(name, name == "client_id" ? client : value.stringValue ?? value.text())
            }
            return "openid4vp://?" + form.text
        }
        let transport = InMemoryHTTPTransport([:])
        let authenticator = RequestAuthenticator(policy: RequestAuthenticationPolicy(), transport: transport)
        let other = try AuthorizationRequest(url: url("redirect_uri:https://other.example/post"))
        let verification = await authenticator.authenticate(other, at: scene.now)
        #expect(verification.refusal?.reason == .foreignResponseAddress)
        #expect(verification.refusal?.authorizationCode == .invalidRequest && transport.requests.isEmpty)
        let same = try AuthorizationRequest(url: url("redirect_uri:" + RequestScene.address))
        #expect(await authenticator.authenticate(same, at: scene.now).refusal == nil)
    }

    @Test("unknown transaction data") func unknownTransactionData() async throws {
        let entry = Base64URL.encode(Array("{\"type\":\"unknown\",\"credential_ids\":[\"pid\"]}".utf8))
        let exchange = try await present(
            try await scene.request(["transaction_data": [.string(entry)]])
        )
        #expect(exchange.form["error"] == "invalid_transaction_data" && exchange.form["vp_token"] == nil)
    }

    // MARK: request_uri_method

    @Test("request_uri with POST") func post() async throws {
        let scene = scene
        let transport = InMemoryHTTPTransport { request throws(TransportError) in
            let form = try? FormParameters(decoding: String(decoding: request.body, as: UTF8.self))
            guard let nonce = form?["wallet_nonce"],
                let object = try? await scene.object(["wallet_nonce": .string(nonce)])
            else { return InMemoryHTTPAnswer(status: 400) }
            return .ok(Array(object.utf8), type: try MediaType("application/oauth-authz-req+jwt"))
        }
        var form = FormParameters()
        form.append("client_id", scene.clientID)
        form.append("request_uri", "https://v.example/r")
        form.append("request_uri_method", "post")
        let request = try AuthorizationRequest(url: "openid4vp://?" + form.text)
        let authenticator = RequestAuthenticator(policy: scene.policy, transport: transport)
        let authenticated = try await authenticator.authenticate(request, at: scene.now).get()
        #expect(authenticated.walletNonce?.utf8.count == 22 && transport.requests.count == 1)
        #expect(transport.requests.first?.description.hasPrefix("POST https://v.example/r ") == true)
    }

    // MARK: Digital Credentials API

    private func platform(_ name: ExactText, _ data: JSONObject) async -> Verification<AuthenticatedRequest> {
        await RequestAuthenticator(policy: scene.policy, transport: InMemoryHTTPTransport([:])).authenticate(
            PlatformRequest(protocolIdentifier: name, data: data, origin: "https://v.example"),
            at: scene.now
        )
    }

    private static let pageParameters: JSONObject = [
        "response_mode": "dc_api", "expected_origins": ["https://v.example"],
    ]

    @Test("one bad of several signatures") func oneBadSignature() async throws {
        let other = try RequestScene()
        var claims = scene.claims.merging(Self.pageParameters)
        for name in ["client_id", "response_uri", "state"] { claims[name] = nil }
        func header(_ scene: RequestScene) -> JOSEHeader {
            ["typ": "oauth-authz-req+jwt", "kid": .string(scene.keyID), "client_id": .string(scene.clientID)]
        }
        // The first signature is by a key that is not the one of its client.
        let bytes = JSONValue.object(claims).encoded()
        let signer = try SoftwareSigner(scene.key, algorithm: .ed25519)
        let jws = try await JWS.sign(bytes, header: header(other), with: signer)
            .addingSignature(header: header(scene), with: signer)
        let request = try JSONValue(parsing: jws.generalSerialization())
        let verification = await platform(PlatformRequest.multiSigned, ["request": request])
        #expect(try verification.get().client?.text.text == scene.clientID)
        #expect(verification.deviations.map(\.tolerance) == ["refusedSignature"])
    }

    @Test("wrong expected origins") func wrongExpectedOrigins() async throws {
        let changes = Self.pageParameters.merging(["expected_origins": ["https://other.example"]])
        let wrong = try await scene.object(changes, without: ["response_uri", "state"])
        let refusal = await platform(PlatformRequest.signed, ["request": .string(wrong)]).refusal
        #expect(refusal?.check == .expectedOrigins && refusal?.authorizationCode == .invalidRequest)
        let right = try await scene.object(Self.pageParameters, without: ["response_uri", "state"])
        #expect(await platform(PlatformRequest.signed, ["request": .string(right)]).refusal == nil)
    }
}
