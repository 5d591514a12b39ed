import CBORKit
import CryptoCore
import Foundation
import MdocKit
import MdocResults
import Synchronization
import Testing

/// Both ends of every period belong to it, and a verification reads its clock once.
@Suite struct TimeTests {
    private func outcome(
        _ check: Check,
        _ utopia: Utopia,
        _ policy: MdocVerificationPolicy = .strict,
        at time: Date
    ) async throws -> CheckResult.Outcome? {
        let verifier = MdocVerifier(
            trustAnchors: [TrustAnchor(utopia.iaca.certificate)],
            policy: policy,
            chainCache: nil,
            clock: { time }
        )
        let verification = try await utopia.verify(utopia.present(utopia.licence()), with: verifier)
        return verification.documents.first?.checks.first { $0.check == check }?.outcome
    }

    private func reason(_ outcome: CheckResult.Outcome?) -> FailureReason? {
        if case .failed(let reason, _) = outcome { FailureReason(reason) } else { nil }
    }

    @Test func periodOfTheCredential() async throws {
        let utopia = try await Utopia()
        let validity = Utopia.validity
        for time in [validity.validFrom, validity.validUntil] {
            #expect(try await outcome(.validity, utopia, at: time) == .passed)
        }
        let early = try await outcome(.validity, utopia, at: validity.validFrom - 1)
        #expect(reason(early) == .mobileCredentialNotYetValid)
        let late = try await outcome(.validity, utopia, at: validity.validUntil + 1)
        #expect(reason(late) == .mobileCredentialExpired)
    }

    @Test func clocksMayDiffer() async throws {
        let utopia = try await Utopia()
        let validity = Utopia.validity
        for (time, reason) in [
            (validity.validFrom - 60, nil), (validity.validFrom - 61, .mobileCredentialNotYetValid),
            (validity.validUntil + 60, nil), (validity.validUntil + 61, .mobileCredentialExpired),
        ] as [(Date, FailureReason?)] {
            let found = try await outcome(.validity, utopia, .deployed, at: time)
            #expect(self.reason(found) == reason, "\(time)")
            #expect((found == .passed) == (reason == nil))
        }
        var policy = MdocVerificationPolicy.strict
        policy.clockSkew = -100
        #expect(try await outcome(.validity, utopia, policy, at: validity.validFrom) == .passed)
    }

    @Test func periodOfTheSignersCertificate() async throws {
        let utopia = try await Utopia()
        let certificate = utopia.documentSigner
        for time in [certificate.notValidBefore, certificate.notValidAfter] {
            #expect(try await outcome(.certificateValidity, utopia, at: time) == .passed)
        }
        let late = try await outcome(.certificateValidity, utopia, at: certificate.notValidAfter + 1)
        #expect(reason(late) == .invalidSignerCertificate)
    }

    @Test func periodOfTheTrustAnchor() async throws {
        let utopia = try await Utopia()
        let start = Utopia.now - Utopia.day
        let end = Utopia.now + Utopia.day
        let anchor = try await CertificateAuthority.root(
            subject: utopia.iaca.certificate.subject,
            signer: utopia.iaca.signer,
            validity: start...end,
            pathLength: 0
        )
        let response = try await utopia.present(utopia.licence())
        let expected: [(Date, FailureReason?)] = [
            (start - 1, .trustedIssuerCertificateNotYetValid), (start, nil), (end, nil),
            (end + 1, .trustedIssuerCertificateExpired),
        ]
        for (time, reason) in expected {
            let verifier = MdocVerifier(trustAnchors: [TrustAnchor(anchor.certificate)], clock: { time })
            let document = try #require(try await utopia.verify(response, with: verifier).documents.first)
            let verdict = document.checks.first { $0.check == .certificateValidity }?.outcome
            #expect(self.reason(verdict) == reason, "\(time)")
            #expect((verdict == .passed) == (reason == nil))
        }
    }

    @Test func signedWithinTheCertificatesPeriod() async throws {
        let utopia = try await Utopia()
        let certificate = utopia.documentSigner
        let format = Date.ISO8601FormatStyle()
        let expected: [(Date, Bool)] = [
            (certificate.notValidBefore - 1, false), (certificate.notValidBefore, true),
            (certificate.notValidAfter, true), (certificate.notValidAfter + 1, false),
        ]
        for (time, isWithin) in expected {
            let licence = try await utopia.licence(options: .deployed) { object in
                object.change("validityInfo") { $0.set("signed", .tagged(0, .text(time.formatted(format)))) }
            }
            let verdict = utopia.verifier().verifyForStorage(licence).checks.first { $0.check == .signingTime }?.outcome
            #expect((verdict == .passed) == isWithin, "\(time)")
            #expect(reason(verdict) == (isWithin ? nil : .mobileCredentialInvalid))
        }
    }

    /// A credential may be signed before it becomes valid, and not after the time of the verification.
    @Test func signedInTheFuture() async throws {
        let utopia = try await Utopia()
        let format = Date.ISO8601FormatStyle()
        for (signed, from, passes) in [
            (Utopia.now, Utopia.now, true), (Utopia.now + 1, Utopia.now, false),
            (Utopia.now + Utopia.day, Utopia.now - Utopia.day, false), (Utopia.now - 1, Utopia.now, true),
            (Utopia.now + 91 * Utopia.day, Utopia.now - Utopia.day, false),
            (Utopia.now + Utopia.day, Utopia.now + Utopia.day, false),
        ] {
            let licence = try await utopia.licence(options: .deployed) { object in
                object.change("validityInfo") { info in
                    info.set("signed", .tagged(0, .text(signed.formatted(format))))
                    info.set("validFrom", .tagged(0, .text(from.formatted(format))))
                }
            }
            #expect(licence.deviations.map(\.tolerance) == (signed > from ? [.signedAfterValidFrom] : []))
            let verification = utopia.verifier().verifyForStorage(licence)
            if passes {
                guard case .verified = verification.verdict else {
                    Issue.record("\(verification.checks)")
                    continue
                }
            } else {
                guard let failure = verification.failure else {
                    Issue.record("signed at \(signed) and verified")
                    continue
                }
                // A credential that is not valid yet is reported as such, though it is signed in the future as well.
                #expect(failure.check == .validity)
                #expect(failure.reason == (from > Utopia.now ? .mobileCredentialNotYetValid : .mobileCredentialInvalid))
            }
        }
    }

    /// If both the trust anchor and the signer are outside their validity, the trust anchor is reported.
    @Test func anchorAndSignerBothOutsideTheirValidity() async throws {
        let utopia = try await Utopia()
        let (anchor, signer) = (utopia.iaca.certificate, utopia.documentSigner)
        let licence = try await utopia.licence()
        for (time, reason) in [
            (anchor.notValidAfter + 1, FailureReason.trustedIssuerCertificateExpired),
            (anchor.notValidBefore - 1, .trustedIssuerCertificateNotYetValid),
        ] {
            try #require(!(signer.notValidBefore...signer.notValidAfter).contains(time))
            guard let failure = utopia.verifier(at: time).verifyForStorage(licence).failure else {
                Issue.record("verified")
                continue
            }
            #expect(failure.check == .certificateValidity)
            #expect(failure.reason == reason)
        }
    }

    @Test func theClockIsReadOncePerVerification() async throws {
        let utopia = try await Utopia()
        let response = try await utopia.present(utopia.licence())
        var message = try CBOR(decoding: [UInt8](response.encodedBytes))
        message.change("documents") { documents in
            guard let one = documents.arrayValue?.first else { return }
            documents = .array([one, one, one])
        }
        let reads = Mutex(0)
        let checker = FixedStatusChecker(.valid(asOf: Utopia.now))
        let verifier = MdocVerifier(
            trustAnchors: [TrustAnchor(utopia.iaca.certificate)],
            statusChecker: checker,
            signerRevocationChecker: SignerRevocationChecker(),
            clock: {
                reads.withLock { $0 += 1 }
                return Utopia.now
            }
        )
        let several = try DeviceResponse(decoding: message.encoded())
        let verification = try await utopia.verify(several, with: verifier)
        #expect(verification.verifiedDocuments.count == 3)
        #expect(verification.time == Utopia.now)
        #expect(reads.withLock { $0 } == 1)
        // The time is not that of the verifier's making: a later verification asks again.
        _ = try await utopia.verify(several, with: verifier)
        #expect(reads.withLock { $0 } == 2)
    }
}
