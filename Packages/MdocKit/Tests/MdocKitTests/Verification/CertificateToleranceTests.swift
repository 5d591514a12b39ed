import CredentialTesting
import CryptoCore
import Foundation
import MdocKit
import MdocResults
import Testing

/// Certificates of document signers that depart from their profile: refused, or tolerated by name and reported.
@Suite struct CertificateToleranceTests {
    /// A certificate with one departure.
    struct Departure: Sendable, CustomTestStringConvertible {
        let tolerance: CertificateTolerance
        let kind: CertificateDeviation.Kind
        /// The state of the authority, if it has one.
        let state: String?
        let make: @Sendable (Utopia) async throws -> Certificate

        init(
            _ tolerance: CertificateTolerance,
            _ kind: CertificateDeviation.Kind,
            inState state: String? = nil,
            _ make: @escaping @Sendable (Utopia) async throws -> Certificate
        ) {
            self.tolerance = tolerance
            self.kind = kind
            self.state = state
            self.make = make
        }

        var testDescription: String { "\(tolerance), \(kind)" }

        /// The issuer and its authority.
        func utopia() async throws -> Utopia {
            guard let state else { return try await Utopia() }
            return try await Utopia.make(inState: state)
        }
    }

    private static func contact() -> CertificateExtension {
        .issuerAlternativeName([.uri("https://utopia.example/iaca")])
    }

    private static func points() -> CertificateExtension {
        .crlDistributionPoints(["https://utopia.example/iaca.crl"])
    }

    /// A document signer's certificate that keeps the profile but for what is changed.
    private static func certificate(
        _ utopia: Utopia,
        subject: DistinguishedName? = nil,
        days: Double = 100,
        usage: KeyUsage = .digitalSignature,
        purpose: CertificateExtension = .extendedKeyUsage([.mdlDocumentSigner], isCritical: true),
        more: [CertificateExtension] = [contact(), points()],
        serialNumber: [UInt8]? = nil,
        by authority: CertificateAuthority? = nil
    ) async throws -> Certificate {
        var builder = CertificateBuilder(
            subject: subject ?? utopia.documentSigner.subject,
            publicKey: utopia.documentSignerKey.publicKey,
            validity: Utopia.now - 2 * Utopia.day...Utopia.now + days * Utopia.day,
            extensions: [.keyUsage(usage), purpose] + more
        )
        if let serialNumber { builder.serialNumber = serialNumber }
        return try await builder.issued(by: authority ?? utopia.iaca)
    }

    /// Replaces an extension's identifier by an unknown one.
    private static func hiding(_ number: UInt8, _ utopia: Utopia) async throws -> Certificate {
        try await certificate(utopia)
            .replacing([6, 3, 0x55, 0x1d, number], with: [6, 3, 0x55, 0x1d, 0x7f], signedBy: utopia.iaca)
    }

    static let departures: [Departure] = [
        Departure(.longValidity, .validityPeriod) { try await certificate($0, days: 500) },
        Departure(.serialNumber, .shortSerialNumber) { try await certificate($0, serialNumber: [1]) },
        Departure(.countrySpelling, .countryName) {
            try await certificate($0, subject: DistinguishedName(countryName: "ut", commonName: "signer"))
        },
        Departure(.missingState, .stateOrProvinceMismatch, inState: "North") {
            try await certificate($0, subject: DistinguishedName(countryName: "UT", commonName: "signer"))
        },
        Departure(.keyIdentifierMethod, .subjectKeyIdentifier) {
            let identifier = [UInt8](repeating: 7, count: 20)
            return try await certificate($0, more: [contact(), points(), .subjectKeyIdentifier(identifier)])
        },
        Departure(.missingKeyIdentifier, .missingExtension) { try await hiding(14, $0) },
        Departure(.missingKeyIdentifier, .missingExtension) { try await hiding(35, $0) },
        Departure(.missingContact, .missingExtension) { try await certificate($0, more: [points()]) },
        Departure(.missingContact, .issuerAlternativeName) {
            try await certificate($0, more: [.issuerAlternativeName([.dns("utopia.example")]), points()])
        },
        Departure(.distributionPoint, .missingExtension) { try await certificate($0, more: [contact()]) },
        Departure(.extensionNotCritical, .extensionNotCritical) {
            try await certificate($0, purpose: .extendedKeyUsage([.mdlDocumentSigner]))
        },
        Departure(.moreKeyUsages, .keyUsage) {
            try await certificate($0, usage: [.digitalSignature, .nonRepudiation])
        },
        Departure(.issuerNameSpelling, .issuerName) { utopia in
            let root = utopia.iaca.certificate
            let shouting = try await CertificateAuthority.root(
                subject: DistinguishedName(countryName: "UT", organizationName: "UTOPIA", commonName: "UTOPIA  IACA"),
                signer: utopia.iaca.signer,
                validity: root.notValidBefore...root.notValidAfter
            )
            return try await certificate(utopia, by: shouting)
        },
        Departure(.encoding, .encoding) { utopia in
            let usual = try await certificate(utopia)
            let start = Array(usual.derBytes[try #require(usual.derBytes.firstRange(of: [0x30, 0x1e, 0x17, 0x0d]))])
            let place = try #require(usual.derBytes.firstRange(of: start)).upperBound
            let time = Array(usual.derBytes[place..<place + 13])
            return try await usual.replacing(
                start + time,
                with: [0x30, 0x20, 0x18, 0x0f] + Array("20".utf8) + time,
                signedBy: utopia.iaca
            )
        },
    ]

    private func verify(
        _ certificate: Certificate,
        _ utopia: Utopia,
        _ tolerances: Set<CertificateTolerance>
    ) async throws -> Verification<VerifiedMdocDocument> {
        var policy = MdocVerificationPolicy()
        policy.certificateTolerances = tolerances
        let licence = try await utopia.licence(x5chain: [certificate.derBytes]) { _ in }
        let verification = try await utopia.verify(utopia.present(licence), with: utopia.verifier(policy: policy))
        return try #require(verification.documents.first)
    }

    @Test func theUsualCertificateDepartsInNothing() async throws {
        let utopia = try await Utopia()
        let certificate = try await Self.certificate(utopia)
        let tolerant = try await verify(certificate, utopia, .deployed)
        #expect(tolerant.verified != nil, "\(tolerant.checks)")
        #expect(tolerant.deviations.isEmpty)
        #expect(MdocVerificationPolicy.deployed.certificateTolerances == .deployed)
        #expect(MdocVerificationPolicy.strict.certificateTolerances.isEmpty)
        #expect(MdocVerificationPolicy().certificateTolerances.isEmpty)
    }

    @Test(arguments: departures)
    func aDepartureIsRefusedOrToleratedByName(_ departure: Departure) async throws {
        let utopia = try await departure.utopia()
        let certificate = try await departure.make(utopia)
        for tolerances in [[], Set<CertificateTolerance>.deployed.subtracting([departure.tolerance])] {
            let strict = try await verify(certificate, utopia, tolerances)
            #expect(strict.verified == nil)
            // A name that is not the authority's byte by byte names another authority.
            let expected: FailureReason =
                departure.tolerance == .issuerNameSpelling ? .issuerNotTrusted : .invalidSignerCertificate
            #expect(strict.failure?.reason == expected, "\(strict.checks)")
        }
        for tolerances in [[departure.tolerance], Set<CertificateTolerance>.deployed] {
            let tolerant = try await verify(certificate, utopia, tolerances)
            #expect(tolerant.verified != nil, "\(tolerant.checks)")
            #expect(tolerant.deviations.map(\.tolerance) == [departure.kind.description])
        }
    }

    /// A state only in the signer's certificate is no contradiction; a state other than the authority's always is.
    @Test(arguments: [(nil, "North", true), ("North", "North", true), ("North", "South", false)])
    func statesOfAuthorityAndSigner(_ authority: String?, signer: String, isTaken: Bool) async throws {
        let utopia = try await Utopia.make(inState: authority)
        let subject = try DistinguishedName(countryName: "UT", stateOrProvinceName: signer, commonName: "signer")
        let certificate = try await Self.certificate(utopia, subject: subject)
        for tolerances in [[], Set<CertificateTolerance>.deployed] {
            let verification = try await verify(certificate, utopia, tolerances)
            #expect((verification.verified != nil) == isTaken, "\(verification.checks)")
            if !isTaken { #expect(verification.failure?.check == .issuerLocality) }
        }
    }

    /// An authority with its country in lower case, and a signer with it in upper case.
    @Test func countryInAnotherCaseThanTheAuthoritys() async throws {
        let utopia = try await Utopia()
        let root = utopia.iaca.certificate
        let lower = try await CertificateAuthority.root(
            subject: DistinguishedName(countryName: "ut", commonName: "Utopia IACA"),
            signer: utopia.iaca.signer,
            validity: root.notValidBefore...root.notValidAfter,
            pathLength: 0
        )
        let certificate = try await Self.certificate(utopia, by: lower)
        let licence = try await utopia.licence(x5chain: [certificate.derBytes]) { _ in }
        for (tolerances, isTaken) in [([], false), ([.countrySpelling], true)] as [(Set<CertificateTolerance>, Bool)] {
            var policy = MdocVerificationPolicy()
            policy.certificateTolerances = tolerances
            let verifier = MdocVerifier(
                trustAnchors: [TrustAnchor(lower.certificate)],
                policy: policy,
                clock: { Utopia.now }
            )
            let verification = verifier.verifyForStorage(licence)
            if isTaken {
                #expect(verification.deviations.map(\.tolerance) == ["countryName"])
                guard case .verified = verification.verdict else {
                    Issue.record("\(verification.checks)")
                    continue
                }
            } else {
                guard let failure = verification.failure else {
                    Issue.record("verified")
                    continue
                }
                #expect(failure.check == .signerCertificate)
            }
        }
    }

    /// Every tolerance has a departure above.
    @Test func everyToleranceIsTested() {
        #expect(Set(Self.departures.map(\.tolerance)) == .deployed)
    }

    /// Deviations that no tolerance covers.
    @Test(arguments: 0..<7)
    func departuresThatAreNeverTolerated(_ number: Int) async throws {
        let utopia = try await Utopia()
        let certificate =
            switch number {
            case 0: try await Self.certificate(utopia, purpose: .extendedKeyUsage([.clientAuthentication]))
            case 1: try await Self.hiding(37, utopia)
            case 2: try await Self.hiding(15, utopia)
            case 3: try await Self.certificate(utopia, usage: .nonRepudiation)
            case 4:
                try await Self.certificate(utopia, more: [Self.contact(), Self.points(), .policyConstraints])
            case 5:
                try await Self.certificate(
                    utopia,
                    more: [Self.contact(), Self.points(), .certificateAuthority(pathLength: nil)]
                )
            default:
                try await Self.certificate(
                    utopia,
                    subject: DistinguishedName(countryName: "UT", organizationName: "no common name")
                )
            }
        let verification = try await verify(certificate, utopia, .deployed)
        #expect(verification.failure?.reason == .invalidSignerCertificate, "\(verification.checks)")
        #expect(verification.failure?.check == .signerCertificate)
    }

    @Test func refusesAnUnknownCriticalExtension() async throws {
        let utopia = try await Utopia()
        let unknown = CertificateExtension(
            id: try #require(OID("1.2.3.4")),
            isCritical: true,
            value: [5, 0]
        )
        let certificate = try await Self.certificate(utopia, more: [Self.contact(), Self.points(), unknown])
        for tolerances in [[], Set<CertificateTolerance>.deployed] {
            let verification = try await verify(certificate, utopia, tolerances)
            #expect(verification.failure?.reason == .invalidSignerCertificate)
            #expect(verification.failure?.check == .signerCertificate)
        }
    }

    @Test func theCredentialByItselfSaysWhatWasTolerated() async throws {
        let utopia = try await Utopia()
        let certificate = try await Self.certificate(utopia, days: 500)
        let licence = try await utopia.licence(x5chain: [certificate.derBytes]) { _ in }
        let verification = utopia.verifier(policy: .deployed).verifyForStorage(licence)
        #expect(verification.deviations.map(\.tolerance) == ["validityPeriod"])
        guard case .verified = verification.verdict else {
            Issue.record("\(verification.checks)")
            return
        }
    }
}

extension CertificateExtension {
    /// One that document signers must not have.
    fileprivate static let policyConstraints = CertificateExtension(
        id: .policyConstraints,
        isCritical: false,
        value: [0x30, 3, 0x80, 1, 0]
    )
}
