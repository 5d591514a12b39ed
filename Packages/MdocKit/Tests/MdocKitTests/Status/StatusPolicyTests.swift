import CBORKit
import CryptoCore
import Foundation
import MdocKit
import Testing

/// When a verifier asks for the status of a credential, and what comes of the answer.
@Suite struct StatusPolicyTests {
    private static let status = MobileSecurityObject.Status(
        statusList: MobileSecurityObject.Status.StatusList(index: 1, uri: "https://utopia.example/lists/1")
    )

    private func verification(
        _ utopia: Utopia,
        status: MobileSecurityObject.Status? = status,
        checker: (any CredentialStatusChecking)? = nil,
        policy: MdocVerificationPolicy = MdocVerificationPolicy(),
        skipStatusCheck: Bool = false
    ) async throws -> DocumentVerification {
        var builder = try utopia.builder()
        builder.status = status
        let verifier = MdocVerifier(
            trustAnchors: [TrustAnchor(utopia.iaca.certificate)],
            policy: policy,
            statusChecker: checker,
            clock: { Utopia.now }
        )
        let verification = try await verifier.verify(
            utopia.present(utopia.issue(builder)),
            sessionTranscript: utopia.transcript,
            skipStatusCheck: skipStatusCheck
        )
        return try #require(verification.documents.first)
    }

    private func outcome(_ verification: DocumentVerification) -> CheckOutcome.Verdict? {
        verification.checks.last { $0.check == .status }?.verdict
    }

    private func isNotMade(_ verification: DocumentVerification) -> Bool {
        if case .notMade = outcome(verification) { true } else { false }
    }

    @Test(
        arguments: [
            (.valid, nil), (.revoked("r"), .statusRevoked), (.suspended("s"), .statusSuspended),
            (.unknown("u"), .statusUnknown),
        ] as [(CredentialStatusVerdict, FailureReason?)]
    )
    func whatTheCheckerSaysDecides(_ verdict: CredentialStatusVerdict, reason: FailureReason?) async throws {
        let utopia = try await Utopia()
        let checker = FixedStatusChecker(verdict)
        let verification = try await verification(utopia, checker: checker)
        #expect(verification.failure?.reason == reason)
        #expect(verification.failure.map(\.check) == reason.map { _ in .status })
        #expect((verification.verifiedDocument != nil) == (reason == nil))
        #expect(verification.checks.map(\.check) == MdocCheck.all)
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
    }

    @Test func skippedByTheCaller() async throws {
        let checker = FixedStatusChecker(.revoked("r"))
        let verification = try await verification(Utopia(), checker: checker, skipStatusCheck: true)
        #expect(verification.verifiedDocument != nil)
        #expect(isNotMade(verification))
        #expect(checker.questions.isEmpty)
    }

    /// A status without a value does not make a revocable credential acceptable.
    @Test(arguments: [CBOR.null, .undefined, [:], ["later": 1]])
    func aStatusThatNamesNoMechanism(_ status: CBOR) async throws {
        let utopia = try await Utopia()
        let licence = try await utopia.licence { $0.set("status", status) }
        for checker in [MdocStatusChecker(transport: nil), nil] {
            let verifier = MdocVerifier(
                trustAnchors: [TrustAnchor(utopia.iaca.certificate)],
                policy: .tolerant,
                statusChecker: checker,
                clock: { Utopia.now }
            )
            let response = try await utopia.verify(utopia.present(licence), with: verifier)
            #expect(response.documents.first?.failure?.reason == .statusUnknown)
            guard case .refused(let failure) = await verifier.verify(licence, skipStatusCheck: false).verdict else {
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
            (.valid, nil), (.revoked("r"), .statusRevoked), (.suspended("s"), .statusSuspended),
            (.unknown("u"), .statusUnknown),
        ] as [(CredentialStatusVerdict, FailureReason?)]
    )
    func theStatusOfACredentialByItself(_ verdict: CredentialStatusVerdict, reason: FailureReason?) async throws {
        let utopia = try await Utopia()
        var builder = try utopia.builder()
        builder.status = Self.status
        let credential = try await utopia.issue(builder)
        let checker = FixedStatusChecker(verdict)
        let verifier = MdocVerifier(
            trustAnchors: [TrustAnchor(utopia.iaca.certificate)],
            statusChecker: checker,
            clock: { Utopia.now }
        )
        let verification = await verifier.verify(credential, skipStatusCheck: false)
        if case .refused(let failure) = verification.verdict {
            #expect(failure.reason == reason)
            #expect(failure.check == .status)
        } else {
            #expect(reason == nil)
        }
        let session: Set<MdocCheck> = [.keyAuthorizations, .deviceAuthentication]
        #expect(verification.checks.map(\.check) == MdocCheck.all.filter { !session.contains($0) })
        #expect(checker.questions.count == 1)
        guard case .verified = await verifier.verify(credential, skipStatusCheck: true).verdict else {
            Issue.record("refused without a check of the status")
            return
        }
        let key = try PrivateKey.generate(.p256).publicKey
        let other = await verifier.verify(credential, deviceKey: key, skipStatusCheck: false)
        guard case .refused(let failure) = other.verdict else {
            Issue.record("bound to another key and verified")
            return
        }
        #expect(failure.check == .deviceKey)
        #expect(checker.questions.count == 1)
    }

    @Test func noStatusInTheCredential() async throws {
        let checker = FixedStatusChecker(.revoked("r"))
        let verification = try await verification(Utopia(), status: nil, checker: checker)
        #expect(verification.verifiedDocument != nil)
        #expect(isNotMade(verification))
        #expect(checker.questions.isEmpty)
    }

    @Test(arguments: [(false, FailureReason.statusUnknown), (true, nil)] as [(Bool, FailureReason?)])
    func noStatusWhereOneIsRequired(_ skips: Bool, reason: FailureReason?) async throws {
        var policy = MdocVerificationPolicy()
        policy.requiresStatus = true
        let checker = FixedStatusChecker(.valid)
        let verification = try await verification(
            Utopia(),
            status: nil,
            checker: checker,
            policy: policy,
            skipStatusCheck: skips
        )
        #expect(verification.failure?.reason == reason)
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
        let checker = FixedStatusChecker(.revoked("r"))
        let verifier = MdocVerifier(
            trustAnchors: [],
            statusChecker: checker,
            clock: { Utopia.now }
        )
        let verification = try await verifier.verify(
            utopia.present(utopia.issue(builder)),
            sessionTranscript: utopia.transcript
        )
        let document = try #require(verification.documents.first)
        #expect(document.failure?.reason == .issuerNotTrusted)
        #expect(isNotMade(document))
        #expect(checker.questions.isEmpty)
    }

    @Test(arguments: [(.valid, nil), (.revoked("r"), .statusRevoked)] as [(CredentialStatusVerdict, FailureReason?)])
    func aCredentialByItselfIsAskedForSeparately(
        _ verdict: CredentialStatusVerdict,
        reason: FailureReason?
    ) async throws {
        let utopia = try await Utopia()
        var builder = try utopia.builder()
        builder.status = Self.status
        let verifier = MdocVerifier(
            trustAnchors: [TrustAnchor(utopia.iaca.certificate)],
            statusChecker: FixedStatusChecker(verdict),
            clock: { Utopia.now }
        )
        let verification = verifier.verify(try await utopia.issue(builder))
        #expect(!verification.checks.map(\.check).contains(.status))
        guard case .verified(let credential) = verification.verdict else {
            Issue.record("\(verification.checks)")
            return
        }
        let outcomes = await verifier.revocationChecks(of: credential)
        #expect(outcomes.map(\.check) == [.signerRevocation, .status])
        let expected: CheckOutcome.Verdict = reason.map { .failed($0, "r") } ?? .passed
        #expect(outcomes.last?.verdict == expected)
    }
}
