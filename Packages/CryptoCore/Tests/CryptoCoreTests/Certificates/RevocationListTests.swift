import CryptoCore
import Foundation
import TestSupport
import Testing

/// Reading, verifying and asking revocation lists.
@Suite
struct RevocationListTests {
    private static let corpus = Task { try await CertificateCorpus(.p256) }
    private static let day: TimeInterval = 86_400

    private static func list(
        of corpus: CertificateCorpus,
        _ revoked: [RevokedCertificate] = [],
        extensions: [CertificateExtension] = []
    ) async throws -> CertificateRevocationList {
        try await RevocationListBuilder(
            thisUpdate: corpus.start,
            nextUpdate: corpus.start.addingTimeInterval(30 * day),
            number: 7,
            revokedCertificates: revoked,
            extensions: extensions
        ).issued(by: corpus.root)
    }

    @Test
    func fieldsAreReadBack() async throws {
        let corpus = try await Self.corpus.value
        let entry = RevokedCertificate(
            serialNumber: [0x42],
            revocationDate: corpus.start,
            reason: .keyCompromise,
            invalidityDate: corpus.start.addingTimeInterval(-60)
        )
        let plain = RevokedCertificate(serialNumber: [0x01, 0x00], revocationDate: corpus.start)
        let list = try await Self.list(of: corpus, [plain, entry])
        #expect(list.version == 2)
        #expect(list.issuer == corpus.root.certificate.subject)
        #expect(list.thisUpdate == corpus.start)
        #expect(list.nextUpdate == corpus.start.addingTimeInterval(30 * Self.day))
        #expect(try list.number?.hex == "07")
        #expect(try list.authorityKeyIdentifier?.keyIdentifier == corpus.root.certificate.subjectKeyIdentifier)
        #expect(list.count == 2)
        #expect(list.revokedCertificates == [entry, plain])
        #expect(list.revokedCertificates.first?.reason?.description == "keyCompromise")
        let pem = PEM(label: "X509 CRL", bytes: list.derBytes).text
        #expect(try CertificateRevocationList(pem: pem) == list)
        expect(.invalidPEM) { _ = try CertificateRevocationList(pem: corpus.root.certificate.pem) }
    }

    @Test(arguments: CertificateKeyKind.available)
    func listsOfAllKeysVerify(_ kind: CertificateKeyKind) async throws {
        let corpus = try await CertificateCorpus(kind)
        let list = try await Self.list(of: corpus)
        #expect(list.verify(issuer: corpus.root.certificate, at: corpus.noon).refusal == nil)
        let changed = try CertificateRevocationList(der: Self.withChangedName(list.derBytes))
        #expect(try !changed.isSigned(by: corpus.root.certificate.publicKey()))
    }

    private static func withChangedName(_ der: [UInt8]) -> [UInt8] {
        var der = der
        if let place = der.indices.first(where: { der[$0...].starts(with: Array("Corpus".utf8)) }) { der[place] = 0x63 }
        return der
    }

    @Test
    func statusOfAnyOfManyCertificates() async throws {
        let corpus = try await Self.corpus.value
        let leaf = try await corpus.leaf(by: corpus.root)
        let good = try await corpus.leaf(by: corpus.root)
        var revoked = (1..<500).map { (number: Int) -> RevokedCertificate in
            RevokedCertificate(
                serialNumber: [UInt8(1 + number % 126), UInt8(number % 251)],
                revocationDate: corpus.start
            )
        }
        let entry = RevokedCertificate(
            serialNumber: leaf.serialNumber,
            revocationDate: corpus.start,
            reason: .superseded
        )
        revoked.insert(entry, at: 100)
        let verified = try #require(
            try await Self.list(of: corpus, revoked).verify(issuer: corpus.root.certificate, at: corpus.noon).verified
        )
        #expect(verified.status(of: leaf, at: corpus.noon) == .revoked(entry))
        #expect(verified.status(of: good, at: corpus.noon) == .good)
        #expect(verified.list.count == 500)
    }

    @Test
    func aListCountsFromThisUpdateToNextUpdate() async throws {
        let corpus = try await Self.corpus.value
        let leaf = try await corpus.leaf(by: corpus.root)
        let verified = try #require(
            try await Self.list(of: corpus).verify(issuer: corpus.root.certificate, at: corpus.noon).verified
        )
        let end = corpus.start.addingTimeInterval(30 * Self.day)
        #expect(verified.status(of: leaf, at: corpus.start) == .good)
        #expect(verified.status(of: leaf, at: end) == .good)
        #expect(verified.status(of: leaf, at: corpus.start.addingTimeInterval(-1)) == .unknown(.futureList))
        #expect(verified.status(of: leaf, at: end.addingTimeInterval(1)) == .unknown(.expiredList))
        let entry = RevokedCertificate(serialNumber: leaf.serialNumber, revocationDate: corpus.start)
        let naming = try #require(
            try await Self.list(of: corpus, [entry]).verify(issuer: corpus.root.certificate, at: corpus.noon).verified
        )
        #expect(naming.status(of: leaf, at: end.addingTimeInterval(1)) == .revoked(entry))
    }

    @Test
    func certificatesOfOthersAreUnknown() async throws {
        let corpus = try await Self.corpus.value
        let verified = try #require(
            try await Self.list(of: corpus).verify(issuer: corpus.root.certificate, at: corpus.noon).verified
        )
        let below = try await corpus.leaf(by: corpus.intermediate)
        #expect(verified.status(of: below, at: corpus.noon) == .unknown(.noList))
        let lists = VerifiedCertificateRevocationLists([verified])
        let validator = CertificatePathValidator(anchors: [corpus.root.certificate])
        let chain = try #require(
            validator.validate([below, corpus.intermediate.certificate], at: corpus.noon).verified
        )
        #expect(lists.statuses(of: chain, at: corpus.noon) == [.unknown(.noList), .good])
    }

    @Test
    func theNewestOfSeveralListsAnswersAndARevocationAlways() async throws {
        let corpus = try await Self.corpus.value
        let leaf = try await corpus.leaf(by: corpus.root)
        let issuer = corpus.root.certificate
        let entry = RevokedCertificate(serialNumber: leaf.serialNumber, revocationDate: corpus.start)
        let naming = try #require(
            try await Self.list(of: corpus, [entry]).verify(issuer: issuer, at: corpus.noon).verified
        )
        let empty = try #require(try await Self.list(of: corpus).verify(issuer: issuer, at: corpus.noon).verified)
        let late = corpus.start.addingTimeInterval(31 * Self.day)
        func status(_ lists: [VerifiedCertificateRevocationList], at time: Date) -> CertificateRevocationStatus {
            VerifiedCertificateRevocationLists(lists).status(of: leaf, issuer: issuer, at: time)
        }
        #expect(status([empty, naming], at: corpus.noon) == .revoked(entry))
        #expect(status([empty], at: corpus.noon) == .good)
        #expect(status([empty], at: late) == .unknown(.expiredList))
        #expect(status([], at: corpus.noon) == .unknown(.noList))
    }

    @Test
    func listsThatCannotBeReliedOn() async throws {
        let corpus = try await Self.corpus.value
        let issuer = corpus.root.certificate
        func reason(_ extensions: [CertificateExtension]) async throws -> Reason? {
            try await Self.list(of: corpus, extensions: extensions).verify(issuer: issuer, at: corpus.noon).refusal?
                .reason
        }
        func scope(_ parts: [UInt8]...) -> CertificateExtension {
            CertificateExtension(id: .issuingDistributionPoint, isCritical: true, value: DER.element(0x30, parts))
        }
        let delta = CertificateExtension(id: .deltaCRLIndicator, isCritical: true, value: DER.integer(1))
        let freshest = CertificateExtension(id: .freshestCRL, isCritical: true, value: DER.sequence())
        #expect(try await reason([delta]) == .partialList)
        #expect(try await reason([freshest]) == .unknownCriticalExtension)
        #expect(try await reason([scope([0x84, 0x01, 0xff])]) == .indirectList)
        #expect(try await reason([scope([0x83, 0x02, 0x01, 0x06])]) == .partialList)
        #expect(try await reason([scope([0x85, 0x01, 0xff])]) == .partialList)
        #expect(try await reason([scope([0x81, 0x01, 0x07])]) == .malformedExtension)
        #expect(try await reason([scope([0x81, 0x01, 0xff])]) == nil)
        let list = try await Self.list(of: corpus)
        #expect(
            list.verify(issuer: corpus.intermediate.certificate, at: corpus.noon).refusal?.reason == .issuerMismatch
        )
        let namesake = try await corpus.authority(name: "Corpus root", extensions: [.keyUsage(.crlSign)])
        #expect(list.verify(issuer: namesake.certificate, at: corpus.noon).refusal?.reason == .issuerMismatch)
        let identifier = CertificateExtension.subjectKeyIdentifier(issuer.subjectKeyIdentifier ?? [])
        let impostor = try await corpus.authority(name: "Corpus root", extensions: [.keyUsage(.crlSign), identifier])
        #expect(list.verify(issuer: impostor.certificate, at: corpus.noon).refusal?.reason == .invalidSignature)
        let powerless = try await corpus.authority(
            name: "Corpus root",
            extensions: [.keyUsage(.keyCertSign), identifier]
        )
        #expect(list.verify(issuer: powerless.certificate, at: corpus.noon).refusal?.reason == .listSigningNotAllowed)
    }

    @Test
    func aListForUsersOrAuthoritiesCoversOnlyThem() async throws {
        let corpus = try await Self.corpus.value
        let leaf = try await corpus.leaf(by: corpus.root)
        func status(_ scope: [UInt8], _ certificate: Certificate) async throws -> CertificateRevocationStatus? {
            let point = CertificateExtension(
                id: .issuingDistributionPoint,
                isCritical: true,
                value: DER.sequence(scope)
            )
            let list = try await Self.list(of: corpus, extensions: [point])
            return list.verify(issuer: corpus.root.certificate, at: corpus.noon).verified?.status(
                of: certificate,
                at: corpus.noon
            )
        }
        #expect(try await status([0x81, 0x01, 0xff], leaf) == .good)
        #expect(try await status([0x82, 0x01, 0xff], leaf) == .unknown(.notCovered))
        #expect(try await status([0x82, 0x01, 0xff], corpus.intermediate.certificate) == .good)
        let name = DER.element(0xa0, DER.element(0xa0, DER.element(0x86, Array("http://a/crl".utf8))))
        #expect(try await status(name, leaf) == .unknown(.notCovered))
        let pointing = try await corpus.leaf(by: corpus.root, extensions: [.crlDistributionPoints(["http://a/crl"])])
        #expect(try await status(name, pointing) == .good)
    }

    @Test
    func theProfileOfTheStandard() async throws {
        let corpus = try await Self.corpus.value
        let issuer = corpus.root.certificate
        let profile = RevocationListProfile.iaca
        #expect(profile.deviations(of: try await Self.list(of: corpus), issuer: issuer) == [])
        let reason = RevokedCertificate(serialNumber: [1], revocationDate: corpus.start, reason: .keyCompromise)
        let withReason = profile.deviations(of: try await Self.list(of: corpus, [reason]), issuer: issuer)
        #expect(withReason.map(\.kind) == [.forbiddenExtension])
        let names = CertificateExtension.issuerAlternativeName([.uri("https://a")])
        let withNames = profile.deviations(of: try await Self.list(of: corpus, extensions: [names]), issuer: issuer)
        #expect(withNames.map(\.extensionID) == [.issuerAlternativeName])
        let rare = try await RevocationListBuilder(
            thisUpdate: corpus.start,
            nextUpdate: corpus.start.addingTimeInterval(91 * Self.day),
            number: 1
        ).issued(by: corpus.root)
        #expect(profile.deviations(of: rare, issuer: issuer).map(\.kind) == [.validityPeriod])
        let foreign = profile.deviations(of: try await Self.list(of: corpus), issuer: corpus.intermediate.certificate)
        #expect(foreign.map(\.kind) == [.issuerName, .authorityKeyIdentifier])
    }

    @Test
    func unknownCriticalExtensionsOfEntriesRefuseTheList() throws {
        let now = try Date(iso8601: "2026-01-15T00:00:00Z")
        let issuer = DER.sequence(DER.certificateExtension(29, critical: true, DER.sequence()))
        let raw = RawRevocationList.with {
            $0.entries = [DER.sequence(DER.integer(1), DER.utcTime("260101000000Z"), issuer)]
        }
        let list = try CertificateRevocationList(der: raw.der)
        #expect(list.count == 1)
        // KeyUsage with cRLSign.
        let usage = DER.certificateExtension(15, critical: true, [0x03, 0x02, 0x01, 0x02])
        let root = RawCertificate.with {
            $0.subject = raw.issuer
            $0.extensions = [usage]
        }
        #expect(
            list.verify(issuer: try Certificate(der: root.der), at: now).refusal?.reason == .unknownCriticalExtension
        )
        let bare = RawCertificate.with { $0.subject = raw.issuer }
        #expect(list.verify(issuer: try Certificate(der: bare.der), at: now).refusal?.reason == .listSigningNotAllowed)
    }

    @Test
    func refusedEncodings() throws {
        let entry = DER.sequence(DER.integer(1), DER.utcTime("260101000000Z"))
        let withExtension = DER.sequence(
            DER.integer(1),
            DER.utcTime("260101000000Z"),
            DER.sequence(DER.certificateExtension(21, [0x0a, 0x01, 0x01]))
        )
        let changes: [(inout RawRevocationList) -> Void] = [
            { $0.version = DER.integer(2) }, { $0.version = DER.integer(0) }, { $0.issuer = DER.set() },
            { $0.outerAlgorithm = DER.sequence() }, { $0.thisUpdate = DER.integer(1) },
            { $0.entries = [DER.sequence(DER.integer(1))] }, { $0.entries = [entry + [0x05, 0x00]] },
            { $0.entries = [DER.sequence(DER.integer(1), DER.utcTime("26010100000Z"))] },
            { $0.entries = [DER.sequence(DER.integer(0x00, 0x01), DER.utcTime("260101000000Z"))] },
            {
                $0.version = []
                $0.entries = [withExtension]
            },
            {
                $0.version = []
                $0.extensions = [DER.certificateExtension(20, DER.integer(1))]
            },
            { $0.rest = [0x05, 0x00] },
        ]
        #expect(try CertificateRevocationList(der: RawRevocationList().der).count == 0)
        for change in changes {
            expect(.invalidDER) { _ = try CertificateRevocationList(der: RawRevocationList.with(change).der) }
        }
        let twice = RawRevocationList.with {
            $0.extensions = [
                DER.certificateExtension(20, DER.integer(1)), DER.certificateExtension(20, DER.integer(1)),
            ]
        }
        expect(.duplicateExtension) { _ = try CertificateRevocationList(der: twice.der) }
        let der = RawRevocationList().der
        expect(.limitExceeded) { _ = try CertificateRevocationList(der: der, maximumSize: der.count - 1) }
        #expect(try CertificateRevocationList(der: der, maximumSize: der.count).nextUpdate != nil)
    }

    @Test
    func oddListsDepartFromTheProfile() throws {
        let raw = RawRevocationList.with {
            $0.version = []
            $0.nextUpdate = []
            $0.entries = []
        }
        let kinds = RevocationListProfile.iaca.deviations(of: try CertificateRevocationList(der: raw.der)).map(\.kind)
        #expect(kinds == [.version, .encoding, .missingNextUpdate, .missingExtension, .missingExtension])
    }

    @Test
    func reasonsOutsideTheirTypeAreNotWritten() async throws {
        let corpus = try await Self.corpus.value
        let entry = RevokedCertificate(
            serialNumber: [1],
            revocationDate: corpus.start,
            reason: RevocationReason(rawValue: 128)
        )
        let error = await #expect(throws: CryptoError.self) { try await Self.list(of: corpus, [entry]) }
        #expect(error?.code == .invalidParameter)
    }
}
