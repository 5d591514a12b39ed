import CredentialServing
import CredentialTesting
import CredentialTransport
import CryptoCore
import DIDKit
import Foundation
import JOSEKit
import JSONKit
import OID4VPVerifier
import SDJWTKit
import TestSupport
import Testing

struct RequestBuilderTests {
    private func invalid(_ code: OID4VPVerifierError.Code = .invalidRequest, _ body: () throws -> Void) {
        let error = #expect(throws: OID4VPVerifierError.self) { try body() }
        #expect(error?.code == code, "\(String(describing: error))")
    }

    /// The parameters as a wallet reads them.
    private func read(_ members: JSONObject, _ request: CreatedRequest) throws -> PresentationRequest {
        let parameters = AuthorizationParameters(members)
        let version = try OpenID4VPVersion(of: parameters)
        #expect(version == request.expectation.version)
        let isPlatform = request.expectation.mode.address == .platform
        let client = try members["client_id"]?.stringValue.map {
            try ClientIdentifier($0, scheme: members["client_id_scheme"]?.stringValue)
        }
        return try PresentationRequest(
            parameters,
            version: version,
            target: ResponseTarget(
                parameters,
                version: version,
                client: client,
                channel: isPlatform ? .digitalCredentials : .redirects
            ),
            support: PresentationRequest.Support(transactionData: ["pay": ["amount"]])
        )
    }

    private func claims(_ object: String) throws -> (header: JOSEHeader, claims: JSONObject) {
        let token = try JWT(compact: object)
        let payload = try JSONValue(parsing: try #require(token.jws.unverifiedPayload))
        return (try token.unverifiedHeader(), try #require(payload.objectValue))
    }

    @Test func drawsFreshSecretsForEachRequest() async throws {
        let scene = try await Scene()
        let query = try Scene.query([.sdJWT])
        var known: Set<String> = []
        for _ in 0..<20 {
            let expectation = try scene.request(query).expectation
            let key = try #require(expectation.decryption?.key)
            let values = [
                expectation.nonce, try #require(expectation.state), try #require(key.keyID),
                Base64URL.encode(key.thumbprint()),
            ]
            for value in values {
                #expect(try Base64URL.decode(value).count >= 16)
                #expect(known.insert(value).inserted)
            }
        }
        let random = GeneratorRandomSource(SystemRandomNumberGenerator())
        #expect(
            try RequestBuilder(scene.party).makeRequest(
                RequestContent(.dcql(query), address: Scene.address),
                at: Scene.now,
                using: random
            ).expectation.nonce.count == 22
        )
    }

    @Test(arguments: [ResponseMode.directPost, .directPostJWT, .fragment, .digitalCredentials, .digitalCredentialsJWT])
    func writesWhatAWalletReads(_ mode: ResponseMode) async throws {
        let scene = try await Scene()
        let request = try scene.request(Scene.query(HappyFlowTests.formats), mode: mode) { content in
            content.transactionData = [["type": "pay", "credential_ids": ["pid"], "amount": "1"]]
        }
        let asked = try read(request.parameters, request)
        #expect(asked.nonce == request.expectation.nonce && asked.state == request.expectation.state)
        #expect(asked.query.dcql?.credentials.count == 4)
        #expect(asked.target.address == (mode.address == .platform ? nil : Scene.address))
        #expect((asked.encryption != nil) == mode.isJWT)
        #expect(asked.encryption?.encryption == (mode.isJWT ? .a256GCM : nil))
        #expect(asked.transactionData.map(\.text) == request.expectation.transactionData)
        #expect(asked.deviations.isEmpty)
        let formats = try #require(asked.metadata?.formats)
        #expect(formats.names.sorted() == ["dc+sd-jwt", "jwt_vc_json", "ldp_vc", "mso_mdoc"])
        #expect(formats["dc+sd-jwt"]?["sd-jwt_alg_values"] == ["ES256"])
        #expect(formats["mso_mdoc"]?["issuerauth_alg_values"]?[0] == -7)
    }

    @Test(arguments: [OpenID4VPVersion.draft21, .draft23])
    func writesWhatAnOlderWalletReads(_ version: OpenID4VPVersion) async throws {
        var scene = try await Scene()
        let (chain, signer) = try await Self.chain()
        scene.party.client = try .x509SANDNS("reader.utopia.example", chain: chain, signer: signer)
        let content = RequestContent(
            .definition(try PresentationDefinition(json: Scene.definition(.mdoc))),
            address: "https://reader.utopia.example/response",
            version: version
        )
        let request = try RequestBuilder(scene.party).makeRequest(content, at: Scene.now)
        let asked = try read(request.parameters, request)
        #expect(asked.encryption?.encryption == .a256GCM && asked.encryption?.algorithm == .ecdhES)
        #expect(asked.metadata?.formats?["mso_mdoc"]?["alg"]?[0] == "ES256")
        let isFirst = version == .draft21
        #expect(request.parameters["client_id_scheme"] == (isFirst ? "x509_san_dns" : nil))
        #expect(request.expectation.clientID == (isFirst ? "" : "x509_san_dns:") + "reader.utopia.example")
    }

    private static let authority = Task { () -> ([Certificate], SoftwareSigner) in
        let root = try await CertificateAuthority.root(
            subject: DistinguishedName(countryName: "UT", organizationName: "Utopia", commonName: "root"),
            signer: SoftwareSigner(PrivateKey.generate(.p256)),
            validity: Scene.now...Scene.now + 86_400
        )
        let key = try PrivateKey.generate(.p256)
        var builder = CertificateBuilder(
            subject: try DistinguishedName(countryName: "UT", organizationName: "Utopia", commonName: "reader"),
            publicKey: key.publicKey,
            validity: Scene.now...Scene.now + 86_400
        )
        builder.extensions = [
            .subjectAlternativeName([.dns("reader.utopia.example"), .uri("https://reader.utopia.example/cb")])
        ]
        return ([try await builder.issued(by: root)], try SoftwareSigner(key, algorithm: .ecdsaSHA256))
    }

    private static func chain() async throws -> ([Certificate], SoftwareSigner) { try await authority.value }

    @Test func namesTheClientAsTheVersionDoes() async throws {
        let (chain, signer) = try await Self.chain()
        var scene = try await Scene()
        let address = "https://reader.utopia.example/response"
        let key = try Scene.signer(.ed25519)
        let name = try Scene.keyName(key)
        let hash = Base64URL.encode(chain[0].fingerprint)
        let uri = "https://reader.utopia.example/cb"
        let identities: [(ClientIdentity, String?, String?, String?)] = [
            (.preRegistered("me"), "me", "me", "me"),
            (.redirectURI, address, "redirect_uri:" + address, "redirect_uri:" + address),
            (
                try .decentralizedIdentifier(key: name, signer: key), name.did.text, name.did.text,
                "decentralized_identifier:" + name.did.text
            ),
            (try .x509Hash(chain: chain, signer: signer), nil, "x509_hash:" + hash, "x509_hash:" + hash),
            (try .x509SANURI(uri, chain: chain, signer: signer), uri, "x509_san_uri:" + uri, nil),
        ]
        scene.party.encryption.key = .fixed(
            try JWK(PrivateKey.generate(.p256), keyID: "e", use: .encryption, algorithm: "ECDH-ES")
        )
        for (identity, first, second, third) in identities {
            scene.party.client = identity
            for (version, expected) in [(OpenID4VPVersion.draft21, first), (.draft23, second), (.v1, third)] {
                let query: ResponseExpectation.Query =
                    version == .v1
                    ? .dcql(try Scene.query([.sdJWT]))
                    : .definition(try PresentationDefinition(json: Scene.definition(.jwt)))
                let content = RequestContent(query, address: address, version: version)
                let builder = RequestBuilder(scene.party)
                guard let expected else {
                    invalid { _ = try builder.makeRequest(content, at: Scene.now) }
                    continue
                }
                #expect(try builder.makeRequest(content, at: Scene.now).expectation.clientID == expected)
            }
        }
    }

    @Test func refusesIdentitiesThatContradictThemselves() async throws {
        let (chain, signer) = try await Self.chain()
        let other = try Scene.signer(.p256)
        invalid(.invalidRelyingParty) { _ = try ClientIdentity.x509Hash(chain: chain, signer: other) }
        invalid(.invalidRelyingParty) { _ = try ClientIdentity.x509Hash(chain: [], signer: signer) }
        let empty = #expect(throws: OID4VPVerifierError.self) {
            _ = try ClientIdentity.x509SANDNS("verifier.example", chain: [], signer: signer)
        }
        #expect(empty?.message == "the chain of certificates is empty")
        invalid(.invalidRelyingParty) {
            _ = try ClientIdentity.x509SANDNS("other.example", chain: chain, signer: signer)
        }
        invalid(.invalidRelyingParty) {
            _ = try ClientIdentity.x509SANURI("https://o.example", chain: chain, signer: signer)
        }
        let did = try DIDURL(Scene.keyName(Scene.signer(.ed25519)).did.text)
        invalid(.invalidRelyingParty) { _ = try ClientIdentity.decentralizedIdentifier(key: did, signer: signer) }
        invalid(.invalidRelyingParty) { _ = try ClientIdentity.verifierAttestation("no token", signer: signer) }
        let claims = JWTClaims([
            "iss": "https://attester.example", "sub": "verifier", "exp": 1_900_000_000,
            "cnf": ["jwk": .object(try JWK(signer.publicKey).members)],
        ])
        let attestation = try await JWT.sign(claims, with: other).compactSerialization()
        invalid(.invalidRelyingParty) { _ = try ClientIdentity.verifierAttestation(attestation, signer: other) }
        let identity = try ClientIdentity.verifierAttestation(attestation, signer: signer)
        var scene = try await Scene()
        scene.party.client = identity
        #expect(try scene.request(Scene.query([.sdJWT])).expectation.clientID == "verifier_attestation:verifier")
    }

    @Test func refusesParametersThatContradictEachOther() async throws {
        let scene = try await Scene()
        let query = try Scene.query([.sdJWT])
        func refused(_ change: (inout RequestContent) throws -> Void) {
            invalid {
                var content = RequestContent(.dcql(query), address: Scene.address)
                try change(&content)
                _ = try RequestBuilder(scene.party).makeRequest(content, at: Scene.now)
            }
        }
        refused { $0.version = .draft21 }
        refused { $0.version = .draft23 }
        refused { $0.query = .definition(try PresentationDefinition(json: Scene.definition(.sdJWT))) }
        // The transcript of an mdoc has the wallet's nonce, which an answer in the clear lacks.
        for version in [OpenID4VPVersion.draft21, .draft23] {
            for mode in [ResponseMode.directPost, .fragment] {
                refused {
                    $0.version = version
                    $0.query = .definition(try PresentationDefinition(json: Scene.definition(.mdoc)))
                    $0.mode = mode
                }
            }
        }
        refused { $0.address = nil }
        refused { $0.address = "http://verifier.example/response" }
        refused { $0.mode = .digitalCredentials }
        refused { $0.mode = "iar-post" }
        refused { $0.mode = "other" }
        for lifetime in [0, -1, .nan, .infinity, 1e30, RequestContent.maximumLifetime + 1] {
            refused { $0.lifetime = lifetime }
        }
        refused { $0.intendedUse = "unregistered" }
        refused { $0.query = .dcql(try Scene.query(["ac_vp"])) }
        refused { $0.transactionData = [["type": "pay"]] }
        refused { $0.transactionData = [["credential_ids": ["pid"]]] }
        refused { $0.transactionData = [["type": "pay", "credential_ids": ["other"]]] }
        refused { $0.transactionData = [["type": "pay", "credential_ids": [1]]] }
        refused {
            $0.query = .dcql(try Scene.query([.sdJWT]) { $0.requiresHolderBinding = false })
            $0.transactionData = [["type": "pay", "credential_ids": ["pid"]]]
        }
        var registered = scene
        registered.party.client = .preRegistered("me")
        invalid { _ = try registered.request(query) }
        var homeless = scene
        homeless.party.origins = []
        invalid { _ = try homeless.request(query, mode: .digitalCredentials) }
        var named = scene
        let (chain, signer) = try await Self.chain()
        named.party.client = try .x509SANDNS("reader.utopia.example", chain: chain, signer: signer)
        invalid { _ = try named.request(query) }
        var unverified = scene
        unverified.party.verifiers = FormatVerifiers()
        invalid { _ = try unverified.request(Scene.definition(.sdJWT), version: .draft23) }
    }

    /// No wallet would take a request from there: the operator hears of it, not each requestor.
    @Test func aServerAtAnotherHostThanItsPartysIsRefused() async throws {
        var party = try await Scene().party
        let (chain, signer) = try await Self.chain()
        party.client = try .x509SANDNS("reader.utopia.example", chain: chain, signer: signer)
        party.origins = []
        func server(_ url: String) throws -> TransactionServer {
            try TransactionServer(url: url, relyingParties: ["shop": ServedRelyingParty(party)])
        }
        _ = try server("https://Reader.utopia.example/oid4vp")
        let error = #expect(throws: TransactionError.self) { try server("https://shop.example/oid4vp") }
        #expect(error?.code == .invalidConfiguration && error?.path == ["relyingParties", "shop"])
        // Over the Digital Credentials API the host is of no account.
        party.origins = ["https://shop.example"]
        _ = try server("https://shop.example/oid4vp")
    }

    /// Without a rule for them, every response would be refused.
    @Test func aTransactionForAuthoritiesThatNoRuleKnowsIsNotStarted() async throws {
        let party = try await Scene().party
        func start(_ types: [ExactText], _ policy: PresentationPolicy = PresentationPolicy()) async throws {
            let server = try TransactionServer(
                url: "https://shop.example/oid4vp",
                relyingParties: ["shop": ServedRelyingParty(party, policy: policy)],
                services: TransactionServices(clock: EngineWorld.sessionClock(ManualClock()))
            )
            let query = try Scene.query([.sdJWT]) { query in
                query.trustedAuthorities = types.map {
                    TrustedAuthority(type: $0, values: ["s9tIpPmhxdiuNkHMEWNpYim8S8Y"])
                }
            }
            _ = try await server.start(TransactionRequest(of: "shop", for: query))
        }
        let error = await #expect(throws: TransactionError.self) { try await start(["etsi_tl", "openid_federation"]) }
        #expect(error?.code == .invalidRequest)
        #expect(error?.path == ["dcql_query", "credentials[0]", "trusted_authorities"])
        try await start(["etsi_tl", "aki"])
        var policy = PresentationPolicy()
        policy.isTrustedAuthority = { _, _ in true }
        try await start(["etsi_tl"], policy)
    }

    @Test func bothKindsOfEndpointsNeedAPath() async throws {
        let party = try await Scene().party
        let server = try TransactionServer(
            url: "https://shop.example",
            relyingParties: ["shop": ServedRelyingParty(party)]
        )
        _ = try server.walletEngine()
        let error = #expect(throws: ServingError.self) { try server.engine() }
        #expect(error?.code == .invalidRoute && error?.message.contains("no path") == true)
    }

    /// Without a client identifier, wallets have the metadata of a registered client from the request alone.
    @Test(arguments: [ResponseMode.digitalCredentials, .digitalCredentialsJWT])
    func unsignedRequestsOfAPlatformHaveMetadata(_ mode: ResponseMode) async throws {
        var scene = try await Scene()
        scene.party.client = .preRegistered("shop")
        let request = try scene.request(Scene.query([.sdJWT]), mode: mode)
        #expect(request.parameters["client_id"] == nil)
        let asked = try read(request.parameters, request)
        #expect(asked.metadata?.formats?.names == ["dc+sd-jwt"])
        #expect((asked.encryption != nil) == mode.isJWT)
        let presented = try await scene.presented(.sdJWT, request)
        #expect(try await scene.verify(["pid": presented], request).refusal == nil)
        // A key without identifier is sent with one.
        scene.party.encryption.key = .fixed(try JWK(PrivateKey.generate(.p256)))
        let key = try scene.request(Scene.query([.sdJWT]), mode: .digitalCredentialsJWT)
            .parameters["client_metadata"]?["jwks"]?["keys"]?[0]
        #expect(key?["kid"] != nil && key?["alg"] != nil)
        // A signed one names the client.
        scene.party.client = .preRegistered("shop", signer: try Scene.signer(.p256))
        #expect(try scene.request(Scene.query([.sdJWT]), mode: mode).parameters["client_metadata"] == nil)
    }

    /// Wallets of 1.0 need not know the older name.
    @Test func refusesTheOlderNameOfSDJWT() async throws {
        let scene = try await Scene()
        let query = try DCQLQuery(credentials: [CredentialQuery(id: "a", format: .olderSDJWT, type: .vct(["t"]))])
        invalid { _ = try scene.request(query) }
    }

    @Test func refusesTimesThatNoRequestCanState() async throws {
        let scene = try await Scene()
        let builder = RequestBuilder(scene.party)
        var content = RequestContent(.dcql(try Scene.query([.sdJWT])), address: Scene.address)
        content.lifetime = RequestContent.maximumLifetime
        let request = try builder.makeRequest(content, at: Scene.now)
        #expect(try CreatedRequest(decoding: request.encodedBytes).expiresAt == request.expiresAt)
        for seconds in [.nan, .infinity, -.infinity, 1e30, -1e30, 253_402_300_000] as [TimeInterval] {
            let time = Date(timeIntervalSince1970: seconds)
            invalid { _ = try builder.makeRequest(content, at: time) }
            await expectError(.invalidRequest) { try await builder.signedObject(of: request, at: time) }
        }
        let text = String(decoding: request.encodedBytes, as: UTF8.self)
        for number in ["9223372036854775807", "-9223372036854775808", "1e30", "null"] {
            let stored = text.replacing("\"expiresAt\":2115576000", with: "\"expiresAt\":\(number)")
            #expect(stored != text)
            invalid(.malformedExpectation) { _ = try CreatedRequest(decoding: Array(stored.utf8)) }
        }
    }

    /// Platforms compare origins as text (appendix A.2).
    @Test func takesOriginsAsPlatformsNameThem() async throws {
        var scene = try await Scene()
        let query = try Scene.query([.sdJWT])
        for origin in [
            "https://shop.example", "https://shop.example:8443", "http://localhost:8080", "http://localhost",
            "android:apk-key-hash:XrSWL0cGnPQzV-Vw5X4Z8vXhhUQdBsD7rBcbh5G2r3Y",
        ] {
            scene.party.origins = [origin]
            #expect(try scene.request(query, mode: .digitalCredentials).expectation.nonce.isEmpty == false)
        }
        for origin in [
            "https://shop.example/", "https://shop.example/pay", "https://Shop.example", "https://shop.example:443",
            "https://shop.example?a", "https://shop.example#a", "https://user@shop.example", "https://", "shop.example",
            "http://shop.example", "ftp://shop.example", "javascript:0", "data:x", "ws://shop.example",
            "wss://shop.example", "file:///a", "HTTPS://shop.example", "FTP://shop.example", ":", "",
        ] {
            scene.party.origins = ["https://shop.example", origin]
            invalid { _ = try scene.request(query, mode: .digitalCredentials) }
        }
    }

    @Test func sendsTheCertificatesOfTheIntendedUse() async throws {
        var scene = try await Scene()
        scene.party.registrations["age"] = [
            RegistrationCertificate(format: "registration_cert", data: "eyJ", credentials: ["pid"])
        ]
        let request = try scene.request(Scene.query([.sdJWT])) { $0.intendedUse = "age" }
        let info = try read(request.parameters, request).verifierInfo
        #expect(info.map(\.format) == ["registration_cert"] && info[0].credentials == ["pid"])
        #expect(try scene.request(Scene.query([.sdJWT])).parameters["verifier_info"] == nil)
    }

    // MARK: Delivery

    @Test func deliversByReference() async throws {
        let scene = try await Scene()
        let builder = RequestBuilder(scene.party)
        let request = try scene.request(Scene.query([.sdJWT]))
        let url = "https://verifier.example/request/1?a=b"
        let link = try builder.link(toReference: url, for: request, method: .post)
        let read = try AuthorizationRequest(url: link)
        #expect(link.hasPrefix("openid4vp://?client_id=x509_hash%3A"))
        #expect(read.clientID == request.expectation.clientID)
        guard case .reference(let reference) = read.form else { throw NoPresentations() }
        #expect(reference.url.description == url && reference.method == .post)
        let universal = try builder.link(toReference: url, for: request, invocation: "https://wallet.example/?x=1")
        #expect(universal.hasPrefix("https://wallet.example/?x=1&client_id="))
        let object = try await builder.signedObject(of: request, at: Scene.now)
        let (header, claims) = try claims(object)
        #expect(header["typ"] == "oauth-authz-req+jwt" && header["alg"] == "ES256" && header.contains("x5c"))
        #expect(claims["aud"] == "https://self-issued.me/v2" && claims["iat"] == 1_800_000_000)
        #expect(claims["exp"] == 1_800_000_300 && claims["wallet_nonce"] == nil)
        let key = scene.pki.readerKey.publicKey
        _ = try JWS(compact: object).verify(with: key, policy: [.es256])
        await expectError(.invalidRequest) {
            try await builder.signedObject(of: request, at: Scene.now + 300)
        }
    }

    @Test func deliversByValue() async throws {
        var scene = try await Scene()
        let query = try Scene.query([.sdJWT])
        let signed = try scene.request(query)
        let text = try await RequestBuilder(scene.party).signedLink(for: signed, at: Scene.now)
        guard case .object(let object) = try AuthorizationRequest(url: text).form else { throw NoPresentations() }
        #expect(try claims(object).claims["nonce"] == .string(signed.expectation.nonce))
        invalid { _ = try RequestBuilder(scene.party).unsignedLink(for: signed) }
        scene.party.client = .redirectURI
        let unsigned = try scene.request(query)
        let link = try RequestBuilder(scene.party).unsignedLink(for: unsigned)
        guard case .parameters(let parameters) = try AuthorizationRequest(url: link).form else {
            throw NoPresentations()
        }
        #expect(try read(parameters.members, unsigned).query.dcql?.credentials[0].id == "pid")
        invalid { _ = try RequestBuilder(scene.party).link(toReference: "https://v.example/1", for: unsigned) }
        await expectError(.invalidRequest) {
            try await RequestBuilder(scene.party).signedObject(of: unsigned, at: Scene.now)
        }
    }

    @Test func deliversToAPlatform() async throws {
        var scene = try await Scene()
        let (chain, signer) = try await Self.chain()
        scene.party.furtherClients = [try .x509SANDNS("reader.utopia.example", chain: chain, signer: signer)]
        let builder = RequestBuilder(scene.party)
        let request = try scene.request(Scene.query([.sdJWT]), mode: .digitalCredentialsJWT)
        let unsigned = try await builder.digitalCredentialsRequest(for: request, form: .unsigned, at: Scene.now)
        #expect(unsigned.form.rawValue == "openid4vp-v1-unsigned")
        #expect(unsigned.data["client_id"] == nil && unsigned.data["expected_origins"] == nil)
        #expect(unsigned.data["state"] == nil && unsigned.data["response_uri"] == nil)
        let signed = try await builder.digitalCredentialsRequest(for: request, form: .signed, at: Scene.now)
        let inner = try claims(try #require(signed.data["request"]?.stringValue)).claims
        #expect(inner["expected_origins"] == [.string(Scene.origin)] && inner["client_id"] != nil)
        let several = try await builder.digitalCredentialsRequest(for: request, form: .multiSigned, at: Scene.now)
        let jws = try JWS(json: try #require(several.data["request"]).encoded())
        #expect(jws.signatures.count == 2)
        #expect(
            jws.signatures.map { $0.protectedHeader["client_id"]?.stringValue?.prefix(13) }
                == ["x509_hash:" + (request.expectation.clientID ?? "").dropFirst(10).prefix(3), "x509_san_dns:"]
        )
        let payload = try JSONValue(parsing: try #require(jws.unverifiedPayload))
        #expect(payload["client_id"] == nil && payload["expected_origins"] != nil)
        let verification = jws.verify(policy: [.es256], requiring: .all, at: Scene.now) { signature in
            .publicKey(
                signature.protectedHeader["client_id"]?.stringValue?.hasPrefix("x509_hash") == true
                    ? scene.pki.readerKey.publicKey : signer.publicKey
            )
        }
        #expect(verification.refusal == nil)
        let posted = try scene.request(Scene.query([.sdJWT]))
        await expectError(.invalidRequest) {
            try await builder.digitalCredentialsRequest(for: posted, form: .signed, at: Scene.now)
        }
        invalid { _ = try builder.link(toReference: "https://v.example/1", for: request) }
        scene.party.furtherClients = [.redirectURI]
        await expectError(.invalidRequest) {
            try await RequestBuilder(scene.party)
                .digitalCredentialsRequest(for: request, form: .multiSigned, at: Scene.now)
        }
    }

    /// A wallet answers one of the identities, and needs the metadata of the request for any that it does not know.
    @Test func aMultiSignedRequestHasTheMetadataThatAnyIdentityNeeds() async throws {
        var scene = try await Scene()
        let signer = try SoftwareSigner(PrivateKey.generate(.p256))
        scene.party.encryption.key = .fixed(try JWK(PrivateKey.generate(.p256)))
        let known = ClientIdentity.preRegistered("shop", signer: signer)
        let certified = scene.party.client
        for clients in [[known, certified], [certified, known]] {
            scene.party.client = clients[0]
            scene.party.furtherClients = [clients[1]]
            let request = try scene.request(Scene.query([.sdJWT]), mode: .digitalCredentialsJWT)
            let key = request.parameters["client_metadata"]?["jwks"]?["keys"]?[0]
            #expect(key?["kid"] != nil && request.parameters["client_metadata"]?["vp_formats_supported"] != nil)
            let several = try await RequestBuilder(scene.party)
                .digitalCredentialsRequest(for: request, form: .multiSigned, at: Scene.now)
            let jws = try JWS(json: try #require(several.data["request"]).encoded())
            let payload = try JSONValue(parsing: try #require(jws.unverifiedPayload))
            #expect(payload["client_metadata"] == request.parameters["client_metadata"])
        }
        // Wallets that know all of them need none, and a link is of the first alone.
        scene.party.client = known
        #expect(try scene.request(Scene.query([.sdJWT])).parameters["client_metadata"] == nil)
        scene.party.furtherClients = [.preRegistered("other", signer: signer)]
        let request = try scene.request(Scene.query([.sdJWT]), mode: .digitalCredentialsJWT)
        #expect(request.parameters["client_metadata"] == nil)
    }

    /// A client that wallets know sends no metadata, and an unsigned request does not name it.
    @Test func refusesUnsignedPlatformRequestsOfKnownClients() async throws {
        var scene = try await Scene()
        scene.party.client = .preRegistered("shop", signer: try SoftwareSigner(PrivateKey.generate(.p256)))
        let builder = RequestBuilder(scene.party)
        let request = try scene.request(Scene.query([.sdJWT]), mode: .digitalCredentials)
        await expectError(.invalidRequest) {
            try await builder.digitalCredentialsRequest(for: request, form: .unsigned, at: Scene.now)
        }
        #expect(try await builder.digitalCredentialsRequest(for: request, form: .signed, at: Scene.now).form == .signed)
    }

    // MARK: The wallet's POST

    private func post(_ metadata: JSONObject?, nonce: String? = "w") throws -> RequestURIPost {
        var form = FormParameters()
        if let metadata { form.append("wallet_metadata", JSONValue.object(metadata).text()) }
        if let nonce { form.append("wallet_nonce", nonce) }
        return try RequestURIPost(form: form.text)
    }

    private static let metadata: JSONObject = ["vp_formats_supported": ["dc+sd-jwt": [:]]]

    @Test func repeatsTheWalletsNonceAndHonorsItsMetadata() async throws {
        let scene = try await Scene()
        let builder = RequestBuilder(scene.party)
        let request = try scene.request(Scene.query([.sdJWT]))
        var metadata = Self.metadata
        metadata["issuer"] = "https://wallet.example"
        metadata["client_id_prefixes_supported"] = ["x509_hash"]
        metadata["request_object_signing_alg_values_supported"] = ["ES256"]
        metadata["authorization_encryption_alg_values_supported"] = ["ECDH-ES"]
        metadata["authorization_encryption_enc_values_supported"] = ["A128GCM", "A128CBC-HS256"]
        metadata["response_modes_supported"] = ["direct_post.jwt"]
        let object = try await builder.signedObject(of: request, for: try post(metadata), at: Scene.now)
        let claims = try claims(object).claims
        #expect(claims["wallet_nonce"] == "w" && claims["aud"] == "https://wallet.example")
        #expect(claims["client_metadata"]?["encrypted_response_enc_values_supported"] == ["A128GCM"])
        let plain = try await builder.signedObject(of: request, for: try post(nil, nonce: nil), at: Scene.now)
        #expect(try self.claims(plain).claims["aud"] == "https://self-issued.me/v2")
    }

    @Test(
        arguments: [
            ["vp_formats_supported": ["mso_mdoc": [:]]],
            ["client_id_prefixes_supported": ["x509_san_dns"]],
            ["client_id_prefixes_supported": ["pre-registered"]],
            ["request_object_signing_alg_values_supported": ["EdDSA"]],
            ["authorization_encryption_alg_values_supported": ["RSA-OAEP"]],
            ["authorization_encryption_enc_values_supported": ["A256CBC-HS512"]],
            ["response_modes_supported": ["direct_post"]],
        ] as [JSONObject]
    )
    func refusesAWalletThatCannotAnswer(_ change: JSONObject) async throws {
        let scene = try await Scene()
        let request = try scene.request(Scene.query([.sdJWT]))
        var metadata = Self.metadata
        for (name, value) in change { metadata[name] = value }
        let posted = try post(metadata)
        await expectError(.invalidWalletMetadata) {
            try await RequestBuilder(scene.party).signedObject(of: request, for: posted, at: Scene.now)
        }
    }

    /// An identifier that is made of the certificate changes with it, after the link was shown.
    @Test func makesNoObjectForALinkOfAnEarlierCertificate() async throws {
        let (scene, renewed) = (try await Scene(), try await Scene())
        let request = try scene.request(Scene.query([.sdJWT]))
        await expectError(.clientChanged) {
            try await RequestBuilder(renewed.party).signedObject(of: request, at: Scene.now)
        }
        var party = renewed.party
        party.retiredClients = [scene.party.client]
        let object = try await RequestBuilder(party).signedObject(of: request, at: Scene.now)
        let header = try JWS(compact: object).unverifiedHeader()
        #expect(try header.certificateChain() == [scene.pki.reader.derBytes])
        let own = try await RequestBuilder(party).signedObject(
            of: RequestBuilder(party).makeRequest(
                RequestContent(.dcql(try Scene.query([.sdJWT])), address: Scene.address),
                at: Scene.now
            ),
            at: Scene.now
        )
        #expect(try JWS(compact: own).unverifiedHeader().certificateChain() == [renewed.pki.reader.derBytes])
    }

    @Test func refusesAMalformedPost() throws {
        invalid(.invalidWalletMetadata) { _ = try RequestURIPost(form: "wallet_metadata=%7B") }
        invalid(.invalidWalletMetadata) { _ = try RequestURIPost(form: "wallet_metadata=%7B%7D") }
        invalid(.invalidWalletMetadata) { _ = try RequestURIPost(form: "wallet_nonce=a&wallet_nonce=b") }
        invalid(.invalidWalletMetadata) {
            _ = try RequestURIPost(form: "wallet_nonce=" + String(repeating: "a", count: 513))
        }
        #expect(try RequestURIPost(form: "wallet_nonce=" + String(repeating: "a", count: 512)).walletNonce != nil)
        invalid(.limitExceeded) {
            _ = try RequestURIPost(form: "a=" + String(repeating: "a", count: 2 * RequestLimits.default.documentSize))
        }
    }

    /// RFC 6749, section 3.1.
    @Test func takesParametersWithoutValueForNone() throws {
        let post = try RequestURIPost(form: "wallet_nonce=&wallet_metadata=")
        #expect(post.walletNonce == nil && post.metadata == nil)
    }

    /// The names of one algorithm, in the metadata and in the header.
    @Test(arguments: [["Ed25519"], ["EdDSA"], ["ES256", "Ed25519", "EdDSA"]])
    func signsByTheNameThatTheWalletKnows(_ names: [String]) async throws {
        var scene = try await Scene()
        let name = try Scene.keyName(scene.didHolder)
        scene.party.client = try .decentralizedIdentifier(key: name, signer: scene.didHolder)
        var metadata = Self.metadata
        metadata["client_id_prefixes_supported"] = ["decentralized_identifier"]
        metadata["request_object_signing_alg_values_supported"] = .array(names.map { .string($0) })
        let object = try await RequestBuilder(scene.party)
            .signedObject(of: try scene.request(Scene.query([.sdJWT])), for: try post(metadata), at: Scene.now)
        #expect(try claims(object).header["alg"]?.stringValue == names.last)
    }

    // MARK: Storing

    @Test func storesQueriesBeyondTheDefaultLimits() async throws {
        let scene = try await Scene()
        let claims = (0...DCQLLimits.default.claims).map { ClaimQuery(path: ClaimPath([.name("c\($0)")])) }
        let query = try DCQLQuery(
            credentials: [CredentialQuery(id: "pid", format: .sdJWT, claims: claims)],
            limits: DCQLLimits(claims: 300)
        )
        let restored = try CreatedRequest(decoding: try scene.request(query).encodedBytes)
        #expect(restored.expectation.query.dcql?.credentials.first?.claims.count == 257)
    }

    @Test(arguments: [ResponseMode.directPostJWT, .directPost, .digitalCredentialsJWT])
    func storesRequests(_ mode: ResponseMode) async throws {
        let scene = try await Scene()
        let request = try scene.request(Scene.query([.sdJWT]), mode: mode) { content in
            content.transactionData = [["type": "pay", "credential_ids": ["pid"]]]
        }
        let restored = try CreatedRequest(decoding: request.encodedBytes)
        #expect(restored.encodedBytes == request.encodedBytes)
        #expect(restored.expectation.transactionData == request.expectation.transactionData)
        #expect(restored.expiresAt == request.expiresAt)
        let presentation = try await scene.presentedSDJWT(request) {
            $0.transactionData = TransactionData(request.expectation.transactionData)
        }
        #expect(try await scene.verify(["pid": presentation], restored).refusal == nil)
        let older = try scene.request(Scene.definition(.jwt), version: .draft23)
        let bytes = older.expectation.encodedBytes
        #expect(try ResponseExpectation(decoding: bytes).encodedBytes == bytes)
    }

    @Test func refusesMalformedStoredRequests() async throws {
        let scene = try await Scene()
        let request = try scene.request(Scene.query([.sdJWT]))
        let members = try #require(try JSONValue(parsing: request.expectation.encodedBytes).objectValue)
        for name in members.names where name != "state" {
            var changed = members
            changed[name] = 1
            invalid(.malformedExpectation) {
                _ = try ResponseExpectation(decoding: JSONValue.object(changed).encoded())
            }
        }
        for text in ["", "[]", "{}", "{\"parameters\":{}}"] {
            invalid(.malformedExpectation) { _ = try ResponseExpectation(decoding: Array(text.utf8)) }
            invalid(.malformedExpectation) { _ = try CreatedRequest(decoding: Array(text.utf8)) }
        }
    }
}
