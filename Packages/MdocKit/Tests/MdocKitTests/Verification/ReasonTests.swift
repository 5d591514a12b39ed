import CBORKit
import CredentialTesting
import CryptoCore
import Foundation
import MdocKit
import MdocResults
import StatusListKit
import Testing

/// Every reason for which relying parties see a credential refused, each reached through a presentation.
@Suite struct ReasonTests {
    /// A presentation that is refused.
    struct Refusal: Sendable, CustomTestStringConvertible {
        let reason: FailureReason
        let check: Check
        let verify: @Sendable (Utopia) async throws -> Verification<[VerifiedMdocDocument]>

        init(
            _ reason: FailureReason,
            _ check: Check,
            _ verify: @escaping @Sendable (Utopia) async throws -> Verification<[VerifiedMdocDocument]>
        ) {
            self.reason = reason
            self.check = check
            self.verify = verify
        }

        var testDescription: String { reason.rawValue }
    }

    /// Presents the usual licence with another credential put in its place.
    private static func presenting(
        _ utopia: Utopia,
        _ issuerSigned: IssuerSigned
    ) async throws -> Verification<[VerifiedMdocDocument]> {
        let response = try await utopia.presentation { document in
            document.set("issuerSigned", try CBOR(decoding: [UInt8](issuerSigned.encodedBytes)))
        }
        return try await utopia.verify(response)
    }

    private static func presenting(
        _ utopia: Utopia,
        at time: Date
    ) async throws -> Verification<[VerifiedMdocDocument]> {
        try await utopia.verify(utopia.present(utopia.licence()), with: utopia.verifier(at: time))
    }

    /// Presents to a reader that trusts the authority by a certificate of another period.
    private static func presenting(
        _ utopia: Utopia,
        anchorFrom start: Double,
        to end: Double
    ) async throws -> Verification<[VerifiedMdocDocument]> {
        let anchor = try await CertificateAuthority.root(
            subject: utopia.iaca.certificate.subject,
            signer: utopia.iaca.signer,
            validity: Utopia.now + start * Utopia.day...Utopia.now + end * Utopia.day,
            pathLength: 0
        )
        let verifier = MdocVerifier(trustAnchors: [TrustAnchor(anchor.certificate)], clock: { Utopia.now })
        return try await utopia.verify(utopia.present(utopia.licence()), with: verifier)
    }

    /// Presents a licence with an entry in a status list.
    private static func presenting(
        _ utopia: Utopia,
        statusAt index: UInt64
    ) async throws -> Verification<[VerifiedMdocDocument]> {
        let issuer = try await ListIssuer()
        var builder = try issuer.utopia.builder()
        builder.status = ListIssuer.status(index)
        let verifier = MdocVerifier(
            trustAnchors: [TrustAnchor(issuer.utopia.iaca.certificate)],
            statusChecker: MdocStatusChecker(transport: ListIssuer.transport(try await issuer.statusToken())),
            clock: { Utopia.now }
        )
        return try await issuer.utopia.verify(issuer.utopia.present(issuer.utopia.issue(builder)), with: verifier)
    }

    static let refusals: [Refusal] = [
        Refusal(.deviceKeyInvalid, .deviceKey) { utopia in
            let forged = try await utopia.licence { object in
                object.change("deviceKeyInfo") {
                    $0.change("deviceKey") { $0.set(-2, .bytes([UInt8](repeating: 1, count: 32))) }
                }
            }
            return try await presenting(utopia, forged)
        },
        Refusal(.invalidSignerCertificate, .signerCertificate) { utopia in
            let key = utopia.documentSignerKey.publicKey
            let certificate = try await utopia.certificate(for: key, purposes: [.mdlReaderAuthentication])
            let forged = try await utopia.licence(x5chain: [certificate.derBytes]) { _ in }
            return try await presenting(utopia, forged)
        },
        Refusal(.issuerNotTrusted, .issuerTrust) { utopia in
            let verifier = MdocVerifier(
                trustAnchors: [TrustAnchor(utopia.readerAuthority.certificate)],
                clock: { Utopia.now }
            )
            return try await utopia.verify(utopia.present(utopia.licence()), with: verifier)
        },
        Refusal(.mobileCredentialExpired, .validity) { utopia in
            try await presenting(utopia, at: Utopia.validity.validUntil + 1)
        },
        Refusal(.mobileCredentialInvalid, .digests) { utopia in
            var credential = try CBOR(decoding: [UInt8](await utopia.licence().encodedBytes))
            credential.change("nameSpaces") { $0.set("org.example", $0["org.iso.18013.5.1"]) }
            return try await presenting(utopia, IssuerSigned(decoding: credential.encoded()))
        },
        Refusal(.mobileCredentialNotYetValid, .validity) { utopia in
            try await presenting(utopia, at: Utopia.validity.validFrom - 1)
        },
        Refusal(.statusRevoked, .status) { try await presenting($0, statusAt: 1) },
        Refusal(.statusSuspended, .status) { try await presenting($0, statusAt: 2) },
        Refusal(.statusUnknown, .status) { try await presenting($0, statusAt: 3) },
        Refusal(.trustedIssuerCertificateExpired, .certificateValidity) {
            try await presenting($0, anchorFrom: -3, to: -1)
        },
        Refusal(.trustedIssuerCertificateNotYetValid, .certificateValidity) {
            try await presenting($0, anchorFrom: 1, to: 3)
        },
        Refusal(.unsupportedCurve, .algorithm) { utopia in
            let forged = try await utopia.licence { object in
                object.change("deviceKeyInfo") { $0.change("deviceKey") { $0.set(-1, 4711) } }
            }
            return try await presenting(utopia, forged)
        },
    ]

    @Test(arguments: refusals)
    func isReached(_ refusal: Refusal) async throws {
        let verification = try await refusal.verify(Utopia())
        let document = try #require(verification.documents.first)
        #expect(document.failure?.reason == refusal.reason, "\(document.checks)")
        #expect(document.failure?.check == refusal.check)
        #expect(document.verified == nil)
        #expect(verification.verifiedDocuments.isEmpty)
        #expect(document.checks.map(\.check) == MdocVerifier.documentChecks)
        // The first check that failed decides; without one, what could not be found out.
        let decisive = document.checks.first(where: \.hasFailed) ?? document.checks.first { !$0.permitsSuccess }
        #expect(decisive?.check == refusal.check)
    }

    /// The names are those that relying parties compare.
    @Test func everyReasonIsThere() {
        let names = [
            "DeviceKeyInvalid", "InvalidSignerCertificate", "IssuerNotTrusted", "MobileCredentialExpired",
            "MobileCredentialInvalid", "MobileCredentialNotYetValid", "StatusRevoked", "StatusSuspended",
            "StatusUnknown", "TrustedIssuerCertificateExpired", "TrustedIssuerCertificateNotYetValid",
            "UnsupportedCurve",
        ]
        #expect(Self.refusals.map(\.reason.rawValue) == names)
    }

    /// Each reason of the verification has one name; a user's own has that of an invalid credential.
    @Test func everyReasonOfTheVerificationHasAName() {
        let names: [(Reason, FailureReason)] = [
            (.malformed, .mobileCredentialInvalid), (.algorithmNotAllowed, .unsupportedCurve),
            (.invalidSignerCertificate, .invalidSignerCertificate), (.issuerNotTrusted, .issuerNotTrusted),
            (.trustAnchorExpired, .trustedIssuerCertificateExpired),
            (.trustAnchorNotYetValid, .trustedIssuerCertificateNotYetValid),
            (.invalidIssuerSignature, .mobileCredentialInvalid), (.digestMismatch, .mobileCredentialInvalid),
            (.duplicateElement, .mobileCredentialInvalid), (.unexpectedType, .mobileCredentialInvalid),
            (.invalidSigningTime, .mobileCredentialInvalid), (.expired, .mobileCredentialExpired),
            (.notYetValid, .mobileCredentialNotYetValid), (.issuedInFuture, .mobileCredentialInvalid),
            (.invalidDeviceKey, .deviceKeyInvalid), (.deviceKeyNotAuthorized, .deviceKeyInvalid),
            (.invalidHolderBinding, .mobileCredentialInvalid), (.issuingCountryMismatch, .mobileCredentialInvalid),
            (.revoked, .statusRevoked), (.suspended, .statusSuspended), (.statusUnknown, .statusUnknown),
            (.incomplete, .mobileCredentialInvalid), (.processingFailed, .mobileCredentialInvalid),
            (.noDocuments, .mobileCredentialInvalid), (.invalidReaderSignature, .readerAuthenticationInvalid),
            (.invalidReaderCertificate, .invalidReaderCertificate), (.readerNotTrusted, .readerNotTrusted),
            ("own", .mobileCredentialInvalid),
        ]
        for (reason, name) in names { #expect(FailureReason(reason) == name) }
    }

    /// The order of ISO/IEC 18013-5, 12.8 and 13.4.2.
    @Test func theChecksStandInTheirOrder() {
        let names = [
            "structure", "algorithm", "signerCertificate", "issuerTrust", "certificateValidity", "issuerLocality",
            "signerRevocation", "trustedForDocType", "issuerSignature", "digests", "credentialType", "signingTime",
            "validity", "deviceKey", "keyAuthorizations", "holderBinding", "issuingCountry", "status",
        ]
        #expect(MdocVerifier.documentChecks.map(\.name) == names)
    }

    /// Of several faults the one that is checked first gives the reason; all of them stand in the outcomes.
    @Test func theFirstOfSeveralFaultsDecides() async throws {
        let utopia = try await Utopia()
        let forged = try await utopia.licence(signedBy: utopia.readerKey) { object in
            object.set("docType", "org.example.other")
            object.change("validityInfo") { $0.set("validUntil", .tagged(0, "2026-05-28T20:26:39Z")) }
        }
        let late = utopia.verifier(at: Utopia.now)
        let response = try await utopia.presentation { document in
            document.set("issuerSigned", try CBOR(decoding: [UInt8](forged.encodedBytes)))
        }
        let document = try #require(try await utopia.verify(response, with: late).documents.first)
        #expect(document.checks.filter(\.hasFailed).map(\.check) == [.issuerSignature, .credentialType, .validity])
        #expect(document.failure?.check == .issuerSignature)
        #expect(document.failure?.reason == .mobileCredentialInvalid)
    }
}
