import Foundation
import JOSEKit
import JSONKit
import LinkedDataKit
import Testing
import VerificationCore

/// Claims of a token that stand beside the members of its document.
struct TokenClaimTests {
    private typealias Form = CredentialScene.Form

    /// The verification of a credential whose members and claims are changed before it is signed.
    private func verification(
        _ scene: CredentialScene,
        members change: (inout JSONObject) throws -> Void = { _ in },
        claims changeClaims: (inout JWTClaims) throws -> Void,
        _ changePolicy: (inout W3CCredentialPolicy) -> Void = { _ in }
    ) async throws -> Verification<VerifiedW3CCredential> {
        var claims = try W3CCredentialContent(json: scene.members()).tokenClaims
        var members = try scene.members()
        try change(&members)
        if scene.form == .token1 {
            claims["vc"] = .object(members)
        } else {
            claims = JWTClaims(members)
        }
        try changeClaims(&claims)
        let token = try await scene.token(claims, scene.form == .token1 ? "JWT" : "vc+jwt", scene.issuer)
        return try await scene.verifier(changePolicy).verify(VerifiableCredential(.token(token)))
    }

    private func expectMismatch(
        in claim: String,
        _ verification: Verification<VerifiedW3CCredential>,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let refusal = verification.refusal
        #expect(refusal?.check == .claims, "\(verification.checks)", sourceLocation: sourceLocation)
        #expect(refusal?.reason == "claimMismatch", sourceLocation: sourceLocation)
        #expect(refusal?.path == [claim], sourceLocation: sourceLocation)
    }

    private static let seconds = Int(CredentialScene.now.timeIntervalSince1970)

    // MARK: Diagnosis

    /// The issuer stands in the claims alone.
    @Test func namesTheClaimAndNotWhatItWouldHaveCompleted() async throws {
        let scene = try CredentialScene(.token1)
        let verification = try await verification(scene) { members in
            members["issuer"] = nil
        } claims: { claims in
            claims["nbf"] = .integer(Self.seconds - 86_399)
        }
        expectMismatch(in: "nbf", verification)
    }

    @Test func namesAClaimOfAnotherType() async throws {
        let scene = try CredentialScene(.token1)
        expectMismatch(in: "sub", try await verification(scene) { $0["sub"] = 5 })
    }

    /// A malformed member is named, and not the claim beside it.
    @Test(
        arguments: [
            ("issuanceDate", "2026-01-01"), ("expirationDate", 5), ("issuer", ["name": "University"]), ("issuer", 5),
            ("id", 5), ("credentialSubject", nil), ("credentialSubject", []), ("credentialSubject", "did:example:a"),
            ("credentialSubject", ["did:example:a"]),
        ] as [(String, JSONValue?)]
    )
    func namesAMalformedMember(_ name: String, _ value: JSONValue?) async throws {
        let scene = try CredentialScene(.token1)
        let refusal = try await verification(scene, members: { $0[name] = value }, claims: { _ in }).refusal
        #expect(refusal?.check == .structure)
        #expect(refusal?.reason == "invalidCredential")
        #expect(refusal?.path == [name])
    }

    // MARK: Version 2.0

    @Test func takesASubjectAmongSeveral() async throws {
        let scene = try CredentialScene(.token2)
        let subjects: [[JSONValue]] = [
            [["id": "did:example:a"], ["id": "did:example:b"]], [["degree": "Bachelor"], ["id": "did:example:b"]],
            [["degree": "Bachelor"]], [["degree": "Bachelor"], ["degree": "Master"]],
        ]
        for subjects in subjects {
            let verification = try await verification(scene) { members in
                members["credentialSubject"] = .array(subjects)
            } claims: { claims in
                claims["sub"] = "did:example:b"
            }
            #expect(verification.verified != nil, "\(verification.checks)")
            #expect(verification.deviations.isEmpty)
        }
    }

    @Test func refusesASubjectThatIsNone() async throws {
        let scene = try CredentialScene(.token2)
        let subjects: [[JSONValue]] = [
            [["id": "did:example:a"], ["id": "did:example:b"]], [["degree": "Bachelor"], ["id": "did:example:b"]],
            [["id": "did:example:a"]],
        ]
        for subjects in subjects {
            let verification = try await verification(scene) { members in
                members["credentialSubject"] = .array(subjects)
            } claims: { claims in
                claims["sub"] = "did:example:c"
            }
            expectMismatch(in: "sub", verification)
        }
    }

    @Test func refusesAnotherIssuer() async throws {
        let scene = try CredentialScene(.token2)
        expectMismatch(in: "iss", try await verification(scene) { $0["iss"] = "did:example:other" })
    }

    @Test func reportsAnotherIdentifierOfTheToken() async throws {
        let scene = try CredentialScene(.token2)
        let verification = try await verification(scene) { $0["jti"] = "urn:uuid:other" }
        let content = try #require(verification.verified?.content, "\(verification.checks)")
        #expect(content.members == (try scene.members()))
        #expect(verification.deviations.map(\.tolerance) == ["tokenID"])
        #expect(verification.deviations.map(\.path) == [["jti"]])
        let equal = try await self.verification(scene) { $0["jti"] = .string(content.id?.text ?? "") }
        #expect(equal.verified != nil)
        #expect(equal.deviations.isEmpty)
        let alone = try await self.verification(
            scene,
            members: { $0["id"] = nil },
            claims: { $0["jti"] = "urn:uuid:other" }
        )
        #expect(alone.verified?.content.id == nil)
        #expect(alone.verified != nil)
        #expect(alone.deviations.isEmpty)
    }

    @Test func reportsAnotherIdentifierOfAPresentation() async throws {
        for (form, isTaken) in [(Form.token2, true), (.token1, false)] {
            let scene = try CredentialScene(form)
            let presentation = try await scene.presentation(of: []) { members in
                members["id"] = "urn:uuid:presentation"
            } claims: { claims in
                claims["jti"] = "urn:uuid:other"
            }
            let verification = try await scene.verifier().verify(presentation, expecting: CredentialScene.expectation)
            #expect((verification.verified != nil) == isTaken, "\(verification.checks)")
            #expect(verification.deviations.map(\.path) == (isTaken ? [["jti"]] : []))
            #expect(verification.refusal?.path == (isTaken ? nil : ["jti"]))
        }
    }

    // MARK: Version 1.1

    @Test(arguments: ["iss", "sub", "jti"])
    func refusesAnotherNameInVersion1(_ claim: String) async throws {
        let scene = try CredentialScene(.token1)
        expectMismatch(in: claim, try await verification(scene) { $0[claim] = "did:example:other" })
    }

    @Test func refusesASubjectBesideSeveralInVersion1() async throws {
        let scene = try CredentialScene(.token1)
        let verification = try await verification(scene) { members in
            members["credentialSubject"] = [["id": "did:example:a"], ["id": "did:example:b"]]
        } claims: { claims in
            claims["sub"] = "did:example:b"
        }
        expectMismatch(in: "sub", verification)
    }

    @Test(arguments: [("nbf", -86_399), ("nbf", -86_401), ("exp", 86_399), ("exp", 86_401)])
    func takesTheTimesOfClaimsByName(_ claim: String, _ offset: Int) async throws {
        let scene = try CredentialScene(.token1)
        let verification = try await verification(scene) { claims in
            claims[claim] = .integer(Self.seconds + offset)
        } _: { policy in
            policy.tolerances = [.claimTimes]
        }
        let content = try #require(verification.verified?.content, "\(verification.checks)")
        let time = CredentialScene.now.addingTimeInterval(TimeInterval(offset))
        #expect((claim == "nbf" ? content.validFrom : content.validUntil) == time)
        var members = try scene.members()
        members[claim == "nbf" ? "issuanceDate" : "expirationDate"] = .string(time.formatted(.iso8601))
        #expect(content.members == members)
        #expect(verification.deviations.map(\.tolerance) == ["claimTimes"])
        #expect(verification.deviations.map(\.path) == [[claim]])
    }

    @Test func reportsNoDeviationOfEqualTimes() async throws {
        let scene = try CredentialScene(.token1)
        let verification = try await verification(scene) { _ in
        } _: { policy in
            policy.tolerances = [.claimTimes]
        }
        #expect(verification.verified?.content.members == (try scene.members()))
        #expect(verification.deviations.isEmpty)
    }

    /// The time that the claim gives is held to, and the structure with it.
    @Test(
        arguments: [
            ("exp", -61, "validity", "expired"), ("nbf", 61, "validity", "notYetValid"),
            ("exp", -172_800, "structure", "invalidCredential"),
        ]
    )
    func refusesTimesOfClaimsThatDoNotHold(
        _ claim: String,
        _ offset: Int,
        _ check: Check,
        _ reason: Reason
    ) async throws {
        let scene = try CredentialScene(.token1)
        let verification = try await verification(scene) { claims in
            claims[claim] = .integer(Self.seconds + offset)
        } _: { policy in
            policy.tolerances = [.claimTimes]
        }
        #expect(verification.refusal?.check == check)
        #expect(verification.refusal?.reason == reason)
    }

    @Test(arguments: ["iss", "sub", "jti"])
    func refusesAnotherNameBesideTolerances(_ claim: String) async throws {
        let scene = try CredentialScene(.token1)
        let verification = try await verification(scene) { claims in
            claims[claim] = "did:example:other"
        } _: { policy in
            policy.tolerances = [.claimTimes, .otherForms, .sharedNodes]
        }
        expectMismatch(in: claim, verification)
    }

    /// In 2.0 the times of the claims are those of the signature.
    @Test func keepsTheTimesOfVersion2() async throws {
        let scene = try CredentialScene(.token2)
        let verification = try await verification(scene) { claims in
            claims["nbf"] = .integer(Self.seconds - 1)
            claims["exp"] = .integer(Self.seconds + 1)
        } _: { policy in
            policy.tolerances = [.claimTimes]
        }
        #expect(verification.verified?.content.members == (try scene.members()), "\(verification.checks)")
        #expect(verification.deviations.isEmpty)
    }

    @Test(arguments: ["nbf", "exp"])
    func refusesAnotherTimeInVersion1(_ claim: String) async throws {
        let scene = try CredentialScene(.token1)
        let time = Self.seconds + (claim == "nbf" ? -86_399 : 86_401)
        expectMismatch(in: claim, try await verification(scene) { $0[claim] = .integer(time) })
    }
}
