import CryptoCore
import Foundation
import JOSEKit
import JSONKit
import SDJWTKit
import Testing

@testable import OID4VPVerifier

/// The issuer of an SD-JWT VC by the certificate of its key (SD-JWT VC, inline X.509 certificates).
struct CertifiedIssuerTests {
    private let scene: Scene
    private let root: CertificateAuthority
    private static let validity = Scene.now - 86_400...Scene.now + 86_400

    init() async throws {
        scene = try await Scene()
        root = try await CertificateAuthority.root(
            subject: DistinguishedName(commonName: "Root"),
            signer: SoftwareSigner(PrivateKey.generate(.p256)),
            validity: Self.validity
        )
    }

    /// The credential of an issuer below the root, as results list it.
    private func disclosed(
        of subject: String,
        named host: String,
        issuer: String?,
        rule: X509IssuerKeys.NameRule
    ) async throws -> (DisclosedCredential, PresentedCredential) {
        let signer = try Scene.signer(.p256)
        let certificate = try await CertificateBuilder(
            subject: DistinguishedName(commonName: subject),
            publicKey: signer.publicKey,
            validity: Self.validity,
            extensions: [.keyUsage(.digitalSignature), .subjectAlternativeName([.dns(host)])]
        ).issued(by: root)
        var header = JOSEHeader()
        header.setCertificateChain([Array(certificate.derBytes)])
        var claims: JSONObject = ["family_name": "Mustermann"]
        claims["iss"] = issuer.map { .string($0) }
        var builder = SDJWTBuilder(credentialType: Scene.type, claims: claims)
        try builder.conceal(["family_name"])
        builder.holderKey = try JWK(scene.holder.publicKey)
        let credential = try await builder.sign(with: signer, header: header)
        var scene = scene
        scene.party.verifiers.sdJWT = SDJWTVerifier(
            policy: .credential(algorithms: [.es256]),
            issuerKeys: X509IssuerKeys(anchors: [root.certificate], nameRule: rule),
            clock: { Scene.now }
        )
        let request = try scene.request(Scene.query([.sdJWT]))
        let presentation = try await scene.presentedSDJWT(request, of: credential)
        let response = try await scene.verify(["pid": presentation], request).get()
        return (try #require(response.disclosed.first), try #require(response["pid"].first))
    }

    /// An issuer has no other issuer's name, though one root vouches for both and `iss` is not compared.
    @Test func anIssuerBelowTheSameRootIsReportedByItsOwnName() async throws {
        let claimed = "https://a.example"
        let (own, _) = try await disclosed(of: "A", named: "a.example", issuer: claimed, rule: .notCompared)
        #expect(own.issuer.name == claimed && own.issuer.trustAnchor == "CN=Root")
        let (other, presented) = try await disclosed(of: "B", named: "b.example", issuer: claimed, rule: .notCompared)
        #expect(other.issuer.name == "CN=B" && other.issuer.trustAnchor == "CN=Root")
        #expect(presented.issuer == "CN=B" && presented.json["issuer"] == "CN=B")
        // The claim is one among others.
        #expect(presented.claims["iss"] == .string(claimed))
    }

    @Test func aComparedNameIsReported() async throws {
        for (issuer, name) in [("https://a.example", "https://a.example"), (nil, "CN=A")] {
            let (credential, _) = try await disclosed(
                of: "A",
                named: "a.example",
                issuer: issuer,
                rule: .subjectAlternativeName
            )
            #expect(credential.issuer.name == name)
        }
    }
}
