import CredentialTransport
import CryptoCore
import DIDKit
import Foundation
import JOSEKit
import JSONKit
import OID4VPKit
import OID4VPMessages
import TestSupport

extension FuzzTarget {
    /// The authentication of requests by a wallet whose trust and network stand still.
    package static let oid4vpAuthentication = [
        FuzzTarget(name: "oid4vp-authentication") { bytes in
            let scene = RequestFuzzScene.shared
            var script = FuzzScript(bytes)
            let made = try scene.request(by: &script)
            let verification = try InlineTask.run { try await scene.authenticate(made) }
            let again = try InlineTask.run { try await scene.authenticate(made) }
            require(again.checks.map(\.description) == verification.checks.map(\.description), "a verdict changes")
            let failed = verification.checks.first { if case .failed = $0.outcome { true } else { false } }
            require(
                failed == nil || failed?.check == verification.refusal?.check,
                "a refusal names another check than the first failed one"
            )
            require(verification.verified != nil || !made.isGenuine, "the scene's own request is refused")
            guard let request = verification.verified else { return }
            // Of several signatures one is enough; the others are reported.
            let isOneOfSeveral = made.form == .multiSigned
            require(
                verification.deviations.allSatisfy { isOneOfSeveral && $0.tolerance == "refusedSignature" },
                "what is strict deviates"
            )
            if request.isSigned {
                let client = request.client?.text
                require(client.map(scene.clients.contains) == true, "a request of an unknown client is authenticated")
                require(request.client?.rule != .redirectURI, "a client that never signs has signed")
            } else {
                require(
                    request.client.map { $0.rule == .redirectURI } ?? (request.origin != nil),
                    "a client that must sign is authenticated without a signature"
                )
            }
            if let address = request.target.address, let client = request.client {
                switch client.rule {
                case .redirectURI: require(address == client.original, "a response goes to another address")
                case .preRegistered: require(address == RequestFuzzScene.address, "a response goes to a stranger")
                default: break
                }
            }
            require(
                request.origin == nil || request.audience == "origin:" + RequestFuzzScene.origin,
                "a presentation for a page has another audience"
            )
            guard made.edit == .afterSigning, request.isSigned, made.form != .multiSigned else { return }
            require(request.parameters.members == made.claims, "parameters that nobody signed are authenticated")
        }
    ]
}

/// A wallet that knows a client by registration, by DID and by attestation, and requests of each.
private struct RequestFuzzScene: Sendable {
    static let shared: RequestFuzzScene = {
        do { return try InlineTask.run { try await RequestFuzzScene() } } catch { fatalError("\(error)") }
    }()

    static let address = "https://v.example/post"
    static let origin = "https://v.example"
    private static let objectAddress = "https://v.example/request"

    /// The client of a request.
    enum Client: CaseIterable {
        case registered, did, attested, redirectURI
    }

    /// The form of a request.
    enum Form: CaseIterable {
        case parameters, object, reference, platform, signedPlatform, multiSigned
    }

    /// The place of a change.
    enum Edit: CaseIterable {
        /// The parameters, before the client signs them.
        case parameters
        /// The header, before the client signs.
        case header
        /// The bytes of the token, or the parameters that stand outside of it.
        case afterSigning
    }

    /// A request that a script has made.
    struct Made: Sendable {
        let form: Form
        let edit: Edit
        /// The parameters that were signed.
        let claims: JSONObject
        /// The parameters of the URL, or the data of the platform.
        let outer: JSONObject
        /// The object that the verifier serves.
        let served: [UInt8]
        let isGenuine: Bool
    }

    private let key: PrivateKey
    private let attestation: String
    private let policy: RequestAuthenticationPolicy
    private let identifiers: [Client: String]

    /// The identifiers of the clients that sign.
    var clients: Set<ExactText> { Set(identifiers.values.map { ExactText($0) }) }

    private init() async throws {
        key = try FuzzKeys.key(80)
        let attester = try FuzzKeys.key(81)
        let did = try DID.key(key.publicKey)
        let confirmed: JSONObject = [
            "iss": "https://attester.example", "sub": "shop", "exp": 1_800_003_600,
            "cnf": ["jwk": .object(try JWK(key.publicKey).members)],
        ]
        attestation = try await JWT.sign(
            JWTClaims(confirmed),
            header: JOSEHeader(type: "verifier-attestation+jwt"),
            with: SoftwareSigner(attester)
        ).compactSerialization()
        identifiers = [
            .registered: "shop", .did: "decentralized_identifier:" + did.text, .attested: "verifier_attestation:shop",
        ]
        var policy = RequestAuthenticationPolicy()
        policy.resolver = DIDMethods.local
        policy.attesters = ["https://attester.example": JWKSet([try JWK(attester.publicKey)])]
        policy.clients = [
            RegisteredClient(
                id: "shop",
                responseAddresses: [ExactText(Self.address)],
                keys: JWKSet([try JWK(key.publicKey, keyID: "1")])
            )
        ]
        self.policy = policy
    }

    // MARK: Making

    func request(by script: inout FuzzScript) throws -> Made {
        let form = script.choice(of: Form.allCases)
        let client = script.choice(of: Client.allCases)
        let edit = script.choice(of: Edit.allCases)
        let isUntouched = script.isAtEnd
        let genuine = claims(of: client, form)
        let claims = edit == .parameters ? genuine.edited(by: &script) : genuine
        let header = edit == .header ? header(of: client).edited(by: &script) : header(of: client)
        var token = Array(signed(claims, header).utf8)
        if edit == .afterSigning, script.byte().isMultiple(of: 2) { token = token.changed(by: &script) }
        let text = String(decoding: token, as: UTF8.self)
        var outer: JSONObject = ["client_id": claims["client_id"] ?? .null]
        switch form {
        case .parameters, .platform: outer = claims
        case .object: outer["request"] = .string(text)
        case .reference: outer["request_uri"] = .string(Self.objectAddress)
        case .signedPlatform: outer = ["request": .string(text)]
        case .multiSigned: outer = ["request": multiSigned(claims, header)]
        }
        if edit == .afterSigning { outer = outer.edited(by: &script) }
        // Of the combinations only some are requests that a wallet takes.
        let canSign = client != .redirectURI
        let isPossible: Bool =
            switch form {
            case .parameters: !canSign
            case .platform: true
            case .object, .reference, .signedPlatform, .multiSigned: canSign
            }
        return Made(
            form: form,
            edit: edit,
            claims: claims,
            outer: outer,
            served: token,
            isGenuine: isUntouched && isPossible && edit != .afterSigning
        )
    }

    private func claims(of client: Client, _ form: Form) -> JSONObject {
        let isPlatform = [.platform, .signedPlatform, .multiSigned].contains(form)
        var claims: JSONObject = [
            "client_id": .string(identifiers[client] ?? "redirect_uri:" + Self.address),
            "aud": "https://self-issued.me/v2", "response_type": "vp_token", "nonce": "n-0S6_WzA2Mj",
            "response_mode": isPlatform ? "dc_api" : "direct_post", "exp": 1_800_000_300,
            "dcql_query": ["credentials": [["id": "pid", "format": "dc+sd-jwt", "meta": [:]]]],
        ]
        if isPlatform {
            claims["expected_origins"] = [.string(Self.origin)]
        } else {
            claims["response_uri"] = .string(Self.address)
            claims["state"] = "s1"
        }
        if form == .platform { for name in ["client_id", "aud", "exp"] { claims[name] = nil } }
        return claims
    }

    private func header(of client: Client) -> JSONObject {
        var header: JSONObject = ["alg": "ES256", "typ": "oauth-authz-req+jwt"]
        switch client {
        case .registered: header["kid"] = "1"
        case .did:
            let did = (identifiers[.did] ?? "").dropFirst("decentralized_identifier:".count)
            header["kid"] = .string("\(did)#\(did.dropFirst("did:key:".count))")
        case .attested: header["jwt"] = .string(attestation)
        case .redirectURI: break
        }
        return header
    }

    private func parts(
        _ claims: JSONObject,
        _ header: JSONObject
    ) -> (header: String, payload: String, signature: String) {
        let texts = [header, claims].map { Base64URL.encode(JSONValue.object($0).encoded()) }
        let input = Array((texts[0] + "." + texts[1]).utf8)
        let signature = (try? key.signature(for: input, algorithm: .ecdsaSHA256)) ?? []
        return (texts[0], texts[1], Base64URL.encode(signature))
    }

    private func signed(_ claims: JSONObject, _ header: JSONObject) -> String {
        let (header, payload, signature) = parts(claims, header)
        return "\(header).\(payload).\(signature)"
    }

    /// A JWS in the general serialization, with the client in the protected header.
    private func multiSigned(_ claims: JSONObject, _ header: JSONObject) -> JSONValue {
        var (claims, header) = (claims, header)
        header["client_id"] = claims["client_id"]
        claims["client_id"] = nil
        let parts = parts(claims, header)
        let signature: JSONValue = ["protected": .string(parts.header), "signature": .string(parts.signature)]
        return ["payload": .string(parts.payload), "signatures": [signature]]
    }

    // MARK: Authenticating

    func authenticate(_ made: Made) async throws -> Verification<AuthenticatedRequest> {
        let transport = InMemoryHTTPTransport { request throws(TransportError) in
            let isKnown = request.url.description == Self.objectAddress
            FuzzTarget.require(isKnown || made.edit == .afterSigning, "a stranger is asked")
            return try .ok(made.served, type: MediaType("application/oauth-authz-req+jwt"))
        }
        let authenticator = RequestAuthenticator(policy: policy, transport: transport)
        let name: ExactText
        switch made.form {
        case .parameters, .object, .reference:
            let request = try AuthorizationRequest(parameters: made.outer)
            return await authenticator.authenticate(request, walletNonce: "w", at: FuzzKeys.time)
        case .platform: name = PlatformRequest.unsigned
        case .signedPlatform: name = PlatformRequest.signed
        case .multiSigned: name = PlatformRequest.multiSigned
        }
        let request = PlatformRequest(protocolIdentifier: name, data: made.outer, origin: Self.origin)
        return await authenticator.authenticate(request, at: FuzzKeys.time)
    }
}

extension JSONObject {
    /// The object with the script's changes, as far as it is still one.
    fileprivate func edited(by script: inout FuzzScript) -> JSONObject {
        JSONValue.object(self).edited(by: &script).objectValue ?? self
    }
}
