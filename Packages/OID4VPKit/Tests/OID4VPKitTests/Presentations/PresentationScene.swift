import CBORKit
import CredentialTesting
import CredentialTransport
import CryptoCore
import DIDKit
import Foundation
import JOSEKit
import JSONKit
import LinkedDataKit
import MdocKit
import OID4VPKit
import OID4VPMessages
import SDJWTKit
import Synchronization
import TestSupport
import Testing

/// A wallet with credentials of every format, their issuers, and requests to it.
struct PresentationScene: Sendable {
    static let now = Date(timeIntervalSince1970: 1_800_000_000)
    static let address = "https://v.example/response"
    static let clientID = "redirect_uri:" + address
    static let nonce = "n-0S6_WzA2Mj"

    let pki: MdocTestPKI
    let issuer: SoftwareSigner
    let deviceKey: SoftwareSigner
    let holderKey: SoftwareSigner
    let holderDID: DID

    static func make() async throws -> PresentationScene {
        try PresentationScene(pki: try await MdocTestPKI.make(at: now))
    }

    private init(pki: MdocTestPKI) throws {
        self.pki = pki
        issuer = try SoftwareSigner(PrivateKey.generate(.ed25519))
        deviceKey = try SoftwareSigner(PrivateKey.generate(.p256))
        holderKey = try SoftwareSigner(PrivateKey.generate(.ed25519))
        holderDID = try DID.key(holderKey.publicKey)
    }

    var signers: [any Signer] { [deviceKey, holderKey] }

    // MARK: Credentials

    func mdoc(
        _ name: String = "mdl",
        docType: DocType = .mDL,
        authorizations: KeyAuthorizations? = nil
    ) async throws -> PresentableCredential {
        let validity = ValidityInfo(signed: Self.now, validFrom: Self.now, validUntil: Self.now + 86_400)
        var builder = IssuerSignedBuilder(docType: docType, deviceKey: deviceKey.publicKey, validityInfo: validity)
        builder.keyAuthorizations = authorizations
        for identifier in ["family_name", "given_name", "birth_place"] as [DataElementIdentifier] {
            try builder.add("Doe", as: identifier, in: .mDL)
        }
        try builder.add(true, as: "age_over_18", in: .mDL)
        try builder.add(1, as: "organ_donor", in: "org.iso.18013.5.1.aamva")
        let issued = try await builder.sign(with: SoftwareSigner(pki.documentSignerKey), x5chain: [pki.documentSigner])
        return .mdoc(MdocCredential(StoredMdoc(id: name, issuerSigned: issued)))
    }

    /// An SD-JWT VC; nil as confirmation leaves `cnf` out.
    func sdJWT(
        _ name: String = "pid",
        confirmation: JSONValue? = ["default": true],
        claims others: JSONObject = [:]
    ) async throws -> PresentableCredential {
        var claims: JSONObject = [
            "iss": "https://issuer.example", "given_name": "Ada", "family_name": "Lovelace",
            "address": ["street": "1 Main", "country": "GB"], "degrees": [["type": "a"], ["type": "b"]],
        ]
        for (name, value) in others { claims[name] = value }
        let isDefault = confirmation == ["default": true]
        if !isDefault, let confirmation { claims["cnf"] = confirmation }
        var builder = SDJWTBuilder(credentialType: "urn:pid", claims: claims)
        for path in Self.concealed { try builder.conceal(path) }
        if isDefault { builder.holderKey = try JWK(deviceKey.publicKey) }
        return .sdJWT(try SDJWTCredential(name: CredentialName(name), try await builder.sign(with: issuer)))
    }

    static let concealed: [ClaimPath] = [
        ["given_name"], ["family_name"], ["address"], ["address", "street"], ["address", "country"],
        ["degrees", nil, "type"],
    ]

    func linkedData(
        _ name: String = "club",
        version: DataModelVersion = .v1,
        subject: String? = nil
    ) async throws -> PresentableCredential {
        let did = try DID.key(issuer.publicKey)
        let suite = LinkedDataProofSuite.ed25519Signature2020
        let signed = try await LinkedDataProver().sign(
            try content(version, ["https://w3id.org/security/suites/ed25519-2020/v1"], subject).members,
            suite: suite,
            options: LinkedDataProofOptions(
                verificationMethod: try DIDURL("\(did.text)#\(did.identifier)"),
                created: Self.now - 60
            ),
            with: issuer
        )
        return .w3c(try W3CCredential(name: CredentialName(name), VerifiableCredential(.linkedData(signed))))
    }

    /// - Parameter isTyped: Pass `false` for a token without `typ`.
    func token(
        _ name: String = "token",
        version: DataModelVersion = .v1,
        isTyped: Bool = true
    ) async throws -> PresentableCredential {
        let did = try DID.key(issuer.publicKey)
        var header = JOSEHeader(type: version == .v1 ? "JWT" : "vc+jwt", keyID: "\(did.text)#\(did.identifier)")
        if !isTyped { header["typ"] = nil }
        let claims = try content(version, [], nil).tokenClaims
        let token = try await JWT.sign(claims, header: header, with: issuer)
        return .w3c(try W3CCredential(name: CredentialName(name), VerifiableCredential(.token(token))))
    }

    private func content(
        _ version: DataModelVersion,
        _ contexts: [JSONValue],
        _ subject: String?
    ) throws -> W3CCredentialContent {
        try W3CCredentialContent(
            version: version,
            id: "urn:uuid:0b1e8a3c-1b5a-4c9e-9d7e-1f0a6a4d0001",
            types: ["Member"],
            contexts: contexts + [
                ["Member": "https://club.example/Member", "level": "https://club.example/level"]
            ],
            issuer: DID.key(issuer.publicKey).text,
            subjects: [["id": .string(subject ?? holderDID.text), "level": "gold"]],
            validFrom: Self.now - 86_400,
            validUntil: Self.now + 86_400
        )
    }

    /// The holder of W3C credentials.
    func holder(
        _ suite: LinkedDataProofSuite = .ed25519Signature2020,
        _ signer: SoftwareSigner? = nil
    ) throws -> W3CHolder {
        let key = (signer ?? holderKey).publicKey
        let did = key.type == .rsa ? try DID.jwk(key) : try DID.key(key)
        let fragment = key.type == .rsa ? "0" : did.identifier
        return W3CHolder(verificationMethod: try DIDURL("\(did.text)#\(fragment)"), key: key, suite: suite)
    }

    func keys(_ suite: LinkedDataProofSuite = .ed25519Signature2020) throws -> HolderKeys {
        HolderKeys(holder: try holder(suite))
    }

    // MARK: Requests

    static func dcql(_ queries: JSONValue...) -> JSONObject { dcql(contentsOf: queries) }

    static func dcql(contentsOf queries: [JSONValue]) -> JSONObject {
        ["dcql_query": ["credentials": .array(queries)]]
    }

    static func definition(_ descriptors: JSONValue...) -> JSONObject { definition(contentsOf: descriptors) }

    static func definition(contentsOf descriptors: [JSONValue]) -> JSONObject {
        ["presentation_definition": ["id": "definition", "input_descriptors": .array(descriptors)]]
    }

    static let encryption: JSONObject = {
        let key: JSONObject = [
            "kty": "EC", "crv": "P-256", "kid": "1", "use": "enc", "alg": "ECDH-ES",
            "x": "DxiH5Q4Yx3UrukE2lWCErq8N8bqC9CHLLrAwLz5BmE0", "y": "XtLM4-3h5o3HUH0MHVJV0kyq0iBlrBwlh8qEDMZ4-Pc",
        ]
        return ["jwks": ["keys": [.object(key)]], "authorization_encrypted_response_alg": "ECDH-ES"]
    }()

    /// A request in a URL, authenticated.
    static func request(
        _ query: JSONObject,
        mode: String = "direct_post",
        others: JSONObject = [:],
        types: TransactionDataTypes = .none,
        endpoint: InteractiveEndpoint? = nil,
        options: RequestReadingOptions = .strict
    ) async throws -> (AuthenticatedRequest, PresentationRequest) {
        var members: JSONObject = [
            "client_id": .string(clientID), "response_type": "vp_token", "response_mode": .string(mode),
            "response_uri": .string(address), "nonce": .string(nonce),
        ]
        if mode.hasSuffix(".jwt") { members["client_metadata"] = .object(encryption) }
        for (name, value) in query { members[name] = value }
        for (name, value) in others { members[name] = value.isNull ? .none : value }
        var form = FormParameters()
        for (name, value) in members {
            form.append(name, value.stringValue ?? String(decoding: value.encoded(), as: UTF8.self))
        }
        let request = try AuthorizationRequest(url: "openid4vp://authorize?" + form.text, options: options)
        let authenticator = RequestAuthenticator(
            policy: RequestAuthenticationPolicy(),
            transport: Self.noTransport,
            options: options
        )
        let authenticated = try await authenticator.authenticate(request, interactiveEndpoint: endpoint, at: now).get()
        let support = PresentationRequest.Support(transactionData: types)
        return (authenticated, try authenticated.presentationRequest(support: support))
    }

    /// A request from a page.
    static func platformRequest(
        _ query: JSONObject,
        mode: String = "dc_api",
        by protocolIdentifier: ExactText = PlatformRequest.unsigned
    ) async throws -> (AuthenticatedRequest, PresentationRequest) {
        var data: JSONObject = [
            "response_type": "vp_token", "response_mode": .string(mode), "nonce": .string(nonce),
        ]
        if mode.hasSuffix(".jwt") { data["client_metadata"] = .object(encryption) }
        for (name, value) in query { data[name] = value }
        let request = PlatformRequest(
            protocolIdentifier: protocolIdentifier,
            data: data,
            origin: "https://v.example"
        )
        let authenticator = RequestAuthenticator(
            policy: RequestAuthenticationPolicy(),
            transport: Self.noTransport,
            options: RequestReadingOptions(tolerances: [.draftPlatformProtocol])
        )
        let authenticated = try await authenticator.authenticate(request, at: now).get()
        return (authenticated, try authenticated.presentationRequest())
    }

    private static let noTransport = InMemoryHTTPTransport { _ throws(TransportError) in
        InMemoryHTTPAnswer(status: 404)
    }

    // MARK: Answers

    /// Prepares the wallet's preferred answer.
    func prepare(
        _ credentials: [PresentableCredential],
        for asked: (AuthenticatedRequest, PresentationRequest),
        keys: HolderKeys? = nil,
        options: PresentationOptions = PresentationOptions(),
        seed: UInt8 = 1
    ) async throws -> UnsignedPresentations {
        let (authenticated, request) = asked
        let responder = AuthorizationResponder(authenticated, using: RepeatedByte(seed))
        let nonce = responder.mdocGeneratedNonce
        let binding = try PresentationBinding(authenticated, request, mdocGeneratedNonce: nonce)
        let builder = PresentationBuilder(request, binding, options: options)
        let result = try request.evaluate(over: credentials.queryable, at: Self.now)
        return try await builder.prepare(
            try result.preferredPlan(),
            of: credentials,
            keys: try keys ?? self.keys(),
            at: Self.now,
            using: CountingRandom()
        )
    }

    /// The wallet's preferred answer.
    func answer(
        _ credentials: [PresentableCredential],
        for request: (AuthenticatedRequest, PresentationRequest),
        keys: HolderKeys? = nil,
        options: PresentationOptions = PresentationOptions()
    ) async throws -> VPToken {
        try await prepare(credentials, for: request, keys: keys, options: options).signed(with: signers)
    }

    // MARK: Verifiers

    var mdocVerifier: MdocVerifier {
        MdocVerifier(trustAnchors: [TrustAnchor(pki.iaca.certificate)], clock: { Self.now })
    }

    var sdJWTVerifier: SDJWTVerifier {
        SDJWTVerifier(
            policy: .credential(algorithms: [.edDSA, .es256]),
            issuerKeys: KnownIssuerKeys(issuer.publicKey),
            holderKeys: DIDMethods.local,
            clock: { Self.now }
        )
    }

    func credentialVerifier() throws -> W3CCredentialVerifier {
        W3CCredentialVerifier(
            policy: W3CCredentialPolicy(tokens: [.edDSA, .es256]),
            trust: .issuers([ExactText(try DID.key(issuer.publicKey).text)]),
            clock: { Self.now }
        )
    }

    /// Verifies a DeviceResponse in `vp_token`.
    func documents(_ presentation: JSONValue, _ handover: Handover) async throws -> [VerifiedMdocDocument] {
        let text = try #require(presentation.stringValue)
        let response = try DeviceResponse(decoding: try Base64URL.decode(text))
        return try await mdocVerifier.verify(response, sessionTranscript: SessionTranscript(handover: handover)).get()
    }

    /// Verifies a W3C presentation.
    func presentation(_ json: JSONValue, audience: String = clientID) async throws -> VerifiedW3CPresentation {
        let presentation: VerifiablePresentation
        if let text = json.stringValue {
            presentation = try VerifiablePresentation(decoding: Array(text.utf8))
        } else {
            presentation = try VerifiablePresentation(json: try #require(json.objectValue))
        }
        let expectation = W3CPresentationExpectation(
            nonce: ExactText(Self.nonce),
            audience: ExactText(audience),
            maximumAge: 300
        )
        return try await credentialVerifier().verify(presentation, expecting: expectation).get()
    }
}

/// A source of the same byte.
struct RepeatedByte: RandomSource {
    private let byte: UInt8

    init(_ byte: UInt8) {
        self.byte = byte
    }

    func bytes(_ count: Int) -> [UInt8] { Array(repeating: byte, count: count) }
}

/// A source of bytes that differ from call to call and repeat from test to test.
final class CountingRandom: RandomSource, Sendable {
    private let state = Mutex(RepeatableRandomNumberGenerator(seed: 7))

    func bytes(_ count: Int) -> [UInt8] {
        state.withLock { generator in (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) } }
    }
}
