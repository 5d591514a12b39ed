import CryptoCore
import DIDKit
import JSONKit
import LinkedDataKit
import Synchronization
import Testing
import VerificationCore

/// Documents with a context that is unknown, whose proofs cover the JSON itself (Data Integrity EdDSA and ECDSA Cryptosuites
/// 1.0, sections 3.3.2).
struct UnknownContextTests {
    private static let url = "https://issuer.example/contexts/v1"
    private static let bytes = Array(#"{"@context": {"Employee": "https://issuer.example/vocabulary#Employee"}}"#.utf8)
    private static let jcs: [(LinkedDataProofSuite, EllipticCurve)] = [
        (.eddsaJCS2022, .ed25519), (.ecdsaJCS2019, .p256), (.ecdsaJCS2019, .p384),
    ]

    private struct FailingLoader: ContextLoader {
        struct Failure: Error {}
        func loadContext(at url: String) async throws -> LoadedContext { throw Failure() }
    }

    private struct FixedLoader: ContextLoader {
        func loadContext(at url: String) async throws -> LoadedContext {
            LoadedContext(url: url, bytes: UnknownContextTests.bytes)
        }
    }

    /// The members of a credential of an issuer about itself.
    private func members(
        of signer: SoftwareSigner,
        _ change: (inout JSONObject) -> Void = { _ in }
    ) throws -> JSONObject {
        let did = try ProofScene.name(of: signer.publicKey).did.text
        var members = try W3CCredentialContent(
            types: ["Employee"],
            contexts: [.string(Self.url)],
            issuer: did,
            subjects: [["id": .string(did), "role": "Engineer"]]
        ).members
        change(&members)
        return members
    }

    private func processor(loader: (any ContextLoader)? = nil, isKnown: Bool = false) throws -> JSONLDProcessor {
        var contexts = ContextRegistry.builtIn
        let digest = HashAlgorithm.sha256.digest(of: Self.bytes)
        if isKnown {
            try contexts.add(Self.bytes, at: Self.url, sha256: digest)
        } else {
            contexts.allow(Self.url, sha256: digest)
        }
        return JSONLDProcessor(contexts: contexts, loader: loader)
    }

    private func verify(
        _ document: SecuredDocument,
        using processor: JSONLDProcessor = JSONLDProcessor()
    ) async -> Verification<VerifiedSecuredDocument> {
        await LinkedDataVerifier(processor: processor, clock: { ProofScene.now })
            .verify(document, expecting: LinkedDataExpectation())
    }

    @Test(arguments: jcs)
    func verifiesWhatTheJCSSuitesSign(suite: LinkedDataProofSuite, curve: EllipticCurve) async throws {
        let signer = try ProofScene.signer(curve)
        let members = try members(of: signer)
        let first = try await ProofScene.signed(members, suite: suite, with: signer) { $0.id = "urn:uuid:1" }
        let chain = try await ProofScene.signed(first.unverifiedMembers, suite: suite, with: signer) { options in
            options.previousProofs = ["urn:uuid:1"]
        }
        for signed in [first, chain] {
            let verification = await verify(signed)
            let verified = try #require(verification.verified, "\(String(describing: verification.refusal))")
            #expect(verified.expanded == nil)
            #expect(verified.document == members)
            #expect(verification.deviations.map(\.tolerance) == ["unknownContext"])
            #expect(verification.deviations.first?.message.contains(Self.url) == true)
            guard case .notApplicable? = verification.checks.first(where: { $0.check == .linkedData })?.outcome else {
                Issue.record("\(verification.checks)")
                continue
            }
            let changed = try signed.changed { $0["credentialSubject"] = ["id": "did:example:a", "role": "Head"] }
            #expect(await verify(changed).refusal?.reason == .invalidSignature)
        }
    }

    @Test func givesTheJSONOfACredentialAndNoMeaning() async throws {
        let signer = try ProofScene.signer()
        let signed = try await ProofScene.signed(members(of: signer), suite: .eddsaJCS2022, with: signer)
        let asked = Mutex<[[ExactText]?]>([])
        let verifier = W3CCredentialVerifier(
            trust: W3CCredentialTrust { question, _ in asked.withLock { $0.append(question.expandedTypes) } },
            clock: { ProofScene.now }
        )
        let verification = await verifier.verify(VerifiableCredential(.linkedData(signed)))
        let verified = try #require(verification.verified, "\(String(describing: verification.refusal))")
        #expect(verified.content.subjects.first?.members["role"] == "Engineer")
        #expect(verification.allDeviations.map(\.path) == [["document", "@context"]])
        #expect(asked.withLock { $0 } == [nil])
        #expect { try verified.expandedTypes() } throws: {
            ($0 as? LinkedDataError)?.code == .loadingRemoteContextFailed
        }
        var options = JSONLDOptions.proofs
        options.safeMode = nil
        let types = try verified.expandedTypes(using: processor(isKnown: true), options: options)
        #expect(types.last == "https://issuer.example/vocabulary#Employee")
        let other = try await ProofScene.signed(
            members(of: ProofScene.signer(number: 2)),
            suite: .eddsaJCS2022,
            with: signer
        )
        let refusal = await verifier.verify(VerifiableCredential(.linkedData(other))).refusal
        #expect(refusal?.check == .controller)
    }

    @Test func verifiesPresentations() async throws {
        let signer = try ProofScene.signer()
        let signed = try await ProofScene.signed(members(of: signer), suite: .eddsaJCS2022, with: signer)
        let did = try ProofScene.name(of: signer.publicKey).did.text
        let content = try W3CPresentationContent(
            contexts: [.string(Self.url)],
            holder: did,
            credentials: [VerifiableCredential(.linkedData(signed))]
        )
        let presentation = try await ProofScene.signed(content.members, suite: .eddsaJCS2022, with: signer) { proof in
            proof.purpose = .authentication
            proof.challenge = "n"
        }
        let verifier = W3CCredentialVerifier(trust: .issuers([ExactText(did)]), clock: { ProofScene.now })
        let verification = await verifier.verify(
            VerifiablePresentation(.linkedData(presentation)),
            expecting: W3CPresentationExpectation(nonce: "n", audience: nil)
        )
        let verified = try #require(verification.verified, "\(String(describing: verification.refusal))")
        #expect(verified.credentials.first?.content.types == ["VerifiableCredential", "Employee"])
        let places = verification.allDeviations.filter { $0.tolerance == "unknownContext" }.map(\.path)
        #expect(places == [["document", "@context"], ["verifiableCredential[0]", "document", "@context"]])
    }

    /// Each proof has to cover the JSON, whichever of them counts.
    @Test func refusesProofsOverTheGraph() async throws {
        let signer = try ProofScene.signer()
        let members = try members(of: signer)
        await #expect { _ = try await ProofScene.signed(members, with: signer) } throws: {
            ($0 as? LinkedDataError)?.code == .loadingRemoteContextFailed
        }
        let signed = try await ProofScene.signed(members, suite: .eddsaJCS2022, with: signer)
        let both = try signed.changed { members in
            let other: JSONValue = ["type": "Ed25519Signature2020", "proofValue": "z1"]
            members["proof"] = .array([members["proof"] ?? .null, other])
        }
        let verifier = ProofScene.verifier(LinkedDataProofPolicy(rule: .any))
        let refusal = await verifier.verify(both, expecting: LinkedDataExpectation()).refusal
        #expect(refusal?.check == .linkedData)
        #expect(refusal?.reason == "loadingRemoteContextFailed")
        await #expect { _ = try await ProofScene.signed(signed.unverifiedMembers, with: signer) } throws: {
            ($0 as? LinkedDataError)?.code == .loadingRemoteContextFailed
        }
    }

    /// A holder could turn off what only expansion finds out.
    @Test func refusesAnUnknownContextThatTheProofDoesNotCover() async throws {
        let signer = try ProofScene.signer()
        let members = try members(of: signer) { members in
            members["@context"] = ["https://www.w3.org/ns/credentials/v2"]
            members["type"] = "VerifiableCredential"
            members["credentialSubject"] = ["id": "did:example:alice"]
        }
        let signed = try await ProofScene.signed(members, suite: .eddsaJCS2022, with: signer)
        let added = try signed.changed { $0["@context"] = ["https://www.w3.org/ns/credentials/v2", .string(Self.url)] }
        let verification = await verify(added)
        #expect(verification.refusal(ofPart: "proof")?.check == .signature)
        #expect(verification.refusal(ofPart: "proof")?.reason == "invalidProof")
        // The same with the context at hand.
        #expect(await verify(added, using: try processor(isKnown: true)).verified?.document == members)
    }

    /// A context on the allow-list is known: it is loaded, and its terms are checked.
    @Test func demandsContextsOfTheAllowList() async throws {
        let signer = try ProofScene.signer()
        let signed = try await ProofScene.signed(members(of: signer), suite: .eddsaJCS2022, with: signer)
        let away = await verify(signed, using: try processor(loader: FailingLoader())).refusal
        #expect(away?.check == .linkedData && away?.isUnavailable == true)
        let absent = await verify(signed, using: try processor()).refusal
        #expect(absent?.check == .linkedData && absent?.reason == "loadingRemoteContextFailed")
        // The context leaves `role` without a meaning.
        let loaded = await verify(signed, using: try processor(loader: FixedLoader())).refusal
        #expect(loaded?.check == .linkedData && loaded?.reason == "droppedTerm")
        let known = await verify(signed, using: try processor(isKnown: true)).refusal
        #expect(known?.check == .linkedData && known?.reason == "droppedTerm")
        let options = try ProofScene.options(for: signer.publicKey)
        let prover = LinkedDataProver(processor: try processor())
        await #expect {
            _ = try await prover.sign(members(of: signer), suite: .eddsaJCS2022, options: options, with: signer)
        } throws: {
            ($0 as? LinkedDataError)?.code == .loadingRemoteContextFailed
        }
    }

    @Test func givesTheInputOfAProof() async throws {
        let signer = try ProofScene.signer()
        let signed = try await ProofScene.signed(members(of: signer), suite: .eddsaJCS2022, with: signer)
        let input = try ProofScene.verifier().input(ofProofAt: 0, in: signed)
        #expect(input.canonicalDocument == (try JSONValue.object(members(of: signer)).canonicalized()))
    }
}
