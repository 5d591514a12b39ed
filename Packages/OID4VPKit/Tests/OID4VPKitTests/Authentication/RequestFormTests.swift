import CredentialTransport
import CryptoCore
import DIDKit
import Foundation
import JOSEKit
import JSONKit
import OID4VPKit
import OID4VPMessages
import TestSupport
import Testing

/// The forms of a request, its algorithms, and the tolerances of its reading.
struct RequestFormTests {
    private let scene: RequestScene

    init() throws { scene = try RequestScene() }

    // MARK: Algorithms

    private static let algorithms: [(JWSAlgorithm, SignatureAlgorithm, EllipticCurve?)] = [
        (.es256, .ecdsaSHA256, .p256), (.es384, .ecdsaSHA384, .p384), (.es512, .ecdsaSHA512, .p521),
        (.es256K, .ecdsaSHA256, .secp256k1), (.edDSA, .ed25519, .ed25519), (.ed25519, .ed25519, .ed25519),
        (.ps256, .rsaPSSSHA256, nil), (.rs256, .rsaPKCS1SHA256, nil),
    ]

    @Test(arguments: 0..<algorithms.count)
    func verifiesEveryAlgorithm(_ index: Int) async throws {
        let (algorithm, signature, curve) = Self.algorithms[index]
        let key = try curve.map { try PrivateKey.generate($0) } ?? PrivateKey.generateRSA(bits: 2048)
        let header: JOSEHeader = [
            "typ": "oauth-authz-req+jwt", "alg": .string(algorithm.rawValue), "kid": "k1",
        ]
        let claims = JWTClaims(scene.claims.merging(["client_id": "shop"]))
        let signer = try SoftwareSigner(key, algorithm: signature)
        let object = try await JWT.sign(claims, header: header, with: signer).compactSerialization()
        var policy = RequestAuthenticationPolicy()
        policy.clients = [
            RegisteredClient(
                id: "shop",
                responseAddresses: [ExactText(RequestScene.address)],
                keys: JWKSet([try JWK(key.publicKey, keyID: "k1")])
            )
        ]
        func verification(_ policy: RequestAuthenticationPolicy) async throws -> Verification<AuthenticatedRequest> {
            await RequestAuthenticator(policy: policy, transport: InMemoryHTTPTransport([:]))
                .authenticate(
                    try AuthorizationRequest(url: "openid4vp://?client_id=shop&request=" + object),
                    at: scene.now
                )
        }
        #expect(try await verification(policy).get().client?.rule == .preRegistered, "\(algorithm)")
        policy.algorithms.remove(algorithm)
        if algorithm == .edDSA || algorithm == .ed25519 { policy.algorithms.subtract([.edDSA, .ed25519]) }
        #expect(try await verification(policy).refusal?.check == .signature, "\(algorithm)")
    }

    // MARK: Clients

    @Test(arguments: [
        ("openid_federation:https://v.example", "the wallet trusts no federation"),
        ("https://v.example", "the wallet trusts no federation"),
        ("frob:x", "the client identifier has no prefix that is supported"),
        ("origin:https://v.example", "the prefix \"origin\" is reserved for the wallet"),
        ("web-origin:https://v.example", "the prefix \"web-origin\" is reserved for the wallet"),
    ])
    func refusesPrefixesByName(_ client: String, _ message: String) async throws {
        var form = FormParameters()
        form.append("client_id", client)
        form.append("request", try await scene.object(["client_id": .string(client)]))
        let refusal = await RequestAuthenticator(policy: scene.policy, transport: InMemoryHTTPTransport([:]))
            .authenticate(try AuthorizationRequest(url: "openid4vp://?" + form.text), at: scene.now).refusal
        #expect(refusal?.reason == "unsupportedClientIdentifier" && refusal?.message == message)
    }

    @Test(arguments: ["code", "vp_token id_token", "id_token", "token"])
    func refusesOtherResponseTypesByName(_ type: String) async throws {
        let request = try await scene.request(["response_type": .string(type)])
        let error = #expect(throws: OID4VPError.self) { try request.presentationRequest() }
        #expect(error?.code == .unsupportedResponseType && error?.message == "\"\(type)\" is not supported")
        #expect(error?.authorizationCode == .unsupportedResponseType)
    }

    // MARK: Metadata

    /// The wallet knows the keys of a registered client, and tells it no algorithms for requests.
    @Test func sendsMetadataThatFitTheClient() async throws {
        var policy = scene.policy
        policy.clients = [RegisteredClient(id: "shop", responseAddresses: [ExactText(RequestScene.address)])]
        var metadata = WalletMetadata(formats: [.sdJWT: FormatAlgorithms(algorithms: ["ES256"])])
        metadata.requestAlgorithms = [.es256]
        policy.walletMetadata = metadata
        let transport = InMemoryHTTPTransport([:])
        for (client, others) in [("shop", ""), (scene.clientID, ""), ("shop", "&client_id_scheme=pre-registered")] {
            var form = FormParameters()
            form.append("client_id", client)
            form.append("request_uri", "https://v.example/r")
            form.append("request_uri_method", "post")
            let request = try AuthorizationRequest(url: "openid4vp://?" + form.text + others)
            _ = await RequestAuthenticator(policy: policy, transport: transport).authenticate(request, at: scene.now)
        }
        let sent = try transport.requests.map { request in
            let form = try FormParameters(decoding: String(decoding: request.body, as: UTF8.self))
            return try JSONValue(parsing: try #require(form["wallet_metadata"]))
        }
        let name = "request_object_signing_alg_values_supported"
        #expect(sent.map { $0[name] } == [nil, ["ES256"], nil])
        #expect(sent.map { $0["client_id_prefixes_supported"] == nil } == [false, false, true])
        #expect(sent.map { $0["client_id_schemes_supported"] == nil } == [false, false, false])
    }

    @Test func tellsOfTheClientsThatItsPolicyCanAuthenticate() async throws {
        func posted(_ policy: RequestAuthenticationPolicy) async throws -> JSONValue? {
            let transport = InMemoryHTTPTransport([:])
            var form = FormParameters()
            form.append("client_id", scene.clientID)
            form.append("request_uri", "https://v.example/r")
            form.append("request_uri_method", "post")
            let request = try AuthorizationRequest(url: "openid4vp://?" + form.text)
            _ = await RequestAuthenticator(policy: policy, transport: transport).authenticate(request, at: scene.now)
            let sent = try FormParameters(decoding: String(decoding: transport.requests[0].body, as: UTF8.self))
            return try JSONValue(parsing: try #require(sent["wallet_metadata"]))["client_id_prefixes_supported"]
        }
        var policy = scene.policy
        policy.walletMetadata = WalletMetadata(formats: [.sdJWT: FormatAlgorithms()])
        #expect(try await posted(policy) == ["redirect_uri", "decentralized_identifier"])
        policy.certificates = try await X509Scene().policy.certificates
        policy.clients = [RegisteredClient(id: "shop", responseAddresses: [ExactText(RequestScene.address)])]
        policy.attesters = ["https://attester.example": JWKSet([])]
        policy.resolver = nil
        #expect(
            try await posted(policy)
                == ["pre-registered", "redirect_uri", "x509_san_dns", "x509_hash", "verifier_attestation"]
        )
        policy.profile = .haip
        #expect(try await posted(policy) == ["x509_hash"])
        policy.walletMetadata?.clientRules = [.redirectURI]
        #expect(try await posted(policy) == ["redirect_uri"])
    }

    // MARK: Tolerances

    /// A tolerance, and the changes to a request of 1.0 that it is for.
    struct Case: Sendable, CustomTestStringConvertible {
        let tolerance: RequestTolerance
        var changes: JSONObject = [:]
        var removed: [String] = []

        var testDescription: String { tolerance.description }
    }

    private static let cases = [
        Case(tolerance: .anyCharacters, changes: ["nonce": "a/b+c="]),
        Case(tolerance: .otherAudience, changes: ["aud": "https://other.example"]),
        Case(tolerance: .missingAudience, removed: ["aud"]),
        Case(tolerance: .requestInsideObject, changes: ["request": "e30.e30."]),
        Case(tolerance: .requestInsideObject, changes: ["request_uri": "https://v.example/request"]),
        Case(tolerance: .nullParameters, changes: ["scope": .null]),
        Case(tolerance: .nullParameters, changes: ["state": .null]),
        Case(tolerance: .nullParameters, changes: ["transaction_data": .null]),
        Case(
            tolerance: .missingResponseMode,
            changes: ["redirect_uri": "https://v.example/cb"],
            removed: ["response_mode", "response_uri"]
        ),
        Case(
            tolerance: .missingMeta,
            changes: ["dcql_query": ["credentials": [["id": "pid", "format": "dc+sd-jwt"]]]]
        ),
        Case(
            tolerance: .namespaceAndClaimName,
            changes: [
                "dcql_query": [
                    "credentials": [
                        [
                            "id": "pid", "format": "mso_mdoc", "meta": [:],
                            "claims": [["namespace": "a", "claim_name": "b"]],
                        ]
                    ]
                ]
            ]
        ),
    ]

    private func deviations(_ entry: Case, _ tolerances: Set<RequestTolerance>) async throws -> [String]? {
        let options = RequestReadingOptions(tolerances: tolerances)
        let verification = try await scene.verification(entry.changes, without: entry.removed, options: options)
        guard let request = verification.verified, let content = try? request.presentationRequest() else { return nil }
        return (verification.deviations + content.deviations).map(\.tolerance)
    }

    /// Each tolerance accepts its deviation and reports it; no other tolerance does.
    @Test(arguments: cases)
    func acceptsAndReportsADeviationByNameAlone(_ entry: Case) async throws {
        #expect(try await deviations(entry, []) == nil)
        #expect(try await deviations(entry, [entry.tolerance]) == [entry.tolerance.description])
        let others = Set<RequestTolerance>.deployed.union([.otherAudience]).subtracting([entry.tolerance])
        #expect(try await deviations(entry, others) == nil)
    }

    @Test func acceptsOlderMetadataByNameAlone() async throws {
        let key = try PrivateKey.generate(.p256)
        var metadata = try RequestScene.metadata(key)
        metadata["encrypted_response_enc_values_supported"] = nil
        metadata["authorization_encrypted_response_alg"] = "ECDH-ES"
        metadata["authorization_encrypted_response_enc"] = "A256GCM"
        let encryption = Case(
            tolerance: .olderEncryption,
            changes: ["response_mode": "direct_post.jwt", "client_metadata": .object(metadata)]
        )
        #expect(try await deviations(encryption, [.olderEncryption]) == ["olderEncryption"])
        let formats = Case(tolerance: .olderFormats, changes: ["client_metadata": ["vp_formats": ["dc+sd-jwt": [:]]]])
        #expect(try await deviations(formats, [.olderFormats]) == ["olderFormats"])
        let strict = try await scene.request(formats.changes).presentationRequest()
        #expect(strict.metadata?.formats == nil)
    }

    @Test func acceptsOlderIdentifiersByNameAlone() async throws {
        func verification(_ tolerances: Set<RequestTolerance>) async throws -> Verification<AuthenticatedRequest> {
            var form = FormParameters()
            form.append("client_id", scene.did.text)
            form.append("request", try await scene.object(["client_id": .string(scene.did.text)]))
            let options = RequestReadingOptions(tolerances: tolerances)
            return await RequestAuthenticator(
                policy: scene.policy,
                transport: InMemoryHTTPTransport([:]),
                options: options
            ).authenticate(try AuthorizationRequest(url: "openid4vp://?" + form.text, options: options), at: scene.now)
        }
        #expect(try await verification([]).refusal?.check == .clientMatch)
        let tolerated = try await verification([.bareDID])
        #expect(tolerated.refusal == nil && tolerated.deviations.map(\.tolerance) == ["bareDID"])
    }

    /// The form that a wallet's documentation describes, beside the one that its source has.
    @Test func postsToARedirectURIByNameAlone() async throws {
        func verification(
            _ tolerances: Set<RequestTolerance>,
            _ others: String = "",
            address: String = "https://v.example/cb"
        ) async throws -> Verification<AuthenticatedRequest> {
            var form = FormParameters()
            for (name, value) in [
                ("client_id", "https://v.example/cb"), ("client_id_scheme", "redirect_uri"),
                ("response_type", "vp_token"), ("redirect_uri", address), ("nonce", "n1"),
                ("presentation_definition", "{\"id\":\"a\",\"input_descriptors\":[{\"id\":\"b\",\"constraints\":{}}]}"),
            ] { form.append(name, value) }
            let options = RequestReadingOptions(tolerances: tolerances)
            let request = try AuthorizationRequest(url: "openid4vp://?" + form.text + others, options: options)
            return await RequestAuthenticator(
                policy: scene.policy,
                transport: InMemoryHTTPTransport([:]),
                options: options
            ).authenticate(request, at: scene.now)
        }
        #expect(try await verification([]).get().target.mode == .fragment)
        #expect(try await verification(.deployed).get().target.mode == .fragment)
        let tolerated = try await verification([.redirectURIAsResponseURI])
        let target = try tolerated.get().target
        #expect(target.mode == .directPost && target.address == "https://v.example/cb")
        #expect(tolerated.deviations.map(\.tolerance) == ["redirectURIAsResponseURI"])
        let explicit = try await verification([.redirectURIAsResponseURI], "&response_mode=fragment")
        #expect(try explicit.get().target.mode == .fragment && explicit.deviations.isEmpty)
        let foreign = try await verification([.redirectURIAsResponseURI], address: "https://evil.example/cb")
        #expect(foreign.refusal?.reason == .foreignResponseAddress)
        let plain = try await verification([.redirectURIAsResponseURI], address: "app:cb")
        #expect(plain.refusal?.check == .responseAddress)
    }
}
