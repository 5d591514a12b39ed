import CBORKit
import CryptoCore
import JSONKit
import LinkedDataKit
import Testing

/// Changes that a holder, who has the base proof, could make to a disclosed document.
struct DisclosureAttackTests {
    private let scene: DisclosureScene

    init() throws {
        scene = try DisclosureScene()
    }

    private func isVerified(_ document: SecuredDocument) async -> Bool {
        await ProofScene.verifier().verify(document, expecting: LinkedDataExpectation()).verified != nil
    }

    /// Whatever indexes and signatures a holder leaves out with it, a mandatory statement is missed.
    @Test func noMandatoryStatementCanBeDropped() async throws {
        let derived = try await scene.derived("/credentialSubject/name")
        #expect(await isVerified(derived))
        let count = try ProofValueParts(derived).array(4).count
        let signatures = try ProofValueParts(derived).array(2).count
        for name in ["validUntil", "issuer", "type"] {
            let dropped = try derived.changed { $0[name] = name == "type" ? ["VerifiableCredential"] : nil }
            #expect(!(await isVerified(dropped)))
            for index in 0..<count {
                let adapted = try dropped.changedProofValue { parts in
                    parts.change(4) { indexes in
                        indexes.remove(at: index)
                        for later in index..<indexes.count {
                            indexes[later] = CBOR((indexes[later].integerValue ?? 1) - 1)
                        }
                    }
                }
                #expect(!(await isVerified(adapted)), "\(name) without index \(index)")
            }
        }
        // A mandatory statement with a signature in place of an index.
        for index in 0..<count {
            for place in 0...signatures {
                let moved = try derived.changedProofValue { parts in
                    parts.change(4) { $0.remove(at: index) }
                    parts.change(2) { $0.insert($0[min(place, signatures - 1)], at: place) }
                }
                #expect(!(await isVerified(moved)))
            }
        }
    }

    /// The holder has the signatures of all statements, and of no others.
    @Test func noStatementCanBeAddedOrChanged() async throws {
        let derived = try await scene.derived("/credentialSubject/degree")
        let degree: JSONValue = ["name": "Master", "grade": "first"]
        for value in [
            degree, ["name": ["Bachelor", "Master"], "grade": "first"], ["name": "first", "grade": "Bachelor"],
        ] {
            let changed = try derived.changed { members in
                var subject = members["credentialSubject"]?.objectValue ?? [:]
                subject["degree"] = value
                members["credentialSubject"] = .object(subject)
            }
            #expect(!(await isVerified(changed)))
            let added = try changed.changedProofValue { $0.change(2) { $0.append($0[0]) } }
            #expect(!(await isVerified(added)))
        }
    }

    /// One node of the issuer's must not become two.
    @Test func noNodeCanBeSplit() async throws {
        let derived = try await scene.derived("/credentialSubject/degree")
        let split = try derived.changed { members in
            var subject = members["credentialSubject"]?.objectValue ?? [:]
            subject["degree"] = [["name": "Bachelor"], ["grade": "first"]]
            members["credentialSubject"] = .object(subject)
        }
        let parts = try ProofValueParts(derived)
        let labels = (parts.elements[3].mapValue?.pairs ?? []).map(\.value)
        #expect(labels.count == 2)
        // The statement that leads to the node is made twice then, and has one signature.
        let signatures = parts.array(2)
        for first in labels {
            for second in labels {
                for extra in signatures {
                    let forged = try split.changedProofValue { parts in
                        let pairs = (labels + [first, second]).prefix(3).enumerated()
                        parts.elements[3] = .map(
                            CBORMap(pairs.map { CBORMap.Pair(key: CBOR($0.offset), value: $0.element) })
                        )
                        parts.elements[2] = .array(signatures + [extra])
                    }
                    #expect(!(await isVerified(forged)))
                }
            }
        }
    }

    @Test func noOtherKeyOfTheStatementsIsTaken() async throws {
        let (first, second) = (try await scene.base(), try await scene.base())
        let derived = try await scene.derived("/credentialSubject/name", from: first)
        let other = try ProofValueParts(try await scene.derived("/credentialSubject/name", from: second))
        for elements in [[1], [2], [1, 2], [1, 2, 3], [3], [0]] {
            let mixed = try derived.changedProofValue { parts in
                for index in elements { parts.elements[index] = other.elements[index] }
            }
            #expect(!(await isVerified(mixed)), "\(elements)")
        }
    }
}
