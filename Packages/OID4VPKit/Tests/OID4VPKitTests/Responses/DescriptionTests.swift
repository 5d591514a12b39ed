import CBORKit
import CredentialTesting
import CredentialTransport
import CryptoCore
import Foundation
import JOSEKit
import JSONKit
import MdocKit
import OID4VPKit
import OID4VPMessages
import SDJWTKit
import TestSupport
import Testing

/// Descriptions of credentials and responses, which may come into logs.
struct DescriptionTests {
    private static let marker = "MUSTERMANN"
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)

    /// Expects that no way to print a value shows the marker.
    private func expectSilence(_ value: some Any, sourceLocation: SourceLocation = #_sourceLocation) {
        var dumped = ""
        dump(value, to: &dumped)
        dump([value], to: &dumped)
        for text in ["\(value)", String(reflecting: value), "\([value])", dumped] {
            #expect(!text.contains(Self.marker), "\(text)", sourceLocation: sourceLocation)
        }
    }

    private static let token = VPToken.queries([VPToken.Answer(query: "pid", presentations: [.string(marker)])])

    @Test func noMessageShowsPresentations() throws {
        var form = FormParameters()
        form.append("vp_token", Self.marker)
        expectSilence(form)
        expectSilence(ResponseParameters(form))
        expectSilence(ResponseParameters(["vp_token": .string(Self.marker)]))
        expectSilence(Self.token)
        expectSilence(
            VPToken.definition(
                presentations: [.string(Self.marker)],
                submission: PresentationSubmission(id: "s", definition: "pd", entries: [])
            )
        )
        guard case .queries(let answers) = Self.token else { return }
        expectSilence(answers)
        #expect("\(form)" == "form (parameters: 1, bytes: 18)")
        #expect("\(Self.token)" == "VP token (queries: 1, presentations: 1)")
    }

    @Test(arguments: ["direct_post", "fragment", "form_post"]) func noResponseShowsPresentations(
        mode: String
    ) async throws {
        let scene = try RequestScene()
        let isPosted = mode == "direct_post"
        var changes: JSONObject = ["response_mode": .string(mode)]
        if !isPosted { changes["redirect_uri"] = "https://v.example/cb" }
        let request = try await scene.request(changes, without: isPosted ? [] : ["response_uri"])
        let response = try await AuthorizationResponder(request)
            .response(with: Self.token, to: request.presentationRequest(), at: scene.now)
        expectSilence(response)
        expectSilence(response.delivery)
        if case .page(let page) = response.delivery { expectSilence(page) }
    }

    @Test func noAnswerShowsItsCode() async throws {
        let scene = try RequestScene()
        let request = try await scene.request()
        let response = try await AuthorizationResponder(request)
            .response(with: Self.token, to: request.presentationRequest(), at: scene.now)
        let body = Array("{\"redirect_uri\":\"https://v.example/done#\(Self.marker)\"}".utf8)
        let transport = InMemoryHTTPTransport([RequestScene.address: .ok(body, type: .json)])
        let answer = try await ResponseSender(transport: transport).send(response)
        #expect(answer.redirectURI?.hasSuffix(Self.marker) == true)
        expectSilence(answer)
        #expect("\(answer)" == "answer with status 200, \(body.count) bytes")
    }

    @Test func noCredentialShowsClaims() async throws {
        let signer = try SoftwareSigner(PrivateKey.generate(.p256), algorithm: .ecdsaSHA256)
        var builder = SDJWTBuilder(credentialType: "urn:pid", claims: ["family_name": .string(Self.marker)])
        try builder.conceal(["family_name"])
        let sdJWT = try SDJWTCredential(name: "pid", try await builder.sign(with: signer))
        #expect("\(sdJWT)" == "dc+sd-jwt credential of urn:pid")

        let pki = try await MdocTestPKI.make(at: Self.now)
        let validity = ValidityInfo(signed: Self.now, validFrom: Self.now, validUntil: Self.now + 86_400)
        var elements = IssuerSignedBuilder(docType: .mDL, deviceKey: signer.publicKey, validityInfo: validity)
        try elements.add("MUSTERMANN", as: "family_name", in: .mDL)
        let issued = try await elements.sign(
            with: SoftwareSigner(pki.documentSignerKey),
            x5chain: [pki.documentSigner]
        )
        let mdoc = MdocCredential(StoredMdoc(id: "mdl", issuerSigned: issued))
        #expect(mdoc.claims["org.iso.18013.5.1"]?["family_name"] == .string(Self.marker))
        #expect("\(mdoc)" == "mso_mdoc credential of org.iso.18013.5.1.mDL")

        expectSilence(sdJWT)
        expectSilence(mdoc)
        for credential in [PresentableCredential.sdJWT(sdJWT), .mdoc(mdoc)] {
            expectSilence(credential)
            expectSilence(credential.queryable)
        }
    }
}
