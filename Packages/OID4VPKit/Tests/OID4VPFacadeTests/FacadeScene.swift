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
import OID4VPFacade
import OID4VPMessages
import SDJWTKit
import Synchronization
import TestSupport
import Testing

/// A wallet on the façade, its credentials, and a verifier that answers it.
final class FacadeScene: Sendable {
    static let now = Date(timeIntervalSince1970: 1_800_000_000)
    static let address = "https://v.example/response"
    static let nonce = "n-0S6_WzA2Mj"

    let deviceKey: SoftwareSigner
    let holderKey: SoftwareSigner
    let verifierKey: SoftwareSigner
    /// Opens encrypted responses.
    let encryptionKey: PrivateKey
    private let issuer: SoftwareSigner
    /// The issuer of base proofs.
    private let statementIssuer: SoftwareSigner
    private let pki: MdocTestPKI
    private let log = Mutex<[(url: String, body: String)]>([])
    private let documents = Mutex<[String: InMemoryHTTPAnswer]>([:])
    private let answer = Mutex(InMemoryHTTPAnswer(status: 404))

    init() async throws {
        deviceKey = try SoftwareSigner(PrivateKey.generate(.p256))
        holderKey = try SoftwareSigner(PrivateKey.generate(.ed25519))
        verifierKey = try SoftwareSigner(PrivateKey.generate(.ed25519))
        encryptionKey = try PrivateKey.generate(.p256)
        issuer = try SoftwareSigner(PrivateKey.generate(.ed25519))
        statementIssuer = try SoftwareSigner(PrivateKey.generate(.p256))
        pki = try await MdocTestPKI.make(at: Self.now)
        verifierAnswers(#"{"redirect_uri": "https://v.example/done", "message": "ok"}"#)
    }

    var holderDID: DID { get throws { try DID.key(holderKey.publicKey) } }
    var holderId: String { get throws { try "\(holderDID.text)#\(holderDID.identifier)" } }
    var verifierDID: DID { get throws { try DID.key(verifierKey.publicKey) } }

    // MARK: The verifier's side

    /// The requests that the wallet made, in their order.
    var requests: [(url: String, body: String)] { log.withLock { $0 } }
    /// The forms that were posted to the verifier's address.
    var posts: [FormParameters] {
        get throws { try requests.filter { $0.url == Self.address }.map { try FormParameters(decoding: $0.body) } }
    }

    func verifierAnswers(_ body: String, status: Int = 200, type: String = "application/json") {
        let made = try? InMemoryHTTPAnswer.ok(Array(body.utf8), type: MediaType(type))
        answer.withLock { $0 = status == 200 ? made ?? $0 : InMemoryHTTPAnswer(status: status) }
    }

    func serve(_ body: String, at url: String, type: String = "application/oauth-authz-req+jwt") throws {
        let made = try InMemoryHTTPAnswer.ok(Array(body.utf8), type: MediaType(type))
        documents.withLock { $0[url] = made }
    }

    var transport: InMemoryHTTPTransport {
        InMemoryHTTPTransport { [self] request throws(TransportError) in
            let url = request.url.description
            log.withLock { $0.append((url, String(decoding: request.body, as: UTF8.self))) }
            if url == Self.address { return answer.withLock { $0 } }
            return documents.withLock { $0[url] } ?? InMemoryHTTPAnswer(status: 404)
        }
    }

    // MARK: Requests

    static func descriptor(_ id: String, _ format: String, _ paths: String...) -> JSONValue {
        [
            "id": .string(id), "format": .object([format: [:]]),
            "constraints": ["fields": .array(paths.map { .object(["path": [.string($0)]]) })],
        ]
    }

    static func definition(_ descriptors: JSONValue...) -> JSONValue {
        ["id": "pd", "input_descriptors": .array(descriptors)]
    }

    static let plain = definition(descriptor("d", "vc+sd-jwt", "$.family_name"))

    var metadata: JSONValue {
        get throws {
            var key = try JWK(encryptionKey.publicKey).members
            key["use"] = "enc"
            key["alg"] = "ECDH-ES"
            key["kid"] = "1"
            return [
                "jwks": ["keys": [.object(key)]], "authorization_encrypted_response_alg": "ECDH-ES",
                "authorization_encrypted_response_enc": "A256GCM",
            ]
        }
    }

    /// The parameters of a request of the scheme `redirect_uri`, draft 23; null leaves one out.
    func parameters(
        _ others: JSONObject = [:],
        definition: JSONValue = FacadeScene.plain,
        mode: String = "direct_post"
    ) throws -> JSONObject {
        var members: JSONObject = [
            "client_id": .string("redirect_uri:" + Self.address), "response_type": "vp_token",
            "response_mode": .string(mode), "response_uri": .string(Self.address), "nonce": .string(Self.nonce),
            "state": "s1", "presentation_definition": definition,
        ]
        if mode.hasSuffix(".jwt") { members["client_metadata"] = try metadata }
        for (name, value) in others { members[name] = value.isNull ? .none : value }
        return members
    }

    static func url(_ members: JSONObject) -> String {
        var form = FormParameters()
        for (name, value) in members { form.append(name, value.stringValue ?? value.text()) }
        return "openid4vp://authorize?" + form.text
    }

    /// A request object signed by the verifier's DID.
    func object(_ members: JSONObject, _ signer: SoftwareSigner? = nil) async throws -> String {
        let did = try verifierDID
        var claims = members
        claims["aud"] = "https://self-issued.me/v2"
        let header = JOSEHeader(type: "oauth-authz-req+jwt", keyID: "\(did.text)#\(did.identifier)")
        return try await JWT.sign(JWTClaims(claims), header: header, with: signer ?? verifierKey).compactSerialization()
    }

    // MARK: The wallet's side

    func settings(_ change: (inout OpenID4VPSettings) -> Void = { _ in }) -> OpenID4VPSettings {
        var settings = OpenID4VPSettings(transport: transport)
        settings.clock = { Self.now }
        change(&settings)
        return settings
    }

    func wallet(
        _ metadata: OID4VPFacade.WalletMetadata? = nil,
        _ change: (inout OpenID4VPSettings) -> Void = { _ in }
    ) -> OpenID4VP {
        OpenID4VP(traceabilityId: "t", walletMetadata: metadata, settings: settings(change))
    }

    /// A wallet that has authenticated a request.
    func authenticated(
        _ definition: JSONValue = FacadeScene.plain,
        mode: String = "direct_post",
        _ others: JSONObject = [:],
        _ change: (inout OpenID4VPSettings) -> Void = { _ in }
    ) async throws -> OpenID4VP {
        let wallet = wallet(nil, change)
        _ = try await wallet.authenticateVerifier(
            urlEncodedAuthorizationRequest: Self.url(try parameters(others, definition: definition, mode: mode)),
            trustedVerifiers: []
        )
        return wallet
    }

    // MARK: Credentials

    func sdJWT(disclosing paths: [ClaimPath] = [["family_name"]], _ times: JSONObject = [:]) async throws -> String {
        var claims: JSONObject = ["iss": "https://issuer.example", "family_name": "Lovelace", "given_name": "Ada"]
        for (name, value) in times { claims[name] = value }
        var builder = SDJWTBuilder(credentialType: "urn:pid", claims: claims)
        try builder.conceal(["family_name"])
        try builder.conceal(["given_name"])
        builder.holderKey = try JWK(deviceKey.publicKey)
        return try await builder.sign(with: issuer).presentation(disclosing: paths).compactSerialization()
    }

    /// An mdoc as wallets of the replaced library keep it.
    func mdoc(_ docType: DocType = .mDL, isBare: Bool = false) async throws -> String {
        let validity = ValidityInfo(signed: Self.now, validFrom: Self.now, validUntil: Self.now + 86_400)
        var builder = IssuerSignedBuilder(docType: docType, deviceKey: deviceKey.publicKey, validityInfo: validity)
        for identifier in ["family_name", "given_name"] as [DataElementIdentifier] {
            try builder.add("Doe", as: identifier, in: .mDL)
        }
        let issued = try await builder.sign(with: SoftwareSigner(pki.documentSignerKey), x5chain: [pki.documentSigner])
        if isBare { return Base64URL.encode(issued.encodedBytes) }
        let inner = try CBOR(decoding: issued.encodedBytes)
        let map: CBOR = ["docType": .text(docType.text), "issuerSigned": inner]
        return Base64URL.encode(map.encoded())
    }

    func linkedData() async throws -> JSONObject {
        let did = try DID.key(issuer.publicKey)
        let content = try W3CCredentialContent(
            version: .v1,
            id: "urn:uuid:0b1e8a3c-1b5a-4c9e-9d7e-1f0a6a4d0001",
            contexts: [
                "https://w3id.org/security/suites/ed25519-2020/v1",
                ["level": "https://club.example/level"],
            ],
            issuer: did.text,
            subjects: [["id": .string(try holderDID.text), "level": "gold"]],
            validFrom: Self.now - 86_400,
            validUntil: Self.now + 86_400
        )
        let signed = try await LinkedDataProver().sign(
            content.members,
            suite: .ed25519Signature2020,
            options: LinkedDataProofOptions(
                verificationMethod: try DIDURL("\(did.text)#\(did.identifier)"),
                created: Self.now - 60
            ),
            with: issuer
        )
        return signed.unverifiedMembers
    }

    /// A credential with a base proof of `ecdsa-sd-2023`.
    func base() async throws -> JSONObject {
        let did = try DID.key(statementIssuer.publicKey)
        let terms = ["level", "grade", "secret"]
        let content = try W3CCredentialContent(
            contexts: [.object(JSONObject(terms.map { ($0, .string("https://club.example/" + $0)) }))],
            issuer: did.text,
            subjects: [["id": .string(try holderDID.text), "level": "gold", "grade": "A", "secret": "Hush"]],
            validFrom: Self.now - 86_400,
            validUntil: Self.now + 86_400
        )
        let options = LinkedDataProofOptions(
            verificationMethod: try DIDURL("\(did.text)#\(did.identifier)"),
            created: Self.now - 60
        )
        return try await LinkedDataProver()
            .sign(content.members, suite: .ecdsaSD2023, options: options, with: statementIssuer).unverifiedMembers
    }

    // MARK: Verifying

    func verify(mdoc presentation: String, _ handover: Handover) async throws -> [VerifiedMdocDocument] {
        let verifier = MdocVerifier(trustAnchors: [TrustAnchor(pki.iaca.certificate)], clock: { Self.now })
        let response = try DeviceResponse(decoding: try Base64URL.decode(presentation))
        return try await verifier.verify(response, sessionTranscript: SessionTranscript(handover: handover)).get()
    }

    func verify(sdJWT presentation: String, audience: String) async throws -> VerifiedSDJWT {
        let verifier = SDJWTVerifier(
            policy: .credential(algorithms: [.edDSA, .es256]),
            issuerKeys: KnownIssuerKeys(issuer.publicKey),
            clock: { Self.now }
        )
        let expectation = KeyBindingExpectation(audience: audience, nonce: Self.nonce)
        return try await verifier.verify(try SDJWT(compact: presentation), expecting: .keyBinding(expectation)).get()
    }

    func verify(linkedData presentation: JSONValue, audience: String) async throws -> VerifiedW3CPresentation {
        let verifier = W3CCredentialVerifier(
            trust: .issuers(
                try Set([issuer, statementIssuer].map { ExactText(try DID.key($0.publicKey).text) })
            ),
            clock: { Self.now }
        )
        let expectation = W3CPresentationExpectation(nonce: ExactText(Self.nonce), audience: ExactText(audience))
        let read = try VerifiablePresentation(decoding: presentation.encoded())
        return try await verifier.verify(read, expecting: expectation).get()
    }

    /// The content of an encrypted response, and its header.
    func opened(_ response: String) async throws -> (content: JSONValue, header: JOSEHeader) {
        let jwe = try JWE(compact: response)
        let policy = JWEDecryptionPolicy(algorithms: [.ecdhES], encryptions: [.a256GCM, .a128GCM, .a128CBC_HS256])
        let content = try await jwe.decrypt(with: .jwk(try JWK(encryptionKey)), policy: policy)
        return (try JSONValue(parsing: content.plaintext), jwe.protectedHeader)
    }

    // MARK: Signing as an app does

    func signature(_ text: String) throws -> String {
        Base64URL.encode(try deviceKey.signature(for: Array(text.utf8)))
    }

    /// The device signature over the Sig_structure that the app builds.
    func deviceSignature(_ hexadecimal: String) throws -> OID4VPFacade.DeviceAuthentication {
        let tagged = try #require([UInt8](hex: hexadecimal))
        let structure: CBOR = ["Signature1", .bytes([0xa1, 0x01, 0x26]), .bytes([]), .bytes(tagged)]
        let signature = try deviceKey.signature(for: structure.encoded())
        return OID4VPFacade.DeviceAuthentication(signature: Base64URL.encode(signature), algorithm: "ES256")
    }

    func proofValue(_ text: String) throws -> String {
        Multibase.encode(try holderKey.signature(for: try Base64URL.decode(text)))
    }
}
