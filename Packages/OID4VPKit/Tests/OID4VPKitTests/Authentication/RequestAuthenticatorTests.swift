import CredentialTransport
import CryptoCore
import DIDKit
import Foundation
import JOSEKit
import JSONKit
import OID4VPKit
import OID4VPMessages
import Synchronization
import TestSupport
import Testing

struct RequestAuthenticatorTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)
    private let key: PrivateKey
    private let did: DID

    init() throws {
        key = try PrivateKey.generate(.ed25519)
        did = try DID.key(key.publicKey)
    }

    private var clientID: String { "decentralized_identifier:" + did.text }

    private var keyID: String { "\(did.text)#\(did.identifier)" }

    private var claims: JSONObject {
        [
            "client_id": .string(clientID), "aud": "https://self-issued.me/v2", "response_type": "vp_token",
            "response_mode": "direct_post", "response_uri": "https://v.example/post", "nonce": "n-0S6_WzA2Mj",
            "dcql_query": ["credentials": [["id": "pid", "format": "dc+sd-jwt", "meta": [:]]]],
        ]
    }

    private func object(_ changes: JSONObject = [:], without removed: [String] = []) async throws -> String {
        var members = claims
        for (name, value) in changes { members[name] = value }
        for name in removed { members[name] = nil }
        let header = JOSEHeader(type: "oauth-authz-req+jwt", keyID: keyID)
        let signer = try SoftwareSigner(key, algorithm: .ed25519)
        return try await JWT.sign(JWTClaims(members), header: header, with: signer).compactSerialization()
    }

    private var policy: RequestAuthenticationPolicy {
        var policy = RequestAuthenticationPolicy()
        policy.resolver = DIDMethods.local
        return policy
    }

    private func transport(_ body: String, type: String = "application/oauth-authz-req+jwt") -> InMemoryHTTPTransport {
        InMemoryHTTPTransport { _ throws(TransportError) in .ok(Array(body.utf8), type: try MediaType(type)) }
    }

    private func url(_ client: String? = nil, uri: String = "https://v.example/r", _ others: String = "") -> String {
        var form = FormParameters()
        form.append("client_id", client ?? clientID)
        form.append("request_uri", uri)
        return "openid4vp://?" + form.text + others
    }

    private func authenticate(
        _ url: String,
        _ transport: InMemoryHTTPTransport,
        policy: RequestAuthenticationPolicy? = nil,
        options: RequestReadingOptions = .strict
    ) async throws -> Verification<AuthenticatedRequest> {
        let authenticator = RequestAuthenticator(policy: policy ?? self.policy, transport: transport, options: options)
        return await authenticator.authenticate(try AuthorizationRequest(url: url), at: now)
    }

    @Test func makesEveryCheckInOrder() async throws {
        let verification = try await authenticate(url(), transport(try await object()))
        let request = try verification.get()
        #expect(verification.checks.map(\.check) == RequestAuthenticator.checks)
        #expect(request.client?.rule == .decentralizedIdentifier)
        #expect(request.audience == clientID)
        #expect(request.isSigned && request.version == .v1)
        #expect(try request.presentationRequest().query.dcql?.credentials.count == 1)
    }

    @Test(arguments: [
        "unregistered", "frob:x", "openid_federation:https://v.example", "https://v.example",
        "redirect_uri:https://v.example/post",
    ])
    func fetchesNothingForClientsThatCannotBeAuthenticated(_ client: String) async throws {
        let transport = transport(try await object())
        let verification = try await authenticate(url(client), transport)
        #expect(verification.refusal != nil)
        #expect(transport.requests.isEmpty)
    }

    @Test(arguments: [
        "https://127.0.0.1/r", "https://[::1]/r", "https://10.0.0.1/r", "https://169.254.169.254/latest",
        "https://192.168.1.1/r",
    ])
    func contactsNoAddressInsteadOfAHost(_ uri: String) async throws {
        let transport = transport(try await object())
        let verification = try await authenticate(url(uri: uri), transport)
        #expect(verification.refusal?.reason == .requestNotRetrieved)
        #expect(verification.refusal?.authorizationCode == nil)
        #expect(transport.requests.isEmpty)
    }

    /// A link that was used before is not a network that is down.
    @Test(arguments: [(404, true), (410, true), (403, false), (429, false), (500, false), (503, false)])
    func tellsAUsedLinkFromAServerThatFails(_ status: Int, isGone: Bool) async throws {
        let transport = InMemoryHTTPTransport { _ throws(TransportError) in InMemoryHTTPAnswer(status: status) }
        let refusal = try await authenticate(url(), transport).refusal
        #expect(refusal?.check == .requestObject)
        #expect(refusal?.reason == (isGone ? .requestGone : .requestNotRetrieved))
        #expect(refusal?.isUnavailable == !isGone)
        #expect(refusal?.authorizationCode == nil)
    }

    @Test func refusesLargeObjectsAndOtherTypes() async throws {
        let large = transport(String(repeating: "a", count: 65 << 10))
        #expect(try await authenticate(url(), large).refusal?.reason == .requestNotRetrieved)
        let token = try await object()
        let html = transport(token, type: "text/html")
        #expect(try await authenticate(url(), html).refusal?.reason == .unexpectedType)
        #expect(try await authenticate(url(), html, options: .deployed).refusal?.reason == .unexpectedType)
        let plain = transport(token, type: "text/plain")
        #expect(try await authenticate(url(), plain).refusal?.reason == .unexpectedType)
        let tolerated = try await authenticate(url(), plain, options: .deployed)
        #expect(tolerated.refusal == nil && tolerated.deviations.map(\.tolerance) == ["otherContentType"])
    }

    @Test func sendsAFreshNonceAndTheMetadataWithPOST() async throws {
        var policy = policy
        policy.walletMetadata = WalletMetadata(formats: [.sdJWT: FormatAlgorithms()])
        policy.walletMetadata?.requestAlgorithms = [.es256]
        let transport = transport(try await object())
        for _ in 0..<2 {
            let verification = try await authenticate(url() + "&request_uri_method=post", transport, policy: policy)
            #expect(verification.refusal?.check == .walletNonce)
        }
        let forms = try transport.requests.map {
            try FormParameters(decoding: String(decoding: $0.body, as: UTF8.self))
        }
        let nonces = forms.compactMap { $0["wallet_nonce"] }
        #expect(Set(nonces).count == 2 && nonces.allSatisfy { $0.utf8.count == 22 })
        let metadata = try WalletMetadata(parsing: try #require(forms[0]["wallet_metadata"]))
        #expect(Array(metadata.formats.keys) == [.sdJWT] && metadata.requestAlgorithms == [.es256])
    }

    @Test func refusesWhatTheObjectSaysOtherwise() async throws {
        func check(_ changes: JSONObject, without removed: [String] = []) async throws -> Check? {
            try await authenticate(url(), transport(try await object(changes, without: removed))).refusal?.check
        }
        #expect(try await check(["client_id": "decentralized_identifier:did:key:z6Mk"]) == .clientMatch)
        #expect(try await check([:], without: ["client_id"]) == .clientMatch)
        #expect(try await check([:], without: ["aud"]) == .audience)
        #expect(try await check(["aud": "https://other.example"]) == .audience)
        #expect(try await check(["exp": 1_799_999_000]) == .validity)
        #expect(try await check(["nbf": 1_800_001_000]) == .validity)
        #expect(try await check(["iat": 1_800_001_000]) == .issuedAt)
        #expect(try await check(["response_uri": "http://v.example"]) == .responseAddress)
        #expect(try await check(["iss": "anyone", "exp": 1_800_000_100]) == nil)
    }

    /// A wallet with a name of its own does not know how the verifier found it (section 5.8).
    @Test func takesItsOwnNameAndThatOfAnyWallet() async throws {
        var policy = policy
        policy.audience = "https://wallet.example"
        let names: [(JSONValue, Bool)] = [
            ("https://wallet.example", true), ("https://self-issued.me/v2", true),
            (["https://x.example", "https://wallet.example"], true), ("https://x.example", false), (1, false),
        ]
        for (name, isTaken) in names {
            let transport = transport(try await object(["aud": name]))
            let verification = try await authenticate(url(), transport, policy: policy)
            #expect(verification.refusal?.check == (isTaken ? nil : .audience), "\(name)")
        }
    }

    @Test func takesTheAddressOfTheRequestForItsAudienceUnderATolerance() async throws {
        let options = RequestReadingOptions(tolerances: [.requestURIAsAudience])
        for (audience, isTaken) in [("https://v.example/r", true), ("https://v.example/other", false)] {
            let transport = transport(try await object(["aud": .string(audience)]))
            let strict = try await authenticate(url(), transport)
            #expect(strict.refusal?.check == .audience)
            let tolerant = try await authenticate(url(), transport, options: options)
            #expect(tolerant.refusal?.check == (isTaken ? nil : .audience))
            if isTaken { #expect(tolerant.deviations.map(\.tolerance) == ["requestURIAsAudience"]) }
        }
        // By value there is no such address.
        var form = FormParameters()
        form.append("client_id", clientID)
        form.append("request", try await object(["aud": "https://v.example/r"]))
        let byValue = try await authenticate("openid4vp://?" + form.text, transport(""), options: options)
        #expect(byValue.refusal?.check == .audience)
    }

    @Test func refusesSymmetricAlgorithmsWhateverThePolicySays() async throws {
        var policy = policy
        policy.algorithms.insert(.hs256)
        let token = try await object()
        let parts = token.split(separator: ".")
        var header = try JSONValue(parsing: Base64URL.decode(parts[0])).objectValue ?? [:]
        header["alg"] = "HS256"
        let forged = Base64URL.encode(JSONValue.object(header).encoded()) + ".\(parts[1]).\(parts[2])"
        #expect(try await authenticate(url(), transport(forged), policy: policy).refusal?.check == .signature)
    }

    @Test func decryptsRequestObjectsForTheWalletsKey() async throws {
        let wallet = try PrivateKey.generate(.p256)
        let recipient = try JWEEncryptionKey.jwk(JWK(wallet.publicKey), .ecdhES, for: .a128GCM)
        let text = try JWE.encrypt(Array(try await object().utf8), to: recipient, with: .a128GCM).compactSerialization()
        #expect(try await authenticate(url(), transport(text)).refusal?.check == .requestObject)
        var policy = policy
        policy.decryption = (.privateKey(wallet), JWEDecryptionPolicy(algorithms: [.ecdhES], encryptions: [.a128GCM]))
        #expect(try await authenticate(url(), transport(text), policy: policy).refusal == nil)
    }

    @Test func acceptsUnsignedRequestsOfRegisteredClientsOnDemandAlone() async throws {
        let form =
            "openid4vp://?client_id=shop&response_type=vp_token&response_mode=direct_post&nonce=n1"
            + "&response_uri=https%3A%2F%2Fv.example%2Fpost&scope=pid"
        var client = RegisteredClient(id: "shop", responseAddresses: ["https://v.example/post"])
        var policy = policy
        policy.clients = [client]
        let transport = InMemoryHTTPTransport([:])
        let refused = try await authenticate(form, transport, policy: policy)
        #expect(refused.refusal?.reason == .signatureRule)
        client.allowsUnsignedRequests = true
        policy.clients = [client]
        #expect(try await authenticate(form, transport, policy: policy).get().isSigned == false)
        client.responseAddresses = []
        policy.clients = [client]
        #expect(try await authenticate(form, transport, policy: policy).refusal?.reason == .foreignResponseAddress)
    }

    @Test func readsRegisteredClientsWithURLsForNames() async throws {
        var policy = policy
        policy.clients = [
            RegisteredClient(
                id: "https://v.example",
                responseAddresses: ["https://v.example/post"],
                keys: JWKSet([try JWK(key.publicKey, keyID: keyID)])
            )
        ]
        let token = try await object(["client_id": "https://v.example"])
        let verification = try await authenticate(url("https://v.example"), transport(token), policy: policy)
        #expect(try verification.get().client?.rule == .preRegistered)
    }

    @Test func refusesUnknownProtocolsOfThePlatform() async throws {
        let authenticator = RequestAuthenticator(policy: policy, transport: InMemoryHTTPTransport([:]))
        for name in ["openid4vp", "org-iso-mdoc"] {
            let request = PlatformRequest(protocolIdentifier: ExactText(name), data: [:], origin: "https://v.example")
            let verification = await authenticator.authenticate(request, at: now)
            #expect(verification.refusal?.reason == "unsupportedProtocol", "\(name)")
            // The type for the other standard is named.
            let isNamed = verification.refusal?.message.contains("MdocPlatformRequest") == true
            #expect(isNamed == (name == "org-iso-mdoc"))
        }
    }

    /// A verifier whose DID has got a new key: the kept document lacks it, and is asked for again at a limited rate.
    ///
    /// The key counts without a relationship, too (section 5.9.3).
    @Test(arguments: [.authentication, .assertionMethod, .keyAgreement, nil] as [VerificationRelationship?])
    func asksAgainForANewKeyOfADID(relationship: VerificationRelationship?) async throws {
        let did = try DID("did:web:v.example")
        func document(_ keys: [String: PublicKey]) throws -> [UInt8] {
            let methods = try keys.map { name, key in try VerificationMethod(id: DIDURL(did.text + name), key: key) }
            let document = DIDDocument(
                id: did,
                verificationMethods: methods,
                relationships: relationship.map { [$0: methods.map(\.id)] } ?? [:]
            )
            return JSONValue.object(document.members).encoded()
        }
        let old = try PrivateKey.generate(.ed25519)
        let served = Mutex(try document(["#1": old.publicKey]))
        let transport = InMemoryHTTPTransport { _ in .ok(served.withLock { $0 }, type: .json) }
        var policy = RequestAuthenticationPolicy()
        policy.resolver = DIDWebMethod(transport: transport)
        let authenticator = RequestAuthenticator(policy: policy, transport: InMemoryHTTPTransport([:]))
        func refusal(_ keyID: String, by key: PrivateKey, after seconds: TimeInterval) async throws -> Refusal? {
            let client = "decentralized_identifier:" + did.text
            let object = try await JWT.sign(
                JWTClaims(claims.merging(["client_id": .string(client)])),
                header: JOSEHeader(type: "oauth-authz-req+jwt", keyID: did.text + keyID),
                with: SoftwareSigner(key, algorithm: .ed25519)
            ).compactSerialization()
            var form = FormParameters()
            form.append("client_id", client)
            form.append("request", object)
            let request = try AuthorizationRequest(url: "openid4vp://?" + form.text)
            return await authenticator.authenticate(request, at: now.addingTimeInterval(seconds)).refusal
        }
        #expect(try await refusal("#1", by: old, after: 0) == nil)
        let renewed = try document(["#1": old.publicKey, "#2": key.publicKey])
        served.withLock { $0 = renewed }
        #expect(try await refusal("#2", by: key, after: 29)?.check == .signature)
        #expect(transport.requests.count == 1)
        #expect(try await refusal("#2", by: key, after: 30) == nil)
        #expect(transport.requests.count == 2)
        // Strangers cause no more requests than others do.
        #expect(try await refusal("#3", by: key, after: 31)?.check == .signature)
        #expect(transport.requests.count == 2)
        // A key that replaces another under its name is found by the failed signature.
        let replaced = try document(["#1": key.publicKey])
        served.withLock { $0 = replaced }
        #expect(try await refusal("#1", by: key, after: 59)?.reason == .invalidSignature)
        #expect(transport.requests.count == 2)
        #expect(try await refusal("#1", by: key, after: 60) == nil)
        #expect(try await refusal("#1", by: old, after: 61)?.reason == .invalidSignature)
        #expect(transport.requests.count == 3)
    }

    /// Methods that stand for authentication or for making claims alone count, and revoked ones do not.
    @Test func takesKeysOfADIDThatAreInForce() async throws {
        let did = try DID("did:web:v.example")
        let name = did.text + "#1"
        let method = try VerificationMethod(id: DIDURL(name), key: key.publicKey).members
        let revoked = method.merging(["revoked": "2026-01-01T00:00:00Z"])
        let documents: [(JSONObject, Bool)] = [
            (["verificationMethod": [.object(method)]], true), (["authentication": [.object(method)]], true),
            (["assertionMethod": [.object(method)]], true), (["keyAgreement": [.object(method)]], false),
            (["verificationMethod": [.object(revoked)]], false),
            (["verificationMethod": [.object(revoked)], "authentication": [.string(name)]], false),
        ]
        for (members, isTaken) in documents {
            let document = JSONValue.object(members.merging(["id": .string(did.text)])).encoded()
            var policy = RequestAuthenticationPolicy()
            policy.resolver = DIDWebMethod(transport: InMemoryHTTPTransport { _ in .ok(document, type: .json) })
            let client = "decentralized_identifier:" + did.text
            let object = try await JWT.sign(
                JWTClaims(claims.merging(["client_id": .string(client)])),
                header: JOSEHeader(type: "oauth-authz-req+jwt", keyID: name),
                with: SoftwareSigner(key, algorithm: .ed25519)
            ).compactSerialization()
            let verification = try await authenticate(url(client), transport(object), policy: policy)
            #expect(verification.refusal?.check == (isTaken ? nil : .signature), "\(members)")
        }
    }
}
