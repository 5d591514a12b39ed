import CryptoCore
import DIDKit
import JOSEKit
import JSONKit
@_spi(Layers) import LinkedDataKit
import Testing

struct W3CTokenFormTests {
    private static let context = JSONValue.string(DataModelVersion.v2.contextURL)
    private static let credential: JSONObject = ["@context": [context], "type": ["VerifiableCredential"]]
    private static let presentation: JSONObject = ["@context": context, "type": "VerifiablePresentation"]

    static let forms: [(type: String?, claims: JSONObject, isPresentation: Bool, version: DataModelVersion)] = [
        ("vc+jwt", credential, false, .v2), ("application/VC+JWT", [:], false, .v2),
        ("vp+jwt", presentation, true, .v2),
        ("application/vp+jwt", [:], true, .v2), (nil, credential, false, .v2), (nil, presentation, true, .v2),
        ("JWT", credential, false, .v2), ("jwt", presentation, true, .v2), ("JWT", ["vc": [:]], false, .v1),
        ("JWT", ["vp": [:]], true, .v1), (nil, ["vp": [:]], true, .v1), (nil, [:], false, .v1),
        ("vcp+jwt", ["vp": [:]], true, .v1),
    ]

    @Test(arguments: forms.indices)
    func readsTheTypeAndThenTheClaims(_ index: Int) async throws {
        let form = Self.forms[index]
        var header = JOSEHeader()
        if let type = form.type { header["typ"] = .string(type) }
        let token = try await JWT.sign(JWTClaims(form.claims), header: header, with: ProofScene.signer())
        let read = W3CTokenForm(token)
        #expect(read.isPresentation == form.isPresentation)
        #expect(read.version == form.version)
    }

    /// The same tokens, as the verification reads them.
    @Test(arguments: [CredentialScene.Form.token1, .token2])
    func agreesWithTheVerification(_ form: CredentialScene.Form) async throws {
        let scene = try CredentialScene(form)
        let credential = try await scene.credential()
        let presentation = try await scene.presentation(of: [credential])
        guard case .token(let inner) = credential.form, case .token(let outer) = presentation.form else { return }
        for (token, isPresentation) in [(inner, false), (outer, true)] {
            let claims = try JWTClaims(decoding: token.jws.unverifiedPayload ?? [])
            let keyID = try ProofScene.name(of: (isPresentation ? scene.holder : scene.issuer).publicKey).text
            let signer = isPresentation ? scene.holder : scene.issuer
            let untyped = try await JWT.sign(claims, header: ["kid": .string(keyID)], with: signer)
            #expect(W3CTokenForm(untyped).isPresentation == isPresentation)
            #expect(W3CTokenForm(untyped).version == form.version)
            if isPresentation {
                let verification = try await scene.verifier()
                    .verify(VerifiablePresentation(.token(untyped)), expecting: CredentialScene.expectation)
                #expect(verification.verified != nil, "\(String(describing: verification.refusal))")
            } else {
                let verification = try await scene.verifier().verify(VerifiableCredential(.token(untyped)))
                #expect(verification.verified != nil, "\(String(describing: verification.refusal))")
            }
        }
    }
}
