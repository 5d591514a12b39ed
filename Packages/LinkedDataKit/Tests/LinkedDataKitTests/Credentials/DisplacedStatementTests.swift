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

    /// An issuer may be described wherever it is named.
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
    }
}

extension JSONValue {
    fileprivate var elements: [JSONValue] { arrayValue ?? [self] }
}
