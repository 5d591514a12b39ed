import CredentialTesting
import CryptoCore
import DIDKit
import Foundation
import JSONKit
import MdocKit
import SDJWTKit
import Testing

@testable import OID4VPVerifier

/// The verified credentials as results list them.
struct DisclosedCredentialTests {
    private let scene: Scene

    init() async throws {
        scene = try await Scene()
    }

    private func disclosed(
        _ format: CredentialFormat,
        _ present: ((CreatedRequest) async throws -> JSONValue)? = nil
    ) async throws -> (DisclosedCredential, PresentedCredential) {
        let request = try scene.request(Scene.query([format]))
        let id = request.expectation.queryIDs[0]
        let presentation =
            if let present { try await present(request) } else { try await scene.presented(format, request) }
        let response = try await scene.verify([id: presentation], request).get()
        let credential = try #require(response.disclosed.first)
        #expect(response.disclosed.count == 1 && credential.query == id && credential.format == format)
        return (credential, try #require(response[id].first))
    }

    /// The stored form, which requestors get over HTTP, reads back as the verified value.
    private func expectSameInJSON(_ credential: DisclosedCredential, _ presented: PresentedCredential) throws {
        let json = try JSONValue(parsing: presented.json.encoded())
        #expect(DisclosedCredential(json: json, query: credential.query) == credential)
    }

    @Test func anSDJWTIsReportedWithoutItsRegisteredClaims() async throws {
        let start = Int64(Scene.now.timeIntervalSince1970)
        let (credential, presented) = try await disclosed(.sdJWT) { request in
            let sdJWT = try await scene.sdJWT { claims in
                claims["nbf"] = .integer(start - 60)
                claims["iat"] = .integer(start - 60)
                claims["sub"] = "u1"
                claims["status"] = ["status_list": ["idx": 1, "uri": "https://issuer.example/list"]]
            }
            return try await scene.presentedSDJWT(request, of: sdJWT)
        }
        #expect(credential.claims == ["sub": "u1", "family_name": "Mustermann"])
        #expect(credential.values(at: ["family_name"]) == ["Mustermann"])
        #expect(credential.values(at: ["given_name"]).isEmpty && credential.values(at: ["cnf"]).isEmpty)
        #expect(credential.types == [ExactText(Scene.type)])
        #expect(credential.issuer.name == "https://issuer.example" && credential.issuer.trustAnchor == nil)
        #expect(credential.validity == CredentialValidity(from: Scene.now - 60, until: Scene.now + 86_400))
        #expect(credential.isHolderBound && credential.authorizedTransactions.isEmpty)
        // The JSON for requestors has all claims as before.
        #expect(presented.json["claims"]?["cnf"] != nil && presented.json["claims"]?["status"] != nil)
        try expectSameInJSON(credential, presented)
    }

    @Test func anMdocIsReportedWithItsTrustAnchor() async throws {
        let (credential, presented) = try await disclosed(.mdoc)
        #expect(credential.values(at: ["org.iso.18013.5.1", "family_name"]).count == 1)
        #expect(credential.types == [ExactText(Scene.docType)])
        #expect(credential.issuer.trustAnchor == scene.pki.iaca.certificate.subject.description)
        guard case .mdoc(let document) = presented.credential else {
            Issue.record("no mdoc")
            return
        }
        let info = document.validityInfo
        #expect(
            credential.validity
                == CredentialValidity(from: info.validFrom, until: info.validUntil, includesEnd: true)
        )
        try expectSameInJSON(credential, presented)
    }

    @Test(arguments: [CredentialFormat.linkedData, .jwt])
    func aW3CCredentialIsReportedByItsSubject(_ format: CredentialFormat) async throws {
        let (credential, presented) = try await disclosed(format)
        #expect(credential.claims.names == ["credentialSubject"])
        #expect(credential.values(at: ["credentialSubject", "degree"]).count == 1)
        #expect(credential.issuer.name == (try DID.key(scene.didIssuer.publicKey).text))
        #expect(credential.validity.contains(Scene.now) && credential.validity.start != nil)
        #expect(credential.validity == presented.validity)
        try expectSameInJSON(credential, presented)
    }

    @Test func aValidityIsOfWholeSeconds() {
        let exact = CredentialValidity(
            from: Date(timeIntervalSince1970: 10.25),
            until: Date(timeIntervalSince1970: 20.75)
        )
        #expect(exact.seconds == (11, 20))
        #expect(CredentialValidity.unlimited.seconds == (nil, nil))
        let far = CredentialValidity(from: nil, until: Date(timeIntervalSince1970: 1e300))
        #expect(far.seconds.end == .max)
    }

    @Test func neitherDescriptionNorDumpShowsAClaim() async throws {
        let (credential, _) = try await disclosed(.sdJWT)
        var dumped = ""
        dump(credential, to: &dumped)
        #expect(!"\(credential) \(String(reflecting: credential)) \(dumped)".contains("Mustermann"))
        #expect("\(credential)" == "dc+sd-jwt credential of \(Scene.type)")
    }
}
