import DIDKit
import JSONKit
import LinkedDataKit
import Testing
import VerificationCore

/// Statements that a holder moves to another place of the JSON, where the signed graph stays the same.
struct DisplacedStatementTests {
    private let scene: CredentialScene
    private static let vocabulary = "https://www.w3.org/2018/credentials#"
    private static let knows = "https://example.org/knows"

    init() throws {
        scene = try CredentialScene(.dataIntegrity)
    }

    /// A credential that the issuer signed, which the holder changes.
    private func verification(
        of members: JSONObject,
        changed change: (inout JSONObject) throws -> Void
    ) async throws -> Verification<VerifiedW3CCredential> {
        let signed = try await scene.sign(members, scene.issuer)
        let changed = try signed.changed(change)
        return try await scene.verifier { $0.status = .waived }.verify(VerifiableCredential(.linkedData(changed)))
    }

    /// The signature holds, and the credential is refused all the same.
    private func expectDisplacement(
        _ verification: Verification<VerifiedW3CCredential>,
        by means: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let signature = verification.checks.first { $0.check == .issuerSignature }
        #expect(signature?.hasFailed == false, "\(verification.checks)", sourceLocation: sourceLocation)
        #expect(verification.refusal?.check == .claims, sourceLocation: sourceLocation)
        #expect(verification.refusal?.reason == "claimMismatch", sourceLocation: sourceLocation)
        #expect(verification.refusal?.path == [means], sourceLocation: sourceLocation)
    }

    @Test(arguments: ["validUntil", "credentialStatus"])
    func refusesALimitThatStandsBelowIncluded(member: String) async throws {
        let members = try scene.members { members in
            members["validFrom"] = "2010-01-01T00:00:00Z"
            members["validUntil"] = "2020-01-01T00:00:00Z"
            members["credentialStatus"] = ["id": "urn:uuid:7", "type": "https://example.org/Status"]
        }
        let verification = try await verification(of: members) { members in
            let moved: JSONObject = [
                "id": try #require(members["id"]), "type": "VerifiableCredential",
                member: try #require(members[member]),
            ]
            members[member] = nil
            members["@included"] = [.object(moved)]
        }
        expectDisplacement(verification, by: "@included")
    }

    @Test func refusesASubjectThatStandsInReverse() async throws {
        let other: JSONObject = ["id": "did:example:other", "degree": "Master"]
        let members = try scene.members { members in
            guard var subject = members["credentialSubject"]?.objectValue else { return }
            subject[Self.knows] = ["id": "did:example:other"]
            members["credentialSubject"] = [.object(subject), .object(other)]
        }
        let verification = try await verification(of: members) { members in
            var reversed = other
            reversed["@reverse"] = [Self.vocabulary + "credentialSubject": ["@id": try #require(members["id"])]]
            var subject = try #require(members["credentialSubject"]?.arrayValue?.first?.objectValue)
            subject[Self.knows] = .object(reversed)
            members["credentialSubject"] = .object(subject)
        }
        expectDisplacement(verification, by: "@reverse")
    }

    @Test(arguments: [true, false])
    func refusesAnObjectThatTakesOverStatementsOfAnother(ofSubject: Bool) async throws {
        let name: JSONValue = ofSubject ? "did:example:other" : "urn:uuid:7"
        let member = ofSubject ? "credentialSubject" : "credentialStatus"
        let restricted = "https://example.org/restricted"
        let second: JSONObject = ["id": name, "type": "https://example.org/Kind", restricted: "yes"]
        let members = try scene.members { members in
            guard var subject = members["credentialSubject"]?.objectValue else { return }
            subject[Self.knows] = ["id": name]
            members["credentialSubject"] = .object(subject)
            members[member] = ofSubject ? [.object(subject), .object(second)] : .object(second)
        }
        let verification = try await verification(of: members) { members in
            var rest = second
            rest[restricted] = nil
            let subjects = try #require(members["credentialSubject"]?.elements)
            var subject = try #require(subjects.first?.objectValue)
            subject[Self.knows] = ["id": name, restricted: "yes"]
            members["credentialSubject"] = .object(subject)
            members[member] = ofSubject ? [.object(subject), .object(rest)] : .object(rest)
        }
        expectDisplacement(verification, by: "@id")
    }

    /// A node deeper in a subject: with the statement where the issuer made it, and in another object that names the node.
    @Test(arguments: [true, false])
    func refusesAStatementThatMovesBetweenTwoObjectsOfOneNode(all: Bool) async throws {
        let status = "https://example.org/status"
        let evidence = "https://example.org/reference"
        let members = try scene.members { members in
            guard var subject = members["credentialSubject"]?.objectValue else { return }
            subject[Self.knows] = ["id": "urn:b", "https://example.org/name": "B", status: "revoked"]
            members["credentialSubject"] = .object(subject)
            members[evidence] = ["id": "urn:b"]
        }
        let verification = try await verification(of: members) { members in
            var subject = try #require(members["credentialSubject"]?.objectValue)
            subject[Self.knows] = all ? ["id": "urn:b"] : ["id": "urn:b", "https://example.org/name": "B"]
            members["credentialSubject"] = .object(subject)
            members[evidence] =
                all
                ? ["id": "urn:b", "https://example.org/name": "B", status: "revoked"]
                : ["id": "urn:b", status: "revoked"]
        }
        expectDisplacement(verification, by: "@id")
    }

    /// Every statement of a subject moves to another object that names it.
    @Test func refusesASubjectThatIsDescribedElsewhere() async throws {
        let members = try scene.members { members in
            members[Self.knows] = ["id": members["credentialSubject"]?["id"] ?? .null]
        }
        #expect(try await verification(of: members) { _ in }.verified != nil)
        let verification = try await verification(of: members) { members in
            let subject = members["credentialSubject"]
            members["credentialSubject"] = members[Self.knows]
            members[Self.knows] = subject
        }
        expectDisplacement(verification, by: "@id")
    }

    @Test func refusesAStatementThatMovesInsideAGraph() async throws {
        let graph = "https://example.org/graph"
        let status = "https://example.org/status"
        func claims(_ first: JSONValue, _ second: JSONValue) -> JSONValue {
            ["@graph": ["id": "urn:a", "https://example.org/p": first, "https://example.org/q": second]]
        }
        let members = try scene.members { members in
            members[graph] = claims(["id": "urn:b", status: "revoked"], ["id": "urn:b"])
        }
        let verification = try await verification(of: members) { members in
            members[graph] = claims(["id": "urn:b"], ["id": "urn:b", status: "revoked"])
        }
        expectDisplacement(verification, by: "@id")
    }

    /// A node may be named anywhere by its identifier alone, and described in full anywhere.
    @Test func takesNodesThatAreDescribedInOneWay() async throws {
        let place: JSONValue = ["id": "urn:c", "https://example.org/in": ["https://example.org/name": "C"]]
        let members = try scene.members { members in
            let holder = members["credentialSubject"]?["id"] ?? .null
            guard var subject = members["credentialSubject"]?.objectValue else { return }
            subject[Self.knows] = ["id": "urn:b"]
            subject["https://example.org/from"] = place
            subject["https://example.org/image"] = ["id": "https://example.org/image.png"]
            members["credentialSubject"] = .object(subject)
            members["https://example.org/about"] = [["id": holder], ["id": "urn:b"]]
            members["https://example.org/place"] = place
            members["credentialStatus"] = ["id": "urn:uuid:7", "type": "https://example.org/Status"]
            members["https://example.org/entry"] = ["id": "urn:uuid:7"]
            members["relatedResource"] = ["id": "https://example.org/image.png", "digestSRI": "sha256-AAAA"]
        }
        let verification = try await verification(of: members) { _ in }
        #expect(verification.verified != nil, "\(String(describing: verification.refusal))")
        #expect(verification.deviations.map(\.tolerance) == ["ownContext"])
    }

    @Test func takesASchemaWhoseDigestStandsInARelatedResource() async throws {
        let schema: JSONValue = "https://example.org/schema.json"
        let members = try scene.members { members in
            members["credentialSchema"] = ["id": schema, "type": "https://example.org/Schema"]
            members["relatedResource"] = ["id": schema, "digestSRI": "sha256-AAAA", "mediaType": "application/json"]
        }
        #expect(try await verification(of: members) { _ in }.verified != nil)
        let moved = try await verification(of: members) { members in
            members["credentialSchema"] = [
                "id": schema, "type": "https://example.org/Schema", "mediaType": "application/json",
            ]
            members["relatedResource"] = ["id": schema, "digestSRI": "sha256-AAAA"]
        }
        expectDisplacement(moved, by: "@id")
    }

    @Test func toleratesSharedNodesByName() async throws {
        let status: ExactText = "https://example.org/status"
        let members = try scene.members { members in
            guard var subject = members["credentialSubject"]?.objectValue else { return }
            subject[Self.knows] = ["id": "urn:b"]
            members["credentialSubject"] = .object(subject)
            members["https://example.org/reference"] = ["id": "urn:b", status.text: "revoked"]
        }
        let signed = VerifiableCredential(.linkedData(try await scene.sign(members, scene.issuer)))
        let verification = try await scene.verifier { $0.tolerances = [.sharedNodes] }.verify(signed)
        #expect(verification.deviations.contains { $0.tolerance == "sharedNodes" && $0.path == ["@id"] })
        // The graph says it of the node, wherever it stands.
        let path: [ExactText] = [ExactText(Self.vocabulary + "credentialSubject"), ExactText(Self.knows), status]
        #expect(try verification.verified?.values(ofProperties: path) == [["@value": "revoked"]])
    }

    /// An issuer may be described wherever it is named, which is reported.
    @Test func takesAnIssuerThatIsDescribedTwice() async throws {
        let issuer: JSONObject = ["id": .string(try scene.issuerDID.text), "name": "A school"]
        let members = try scene.members { members in
            members["issuer"] = .object(issuer)
            guard var subject = members["credentialSubject"]?.objectValue else { return }
            subject[Self.knows] = ["id": issuer["id"] ?? .null, "type": "https://example.org/School"]
            members["credentialSubject"] = .object(subject)
        }
        let verification = try await verification(of: members) { _ in }
        #expect(verification.verified != nil, "\(String(describing: verification.refusal))")
        #expect(verification.deviations.contains { $0.tolerance == "sharedNodes" })
    }
}

extension JSONValue {
    fileprivate var elements: [JSONValue] { arrayValue ?? [self] }
}
