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

    private struct Loader: ContextLoader {
        func loadContext(at url: String) async throws -> LoadedContext {
            LoadedContext(url: url, bytes: RelatedResourceTests.bytes)
        }
    }

    /// A processor with the context at hand.
    private static func processor() throws -> JSONLDProcessor {
        var contexts = ContextRegistry.builtIn
        try contexts.add(bytes, at: url, sha256: HashAlgorithm.sha256.digest(of: bytes))
        return JSONLDProcessor(contexts: contexts)
    }

    private func verify(
        _ resources: JSONValue,
        _ form: CredentialScene.Form,
        with processor: JSONLDProcessor? = nil
    ) async throws -> Verification<VerifiedW3CCredential> {
        let scene = try CredentialScene(form)
        let verifier = W3CCredentialVerifier(
            policy: W3CCredentialPolicy(tokens: [.edDSA]),
            trust: .issuers([ExactText(try scene.issuerDID.text)]),
            processor: try processor ?? Self.processor(),
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

    /// Subresource Integrity, section 3.5: the characters of Content Security Policy, and any ASCII white space.
    @Test func takesEachFormOfHashExpressions() async throws {
        let digest = HashAlgorithm.sha512.digest(of: Self.bytes)
        let padded = "sha512-" + JSONBase64.base64.encode(digest)
        let urlSafe = "sha512-" + JSONBase64.base64url.encode(digest)
        #expect(padded.contains("+") && padded.hasSuffix("=="))
        var texts: [String] = [String(padded.dropLast(2)), urlSafe, "\(urlSafe)==", "\(padded)?ct=application/json"]
        texts += ["\t", "\n", "\u{0c}", "\r", "\r\n", "  "].map { "\($0)\(padded)\($0)\(urlSafe)\($0)" }
        for text in texts {
            let verification = try await verify(resource(["digestSRI": .string(text)]), .token2)
            let check = verification.checks.first { $0.check == .relatedResources }
            #expect(check?.outcome == .passed, "\(text): \(String(describing: verification.refusal))")
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
        let (sha256, sha384) = (Self.sri("sha256", .sha256), Self.sri("sha384", .sha384))
        let members: [JSONObject] = [
            ["digestSRI": ""], ["digestSRI": "sha256"], ["digestSRI": "sha256-AA"], ["digestSRI": "sha256-AA=="],
            ["digestSRI": " \n"], ["digestSRI": .string(sha256 + "==")], ["digestSRI": .string("?" + sha256)],
            ["digestSRI": .string(sha256 + "\u{a0}" + sha384)], ["digestSRI": .string(sha256 + "," + sha384)],
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
            #expect(refusal?.isUnavailable == false)
        }
    }

    /// The answer for a context of the allow-list is the same before and after it was loaded.
    @Test(arguments: forms)
    func comparesThePinnedDigestOfAnAllowedContext(_ form: CredentialScene.Form) async throws {
        var contexts = ContextRegistry.builtIn
        contexts.allow(Self.url, sha256: HashAlgorithm.sha256.digest(of: Self.bytes))
        let processor = JSONLDProcessor(contexts: contexts, loader: Loader())
        let (sha256, sha384) = (Self.sri("sha256", .sha256), Self.sri("sha384", .sha384))
        let cases: [(String, Reason?)] = [
            (sha256, nil), (sha256 + " " + sha384, nil), (sha384, .incomparableDigest),
            (Self.sri("sha256", .sha256, of: Self.bytes + [0x20]), .digestMismatch),
        ]
        for isLoaded in [false, true] {
            if isLoaded {
                try await processor.loadContexts(for: ["@context": .string(Self.url)])
                #expect(try processor.activeContext(of: .string(Self.url)).terms.contains("badge"))
            }
            for (text, reason) in cases {
                let resource = resource(["digestSRI": .string(text)])
                let verification = try await verify(resource, form, with: processor)
                #expect(verification.refusal?.reason == reason, "\(text), loaded: \(isLoaded)")
                let outcome = verification.checks.first { $0.check == .relatedResources }?.outcome
                #expect((outcome == .passed) == (reason == nil), "\(text), loaded: \(isLoaded)")
            }
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
