import CryptoCore
import DIDKit
import JOSEKit
import JSONKit
import LinkedDataKit
import Testing
import VerificationCore

/// The digests that credentials state of their contexts (Verifiable Credentials Data Model 2.0, section 5.3).
struct RelatedResourceTests {
    private static let url = "https://example.org/employee/v1"
    private static let bytes = Array(#"{"@context": {"badge": "https://example.org/vocabulary#badge"}}"#.utf8)
    private static let forms = [CredentialScene.Form.dataIntegrity, .token2]

    private static func sri(_ name: String, _ function: HashAlgorithm, of bytes: [UInt8] = bytes) -> String {
        name + "-" + JSONBase64.base64.encode(function.digest(of: bytes))
    }

    private static func multihash(_ code: UInt8, _ function: HashAlgorithm, of bytes: [UInt8] = bytes) -> [UInt8] {
        [code, UInt8(function.digestSize)] + function.digest(of: bytes)
    }

    private func verify(
        _ resources: JSONValue,
        _ form: CredentialScene.Form
    ) async throws -> Verification<VerifiedW3CCredential> {
        let scene = try CredentialScene(form)
        var contexts = ContextRegistry.builtIn
        try contexts.add(Self.bytes, at: Self.url, sha256: HashAlgorithm.sha256.digest(of: Self.bytes))
        let verifier = W3CCredentialVerifier(
            policy: W3CCredentialPolicy(tokens: [.edDSA]),
            trust: .issuers([ExactText(try scene.issuerDID.text)]),
            processor: JSONLDProcessor(contexts: contexts),
            clock: { CredentialScene.now }
        )
        return await verifier.verify(try await scene.credential { $0["relatedResource"] = resources })
    }

    private func resource(_ members: JSONObject, id: String = url) -> JSONValue {
        var members = members
        members["id"] = .string(id)
        return .object(members)
    }

    @Test(arguments: forms)
    func takesTheDigestsOfAContextAtHand(_ form: CredentialScene.Form) async throws {
        let (sha256, sha384) = (Self.sri("sha256", .sha256), Self.sri("sha384", .sha384))
        let members: [JSONObject] = [
            ["digestSRI": .string(sha384)], ["digestSRI": .string(sha256 + " " + sha384)],
            ["digestSRI": .string(Self.sri("sha512", .sha512) + " sha3-AA==")],
            ["digestMultibase": .string(Multibase.encode(Self.multihash(0x12, .sha256), as: .base64url))],
            ["digestMultibase": .string(Multibase.encode(Self.multihash(0x20, .sha384)))],
            [
                "digestSRI": .string(sha256),
                "digestMultibase": .string(Multibase.encode(Self.multihash(0x13, .sha512), as: .base64url)),
            ],
        ]
        for members in members {
            let verification = try await verify(resource(members), form)
            #expect(verification.verified != nil, "\(members): \(String(describing: verification.refusal))")
            #expect(verification.checks.first { $0.check == .relatedResources }?.outcome == .passed)
        }
    }

    @Test(arguments: forms)
    func refusesAnotherDigest(_ form: CredentialScene.Form) async throws {
        let other = Self.bytes + [0x20]
        let (right, wrong) = (Self.sri("sha256", .sha256), Self.sri("sha384", .sha384, of: other))
        let members: [JSONObject] = [
            ["digestSRI": .string(wrong)], ["digestSRI": .string(right + " " + wrong)],
            ["digestMultibase": .string(Multibase.encode(Self.multihash(0x12, .sha256, of: other)))],
            [
                "digestSRI": .string(right),
                "digestMultibase": .string(Multibase.encode(Self.multihash(0x13, .sha512, of: other))),
            ],
        ]
        for members in members {
            let refusal = try await verify(resource(members), form).refusal
            #expect(refusal?.check == .relatedResources)
            #expect(refusal?.reason == .digestMismatch)
            #expect(refusal?.path == ["relatedResource"])
            #expect(refusal?.isUnavailable == false)
        }
        let builtIn = resource(["digestSRI": .string(right)], id: "https://www.w3.org/ns/credentials/v2")
        #expect(try await verify(builtIn, form).refusal?.reason == .digestMismatch)
    }

    @Test func refusesMalformedDigestsOfAContextAtHand() async throws {
        let members: [JSONObject] = [
            ["digestSRI": ""], ["digestSRI": "sha256"], ["digestSRI": "sha256-AA"], ["digestSRI": "sha256-AA=="],
            ["digestMultibase": "m"], ["digestMultibase": "uEiAA"],
            ["digestMultibase": .string(Multibase.encode([0x12, 31] + [UInt8](repeating: 0, count: 32)))],
        ]
        for members in members {
            let refusal = try await verify(resource(members), .token2).refusal
            #expect(refusal?.check == .relatedResources, "\(members)")
            #expect(refusal?.reason == "invalidCredential", "\(members)")
        }
    }

    @Test func refusesDigestsThatCannotBeCompared() async throws {
        let resources = [
            resource(["digestSRI": "sha3-AA=="]),
            resource(["digestSRI": .string(Self.sri("sha256", .sha256))], id: "https://www.w3.org/ns/did/v1"),
        ]
        for resource in resources {
            let refusal = try await verify(resource, .token2).refusal
            #expect(refusal?.check == .relatedResources)
            #expect(refusal?.reason == .incomparableDigest)
            #expect(refusal?.isUnavailable == true)
        }
    }

    /// Nothing is fetched for a resource, which may be anything.
    @Test(arguments: forms)
    func passesOverResourcesThatAreNotAtHand(_ form: CredentialScene.Form) async throws {
        let away = resource(["digestSRI": .string(Self.sri("sha256", .sha256))], id: "https://example.org/logo.png")
        let verification = try await verify([away], form)
        #expect(verification.verified != nil)
        let outcome = verification.checks.first { $0.check == .relatedResources }?.outcome
        guard case .notApplicable? = outcome else {
            Issue.record("\(String(describing: outcome))")
            return
        }
    }
}
