import CredentialTesting
import CryptoCore
import DIDKit
import Foundation
import JOSEKit
import JSONKit
import LinkedDataKit
import MdocKit
import OID4VPVerifier
import SDJWTKit
import TestSupport
import Testing

/// Issuers of every format, a holder, and a relying party that trusts the issuers.
struct Scene {
    static let now = Date(timeIntervalSince1970: 1_800_000_000)
    static let address = "https://verifier.example/response/7f1c"
    static let origin = "https://verifier.example"
    static let type = "urn:eudi:pid:1"
    static let docType = "org.iso.18013.5.1.mDL"

    let pki: MdocTestPKI
    let issuer: SoftwareSigner
    let holder: SoftwareSigner
    let device: SoftwareSigner
    /// The keys of the W3C issuer and of its holder, by their DIDs.
    let didIssuer: SoftwareSigner
    let didHolder: SoftwareSigner
    var party: RelyingParty

    init(
        status: StatusPolicy = .whenNamed,
        finding: StatusFinding = .valid(asOf: Self.now),
        trustedTypes: Set<ExactText>? = nil
    ) async throws {
        pki = try await MdocTestPKI.make(at: Self.now)
        issuer = try Self.signer(.p256)
        holder = try Self.signer(.p256)
        device = try SoftwareSigner(PrivateKey.generate(.p256))
        didIssuer = try Self.signer(.ed25519)
        didHolder = try Self.signer(.ed25519)
        var policy = SDJWTVerificationPolicy.credential(algorithms: [.es256], tolerances: .deployed)
        policy.status = status
        policy.credentialTypes = trustedTypes
        let keys = try KnownIssuerKeys(["https://issuer.example": JWKSet([JWK(issuer.publicKey)])])
        let verifiers = FormatVerifiers(
            mdoc: MdocVerifier(trustAnchors: [TrustAnchor(pki.iaca.certificate)], clock: { Self.now }),
            sdJWT: SDJWTVerifier(
                policy: policy,
                issuerKeys: AuthorizedIssuerKeys(keys) { _, _ in trustedTypes },
                statusChecker: SDJWTStatusChecker { _, _ in finding },
                clock: { Self.now }
            ),
            w3c: try Self.credentialVerifier(trusting: didIssuer)
        )
        party = RelyingParty(
            client: try .x509Hash(chain: [pki.reader], signer: SoftwareSigner(pki.readerKey)),
            verifiers: verifiers
        )
        party.origins = [Self.origin]
    }

    /// A verifier of W3C credentials that accepts the context of the scene's credentials, unless the caller changes the policy.
    static func credentialVerifier(
        trusting issuer: SoftwareSigner,
        _ change: (inout W3CCredentialPolicy) -> Void = { _ in }
    ) throws -> W3CCredentialVerifier {
        var policy = W3CCredentialPolicy(tokens: [.edDSA])
        policy.contexts = [[.string(DataModelVersion.v2.contextURL), terms]]
        change(&policy)
        return W3CCredentialVerifier(
            policy: policy,
            trust: .issuers([ExactText(try DID.key(issuer.publicKey).text)]),
            clock: { Self.now }
        )
    }

    /// The context of the claims of W3C credentials.
    static let terms: JSONValue = ["degree": "https://example.org/vocabulary#degree"]

    static func signer(_ curve: EllipticCurve) throws -> SoftwareSigner {
        try SoftwareSigner(PrivateKey.generate(curve), algorithm: curve == .p256 ? .ecdsaSHA256 : .ed25519)
    }

    static func keyName(_ signer: SoftwareSigner) throws -> DIDURL {
        let did = try DID.key(signer.publicKey)
        return try DIDURL(did.text + "#" + did.identifier)
    }

    // MARK: Requests

    /// A query for one credential of each named format, whose names are the formats' short ones.
    static func query(
        _ formats: [CredentialFormat],
        _ change: (inout CredentialQuery) -> Void = { _ in }
    ) throws
        -> DCQLQuery
    {
        try DCQLQuery(credentials: formats.map { try credentialQuery($0, change) })
    }

    static func credentialQuery(
        _ format: CredentialFormat,
        _ change: (inout CredentialQuery) -> Void = { _ in }
    ) throws -> CredentialQuery {
        var query =
            switch format {
            case .mdoc:
                CredentialQuery(
                    id: "mdl",
                    format: .mdoc,
                    type: .docType(ExactText(docType)),
                    claims: [ClaimQuery(path: ["org.iso.18013.5.1", "family_name"])]
                )
            case .linkedData, .jwt:
                CredentialQuery(
                    id: format == .jwt ? "jwt" : "ldp",
                    format: format,
                    type: .expandedTypes([["https://www.w3.org/2018/credentials#VerifiableCredential"]]),
                    claims: [ClaimQuery(path: ["credentialSubject", "degree"])]
                )
            default:
                CredentialQuery(
                    id: "pid",
                    format: format,
                    type: .vct([ExactText(type)]),
                    claims: [ClaimQuery(path: ["family_name"])]
                )
            }
        change(&query)
        return query
    }

    /// A request of 1.0 for the party.
    func request(
        _ query: DCQLQuery,
        mode: ResponseMode = .directPostJWT,
        _ change: (inout RequestContent) -> Void = { _ in }
    ) throws -> CreatedRequest {
        var content = RequestContent(
            .dcql(query),
            mode: mode,
            address: mode.address == .platform ? nil : Self.address
        )
        change(&content)
        return try RequestBuilder(party).makeRequest(content, at: Self.now)
    }

    /// A request of a draft for the party.
    func request(
        _ definition: JSONValue,
        version: OpenID4VPVersion,
        mode: ResponseMode = .directPostJWT
    ) throws -> CreatedRequest {
        let content = RequestContent(
            .definition(try PresentationDefinition(json: definition)),
            mode: mode,
            address: Self.address,
            version: version
        )
        return try RequestBuilder(party).makeRequest(content, at: Self.now)
    }

    /// A definition with one descriptor for a format.
    static func definition(_ format: CredentialFormat) -> JSONValue {
        let (id, requirement, path): (String, JSONValue, String) =
            switch format {
            case .mdoc: (docType, ["mso_mdoc": ["alg": ["ES256"]]], "$['org.iso.18013.5.1']['family_name']")
            case .linkedData: ("ldp", ["ldp_vc": ["proof_type": ["eddsa-rdfc-2022"]]], "$.credentialSubject.degree")
            case .jwt: ("jwt", ["jwt_vc_json": ["alg": ["EdDSA"]]], "$.vc.credentialSubject.degree")
            default: ("pid", [format.text: ["sd-jwt_alg_values": ["ES256"]]], "$.family_name")
            }
        let field: JSONValue = ["path": [.string(path), "$.credentialSubject.degree"]]
        return [
            "id": "definition",
            "input_descriptors": [
                ["id": .string(id), "format": requirement, "constraints": ["fields": [field]]]
            ],
        ]
    }

    // MARK: Responses

    func verifier(_ policy: PresentationPolicy = PresentationPolicy()) -> PresentationVerifier {
        PresentationVerifier(party.verifiers, policy: policy, clock: { Self.now })
    }

    /// Sends parameters as a wallet does, and verifies the response.
    func verify(
        _ parameters: JSONObject,
        _ request: CreatedRequest,
        partyUInfo: String? = nil,
        policy: PresentationPolicy = PresentationPolicy(),
        options: ResponseReadingOptions = .strict
    ) async throws -> Verification<VerifiedResponse> {
        let response = try Wallet.send(parameters, request, partyUInfo: partyUInfo)
        let read = try await ResponseReader(options: options).read(response, for: request.expectation, at: Self.now)
        guard case .presentations(let presentations) = read else { throw NoPresentations() }
        return await verifier(policy).verify(presentations, for: request.expectation)
    }

    /// Verifies the presentations for queries of a DCQL request.
    func verify(
        _ presentations: [QueryID: JSONValue],
        _ request: CreatedRequest,
        policy: PresentationPolicy = PresentationPolicy()
    ) async throws -> Verification<VerifiedResponse> {
        var token = JSONObject()
        for (id, presentation) in presentations.sorted(by: { $0.key < $1.key }) {
            token[id.text] = .array(presentation.arrayValue ?? [presentation])
        }
        let parameters: JSONObject = ["vp_token": .object(token)]
        return try await verify(parameters, request, policy: policy)
    }
}

struct NoPresentations: Error {}

extension Verification {
    /// Expects a refusal by a check for a reason.
    func expectRefusal(_ check: Check, _ reason: Reason, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(refusal?.check == check, "\(refusal?.description ?? "verified")", sourceLocation: sourceLocation)
        #expect(refusal?.reason == reason, "\(refusal?.description ?? "verified")", sourceLocation: sourceLocation)
        #expect(verified == nil, sourceLocation: sourceLocation)
    }
}

/// Expects an error of the verifier.
func expectError<Value>(
    _ code: OID4VPVerifierError.Code,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () async throws -> Value
) async {
    let error = await #expect(throws: OID4VPVerifierError.self, sourceLocation: sourceLocation) { _ = try await body() }
    if let error { #expect(error.code == code, "\(error)", sourceLocation: sourceLocation) }
}
