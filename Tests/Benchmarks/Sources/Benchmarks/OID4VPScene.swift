import CredentialTransport
import CryptoCore
import Foundation
import Harness
import JOSEKit
import JSONKit
import OID4VPKit
import OID4VPMessages
import OID4VPVerifier
import SDJWTKit

/// A verifier whose certificate was issued by an intermediate authority, and a wallet with SD-JWT VCs.
struct OID4VPScene {
    let now = Date()
    private let issuer: SoftwareSigner
    private let holder: SoftwareSigner
    private let reader: SoftwareSigner
    private let root: CertificateAuthority
    private let chain: [Certificate]

    static let address = "https://verifier.example/response"
    static let token = "the-token-of-the-requestor"
    static let type = "https://credentials.example/id"

    init() async throws {
        let key = { try SoftwareSigner(PrivateKey.generate(.p256), algorithm: .ecdsaSHA256) }
        issuer = try key()
        holder = try key()
        reader = try key()
        let validity = now.addingTimeInterval(-86_400)...now.addingTimeInterval(86_400)
        root = try await CertificateAuthority.root(
            subject: DistinguishedName(commonName: "Root"),
            signer: try key(),
            validity: validity
        )
        let intermediate = try await root.subordinate(
            subject: DistinguishedName(commonName: "Intermediate"),
            signer: try key(),
            validity: validity
        )
        let certificate = try await CertificateBuilder(
            subject: DistinguishedName(commonName: "verifier.example"),
            publicKey: reader.publicKey,
            validity: validity,
            extensions: [.keyUsage(.digitalSignature), .subjectAlternativeName([.dns("verifier.example")])]
        ).issued(by: intermediate)
        chain = [certificate, intermediate.certificate]
    }

    // MARK: Signatures

    /// Signatures with their keys.
    struct Signatures: Sendable {
        fileprivate var entries: [(signature: [UInt8], input: [UInt8], key: PublicKey, format: ECDSASignatureFormat)] =
            []

        func verify() {
            for entry in entries {
                let isValid = entry.key.isValidSignature(
                    entry.signature,
                    for: entry.input,
                    algorithm: .ecdsaSHA256,
                    format: entry.format
                )
                precondition(isValid, "the bare signature is valid")
            }
        }

        fileprivate mutating func add(_ jws: JWS, _ key: PublicKey) throws {
            entries.append((jws.signatures.first?.signature ?? [], try jws.signingInput(), key, .raw))
        }

        fileprivate mutating func add(_ certificate: Certificate, _ issuer: PublicKey) {
            entries.append((Array(certificate.signature), Array(certificate.tbsCertificateBytes), issuer, .der))
        }
    }

    /// One signature.
    func oneSignature() throws -> Signatures {
        var signatures = Signatures()
        signatures.add(chain[0], try chain[1].publicKey())
        return signatures
    }

    // MARK: Request

    private func party() throws -> RelyingParty {
        RelyingParty(
            client: try .x509Hash(chain: chain, signer: reader),
            verifiers: FormatVerifiers(
                sdJWT: SDJWTVerifier(
                    policy: .credential(algorithms: [.es256]),
                    issuerKeys: KnownIssuerKeys(issuer.publicKey),
                    clock: { [now] in now }
                )
            )
        )
    }

    func query() throws -> DCQLQuery {
        try DCQLQuery(
            json: [
                "credentials": [
                    [
                        "id": "pid", "format": "dc+sd-jwt", "meta": ["vct_values": [.string(Self.type)]],
                        "claims": [["path": ["given_name"]], ["path": ["family_name"]], ["path": ["birthdate"]]],
                    ]
                ]
            ]
        )
    }

    private func created() throws -> (CreatedRequest, RequestBuilder) {
        let builder = RequestBuilder(try party())
        let content = RequestContent(.dcql(try query()), mode: .directPostJWT, address: Self.address)
        return (try builder.makeRequest(content, at: now), builder)
    }

    /// A link with the request object.
    func signedLink() async throws -> String {
        let (request, builder) = try created()
        return try await builder.signedLink(for: request, at: now)
    }

    /// The signatures of a link's request object and of its certificates.
    func signatures(ofLink link: String) throws -> Signatures {
        var signatures = Signatures()
        try signatures.add(requestObject(ofLink: link), reader.publicKey)
        signatures.add(chain[0], try chain[1].publicKey())
        signatures.add(chain[1], try root.certificate.publicKey())
        return signatures
    }

    private func requestObject(ofLink link: String) throws -> JWS {
        let query = link.split(separator: "?").last.map(String.init) ?? ""
        return try JWS(compact: try FormParameters(decoding: query)["request"] ?? "")
    }

    /// The parameters in a request object.
    func parameters(of object: JWS) throws -> JSONObject {
        let payload = try object.verify(with: reader.publicKey, policy: [.es256]).payload
        return try JSONValue(parsing: payload).objectValue ?? [:]
    }

    /// A wallet's authenticator without a cache of chains.
    func authenticator() -> RequestAuthenticator {
        var policy = RequestAuthenticationPolicy()
        policy.certificates = CertificatePathValidator(anchors: [root.certificate], policy: .requestSigner)
        let transport = InMemoryHTTPTransport { _ throws(TransportError) in InMemoryHTTPAnswer(status: 404) }
        return RequestAuthenticator(policy: policy, transport: transport)
    }

    // MARK: Wallet

    private static let names = [
        "family_name", "given_name", "birthdate", "place_of_birth", "nationalities", "street_address", "locality",
        "region", "postal_code", "country", "house_number", "email", "phone_number", "picture", "sex",
    ]

    private func credential(type: String) async throws -> SDJWT {
        var claims: JSONObject = ["iss": "https://issuer.example", "exp": 4_000_000_000]
        for name in Self.names { claims[name] = "a value of usual length" }
        var builder = SDJWTBuilder(credentialType: type, claims: claims)
        for name in Self.names { try builder.conceal([.name(name)]) }
        builder.holderKey = try JWK(holder.publicKey)
        return try await builder.sign(with: issuer)
    }

    /// Credentials of five types in turn.
    func wallet(of count: Int) async throws -> [any QueryableCredential] {
        var credentials: [PresentableCredential] = []
        for number in 0..<count {
            let credential = try await credential(type: "urn:type:\(number % 5)")
            credentials.append(.sdJWT(try SDJWTCredential(name: CredentialName("\(number)"), credential)))
        }
        return credentials.queryable
    }

    /// Five queries for three claims each, in JSON.
    func fiveQueries() -> [UInt8] {
        let queries = (0..<5).map { number in
            """
            {"id": "q\(number)", "format": "dc+sd-jwt", "meta": {"vct_values": ["urn:type:\(number)"]}, "claims": [
              {"path": ["family_name"]}, {"path": ["given_name"]}, {"path": ["birthdate"]}]}
            """
        }
        return Array("{\"credentials\": [\(queries.joined(separator: ","))]}".utf8)
    }

    // MARK: Response

    /// The encrypted answer of a wallet as its form, and what the verifier expects.
    struct Answer: Sendable {
        let form: String
        let expectation: ResponseExpectation
        fileprivate let presentation: SDJWT
        fileprivate let key: JWK
        fileprivate let ephemeralKey: PublicKey
    }

    func encryptedAnswer() async throws -> Answer {
        let (request, _) = try created()
        let expectation = request.expectation
        guard let key = expectation.decryption?.key, let publicKey = key.publicJWK else {
            throw OID4VPError(.invalidResponse, "the request has no key")
        }
        let binding = KeyBinding(audience: expectation.clientID ?? "", nonce: expectation.nonce, issuedAt: now)
        let presentation = try await credential(type: Self.type)
            .presentation(disclosing: [["given_name"], ["family_name"], ["birthdate"]])
            .bound(by: holder, binding)
        let content: JSONObject = [
            "vp_token": ["pid": [.string(try presentation.compactSerialization())]],
            "state": .string(expectation.state ?? ""),
        ]
        let jwe = try JWE.encrypt(
            JSONValue.object(content).encoded(),
            to: .jwk(publicKey, .ecdhES, for: .a256GCM),
            with: .a256GCM
        )
        var form = FormParameters()
        form.append("response", try jwe.compactSerialization())
        return Answer(
            form: form.text,
            expectation: expectation,
            presentation: presentation,
            key: key,
            ephemeralKey: try JWK(json: jwe.protectedHeader["epk"] ?? .null).publicKey()
        )
    }

    func presentationVerifier() throws -> PresentationVerifier {
        PresentationVerifier(try party().verifiers, clock: { [now] in now })
    }

    /// The two signatures of an answer's SD-JWT, and the agreement on its key.
    func bareWork(of answer: Answer) throws -> @Sendable () -> Void {
        var signatures = Signatures()
        try signatures.add(answer.presentation.issuerSignedJWT, issuer.publicKey)
        if let binding = answer.presentation.keyBindingJWT { try signatures.add(binding, holder.publicKey) }
        let key = try answer.key.privateKey()
        let ephemeralKey = answer.ephemeralKey
        return { [signatures] in
            signatures.verify()
            blackHole(try? key.sharedSecret(with: ephemeralKey))
        }
    }

    // MARK: Server

    func server() throws -> TransactionServer {
        try TransactionServer(
            url: "https://verifier.example/oid4vp",
            relyingParties: ["shop": ServedRelyingParty(try party())],
            requestors: [
                TransactionRequestor("backend", token: SecretBytes(Array(Self.token.utf8)), relyingParties: ["shop"])
            ]
        )
    }
}
