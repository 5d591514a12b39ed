import CBORKit
import CryptoCore
import DIDKit
import JSONKit
import LinkedDataKit
import Testing

/// Each fault of a derived proof, with a document that has only it.
struct DerivedProofRefusalTests {
    private let scene: DisclosureScene
    private let derived: SecuredDocument

    init() async throws {
        scene = try DisclosureScene()
        derived = try await scene.derived("/credentialSubject/degree", "/credentialSubject/address")
    }

    private func refusal(
        _ document: SecuredDocument,
        _ policy: LinkedDataProofPolicy = LinkedDataProofPolicy()
    ) async -> Refusal? {
        await ProofScene.verifier(policy).verify(document, expecting: LinkedDataExpectation()).refusal(ofPart: "proof")
    }

    private func expectInvalidValue(
        _ document: SecuredDocument,
        _ check: Check = .proofValue,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        let refusal = await refusal(document)
        #expect(refusal?.check == check, "\(String(describing: refusal))", sourceLocation: sourceLocation)
        #expect(refusal?.reason == "invalidProofValue", sourceLocation: sourceLocation)
        #expect(refusal?.path.first == "proofValue", sourceLocation: sourceLocation)
    }

    @Test func verifiesWithoutAFault() async throws {
        #expect(await refusal(derived) == nil)
    }

    @Test func refusesBaseProofsWithTheReason() async throws {
        let base = try await scene.base()
        await expectInvalidValue(base)
        #expect(await refusal(base)?.message.contains("base proof, which is for the holder") == true)
        let verification = await (try scene.verifier()).verify(VerifiableCredential(.linkedData(base)))
        #expect(verification.refusal?.check == .issuerSignature)
        #expect(verification.refusal?.message.contains("base proof, which is for the holder") == true)
    }

    @Test func refusesOtherTexts() async throws {
        let text = derived.proofs.first?.members["proofValue"]?.stringValue ?? ""
        let bytes = try Multibase.decode(text)
        let texts: [JSONValue] = [
            "", "u", "z", 5, .string(String(text.dropFirst())), .string(text + "="), .string(text + "A"),
            .string(Multibase.encode(Array(bytes.prefix(100)))),
            .string(Multibase.encode([0xd9, 0x5d], as: .base64url)),
        ]
        for text in texts { await expectInvalidValue(try derived.changedProof { $0["proofValue"] = text }) }
    }

    @Test func refusesOtherHeaders() async throws {
        for header: [UInt8] in [[0xd9, 0x5d, 0x02], [0xd9, 0x5e, 0x01], [0xd8, 0x5d, 0x01], [], [0xd9, 0x5d, 0x00]] {
            await expectInvalidValue(try derived.changedProofValue { $0.header = header })
        }
    }

    @Test func refusesElementsOfAnotherForm() async throws {
        let wrong: [CBOR] = [nil, 7, "text", [], [:], .bytes([]), .tagged(64, .bytes([1])), true, 1.5]
        let kinds = [0: "bytes", 1: "bytes", 2: "array", 3: "map", 4: "array"]
        for (index, kind) in kinds {
            for value in wrong {
                // An empty array or map is of the right form, and has too little in it.
                let isEmpty = kind == "array" && value.arrayValue != nil || kind == "map" && value.mapValue != nil
                if isEmpty { continue }
                await expectInvalidValue(try derived.changedProofValue { $0.elements[index] = value })
            }
        }
        await expectInvalidValue(try derived.changedProofValue { $0.elements.removeLast() })
        await expectInvalidValue(try derived.changedProofValue { $0.elements.append([]) })
        await expectInvalidValue(try derived.withProofValue(ProofValueParts(derived).encodedBytes + [0]))
    }

    @Test func refusesOtherLengths() async throws {
        let long = CBOR.bytes(Array(repeating: 1, count: 65))
        let short = CBOR.bytes(Array(repeating: 1, count: 31))
        for value in [long, short] {
            await expectInvalidValue(try derived.changedProofValue { $0.elements[0] = value })
            await expectInvalidValue(try derived.changedProofValue { $0.elements[1] = value })
            await expectInvalidValue(try derived.changedProofValue { $0.change(2) { $0[0] = value } })
            await expectInvalidValue(
                try derived.changedProofValue { $0.elements[3] = .map(CBORMap([.init(key: 0, value: value)])) }
            )
        }
    }

    @Test func refusesIndefiniteAndLongForms() async throws {
        let parts = try ProofValueParts(derived)
        let elements = parts.elements.map { $0.encoded() }
        let indefinite = parts.header + [0x9f] + Array(elements.joined()) + [0xff]
        await expectInvalidValue(try derived.withProofValue(indefinite))
        let long = parts.header + [0x98, 5] + Array(elements.joined())
        await expectInvalidValue(try derived.withProofValue(long))
    }

    @Test func refusesKeysThatAreNoPoints() async throws {
        for prefix: [UInt8] in [[0x80, 0x24, 0x04], [0x81, 0x24, 0x02], [0x80, 0x24, 0x02]] {
            let key = CBOR.bytes(prefix + Array(repeating: 0xff, count: 32))
            await expectInvalidValue(try derived.changedProofValue { $0.elements[1] = key })
        }
    }

    @Test func refusesLabelMapsOfOtherNodes() async throws {
        let parts = try ProofValueParts(derived)
        let pairs = try #require(parts.elements[3].mapValue?.pairs)
        #expect(pairs.count == 3)
        func map(_ pairs: [CBORMap.Pair]) -> CBOR { .map(CBORMap(pairs)) }
        let gap = pairs.dropLast() + [.init(key: 3, value: pairs[2].value)]
        let negative = pairs.dropLast() + [.init(key: -1, value: pairs[2].value)]
        let text = pairs.dropLast() + [.init(key: "2", value: pairs[2].value)]
        let twice = pairs.dropLast() + [.init(key: 2, value: pairs[0].value)]
        let sameKey = pairs.dropLast() + [.init(key: 1, value: pairs[2].value)]
        let huge = pairs.dropLast() + [.init(key: .unsigned(.max), value: pairs[2].value)]
        for changed in [gap, negative, text, twice, sameKey, huge] {
            await expectInvalidValue(try derived.changedProofValue { $0.elements[3] = map(Array(changed)) })
        }
        let missing = try derived.changedProofValue { $0.elements[3] = map(Array(pairs.dropLast())) }
        await expectInvalidValue(missing, .signature)
        let fresh = CBOR.bytes(Array(repeating: 7, count: 32))
        let added = try derived.changedProofValue { $0.elements[3] = map(pairs + [.init(key: 3, value: fresh)]) }
        await expectInvalidValue(added, .signature)
    }

    @Test func refusesOtherIndexes() async throws {
        let changes: [(inout [CBOR]) -> Void] = [
            { $0.swapAt(0, 1) }, { $0.append($0[$0.count - 1]) }, { $0[0] = -1 }, { $0[0] = "0" },
            { $0.append(.unsigned(.max)) }, { $0.append(.negative(.max)) }, { $0.append(.unsigned(1 << 63)) },
        ]
        for change in changes { await expectInvalidValue(try derived.changedProofValue { $0.change(4, change) }) }
        for beyond: CBOR in [1000, .unsigned(1 << 63 - 1)] {
            await expectInvalidValue(try derived.changedProofValue { $0.change(4) { $0.append(beyond) } }, .signature)
        }
        await expectInvalidValue(try derived.changedProofValue { $0.change(4) { $0.removeLast() } }, .signature)
    }

    @Test func refusesAnotherNumberOfSignatures() async throws {
        await expectInvalidValue(try derived.changedProofValue { $0.change(2) { $0.removeLast() } }, .signature)
        await expectInvalidValue(try derived.changedProofValue { $0.change(2) { $0.append($0[0]) } }, .signature)
        await expectInvalidValue(try derived.changedProofValue { $0.elements[2] = [] }, .signature)
    }

    @Test func refusesKeysOfOtherCurves() async throws {
        for curve in [EllipticCurve.ed25519, .p384] {
            let name = try ProofScene.name(of: ProofScene.key(curve).publicKey)
            let refusal = await refusal(try derived.changedProof { $0["verificationMethod"] = .string(name.text) })
            #expect(refusal?.check == .algorithm)
            #expect(refusal?.reason == "keyMismatch")
        }
    }

    @Test func refusesToCoverOtherProofs() async throws {
        let other = try await ProofScene.signed(derived.unverifiedDocument) { $0.id = "urn:uuid:1" }
        let document = try derived.changed { members in
            var proof = members["proof"]?.objectValue ?? [:]
            proof["previousProof"] = "urn:uuid:1"
            members["proof"] = [.object(proof), other.unverifiedMembers["proof"] ?? .null]
        }
        let verification = await ProofScene.verifier().verify(document, expecting: LinkedDataExpectation())
        #expect(verification.refusal(ofPart: "proof[0]")?.check == .previousProof)
        #expect(verification.refusal(ofPart: "proof[0]")?.reason == "invalidProof")
    }

    @Test func refusesSuitesThatThePolicyDoesNotAccept() async throws {
        let refusal = await refusal(derived, LinkedDataProofPolicy(suites: [.ecdsaRDFC2019]))
        #expect(refusal?.check == .proofSuite)
    }
}
