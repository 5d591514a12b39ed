import CryptoCore
import Foundation
import JOSEKit
import JSONKit
import LinkedDataKit
import OID4VPKit
import OID4VPMessages
import Testing

/// Nothing is presented that the verifier would refuse for its times.
struct ValidityTests {
    private static let now = PresentationScene.now
    private static let start = Int64(now.timeIntervalSince1970)

    private static func query(_ format: String) -> JSONObject {
        PresentationScene.dcql(["id": "q", "format": .string(format), "meta": [:]])
    }

    private func sdJWT(_ claims: JSONObject) async throws -> CredentialValidity {
        try await PresentationScene.make().sdJWT(claims: claims).queryable.validity
    }

    @Test func readsTheTimesOfAnSDJWT() async throws {
        #expect(try await sdJWT([:]) == .unlimited)
        let limited = try await sdJWT(["nbf": .integer(Self.start), "exp": .integer(Self.start + 60)])
        #expect(limited == CredentialValidity(from: Self.now, until: Self.now + 60))
        // It was verified when it was stored.
        #expect(try await sdJWT(["nbf": "now", "exp": "soon"]) == .unlimited)
    }

    @Test func readsTheTimesOfAnMdoc() async throws {
        let validity = try await PresentationScene.make().mdoc().queryable.validity
        #expect(validity == CredentialValidity(from: Self.now, until: Self.now + 86_400, includesEnd: true))
    }

    @Test func readsTheTimesOfW3CCredentials() async throws {
        let scene = try await PresentationScene.make()
        let expected = CredentialValidity(from: Self.now - 86_400, until: Self.now + 86_400)
        for version in [DataModelVersion.v1, .v2] {
            #expect(try await scene.linkedData(version: version).queryable.validity == expected)
            #expect(try await scene.token(version: version).queryable.validity == expected)
        }
    }

    /// In version 2.0 the claims are about the signature, which a verifier checks, too.
    @Test func takesTheNarrowerTimesOfATokenAndItsCredential() async throws {
        let claims: JWTClaims = [
            "nbf": .integer(Self.start), "exp": .integer(Self.start + 60),
            "@context": [.string(DataModelVersion.v2.contextURL)], "type": ["VerifiableCredential"],
            "issuer": "did:example:1", "credentialSubject": ["id": "did:example:2"],
            "validFrom": "2020-01-01T00:00:00Z", "validUntil": "2040-01-01T00:00:00Z",
        ]
        let token = try await JWT.sign(
            claims,
            header: JOSEHeader(type: "vc+jwt"),
            with: SoftwareSigner(PrivateKey.generate(.p256))
        )
        let credential = try W3CCredential(name: "a", VerifiableCredential(.token(token)))
        #expect(credential.validity == CredentialValidity(from: Self.now, until: Self.now + 60))
    }

    private func expiring(_ format: String, _ scene: PresentationScene) async throws -> PresentableCredential {
        switch format {
        case "mso_mdoc": try await scene.mdoc()
        case "ldp_vc": try await scene.linkedData()
        case "jwt_vc_json": try await scene.token()
        default: try await scene.sdJWT(claims: ["nbf": .integer(Self.start), "exp": .integer(Self.start + 86_400)])
        }
    }

    /// The user may take a while to decide.
    @Test(arguments: ["mso_mdoc", "dc+sd-jwt", "ldp_vc", "jwt_vc_json"])
    func presentsNothingThatExpiredSinceItWasOffered(_ format: String) async throws {
        let scene = try await PresentationScene.make()
        let credential = try await expiring(format, scene)
        let request = try await PresentationScene.request(Self.query(format))
        let plan = try request.1.evaluate(over: [credential.queryable], at: Self.now).preferredPlan()
        let builder = PresentationBuilder(
            request.1,
            try PresentationBinding(request.0, request.1, mdocGeneratedNonce: "w")
        )
        let keys = try scene.keys()
        _ = try await builder.prepare(plan, of: [credential], keys: keys, at: Self.now)
        for time in [Self.now + 86_401, Self.now - 86_401] {
            await expect(.outsideValidity) {
                _ = try await builder.prepare(plan, of: [credential], keys: keys, at: time)
            }
            let late = try request.1.evaluate(over: [credential.queryable], at: time)
            #expect(late.queries[0].mismatches.map(\.reason) == [time > Self.now ? .expired : .notYetValid])
        }
        // To the verifier it looks like a refusal.
        #expect(OID4VPError(.outsideValidity, "").authorizationCode == .accessDenied)
    }
}
