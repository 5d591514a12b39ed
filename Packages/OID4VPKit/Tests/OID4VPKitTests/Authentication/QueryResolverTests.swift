import CredentialTransport
import CryptoCore
import DIDKit
import Foundation
import JOSEKit
import JSONKit
import OID4VPKit
import OID4VPMessages
import SDJWTKit
import TestSupport
import Testing

struct QueryResolverTests {
    private let scene: RequestScene
    private static let address = "https://v.example/pd"
    private static let definition: JSONValue = [
        "id": "pd", "input_descriptors": [["id": "d1", "constraints": [:]]],
    ]

    init() throws { scene = try RequestScene() }

    private func resolve(
        _ changes: JSONObject,
        _ transport: InMemoryHTTPTransport = InMemoryHTTPTransport([:]),
        scopes: @escaping QueryResolver.Scopes = { _, _ in nil },
        support: PresentationRequest.Support = PresentationRequest.Support()
    ) async throws(OID4VPError) -> PresentationRequest {
        let request: AuthenticatedRequest
        do {
            request = try await scene.request(changes, without: ["dcql_query"])
        } catch {
            throw OID4VPError(.malformed, "\(error)")
        }
        let resolver = QueryResolver(transport: transport, scopes: scopes)
        return try await request.presentationRequest(support: support, resolvingWith: resolver)
    }

    private func failure(
        _ changes: JSONObject,
        _ transport: InMemoryHTTPTransport = InMemoryHTTPTransport([:]),
        scopes: @escaping QueryResolver.Scopes = { _, _ in nil }
    ) async throws -> OID4VPError {
        try #require(
            await #expect(throws: OID4VPError.self) { try await resolve(changes, transport, scopes: scopes) }
        )
    }

    private func transport(_ body: String, type: MediaType = .json) -> InMemoryHTTPTransport {
        InMemoryHTTPTransport([Self.address: .ok(Array(body.utf8), type: type)])
    }

    // MARK: Scopes

    @Test func asksTheAppForTheQueryOfAScope() async throws {
        let query = try DCQLQuery(json: RequestScene.query)
        let content = try await resolve(["scope": "com.example.pid"]) { scope, request in
            scope == "com.example.pid" && request.version == .v1 ? .dcql(query) : nil
        }
        #expect(content.query.dcql?.credentials.map(\.id) == ["pid"])
    }

    @Test func refusesUnknownAndMalformedScopes() async throws {
        let query = try DCQLQuery(json: RequestScene.query)
        for scope in ["unknown", "pid other", "a\"b", "a\\b", "pid\u{e9}", " "] {
            let error = try await failure(["scope": .string(scope)]) { name, _ in name == "pid" ? .dcql(query) : nil }
            #expect(error.code == .invalidScope && error.authorizationCode == .invalidScope, "\(scope)")
        }
        let named = try await failure(["scope": "pid"]) { _, _ in .scope("other") }
        #expect(named.code == .invalidScope)
    }

    @Test func readsTransactionsForTheQueryBehindAScope() async throws {
        let query = try DCQLQuery(json: RequestScene.query)
        let entry = Base64URL.encode(Array("{\"type\":\"pay\",\"credential_ids\":[\"pid\"]}".utf8))
        let changes: JSONObject = ["scope": "pid", "transaction_data": [.string(entry)]]
        let support = PresentationRequest.Support(transactionData: ["pay": []])
        let content = try await resolve(changes, scopes: { _, _ in .dcql(query) }, support: support)
        #expect(content.transactionData.map(\.type) == ["pay"])
        let other = try DCQLQuery(json: ["credentials": [["id": "x", "format": "dc+sd-jwt", "meta": [:]]]])
        let error = await #expect(throws: OID4VPError.self) {
            try await resolve(changes, scopes: { _, _ in .dcql(other) }, support: support)
        }
        #expect(error?.code == .invalidTransactionData)
    }

    // MARK: Definitions

    @Test func fetchesDefinitions() async throws {
        let transport = transport(Self.definition.text())
        let content = try await resolve(["presentation_definition_uri": .string(Self.address)], transport)
        #expect(content.query.definition?.id == "pd" && content.version == .draft23)
        #expect(transport.requests.count == 1)
    }

    @Test func namesTheFaultOfADefinition() async throws {
        let changes: JSONObject = ["presentation_definition_uri": .string(Self.address)]
        for answer in [
            InMemoryHTTPAnswer(status: 404), InMemoryHTTPAnswer(status: 500), .redirect(to: "https://v.example/x"),
        ] {
            let transport = InMemoryHTTPTransport([Self.address: answer])
            let error = try await failure(changes, transport)
            #expect(error.authorizationCode == .invalidDefinitionURI && transport.requests.count == 1)
        }
        let large = String(repeating: " ", count: 256 << 10) + Self.definition.text()
        let duplicate = "{\"id\":\"a\",\"id\":\"b\"}"
        for body in ["", "{", "[]", "{}", duplicate, large] {
            let error = try await failure(changes, transport(body))
            #expect(error.code == .invalidDefinitionDocument, "\(body.prefix(20))")
            #expect(error.authorizationCode == .invalidDefinitionReference)
        }
        let html = try await failure(changes, transport(Self.definition.text(), type: try MediaType("text/html")))
        #expect(html.code == .invalidDefinitionDocument)
    }

    @Test func fetchesNothingForARequestThatIsRefusedAnyway() async throws {
        let transport = transport(Self.definition.text())
        let changes: JSONObject = ["presentation_definition_uri": .string(Self.address)]
        for more: JSONObject in [
            ["nonce": ""], ["response_type": "code"], ["response_mode": "direct_post.jwt"], ["client_metadata": 1],
        ] { _ = try await failure(changes.merging(more), transport) }
        for uri in ["http://v.example/pd", "https://127.0.0.1/pd", "https://169.254.169.254/", "ftp://v.example/"] {
            _ = try await failure(["presentation_definition_uri": .string(uri)], transport)
        }
        #expect(transport.requests.isEmpty)
    }

    // MARK: Keys by address

    private static let keys = "https://v.example/jwks"

    private func metadata(_ changes: JSONObject = [:]) -> JSONObject {
        let members: JSONObject = [
            "jwks_uri": .string(Self.keys), "authorization_encrypted_response_alg": "ECDH-ES",
        ]
        return members.merging(changes)
    }

    /// A signed request of draft 21 of a DID, with an encrypted response.
    private func draft21(
        _ metadata: JSONObject,
        _ changes: JSONObject = [:],
        without removed: [String] = []
    ) async throws -> AuthenticatedRequest {
        var members: JSONObject = [
            "client_id": .string(scene.did.text), "client_id_scheme": "did", "response_mode": "direct_post.jwt",
            "presentation_definition": Self.definition, "client_metadata": .object(metadata),
        ]
        for (name, value) in changes { members[name] = value }
        var form = FormParameters()
        form.append("client_id", scene.did.text)
        form.append("client_id_scheme", "did")
        form.append("request", try await scene.object(members, without: ["dcql_query"] + removed))
        let authenticator = RequestAuthenticator(policy: scene.policy, transport: InMemoryHTTPTransport([:]))
        let request = try AuthorizationRequest(url: "openid4vp://?" + form.text)
        return try await authenticator.authenticate(request, at: scene.now).get()
    }

    private func keySet(_ key: PrivateKey) throws -> InMemoryHTTPTransport {
        let set: JSONValue = ["keys": [.object(try JWK(key.publicKey, keyID: "e1").members)]]
        return InMemoryHTTPTransport([Self.keys: .ok(set.encoded(), type: .json)])
    }

    /// Draft 21 has `jwks_uri` in the verifier's metadata, beside `jwks`.
    @Test func fetchesTheKeysForAResponse() async throws {
        let key = try PrivateKey.generate(.p256)
        let transport = try keySet(key)
        let request = try await draft21(metadata())
        #expect(throws: OID4VPError.self) { try request.presentationRequest() }
        let content = try await request.presentationRequest(resolvingWith: QueryResolver(transport: transport))
        #expect(content.encryption?.key.keyID == "e1" && content.query.definition?.id == "pd")
        #expect(transport.requests.count == 1)
        let response = try await AuthorizationResponder(request)
            .response(with: RequestScene.submitted, to: content, at: scene.now)
        let text = try #require(response.parameters["response"]?.stringValue)
        #expect(try await decrypted(text, with: key).header["kid"] == "e1")
    }

    @Test(arguments: ["jwt", "fragment.jwt", "query.jwt", "form_post.jwt"])
    func fetchesTheKeysForARedirect(_ mode: String) async throws {
        let transport = try keySet(try PrivateKey.generate(.p256))
        let changes: JSONObject = ["response_mode": .string(mode), "redirect_uri": "https://v.example/cb"]
        let request = try await draft21(metadata(), changes, without: ["response_uri"])
        let content = try await request.presentationRequest(resolvingWith: QueryResolver(transport: transport))
        #expect(content.encryption?.key.keyID == "e1")
    }

    @Test func fetchesTheKeysOfARegisteredClient() async throws {
        let transport = try keySet(try PrivateKey.generate(.p256))
        let request = try await scene.draftRequest([
            "response_mode": "direct_post.jwt", "client_metadata": .object(metadata()),
        ])
        let content = try await request.presentationRequest(resolvingWith: QueryResolver(transport: transport))
        #expect(content.encryption?.key.keyID == "e1")
    }

    /// Drafts from 22 on have no such member, and keys by value are enough.
    @Test func fetchesNoKeysWhereNoneAreNeeded() async throws {
        let transport = try keySet(try PrivateKey.generate(.p256))
        let resolver = QueryResolver(transport: transport)
        let later = try await scene.request(
            [
                "presentation_definition": Self.definition, "response_mode": "direct_post.jwt",
                "client_metadata": .object(metadata()),
            ],
            without: ["dcql_query"]
        )
        let error = await #expect(throws: OID4VPError.self) {
            try await later.presentationRequest(resolvingWith: resolver)
        }
        #expect(error?.code == .encryptionImpossible)
        let own = try JWK(try PrivateKey.generate(.p256).publicKey, keyID: "own").members
        let both = try await draft21(metadata(["jwks": ["keys": [.object(own)]]]))
        #expect(try await both.presentationRequest(resolvingWith: resolver).encryption?.key.keyID == "own")
        let clear = try await draft21(metadata(), ["response_mode": "direct_post"])
        #expect(try await clear.presentationRequest(resolvingWith: resolver).encryption == nil)
        let refused = try await draft21(metadata(), ["response_type": "code"])
        await #expect(throws: OID4VPError.self) { try await refused.presentationRequest(resolvingWith: resolver) }
        #expect(transport.requests.isEmpty)
    }

    @Test func refusesKeysThatCannotBeFetched() async throws {
        let answers: [(InMemoryHTTPAnswer, OID4VPError.Code)] = [
            (InMemoryHTTPAnswer(status: 404), .keysNotRetrieved), (.ok(Array("[".utf8), type: .json), .invalidMetadata),
            (.ok(Array("{\"keys\":[]}".utf8), type: .json), .encryptionImpossible),
        ]
        let request = try await draft21(metadata())
        for (answer, code) in answers {
            let resolver = QueryResolver(transport: InMemoryHTTPTransport([Self.keys: answer]))
            let error = await #expect(throws: OID4VPError.self) {
                try await request.presentationRequest(resolvingWith: resolver)
            }
            #expect(error?.code == code && error?.authorizationCode == .invalidRequest)
        }
        for address: JSONValue in ["http://v.example/jwks", "jwks", 1] {
            let request = try await draft21(metadata(["jwks_uri": address]))
            let error = await #expect(throws: OID4VPError.self) {
                try await request.presentationRequest(resolvingWith: QueryResolver(transport: try keySet(scene.key)))
            }
            #expect(error?.code == .invalidMetadata)
        }
    }

    // MARK: Attestations

    private struct Registrar: VerifierInfoVerifier {
        func verify(
            _ info: VerifierInfo,
            of request: AuthenticatedRequest,
            asking query: PresentationRequest.Query,
            at time: Date
        ) async -> Verification<VerifierRegistration>? {
            guard info.format == "registration_cert" else { return nil }
            var checklist = Checklist([.signature], at: time)
            checklist.check(.signature) { () throws(CheckFault) in
                guard info.data == "good" else { throw .failed(.invalidIssuerSignature, "it is forged") }
            }
            let isExceeded = query.dcql?["pid"]?.claims.isEmpty == false
            return checklist.verification(
                of: VerifierRegistration(claims: ["sub": "v"], excess: isExceeded ? ["pid": [["b"]]] : [:])
            )
        }
    }

    @Test func handsAttestationsToTheirVerifier() async throws {
        let query: JSONValue = [
            "credentials": [["id": "pid", "format": "dc+sd-jwt", "meta": [:], "claims": [["path": ["b"]]]]]
        ]
        let request = try await scene.request([
            "dcql_query": query,
            "verifier_info": [
                ["format": "registration_cert", "data": "good", "credential_ids": ["pid"]],
                ["format": "registration_cert", "data": "bad"], ["format": "other", "data": [:]],
            ],
        ])
        let content = try request.presentationRequest()
        #expect(content.verifierInfo.map(\.credentials) == [["pid"], nil, nil])
        let findings = await request.verifierInfo(of: content, verifiedBy: Registrar(), at: scene.now)
        #expect(findings.map(\.info.format) == ["registration_cert", "registration_cert", "other"])
        #expect(findings[0].verification?.verified?.isExceeded == true)
        #expect(findings[0].verification?.verified?.excess == ["pid": [["b"]]])
        #expect(findings[1].verification?.refusal?.reason == .invalidIssuerSignature)
        #expect(findings[2].verification == nil)
        let plain = try await scene.request([
            "verifier_info": [["format": "registration_cert", "data": "good"]]
        ])
        let calm = await plain.verifierInfo(of: try plain.presentationRequest(), verifiedBy: Registrar(), at: scene.now)
        #expect(calm.first?.verification?.verified?.isExceeded == false)
    }
}
