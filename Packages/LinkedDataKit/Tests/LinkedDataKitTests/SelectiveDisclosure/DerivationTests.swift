import CBORKit
import CryptoCore
import DIDKit
import JSONKit
import LinkedDataKit
import Testing

/// Documents that a holder discloses a part of (Data Integrity ECDSA Cryptosuites 1.0, sections 3.4.13 and 3.6.6).
struct DerivationTests {
    private let scene: DisclosureScene

    init() throws {
        scene = try DisclosureScene()
    }

    private func expectVerified(_ document: SecuredDocument, sourceLocation: SourceLocation = #_sourceLocation) async {
        let verification = await ProofScene.verifier().verify(document, expecting: LinkedDataExpectation())
        #expect(
            verification.verified?.document == document.unverifiedDocument,
            "\(String(describing: verification.refusal))",
            sourceLocation: sourceLocation
        )
    }

    private func expectFailure(
        _ code: LinkedDataError.Code,
        sourceLocation: SourceLocation = #_sourceLocation,
        _ body: () async throws -> Void
    ) async {
        do {
            try await body()
            Issue.record("nothing was refused", sourceLocation: sourceLocation)
        } catch {
            #expect((error as? LinkedDataError)?.code == code, "\(error)", sourceLocation: sourceLocation)
        }
    }

    @Test func disclosesWhatIsMandatoryAndWhatIsSelected() async throws {
        let derived = try await scene.derived("/credentialSubject/degree/name")
        let members = try scene.members()
        #expect(
            derived.unverifiedDocument == [
                "@context": members["@context"] ?? .null, "type": members["type"] ?? .null,
                "issuer": members["issuer"] ?? .null, "validUntil": members["validUntil"] ?? .null,
                "credentialSubject": ["id": .string(try scene.holderDID.text), "degree": ["name": "Bachelor"]],
            ]
        )
        await expectVerified(derived)
    }

    @Test func disclosesWhatIsMandatoryAlone() async throws {
        let derived = try await scene.derived()
        #expect(!derived.unverifiedDocument.contains("credentialSubject"))
        await expectVerified(derived)
    }

    @Test func disclosesTheWholeDocument() async throws {
        let derived = try await scene.derived("")
        #expect(derived.unverifiedDocument == (try scene.members()))
        await expectVerified(derived)
        let byMembers = try await scene.derived("/credentialSubject", "/validFrom")
        #expect(byMembers.unverifiedDocument == derived.unverifiedDocument)
        await expectVerified(byMembers)
    }

    @Test func keepsTheSelectedElementsOfAnArray() async throws {
        let derived = try await scene.derived("/credentialSubject/course/2/name", "/credentialSubject/course/0/grade")
        #expect(
            derived.unverifiedDocument["credentialSubject"]?["course"] == [
                ["type": "Course", "grade": "6"], ["type": "Course", "name": "Chemistry"],
            ]
        )
        await expectVerified(derived)
        let one = try await scene.derived("/credentialSubject/course/1")
        let course: JSONValue = [["type": "Course", "name": "Biology", "grade": "5"]]
        #expect(one.unverifiedDocument["credentialSubject"]?["course"] == course)
        await expectVerified(one)
    }

    @Test func keepsTheSelectedElementsOfAnInnerArray() async throws {
        func course(_ name: String) -> JSONValue { ["type": "Course", "name": .string(name), "grade": "6"] }
        var members = try scene.members()
        var subject = members["credentialSubject"]?.objectValue ?? [:]
        subject["course"] = [
            ["name": "Sciences", "course": [course("Algebra"), course("Biology")]],
            ["name": "Arts", "course": [course("Music"), course("Drama"), course("Dance")]],
        ]
        members["credentialSubject"] = .object(subject)
        let base = try await scene.base(members)
        let derived = try await scene.derived(
            "/credentialSubject/course/1/course/1/name",
            "/credentialSubject/course/1/course/2/grade",
            from: base
        )
        #expect(
            derived.unverifiedDocument["credentialSubject"]?["course"] == [
                ["course": [["type": "Course", "name": "Drama"], ["type": "Course", "grade": "6"]]]
            ]
        )
        await expectVerified(derived)
    }

    @Test func takesAPlaceOnceHoweverItIsSelected() async throws {
        let derived = try await scene.derived(
            "/credentialSubject/degree/name",
            "/credentialSubject/degree",
            "/credentialSubject/degree",
            "/type/0",
            "/issuer",
            "/@context/0"
        )
        let degree: JSONValue = ["name": "Bachelor", "grade": "first"]
        #expect(derived.unverifiedDocument["credentialSubject"]?["degree"] == degree)
        await expectVerified(derived)
    }

    @Test func disclosesAListAsAWholeOnly() async throws {
        let whole = try await scene.derived("/credentialSubject/path")
        let path: JSONValue = ["north", ["city": "Thun"], "south"]
        #expect(whole.unverifiedDocument["credentialSubject"]?["path"] == path)
        await expectVerified(whole)
        for part in ["/credentialSubject/path/0", "/credentialSubject/path/1/city", "/credentialSubject/path/2"] {
            await expectFailure(.unsupportedSelection) { _ = try await scene.derived(part) }
        }
    }

    @Test func disclosesAWholeNestedList() async throws {
        var members = try scene.members()
        var subject = members["credentialSubject"]?.objectValue ?? [:]
        subject["path"] = [["a", ["city": "Thun"]], [], ["b"]]
        members["credentialSubject"] = .object(subject)
        let base = try await scene.base(members)
        await expectVerified(try await scene.derived("/credentialSubject/path", "/credentialSubject/name", from: base))
        await expectVerified(try await scene.derived("/credentialSubject/degree", from: base))
    }

    @Test func refusesToDiscloseNothing() async throws {
        let base = try await scene.base(mandatory: [])
        await expectFailure(.invalidPointer) { _ = try await scene.derived(from: base) }
        let derived = try await scene.derived("/issuer", from: base)
        #expect(derived.unverifiedDocument.names == ["@context", "type", "issuer"])
        await expectVerified(derived)
    }

    @Test func leavesOtherProofsOut() async throws {
        let first = try await ProofScene.signed(try scene.members())
        let base = try await scene.base(first.unverifiedMembers)
        #expect(base.proofs.count == 2)
        let derived = try await scene.derived("/credentialSubject/name", from: base)
        #expect(derived.proofs.map(\.suite) == [.ecdsaSD2023])
        await expectVerified(derived)
    }

    @Test func derivesFromTheProofWithAnIdentifier() async throws {
        var options = try scene.options()
        options.id = "urn:uuid:1"
        let prover = LinkedDataProver()
        let first = try await prover.sign(
            scene.members(),
            suite: .ecdsaSD2023,
            options: options,
            with: scene.issuer
        )
        let both = try await scene.base(first.unverifiedMembers)
        let name = [try JSONPointer("/credentialSubject/name")]
        for id: ExactText? in [nil, "urn:uuid:2"] {
            await expectFailure(.invalidProof) { _ = try prover.derive(from: both, revealing: name, proof: id) }
        }
        let derived = try prover.derive(from: both, revealing: name, proof: "urn:uuid:1")
        #expect(derived.proofs.map(\.id) == ["urn:uuid:1"])
        await expectVerified(derived)
        let none = try await ProofScene.signed()
        await expectFailure(.invalidProof) { _ = try prover.derive(from: none, revealing: name) }
    }

    @Test func refusesWhatIsNoBaseProofOfTheDocument() async throws {
        let base = try await scene.base()
        let derived = try await scene.derived("", from: base)
        await expectFailure(.invalidProofValue) { _ = try await scene.derived("/issuer", from: derived) }
        let changed = try base.changed { $0["validFrom"] = "2020-01-01T00:00:00Z" }
        await expectFailure(.invalidProofValue) { _ = try await scene.derived("/issuer", from: changed) }
        let missing = try base.changedProofValue { $0.change(3) { _ = $0.popLast() } }
        await expectFailure(.invalidProofValue) { _ = try await scene.derived("/issuer", from: missing) }
        let malformed = try base.changedProof { $0["created"] = 5 }
        await expectFailure(.invalidProof) { _ = try await scene.derived("/issuer", from: malformed) }
        let absent = try base.changedProof { $0["proofValue"] = nil }
        await expectFailure(.invalidProofValue) { _ = try await scene.derived("/issuer", from: absent) }
    }

    @Test func refusesMalformedBaseProofs() async throws {
        let base = try await scene.base()
        let short = CBOR.bytes(Array(repeating: 1, count: 31))
        let changes: [(inout ProofValueParts) -> Void] = [
            { $0.header = [0xd9, 0x5d, 0x02] }, { $0.elements[0] = short }, { $0.elements[1] = short },
            { $0.elements[2] = short }, { $0.elements[3] = [:] }, { $0.change(3) { $0[0] = short } },
            { $0.elements[4] = "/issuer" }, { $0.elements[4] = [1] }, { $0.elements.removeLast() },
        ]
        for change in changes {
            let document = try base.changedProofValue(change)
            await expectFailure(.invalidProofValue) { _ = try await scene.derived("/issuer", from: document) }
        }
        for pointer: CBOR in ["issuer", "/~2", "/evidence"] {
            let document = try base.changedProofValue { $0.elements[4] = [pointer] }
            await expectFailure(.invalidPointer) { _ = try await scene.derived("/issuer", from: document) }
        }
    }

    @Test func findsTheLanguageTagsOfTheIssuer() async throws {
        var members = try scene.members()
        members["name"] = [["@value": "Abschluss", "@language": "de-AT"], ["@value": "Degree", "@language": "en-US"]]
        for tags in [JSONLDOptions.LanguageTags.lowercased, .asWritten] {
            let options = JSONLDOptions(rdfDirection: .i18nDatatype, languageTags: tags)
            let base = try await scene.base(members, prover: LinkedDataProver(options: options))
            let derived = try await scene.derived("/name", from: base)
            let verification = await ProofScene.verifier().verify(derived, expecting: LinkedDataExpectation())
            #expect(verification.verified != nil, "\(String(describing: verification.refusal))")
            #expect(verification.allDeviations.isEmpty == (tags == .lowercased))
        }
    }
}
