import CBORKit
import COSEKit
import CredentialTesting
import CryptoCore
import Foundation
import MdocKit
import MdocResults
import Testing

/// Each way in which what the issuer signed can be wrong, with its check and its reason.
@Suite struct IssuerRefusalTests {
    private func expect(
        _ issuerSigned: IssuerSigned,
        in utopia: Utopia,
        with verifier: MdocVerifier? = nil,
        fails check: Check,
        for reason: FailureReason,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let verification = (verifier ?? utopia.verifier()).verifyForStorage(issuerSigned)
        guard let failure = verification.failure else {
            Issue.record("verified", sourceLocation: sourceLocation)
            return
        }
        #expect(failure.check == check, "\(verification.checks)", sourceLocation: sourceLocation)
        #expect(failure.reason == reason, "\(failure)", sourceLocation: sourceLocation)
    }

    @Test func theLicenceItselfVerifies() async throws {
        let utopia = try await Utopia()
        let verification = utopia.verifier().verifyForStorage(
            try await utopia.licence(),
            deviceKey: utopia.deviceKey.publicKey
        )
        guard case .verified(let credential) = verification.verdict else {
            Issue.record("\(verification.checks)")
            return
        }
        #expect(credential.deviceKey == utopia.deviceKey.publicKey)
        #expect(credential.signer.anchor == utopia.iaca.certificate)
    }

    @Test func unknownHashFunction() async throws {
        let utopia = try await Utopia()
        let forged = try await utopia.licence { $0.set("digestAlgorithm", "SHA-1") }
        expect(forged, in: utopia, fails: .structure, for: .mobileCredentialInvalid)
    }

    @Test func algorithmInTheUnprotectedHeader() async throws {
        let utopia = try await Utopia()
        var credential = try CBOR(decoding: [UInt8](await utopia.licence().encodedBytes))
        credential.change("issuerAuth") { issuerAuth in
            issuerAuth.change(0) { $0 = .bytes([]) }
            issuerAuth.change(1) { $0.set(1, .integer(COSEAlgorithm.es256.rawValue)) }
        }
        let forged = try IssuerSigned(decoding: credential.encoded())
        expect(forged, in: utopia, fails: .structure, for: .mobileCredentialInvalid)
    }

    @Test func refusesADeviceKeyOnAnUnknownCurve() async throws {
        let utopia = try await Utopia()
        let forged = try await utopia.licence { object in
            object.change("deviceKeyInfo") { $0.change("deviceKey") { $0.set(-1, 4711) } }
        }
        expect(forged, in: utopia, fails: .algorithm, for: .unsupportedCurve)
    }

    @Test(arguments: [.es512, .esb256, .ps256, .hmac256_256, COSEAlgorithm(rawValue: -999)] as [COSEAlgorithm])
    func algorithmThatTheStandardDoesNotHaveForTheIssuersCurve(_ algorithm: COSEAlgorithm) async throws {
        let utopia = try await Utopia()
        var credential = try CBOR(decoding: [UInt8](await utopia.licence().encodedBytes))
        let header: CBOR = [1: .integer(algorithm.rawValue)]
        credential.change("issuerAuth") { $0.change(0) { $0 = .bytes(header.encoded()) } }
        let forged = try IssuerSigned(decoding: credential.encoded(), options: .deployed)
        #expect(forged.deviations.map(\.tolerance) == (algorithm == .esb256 ? [.fullySpecifiedAlgorithm] : []))
        expect(forged, in: utopia, fails: .algorithm, for: .unsupportedCurve)
    }

    @Test func issuersKeyIsRSA() async throws {
        let utopia = try await Utopia()
        let key = try PrivateKey.generateRSA(bits: 2048)
        let certificate = try await utopia.certificate(for: key.publicKey)
        let forged = try await utopia.licence(x5chain: [certificate.derBytes]) { _ in }
        expect(forged, in: utopia, fails: .algorithm, for: .unsupportedCurve)
    }

    @Test func noCertificate() async throws {
        let utopia = try await Utopia()
        let forged = try await utopia.licence(x5chain: []) { _ in }
        expect(forged, in: utopia, fails: .signerCertificate, for: .invalidSignerCertificate)
    }

    @Test func refusesAMalformedCertificate() async throws {
        let utopia = try await Utopia()
        let forged = try await utopia.licence(x5chain: [[0x30, 0x00]]) { _ in }
        expect(forged, in: utopia, fails: .signerCertificate, for: .invalidSignerCertificate)
    }

    /// The certificate stands in the unprotected header, and its hash under the signature (12.3.4 of the second edition).
    @Test func certificateInPlaceOfTheSigned() async throws {
        let utopia = try await Utopia()
        let renewed = try await utopia.certificate(for: utopia.documentSignerKey.publicKey)
        let named = try await utopia.licence(x5t: utopia.documentSigner) { _ in }
        #expect(utopia.verifier().verifyForStorage(named).failure == nil)
        let exchanged = try await utopia.licence(x5chain: [renewed.derBytes], x5t: utopia.documentSigner) { _ in }
        expect(exchanged, in: utopia, fails: .signerCertificate, for: .invalidSignerCertificate)
        let unnamed = try await utopia.licence(x5chain: [renewed.derBytes]) { _ in }
        #expect(utopia.verifier().verifyForStorage(unnamed).failure == nil)
    }

    /// The first edition has the algorithm alone in the protected header (9.1.2.4), so that the hash is there on demand only.
    @Test func namesTheCertificateOnDemand() async throws {
        let utopia = try await Utopia()
        for includesX5T in [false, true] {
            var builder = try utopia.builder()
            builder.includesX5T = includesX5T
            let issued = try await utopia.issue(builder)
            let hash = try issued.issuerAuth.headers.protected.x5t()
            #expect(try hash?.matches(utopia.documentSigner.derBytes) == (includesX5T ? true : nil))
            #expect(utopia.verifier().verifyForStorage(issued).failure == nil)
        }
    }

    @Test func certificateWithoutThePurpose() async throws {
        let utopia = try await Utopia()
        let certificate = try await utopia.certificate(
            for: utopia.documentSignerKey.publicKey,
            purposes: [.mdlReaderAuthentication]
        )
        let forged = try await utopia.licence(x5chain: [certificate.derBytes]) { _ in }
        expect(forged, in: utopia, fails: .signerCertificate, for: .invalidSignerCertificate)
    }

    @Test func certificateOfAnAuthorityThatIsNotTrusted() async throws {
        let utopia = try await Utopia()
        let verifier = MdocVerifier(trustAnchors: [], clock: { Utopia.now })
        let licence = try await utopia.licence()
        expect(licence, in: utopia, with: verifier, fails: .issuerTrust, for: .issuerNotTrusted)
    }

    @Test func anchorOfTheSameNameWithAnotherKey() async throws {
        let utopia = try await Utopia()
        let iaca = utopia.iaca.certificate
        let impostor = try await CertificateAuthority.root(
            subject: iaca.subject,
            signer: SoftwareSigner(PrivateKey.generate(.p256)),
            validity: iaca.notValidBefore...iaca.notValidAfter,
            pathLength: 0,
            extensions: [.subjectKeyIdentifier(Array(#require(iaca.subjectKeyIdentifier)))]
        )
        let verifier = MdocVerifier(trustAnchors: [TrustAnchor(impostor.certificate)], clock: { Utopia.now })
        let licence = try await utopia.licence()
        expect(licence, in: utopia, with: verifier, fails: .issuerTrust, for: .invalidSignerCertificate)
    }

    @Test func certificateThatHasExpired() async throws {
        let utopia = try await Utopia()
        let late = utopia.documentSigner.notValidAfter + 1
        let licence = try await utopia.licence()
        let verifier = utopia.verifier(at: late)
        expect(licence, in: utopia, with: verifier, fails: .certificateValidity, for: .invalidSignerCertificate)
    }

    @Test(arguments: [(-2.0, FailureReason.trustedIssuerCertificateExpired), (2, .trustedIssuerCertificateNotYetValid)])
    func anchorOutsideOfItsValidity(_ shift: Double, reason: FailureReason) async throws {
        let utopia = try await Utopia()
        let own = utopia.iaca
        let middle = Utopia.now + shift * Utopia.day
        let anchor = try await CertificateAuthority.root(
            subject: own.certificate.subject,
            signer: own.signer,
            validity: middle - Utopia.day...middle + Utopia.day,
            pathLength: 0
        )
        let verifier = MdocVerifier(trustAnchors: [TrustAnchor(anchor.certificate)], clock: { Utopia.now })
        let licence = try await utopia.licence()
        expect(licence, in: utopia, with: verifier, fails: .certificateValidity, for: reason)
    }

    @Test func certificateForAnotherCountry() async throws {
        let utopia = try await Utopia()
        let certificate = try await utopia.certificate(
            for: utopia.documentSignerKey.publicKey,
            subject: DistinguishedName(countryName: "XX", commonName: "Utopia document signer")
        )
        let forged = try await utopia.licence(x5chain: [certificate.derBytes]) { _ in }
        expect(forged, in: utopia, fails: .issuerLocality, for: .invalidSignerCertificate)
    }

    @Test func anchorForOtherDocuments() async throws {
        let utopia = try await Utopia()
        let licence = try await utopia.licence()
        let verifier = utopia.verifier(docTypes: ["org.iso.23220.photoid.1"])
        expect(licence, in: utopia, with: verifier, fails: .trustedForDocType, for: .issuerNotTrusted)
        guard case .verified = utopia.verifier(docTypes: [.mDL]).verifyForStorage(licence).verdict else {
            Issue.record("an anchor for licences is not taken for a licence")
            return
        }
    }

    @Test func signatureByAnotherKey() async throws {
        let utopia = try await Utopia()
        let forged = try await utopia.licence(signedBy: utopia.readerKey) { _ in }
        expect(forged, in: utopia, fails: .issuerSignature, for: .mobileCredentialInvalid)
    }

    @Test func signedWhileTheCertificateWasNotValid() async throws {
        let utopia = try await Utopia()
        let forged = try await utopia.licence { object in
            object.change("validityInfo") { $0.set("signed", .tagged(0, "2020-01-01T00:00:00Z")) }
        }
        expect(forged, in: utopia, fails: .signingTime, for: .mobileCredentialInvalid)
    }

    @Test func bothEndsOfThePeriodBelongToIt() async throws {
        let utopia = try await Utopia()
        let licence = try await utopia.licence()
        let validity = licence.mobileSecurityObject.validityInfo
        for time in [validity.validFrom, validity.validUntil] {
            guard case .verified = utopia.verifier(at: time).verifyForStorage(licence).verdict else {
                Issue.record("refused at \(time)")
                continue
            }
        }
        let early = utopia.verifier(at: validity.validFrom - 1)
        expect(licence, in: utopia, with: early, fails: .validity, for: .mobileCredentialNotYetValid)
        let late = utopia.verifier(at: validity.validUntil + 1)
        expect(licence, in: utopia, with: late, fails: .validity, for: .mobileCredentialExpired)
    }

    @Test func validForLongerThanTheCertificateByPolicy() async throws {
        let utopia = try await Utopia()
        let forged = try await utopia.licence { object in
            object.change("validityInfo") { $0.set("validUntil", .tagged(0, "2035-01-01T00:00:00Z")) }
        }
        guard case .verified = utopia.verifier().verifyForStorage(forged).verdict else {
            Issue.record("refused without the policy")
            return
        }
        var policy = MdocVerificationPolicy()
        policy.requiresValidityWithinSignerCertificate = true
        let verifier = utopia.verifier(policy: policy)
        expect(forged, in: utopia, with: verifier, fails: .validity, for: .mobileCredentialInvalid)
    }

    @Test func refusesADeviceKeyOffItsCurve() async throws {
        let utopia = try await Utopia()
        let forged = try await utopia.licence { object in
            object.change("deviceKeyInfo") {
                $0.change("deviceKey") { $0.set(-2, .bytes([UInt8](repeating: 1, count: 32))) }
            }
        }
        expect(forged, in: utopia, fails: .deviceKey, for: .deviceKeyInvalid)
    }

    @Test func deviceKeyThatWasNotAskedFor() async throws {
        let utopia = try await Utopia()
        let verification = utopia.verifier().verifyForStorage(
            try await utopia.licence(),
            deviceKey: utopia.ephemeralReaderKey.publicKey
        )
        guard let failure = verification.failure else {
            Issue.record("verified")
            return
        }
        #expect(failure.reason == .deviceKeyInvalid)
    }

    @Test(arguments: ["issuing_country", "issuing_jurisdiction"] as [DataElementIdentifier])
    func elementThatContradictsTheCertificate(_ identifier: DataElementIdentifier) async throws {
        let utopia = try await Utopia.make(inState: "North")
        var builder = IssuerSignedBuilder(
            docType: .mDL,
            deviceKey: utopia.deviceKey.publicKey,
            validityInfo: Utopia.validity
        )
        try builder.add("XX-South", as: identifier, in: .mDL)
        let licence = try await utopia.issue(builder)
        expect(licence, in: utopia, fails: .issuingCountry, for: .mobileCredentialInvalid)
    }

    /// A value of the wrong type skips no check.
    @Test(arguments: ["issuing_country", "issuing_jurisdiction"] as [DataElementIdentifier])
    func elementThatIsNoText(_ identifier: DataElementIdentifier) async throws {
        let utopia = try await Utopia.make(inState: "North")
        for value: CBOR in [7, .null, .bytes(Array("UT".utf8)), ["UT"], .tagged(1004, "UT")] {
            var builder = IssuerSignedBuilder(
                docType: .mDL,
                deviceKey: utopia.deviceKey.publicKey,
                validityInfo: Utopia.validity
            )
            try builder.add(value, as: identifier, in: .mDL)
            let licence = try await utopia.issue(builder)
            expect(licence, in: utopia, fails: .issuingCountry, for: .mobileCredentialInvalid)
        }
    }

    @Test(
        arguments: [("issuing_country", "ut"), ("issuing_jurisdiction", "NORTH"), ("issuing_jurisdiction", "ut-North")]
            as [(DataElementIdentifier, String)]
    )
    func elementInAnotherCaseThanTheCertificate(_ identifier: DataElementIdentifier, text: String) async throws {
        let utopia = try await Utopia.make(inState: "North")
        var builder = IssuerSignedBuilder(
            docType: .mDL,
            deviceKey: utopia.deviceKey.publicKey,
            validityInfo: Utopia.validity
        )
        try builder.add(.text(text), as: identifier, in: .mDL)
        let licence = try await utopia.issue(builder)
        expect(licence, in: utopia, fails: .issuingCountry, for: .mobileCredentialInvalid)
        let tolerant = utopia.verifier(policy: .deployed).verifyForStorage(licence)
        guard case .verified = tolerant.verdict else {
            Issue.record("\(tolerant.checks)")
            return
        }
        #expect(tolerant.deviations.map(\.tolerance) == ["countryCase"])
        let response = try await utopia.verify(
            utopia.present(licence),
            with: utopia.verifier(policy: .deployed)
        )
        #expect(response.verifiedDocuments.count == 1)
        #expect(response.documents.first?.deviations.map(\.tolerance) == ["countryCase"])
        #expect(response.deviations.map(\.tolerance) == ["countryCase"])
    }

    @Test(arguments: ["North", "UT-North"])
    func jurisdictionWithAndWithoutItsCountry(_ jurisdiction: String) async throws {
        let utopia = try await Utopia.make(inState: "North")
        var builder = try utopia.builder()
        try builder.add(.text(jurisdiction), as: "issuing_jurisdiction", in: .mDL)
        guard case .verified = utopia.verifier().verifyForStorage(try await utopia.issue(builder)).verdict else {
            Issue.record("\(jurisdiction) is refused")
            return
        }
    }
}
