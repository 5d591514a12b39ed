import CryptoCore
import DIDKit
import Foundation
import JOSEKit
import JSONKit
import LinkedDataKit

/// An issuer, a holder, and what they sign.
struct CredentialScene {
    /// The ways in which a credential or presentation can be secured.
    enum Form: CaseIterable, Sendable {
        case dataIntegrity
        case signature2020
        case token1
        case token2

        var version: DataModelVersion { self == .signature2020 || self == .token1 ? .v1 : .v2 }
        var isToken: Bool { self == .token1 || self == .token2 }
        var suite: LinkedDataProofSuite { self == .dataIntegrity ? .eddsaRDFC2022 : .jsonWebSignature2020 }
        var contexts: [JSONValue] {
            self == .signature2020 ? ["https://w3id.org/security/suites/jws-2020/v1"] : []
        }
    }

    let form: Form
    let issuer: SoftwareSigner
    let holder: SoftwareSigner

    static let now = ProofScene.now
    static let nonce: ExactText = "n-0S6_WzA2Mj"
    static let audience: ExactText = "https://verifier.example"
    static let expectation = W3CPresentationExpectation(nonce: nonce, audience: audience, maximumAge: 300)

    init(_ form: Form) throws {
        self.form = form
        issuer = try ProofScene.signer(number: 1)
        holder = try ProofScene.signer(number: 2)
    }

    var issuerDID: DID { get throws { try ProofScene.name(of: issuer.publicKey).did } }
    var holderDID: DID { get throws { try ProofScene.name(of: holder.publicKey).did } }

    /// The members of a credential about the holder.
    func members(_ change: (inout JSONObject) -> Void = { _ in }) throws -> JSONObject {
        let content = try W3CCredentialContent(
            version: form.version,
            id: "urn:uuid:0b1e8a3c-1b5a-4c9e-9d7e-1f0a6a4d0001",
            contexts: form.contexts + [["degree": "https://example.org/vocabulary#degree"]],
            issuer: issuerDID.text,
            subjects: [["id": .string(holderDID.text), "degree": "Bachelor"]],
            validFrom: Self.now.addingTimeInterval(-86_400),
            validUntil: Self.now.addingTimeInterval(86_400)
        )
        var members = content.members
        change(&members)
        return members
    }

    /// A credential whose members the caller changes before it is signed.
    func credential(
        with signer: SoftwareSigner? = nil,
        _ change: (inout JSONObject) -> Void = { _ in }
    ) async throws -> VerifiableCredential {
        let signer = signer ?? issuer
        let members = try members(change)
        guard form.isToken else { return VerifiableCredential(.linkedData(try await sign(members, signer))) }
        let claims: JWTClaims
        if let content = try? W3CCredentialContent(json: members) {
            claims = content.tokenClaims
        } else {
            claims = form.version == .v1 ? ["vc": .object(members)] : JWTClaims(members)
        }
        return VerifiableCredential(.token(try await token(claims, form.version == .v1 ? "JWT" : "vc+jwt", signer)))
    }

    func sign(
        _ members: JSONObject,
        _ signer: SoftwareSigner,
        _ change: (inout LinkedDataProofOptions) throws -> Void = { _ in }
    ) async throws -> SecuredDocument {
        try await ProofScene.signed(members, suite: form.suite, with: signer, change)
    }

    func token(_ claims: JWTClaims, _ type: String, _ signer: SoftwareSigner) async throws -> JWT {
        let name = try ProofScene.name(of: signer.publicKey)
        return try await JWT.sign(claims, header: JOSEHeader(type: type, keyID: name.text), with: signer)
    }

    /// A presentation of credentials, whose members and proof the caller changes before it is signed.
    func presentation(
        of credentials: [VerifiableCredential],
        with signer: SoftwareSigner? = nil,
        members change: (inout JSONObject) -> Void = { _ in },
        options: (inout LinkedDataProofOptions) throws -> Void = { _ in },
        claims changeClaims: (inout JWTClaims) -> Void = { _ in }
    ) async throws -> VerifiablePresentation {
        let signer = signer ?? holder
        let content = try W3CPresentationContent(
            version: form.version,
            contexts: form.contexts,
            holder: holderDID.text,
            credentials: credentials
        )
        var members = content.members
        change(&members)
        if form.isToken {
            var claims: JWTClaims = form.version == .v1 ? ["vp": .object(members)] : JWTClaims(members)
            if form.version == .v1 { claims.setIssuer(try holderDID.text) }
            claims["nonce"] = .string(Self.nonce.text)
            claims.setAudience([Self.audience.text])
            claims.setIssuedAt(Self.now.addingTimeInterval(-60))
            changeClaims(&claims)
            let type = form.version == .v1 ? "JWT" : "vp+jwt"
            return VerifiablePresentation(.token(try await token(claims, type, signer)))
        }
        let signed = try await sign(members, signer) { proof in
            proof.purpose = .authentication
            proof.challenge = Self.nonce
            proof.domains = [Self.audience]
            try options(&proof)
        }
        return VerifiablePresentation(.linkedData(signed))
    }

    /// A verifier that trusts the issuer.
    func verifier(
        status: (any CredentialStatusSource)? = nil,
        _ change: (inout W3CCredentialPolicy) throws -> Void = { _ in }
    ) throws -> W3CCredentialVerifier {
        var policy = W3CCredentialPolicy(tokens: [.edDSA])
        try change(&policy)
        return W3CCredentialVerifier(
            policy: policy,
            trust: .issuers([ExactText(try issuerDID.text)]),
            statusSource: status,
            clock: { Self.now }
        )
    }
}
