import CredentialTransport
import CryptoCore
import Foundation
import JOSEKit
import JSONKit
import OID4VPKit
import OID4VPMessages
import OpenIDFederation
import TestSupport
import Testing

/// Requests of clients that a federation vouches for (OpenID4VP 1.0, section 5.9.3).
struct FederatedRequestTests {
    private static let id = "https://v.example"
    private static let anchorID = "https://anchor.example"
    private let now = Date(timeIntervalSince1970: 1_800_000_000)
    private let anchor: PrivateKey
    private let entity: PrivateKey
    private let key: PrivateKey

    init() throws {
        anchor = try PrivateKey.generate(.p256)
        entity = try PrivateKey.generate(.p256)
        key = try PrivateKey.generate(.p256)
    }

    private var metadata: JSONObject {
        get throws {
            [
                "jwks": ["keys": [.object(try JWK(key.publicKey, keyID: "r1").members)]],
                "vp_formats_supported": ["dc+sd-jwt": [:]],
            ]
        }
    }

    /// The chain of the client, with its anchor right above it.
    private func chain(
        _ changes: JSONObject = [:],
        type: String = "openid_credential_verifier"
    ) async throws -> TrustChain {
        var metadata = try metadata
        for (name, value) in changes { metadata[name] = value.isNull ? JSONValue?.none : value }
        let validity = now.addingTimeInterval(-60)...now.addingTimeInterval(3600)
        let keys = JWKSet([try JWK(entity.publicKey, keyID: "f1")])
        let own = EntityStatementBuilder(
            issuer: try EntityIdentifier(Self.id),
            keys: keys,
            validity: validity,
            metadata: [type: .object(metadata)],
            authorityHints: [try EntityIdentifier(Self.anchorID)]
        )
        let about = EntityStatementBuilder(
            issuer: try EntityIdentifier(Self.anchorID),
            about: try EntityIdentifier(Self.id),
            keys: keys,
            validity: validity
        )
        return try await TrustChain([
            own.sign(with: SoftwareSigner(entity), keyID: "f1"),
            about.sign(with: SoftwareSigner(anchor), keyID: "a1"),
        ])
    }

    private func policy(_ transport: (any HTTPTransport)? = nil) throws -> RequestAuthenticationPolicy {
        var policy = RequestAuthenticationPolicy()
        let anchor = FederationTrustAnchor(
            id: try EntityIdentifier(Self.anchorID),
            keys: JWKSet([try JWK(anchor.publicKey, keyID: "a1")])
        )
        policy.federation = TrustChainResolver(
            policy: FederationPolicy(anchors: [anchor]),
            transport: transport,
            clock: ManualClock()
        )
        return policy
    }

    private func verification(
        chain: TrustChain?,
        inClaims: Bool = false,
        _ changes: JSONObject = [:],
        clientID: String = "openid_federation:" + id,
        keyID: String? = "r1",
        by signer: PrivateKey? = nil,
        without removed: [String] = [],
        policy: RequestAuthenticationPolicy? = nil,
        tolerances: Set<RequestTolerance> = []
    ) async throws -> Verification<AuthenticatedRequest> {
        var claims: JSONObject = [
            "client_id": .string(clientID), "aud": "https://self-issued.me/v2", "response_type": "vp_token",
            "response_mode": "direct_post", "response_uri": "https://v.example/post", "nonce": "n-0S6_WzA2Mj",
            "dcql_query": RequestScene.query, "exp": 1_800_000_300,
        ]
        for (name, value) in changes { claims[name] = value }
        for name in removed { claims[name] = nil }
        var header = JOSEHeader(type: "oauth-authz-req+jwt", keyID: keyID)
        if let chain {
            if inClaims {
                claims["trust_chain"] = try chain.headerValue()
            } else {
                header["trust_chain"] = try chain.headerValue()
            }
        }
        let object = try await JWT.sign(JWTClaims(claims), header: header, with: SoftwareSigner(signer ?? key))
        var form = FormParameters()
        form.append("client_id", clientID)
        form.append("request", try object.compactSerialization())
        let options = RequestReadingOptions(tolerances: tolerances)
        let authenticator = RequestAuthenticator(
            policy: try policy ?? self.policy(),
            transport: InMemoryHTTPTransport([:]),
            options: options
        )
        let request = try AuthorizationRequest(url: "openid4vp://?" + form.text, options: options)
        return await authenticator.authenticate(request, at: now)
    }

    @Test func chainsOfHeaderAndParameters() async throws {
        for inClaims in [false, true] {
            let request = try await verification(chain: chain(), inClaims: inClaims).get()
            #expect(request.client?.text == "openid_federation:https://v.example")
            #expect(request.audience == "openid_federation:https://v.example")
            #expect(request.client?.rule == .federation)
            #expect(request.isSigned)
        }
    }

    /// The metadata are those of the federation; those of the request are ignored.
    @Test func metadataOfTheFederation() async throws {
        let changes: JSONObject = [
            "client_metadata": ["vp_formats_supported": ["mso_mdoc": [:]], "client_name": "Other"]
        ]
        let request = try await verification(chain: chain(["client_name": "Shop"]), changes).get()
        let asked = try request.presentationRequest()
        #expect(asked.metadata?.members["client_name"] == "Shop")
        #expect(asked.deviations.isEmpty)
        // What a federation states of its member may be shown to the user.
        let credentials = [try await PresentationScene.make().sdJWT()]
        let plan = try asked.evaluate(over: credentials.queryable, at: now).preferredPlan()
        let summary = try request.summary(of: plan, for: asked, from: credentials)
        #expect("\(summary.verifier)" == #"The verifier "Shop" (it signed, and its federation vouches for it)"#)
    }

    @Test func listedAddresses() async throws {
        let listed = try await verification(chain: chain(["response_uris": ["https://v.example/post"]]))
        #expect(listed.verified != nil)
        for list in [["https://v.example/other"], [], "https://v.example/post"] as [JSONValue] {
            let refused = try await verification(chain: chain(["response_uris": list]))
            #expect(refused.refusal?.reason == .foreignResponseAddress)
        }
        // What may be used as `redirect_uri` may be used as `response_uri`.
        for (uri, isVerified) in [("https://v.example/post", true), ("https://v.example/cb", false)] {
            let posted = try await verification(chain: chain(["redirect_uris": [.string(uri)]]))
            #expect((posted.verified != nil) == isVerified)
        }
        let redirect: JSONObject = ["response_mode": "fragment", "redirect_uri": "https://v.example/cb"]
        let onlyResponses = try await chain(["response_uris": ["https://v.example/cb"]])
        #expect(try await verification(chain: onlyResponses, redirect, without: ["response_uri"]).verified == nil)
        for (uri, isVerified) in [("https://v.example/cb", true), ("https://v.example/x", false)] {
            let chain = try await chain(["redirect_uris": [.string(uri)]])
            let verification = try await verification(chain: chain, redirect, without: ["response_uri"])
            #expect((verification.verified != nil) == isVerified)
        }
    }

    @Test func refusedClients() async throws {
        let chain = try await chain()
        // A key that the metadata do not have.
        let foreign = try await verification(chain: chain, by: PrivateKey.generate(.p256))
        #expect(foreign.refusal?.check == .signature)
        #expect(try await verification(chain: chain, keyID: "r2").refusal?.check == .signature)
        // An entity of another type, and one without keys.
        let relyingParty = try await self.chain(type: "openid_relying_party")
        #expect(try await verification(chain: relyingParty).refusal?.reason == "missingEntityType")
        #expect(try await verification(chain: self.chain(["jwks": nil])).refusal?.reason == "invalidKeySet")
        // Another client's chain, a broken one, and none.
        let other = try await verification(chain: chain, clientID: "openid_federation:https://w.example")
        #expect(other.refusal?.reason == .malformed)
        #expect(try await verification(chain: nil, ["trust_chain": ["x"]]).refusal?.path.first == "trust_chain[0]")
        #expect(try await verification(chain: nil).refusal?.reason == "noTrustChain")
        #expect(
            try await verification(chain: nil, clientID: "openid_federation:x").refusal?.reason == "invalidIdentifier"
        )
        // A wallet that trusts another anchor, or no federation.
        var policy = try policy()
        policy.federation = TrustChainResolver(policy: FederationPolicy(anchors: []))
        #expect(try await verification(chain: chain, policy: policy).refusal?.reason == .issuerNotTrusted)
        policy.federation = nil
        let refusal = try await verification(chain: chain, policy: policy).refusal
        #expect(refusal?.reason == "unsupportedClientIdentifier")
        // The prefix of drafts in a request of 1.0.
        #expect(try await verification(chain: chain, clientID: Self.id).refusal?.check == .clientMatch)
    }

    /// The identifier of drafts 22 to 25 in a request with DCQL.
    @Test func acceptsABareEntityByNameAlone() async throws {
        let chain = try await chain()
        let others = Set<RequestTolerance>.deployed.subtracting([.bareEntity])
        let strict = try await verification(chain: chain, clientID: Self.id, tolerances: others)
        #expect(strict.refusal?.check == .clientMatch && strict.refusal?.reason == "unsupportedClientIdentifier")
        let tolerated = try await verification(chain: chain, clientID: Self.id, tolerances: [.bareEntity])
        #expect(tolerated.deviations.map(\.tolerance) == ["bareEntity"])
        let request = try tolerated.get()
        #expect(request.client?.rule == .federation && request.audience == Self.id)
        #expect(Set<RequestTolerance>.deployed.contains(.bareEntity))
        // It vouches for no other client.
        let other = try await verification(chain: chain, clientID: "https://w.example", tolerances: [.bareEntity])
        #expect(other.verified == nil)
    }

    @Test func claimsOfRequestObjects() async throws {
        let chain = try await chain()
        let endless = try await verification(chain: chain, without: ["exp"])
        #expect(endless.refusal?.reason == .missingClaim)
        let named = try await verification(chain: chain, ["sub": "https://v.example"])
        #expect(named.refusal?.path == ["sub"])
    }

    /// A client that has changed its key since the chain was kept is asked again.
    @Test func changedKeys() async throws {
        let old = try await chain([
            "jwks": ["keys": [.object(try JWK(PrivateKey.generate(.p256).publicKey, keyID: "r0").members)]]
        ])
        let new = try await chain()
        let anchorStatement = try await EntityStatementBuilder(
            issuer: try EntityIdentifier(Self.anchorID),
            keys: JWKSet([try JWK(anchor.publicKey, keyID: "a1")]),
            validity: now.addingTimeInterval(-60)...now.addingTimeInterval(3600),
            metadata: ["federation_entity": ["federation_fetch_endpoint": "https://anchor.example/fetch"]]
        ).sign(with: SoftwareSigner(anchor), keyID: "a1")
        func answer(_ statement: EntityStatement) throws -> InMemoryHTTPAnswer {
            .ok(
                Array(try statement.compactSerialization().utf8),
                type: try MediaType("application/entity-statement+jwt")
            )
        }
        let transport = InMemoryHTTPTransport([
            "https://v.example/.well-known/openid-federation": try answer(new.statements[0]),
            "https://anchor.example/.well-known/openid-federation": try answer(anchorStatement),
            "https://anchor.example/fetch?sub=https%3A%2F%2Fv.example": try answer(new.statements[1]),
        ])
        let policy = try policy(transport)
        #expect(try await verification(chain: old).refusal?.check == .signature)
        #expect(try await verification(chain: old, policy: policy).verified != nil)
        #expect(try await verification(chain: nil, policy: policy).verified != nil)
        #expect(transport.requests.count == 3)
        // A request that names no key is tried with the kept keys, and then with those of today.
        let unnamed = try self.policy(transport)
        #expect(try await verification(chain: old, keyID: nil).refusal?.check == .signature)
        #expect(try await verification(chain: old, keyID: nil, policy: unnamed).verified != nil)
        // A chain that cannot be read is no chain.
        for value in ["x", ["x"], []] as [JSONValue] {
            let changes: JSONObject = ["trust_chain": value]
            #expect(try await verification(chain: nil, changes, policy: unnamed).verified != nil)
        }
        let second = try await verification(
            chain: nil,
            ["trust_chain": old.headerValue()],
            keyID: "r1",
            policy: unnamed
        )
        #expect(second.verified != nil)
    }

    @Test func unsignedRequests() async throws {
        var form = FormParameters()
        let members: [(String, String)] = [
            ("client_id", "openid_federation:" + Self.id), ("response_type", "vp_token"),
            ("response_mode", "direct_post"),
            ("response_uri", "https://v.example/post"), ("nonce", "n-0S6_WzA2Mj"),
            ("dcql_query", RequestScene.query.text()),
        ]
        for (name, value) in members { form.append(name, value) }
        let authenticator = RequestAuthenticator(policy: try policy(), transport: InMemoryHTTPTransport([:]))
        let request = try AuthorizationRequest(url: "openid4vp://?" + form.text)
        #expect(await authenticator.authenticate(request, at: now).refusal?.reason == .signatureRule)
    }
}
