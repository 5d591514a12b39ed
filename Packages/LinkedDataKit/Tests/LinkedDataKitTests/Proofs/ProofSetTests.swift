import CryptoCore
import DIDKit
import JSONKit
import LinkedDataKit
import Testing

/// Documents with several proofs, and those without any.
struct ProofSetTests {
    /// The document with two proofs of different suites.
    private func pair() async throws -> SecuredDocument {
        let first = try await ProofScene.signed { $0.id = "urn:uuid:1" }
        return try await ProofScene.signed(
            first.unverifiedMembers,
            suite: .ecdsaRDFC2019,
            with: ProofScene.signer(.p256)
        )
    }

    private func withUnknown(_ document: SecuredDocument) throws -> SecuredDocument {
        try document.changed { members in
            let proofs = members["proof"]?.arrayValue ?? [members["proof"] ?? .null]
            members["proof"] = .array(proofs + [["type": "BbsBlsSignature2020", "proofValue": "x"]])
        }
    }

    @Test func verifiesEveryProofOfASet() async throws {
        let document = try await pair()
        let verification = await ProofScene.verifier().verify(document, expecting: LinkedDataExpectation())
        #expect(verification.verified?.proofs.count == 2)
        #expect(verification.parts.map(\.name) == ["proof[0]", "proof[1]"])
        #expect(verification.deviations.isEmpty)
    }

    @Test func refusesADocumentWithoutProofs() async throws {
        for proof: JSONValue? in [nil, []] {
            var members = ProofScene.document
            members["proof"] = proof
            let document = try SecuredDocument(json: members)
            let verification = await ProofScene.verifier().verify(document, expecting: LinkedDataExpectation())
            #expect(verification.refusal?.check == .proofs)
            #expect(verification.refusal?.reason == .missingProof)
        }
    }

    @Test func refusesAnUnknownProofBesideAKnownOne() async throws {
        let document = try withUnknown(await ProofScene.signed())
        let verification = await ProofScene.verifier().verify(document, expecting: LinkedDataExpectation())
        #expect(verification.refusal?.reason == "unsupportedSuite")
        #expect(verification.refusal?.path == ["proof[1]"])
    }

    @Test func reportsAnUnknownProofBesideAKnownOneWhereOneIsEnough() async throws {
        let document = try withUnknown(await ProofScene.signed())
        for rule: LinkedDataProofRule in [.any, .ofSuite(.eddsaRDFC2022)] {
            let verifier = ProofScene.verifier(LinkedDataProofPolicy(rule: rule))
            let verification = await verifier.verify(document, expecting: LinkedDataExpectation())
            #expect(verification.verified?.proofs.count == 1)
            #expect(verification.deviations.map(\.tolerance) == ["unverifiedProof"])
            #expect(verification.deviations.first?.path == ["proof[1]"])
            #expect(verification.refusal(ofPart: "proof[1]")?.check == .proofSuite)
        }
    }

    @Test func refusesWhereNoProofOfASetVerifies() async throws {
        let document = try await pair().changed { $0["issuer"] = "did:example:other" }
        let verifier = ProofScene.verifier(LinkedDataProofPolicy(rule: .any))
        let verification = await verifier.verify(document, expecting: LinkedDataExpectation())
        #expect(verification.refusal?.reason == .invalidSignature)
    }

    @Test func refusesWhereTheProofOfTheWantedSuiteIsMissingOrDoesNotVerify() async throws {
        let document = try await pair()
        let absent = ProofScene.verifier(LinkedDataProofPolicy(rule: .ofSuite(.eddsaJCS2022)))
        #expect(await absent.verify(document, expecting: LinkedDataExpectation()).refusal?.reason == .missingProof)
        let damaged = try document.changed { members in
            var proofs = members["proof"]?.arrayValue ?? []
            var proof = proofs[1].objectValue ?? [:]
            proof["created"] = "2026-01-01T00:00:00Z"
            proofs[1] = .object(proof)
            members["proof"] = .array(proofs)
        }
        let wanted = ProofScene.verifier(LinkedDataProofPolicy(rule: .ofSuite(.ecdsaRDFC2019)))
        #expect(await wanted.verify(damaged, expecting: LinkedDataExpectation()).refusal?.reason == .invalidSignature)
        let other = ProofScene.verifier(LinkedDataProofPolicy(rule: .ofSuite(.eddsaRDFC2022)))
        #expect(await other.verify(damaged, expecting: LinkedDataExpectation()).verified?.proofs.count == 1)
    }

    @Test func refusesTwoProofsWithOneIdentifier() async throws {
        let first = try await ProofScene.signed { $0.id = "urn:uuid:1" }
        let second = try await ProofScene.signed(first.unverifiedMembers) { $0.id = "urn:uuid:1" }
        let verification = await ProofScene.verifier().verify(second, expecting: LinkedDataExpectation())
        #expect(verification.refusal?.check == .structure)
    }

    @Test(arguments: [LinkedDataProofSuite.eddsaRDFC2022, .eddsaJCS2022])
    func verifiesChains(_ suite: LinkedDataProofSuite) async throws {
        let first = try await ProofScene.signed(suite: suite) { $0.id = "urn:uuid:1" }
        let chain = try await ProofScene.signed(
            first.unverifiedMembers,
            suite: suite,
            with: ProofScene.signer(number: 2)
        ) {
            $0.previousProofs = ["urn:uuid:1"]
        }
        #expect(
            await ProofScene.verifier().verify(chain, expecting: LinkedDataExpectation()).verified?.proofs.count == 2
        )

        // Another proof in the place of the one that was covered: its own signature is good.
        let other = try await ProofScene.signed(suite: suite, with: ProofScene.signer(number: 3)) {
            $0.id = "urn:uuid:1"
        }
        let swapped = try chain.changed { members in
            var proofs = members["proof"]?.arrayValue ?? []
            proofs[0] = .object(other.proofs[0].members)
            members["proof"] = .array(proofs)
        }
        let verification = await ProofScene.verifier().verify(swapped, expecting: LinkedDataExpectation())
        #expect(verification.refusal(ofPart: "proof[0]") == nil)
        #expect(verification.refusal(ofPart: "proof[1]")?.reason == .invalidSignature)
    }

    /// Data Integrity EdDSA Cryptosuites 1.0, section 3.3.2, step 4.
    @Test func handsOutADocumentWithoutContextsThatWereAddedBehindThoseOfAProof() async throws {
        let first = try await ProofScene.signed(suite: .eddsaJCS2022) { $0.id = "urn:uuid:1" }
        let longer = try first.changed { Self.add(["nick": "https://a.example/nick"], to: &$0) }
        let second = try await ProofScene.signed(
            longer.unverifiedMembers,
            suite: .eddsaJCS2022,
            with: ProofScene.signer(number: 2)
        ) {
            $0.previousProofs = ["urn:uuid:1"]
        }
        for (document, count) in [(first, 1), (longer, 1), (second, 2)] {
            let verification = await ProofScene.verifier().verify(document, expecting: LinkedDataExpectation())
            #expect(verification.verified?.proofs.count == count)
            #expect(verification.verified?.document == ProofScene.document)
        }
        let only = ProofScene.verifier(LinkedDataProofPolicy(rule: .any))
        let damaged = try second.changed { members in
            members["proof"] = members["proof"]?.arrayValue.map { .array(Array($0.dropFirst())) }
        }
        #expect(await only.verify(damaged, expecting: LinkedDataExpectation()).verified == nil)
    }

    @Test func refusesContextsBehindThoseOfAProofThatChangeTheMeaning() async throws {
        let signed = try await ProofScene.signed(suite: .eddsaJCS2022)
        let changed = try signed.changed { Self.add(["@language": "nl"], to: &$0) }
        let verification = await ProofScene.verifier().verify(changed, expecting: LinkedDataExpectation())
        #expect(verification.verified == nil)
        #expect(verification.refusal(ofPart: "proof")?.reason == "invalidProof")
        #expect(verification.refusal(ofPart: "proof")?.path == ["@context"])
    }

    private static func add(_ context: JSONValue, to document: inout JSONObject) {
        document["@context"] = .array((document["@context"]?.arrayValue ?? []) + [context])
    }

    @Test func readsAProofOfAnRDFSuiteInTheContextOfTheDocument() async throws {
        let signed = try await ProofScene.signed().changedProof { $0["@context"] = "https://w3id.org/security/v2" }
        let verification = await ProofScene.verifier().verify(signed, expecting: LinkedDataExpectation())
        #expect(verification.verified?.proofs.count == 1)
    }

    @Test func refusesChainsWhoseCoveredProofDoesNotVerify() async throws {
        let first = try await ProofScene.signed { options in
            options.id = "urn:uuid:1"
            options.verificationMethod = try ProofScene.name(of: ProofScene.key(number: 9).publicKey)
        }
        let chain = try await ProofScene.signed(first.unverifiedMembers) { $0.previousProofs = ["urn:uuid:1"] }
        let verifier = ProofScene.verifier(LinkedDataProofPolicy(rule: .any))
        let verification = await verifier.verify(chain, expecting: LinkedDataExpectation())
        #expect(verification.refusal(ofPart: "proof[1]")?.check == .previousProof)
        #expect(verification.refusal(ofPart: "proof[1]")?.reason == .previousProofNotVerified)
        #expect(verification.verified == nil)
    }

    @Test func refusesCircles() async throws {
        let first = try await ProofScene.signed { $0.id = "urn:uuid:1" }
        let chain = try await ProofScene.signed(first.unverifiedMembers) { options in
            options.id = "urn:uuid:2"
            options.previousProofs = ["urn:uuid:1"]
        }
        let circle = try chain.changed { members in
            var proofs = members["proof"]?.arrayValue ?? []
            var proof = proofs[0].objectValue ?? [:]
            proof["previousProof"] = "urn:uuid:2"
            proofs[0] = .object(proof)
            members["proof"] = .array(proofs)
        }
        let verification = await ProofScene.verifier().verify(circle, expecting: LinkedDataExpectation())
        #expect(verification.refusal(ofPart: "proof[0]")?.reason == .previousProofNotVerified)
        #expect(verification.refusal(ofPart: "proof[1]")?.reason == .previousProofNotVerified)
    }

    @Test func refusesToCoverAProofThatIsNotThere() async throws {
        await #expect { _ = try await ProofScene.signed { $0.previousProofs = ["urn:uuid:7"] } } throws: {
            ($0 as? LinkedDataError)?.code == .invalidProof
        }
    }

    @Test func boundsTheNumberOfProofs() async throws {
        let proof = JSONValue.object(try await ProofScene.signed().proofs[0].members)
        var members = ProofScene.document
        members["proof"] = .array(Array(repeating: proof, count: 3))
        #expect(try SecuredDocument(json: members, limits: DocumentLimits(proofs: 3)).proofs.count == 3)
        #expect { try SecuredDocument(json: members, limits: DocumentLimits(proofs: 2)) } throws: {
            ($0 as? LinkedDataError)?.code == .limitExceeded
        }
    }

    @Test func refusesDocumentsThatSafeModeRefuses() async throws {
        for suite: LinkedDataProofSuite in [.eddsaRDFC2022, .eddsaJCS2022] {
            let document = try await ProofScene.signed(suite: suite).changed { $0["nmae"] = "Alice" }
            var options = JSONLDOptions.default
            options.safeMode = nil
            for policy in [LinkedDataProofPolicy(), LinkedDataProofPolicy(linkedData: options)] {
                let verification = await ProofScene.verifier(policy).verify(
                    document,
                    expecting: LinkedDataExpectation()
                )
                #expect(verification.refusal?.check == .linkedData)
                #expect(verification.refusal?.reason == "droppedTerm")
                #expect(verification.refusal?.path == ["nmae"])
            }
        }
    }

    @Test(arguments: ["[]", "", "{", #"{"a":1,"a":2}"#, #""text""#])
    func refusesMalformedText(_ text: String) {
        #expect { try SecuredDocument(decoding: Array(text.utf8)) } throws: {
            ($0 as? LinkedDataError)?.code == .malformedDocument
        }
    }

    @Test func boundsSizeAndDepthOfText() throws {
        let text = Array(#"{"a":[[1]]}"#.utf8)
        #expect(try SecuredDocument(decoding: text, limits: DocumentLimits(size: text.count, depth: 3)).proofs.isEmpty)
        for limits in [DocumentLimits(size: text.count - 1), DocumentLimits(depth: 2)] {
            #expect { try SecuredDocument(decoding: text, limits: limits) } throws: {
                ($0 as? LinkedDataError)?.code == .limitExceeded
            }
        }
    }

    @Test func makesTheUsersOwnChecks() async throws {
        let check = AdditionalCheck<VerifiedSecuredDocument>("ours") { _, _ throws(CheckFault) in
            throw .failed("notOurs", "it is another's")
        }
        let verifier = LinkedDataVerifier(additionalChecks: [check], clock: { ProofScene.now })
        let verification = await verifier.verify(try await ProofScene.signed(), expecting: LinkedDataExpectation())
        #expect(verification.refusal?.check == "ours")
    }
}
