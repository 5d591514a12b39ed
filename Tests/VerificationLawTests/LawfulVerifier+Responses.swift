import CredentialTesting
import Credentials
import Foundation
import OID4VPVerifier

extension LawfulVerifier {
    /// Responses of OpenID4VP with an SD-JWT VC, and a presentation by itself.
    static func responses(_ pki: MdocTestPKI) async throws -> [LawfulVerifier] {
        let issuer = try SoftwareSigner(PrivateKey.generate(.p256))
        let holder = try SoftwareSigner(PrivateKey.generate(.p256))
        let sdJWT = SDJWTVerifier(
            policy: .credential(algorithms: [.es256]),
            issuerKeys: KnownIssuerKeys(issuer.publicKey),
            clock: { time }
        )
        let party = RelyingParty(
            client: try .x509Hash(chain: [pki.reader], signer: SoftwareSigner(pki.readerKey)),
            verifiers: FormatVerifiers(sdJWT: sdJWT)
        )
        let query = try DCQLQuery(credentials: [CredentialQuery(id: "pid", format: .sdJWT)])
        let content = RequestContent(.dcql(query), mode: .directPost, address: "https://rp.example/response")
        let request = try RequestBuilder(party).makeRequest(content, at: time)
        let expectation = request.expectation
        var builder = SDJWTBuilder(credentialType: "https://issuer.example/person", claims: ["name": "Erika"])
        builder.holderKey = try JWK(holder.publicKey)
        let audience = expectation.clientID ?? ""
        let binding = KeyBinding(audience: audience, nonce: expectation.nonce, issuedAt: time)
        let presentation = JSONValue.string(
            try await builder.sign(with: issuer).bound(by: holder, binding).compactSerialization()
        )
        var form = FormParameters()
        form.append("vp_token", JSONValue.object(["pid": [presentation]]).text())
        form.append("state", expectation.state ?? "")
        let received = try ReceivedResponse(form: form.text)
        guard case .presentations(let response) = try await ResponseReader().read(received, for: expectation, at: time)
        else { throw NoAnswer() }
        let verifier = PresentationVerifier(party.verifiers, clock: { time })
        let proof = HolderProofExpectation(audience: audience, nonce: expectation.nonce)
        return [
            LawfulVerifier(
                "response of OpenID4VP",
                PresentationVerifier.responseChecks + PresentationVerifier.queryChecks
            ) { await verifier.verify(response, for: expectation) },
            LawfulVerifier("presentation of OpenID4VP", PresentationVerifier.presentationChecks) {
                await verifier.verify(presentation, as: .sdJWT, expecting: proof)
            },
        ]
    }
}
