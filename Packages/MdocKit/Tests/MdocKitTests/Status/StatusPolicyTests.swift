import CBORKit
import CryptoCore
import Foundation
import MdocKit
import MdocResults
import Testing

/// When a verifier asks for the status of a credential, and what comes of the answer.
@Suite struct StatusPolicyTests {
    private static let status = MobileSecurityObject.Status(
        statusList: MobileSecurityObject.Status.StatusList(index: 1, uri: "https://utopia.example/lists/1")
    )

    private func verification(
        _ utopia: Utopia,
        status: MobileSecurityObject.Status? = status,
        checker: (any MdocStatusChecking)? = nil,
        policy statusPolicy: StatusPolicy = .whenNamed
    ) async throws -> Verification<VerifiedMdocDocument> {
        var builder = try utopia.builder()
        builder.status = status
        var policy = MdocVerificationPolicy()
        policy.status = statusPolicy
        let verifier = MdocVerifier(
            trustAnchors: [TrustAnchor(utopia.iaca.certificate)],
            policy: policy,
            statusChecker: checker,
            clock: { Utopia.now }
        )
        let response = try await utopia.present(utopia.issue(builder))
        let verification = await verifier.verify(response, sessionTranscript: utopia.transcript)
        return try #require(verification.documents.first)
    }

    private func outcome(_ verification: Verification<VerifiedMdocDocument>) -> CheckResult.Outcome? {
        verification.checks.last { $0.check == .status }?.outcome
    }

    @Test(
        arguments: [
            (.valid(asOf: Utopia.now), nil), (.revoked, .statusRevoked), (.suspended, .statusSuspended),
            (.unknown("u"), .statusUnknown), (.application(3), .statusUnknown),
        ] as [(CredentialStatus, FailureReason?)]
    )
    func whatTheCheckerSaysDecides(_ status: CredentialStatus, reason: FailureReason?) async throws {
        let utopia = try await Utopia()
        let checker = FixedStatusChecker(status)
        let verification = try await verification(utopia, checker: checker)
        #expect(verification.failure?.reason == reason)
        #expect(verification.failure.map(\.check) == reason.map { _ in .status })
        #expect((verification.verified != nil) == (reason == nil))
        #expect(verification.checks.map(\.check) == MdocVerifier.documentChecks)
        let question = try #require(checker.questions.first)
        #expect(checker.questions.count == 1)
        #expect(question.status == Self.status)
        #expect(question.signer.anchor == utopia.iaca.certificate)
        #expect(question.time == Utopia.now)
    }

    @Test func aStatusWithoutACheckerIsUnknown() async throws {
        let verification = try await verification(Utopia())
        #expect(verification.failure?.reason == .statusUnknown)
        #expect(verification.failure?.check == .status)
        #expect(verification.refusal?.isUnavailable == true)
    }

    @Test func waivedByThePolicy() async throws {
        let checker = FixedStatusChecker(.revoked)
        let verification = try await verification(Utopia(), checker: checker, policy: .waived)
        #expect(verification.verified != nil)
        #expect(outcome(verification) == .waived("status"))
        #expect(checker.questions.isEmpty)
    }

    /// A status without a value does not make a revocable credential acceptable.
    @Test(arguments: [CBOR.null, .undefined, [:], ["later": 1]])
    func aStatusThatNamesNoMechanism(_ status: CBOR) async throws {
        let utopia = try await Utopia()
        let licence = try await utopia.licence(options: .deployed) { $0.set("status", status) }
        for checker in [MdocStatusChecker(transport: nil), nil] {
            let verifier = MdocVerifier(
                trustAnchors: [TrustAnchor(utopia.iaca.certificate)],
                policy: .deployed,
                statusChecker: checker,
                clock: { Utopia.now }
            )
            let response = try await utopia.verify(utopia.present(licence), with: verifier)
            #expect(response.documents.first?.failure?.reason == .statusUnknown)
            guard let failure = await verifier.verify(licence).failure else {
                Issue.record("verified")
                continue
            }
            #expect(failure.reason == .statusUnknown)
        }
    }

    /// The status of a single credential is checked like that of one in a response, and only if every other check
    /// passes.
    @Test(
        arguments: [
            (.valid(asOf: Utopia.now), nil), (.revoked, .statusRevoked), (.suspended, .statusSuspended),
            (.unknown("u"), .statusUnknown), (.application(3), .statusUnknown),
        ] as [(CredentialStatus, FailureReason?)]
    )
    func theStatusOfACredentialByItself(_ status: CredentialStatus, reason: FailureReason?) async throws {
        let utopia = try await Utopia()
        var builder = try utopia.builder()
        builder.status = Self.status
        let credential = try await utopia.issue(builder)
        let checker = FixedStatusChecker(status)
        let verifier = MdocVerifier(
            trustAnchors: [TrustAnchor(utopia.iaca.certificate)],
            statusChecker: checker,
            clock: { Utopia.now }
        )
        let verification = await verifier.verify(credential)
        if let failure = verification.failure {
            #expect(failure.reason == reason)
            #expect(failure.check == .status)
        } else {
            #expect(reason == nil)
        }
        #expect(verification.checks.map(\.check) == MdocVerifier.issuerSignedChecks)
        #expect(checker.questions.count == 1)
        guard case .verified = await verifier.withStatusPolicy(.waived).verify(credential).verdict else {
            Issue.record("refused without a check of the status")
            return
        }
        let key = try PrivateKey.generate(.p256).publicKey
        let other = await verifier.verify(credential, deviceKey: key)
        guard let failure = other.failure else {
            Issue.record("bound to another key and verified")
            return
        }
        #expect(failure.check == .deviceKey)
        #expect(checker.questions.count == 1)
    }

    @Test func noStatusInTheCredential() async throws {
        let checker = FixedStatusChecker(.revoked)
        let verification = try await verification(Utopia(), status: nil, checker: checker)
        #expect(verification.verified != nil)
        #expect(outcome(verification) == .notApplicable("the credential names no status"))
        #expect(checker.questions.isEmpty)
    }

    @Test func noStatusWhereOneIsRequired() async throws {
        let checker = FixedStatusChecker(.valid(asOf: Utopia.now))
        let verification = try await verification(Utopia(), status: nil, checker: checker, policy: .required)
        #expect(verification.failure?.reason == .statusUnknown)
        #expect(verification.refusal?.isUnavailable == false)
    }

    /// A status with only an unknown mechanism.
    @Test func aStatusWithoutAKnownMechanismIsNotValid() async throws {
        let utopia = try await Utopia()
        let licence = try await utopia.licence { $0.set("status", ["org.example.other": [:]]) }
        #expect(licence.mobileSecurityObject.status == MobileSecurityObject.Status())
        let document = try #require(try await utopia.verify(utopia.present(licence)).documents.first)
        #expect(document.failure?.reason == .statusUnknown)
    }

    @Test func aCredentialThatIsRefusedAnywayIsNotAskedFor() async throws {
        let utopia = try await Utopia()
        var builder = try utopia.builder()
        builder.status = Self.status
        let checker = FixedStatusChecker(.revoked)
        let verifier = MdocVerifier(
            trustAnchors: [],
            statusChecker: checker,
            clock: { Utopia.now }
        )
        let response = try await utopia.present(utopia.issue(builder))
        let verification = await verifier.verify(response, sessionTranscript: utopia.transcript)
        let document = try #require(verification.documents.first)
        #expect(document.failure?.reason == .issuerNotTrusted)
        #expect(outcome(document) == .notReached)
        #expect(checker.questions.isEmpty)
    }

    @Test(arguments: [(.valid(asOf: Utopia.now), nil), (.revoked, .revoked)] as [(CredentialStatus, Reason?)])
    func aCredentialByItselfIsAskedForSeparately(
        _ status: CredentialStatus,
        reason: Reason?
    ) async throws {
        let utopia = try await Utopia()
        var builder = try utopia.builder()
        builder.status = Self.status
        let verifier = MdocVerifier(
            trustAnchors: [TrustAnchor(utopia.iaca.certificate)],
            statusChecker: FixedStatusChecker(status),
            clock: { Utopia.now }
        )
        let verification = verifier.verifyForStorage(try await utopia.issue(builder))
        #expect(verification.outcome(of: .status) == .waived("storage"))
        #expect(verification.outcome(of: .signerRevocation) == .waived("storage"))
        guard case .verified(let credential) = verification.verdict else {
            Issue.record("\(verification.checks)")
            return
        }
        let revocation = await verifier.verifyRevocation(of: credential)
        #expect(revocation.checks.map(\.check) == [.signerRevocation, .status])
        #expect(revocation.refusal?.reason == reason)
    }
}
