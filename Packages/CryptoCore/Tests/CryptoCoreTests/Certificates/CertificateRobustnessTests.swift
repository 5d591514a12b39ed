import CryptoCore
import Foundation
import TestSupport
import Testing

/// Damaged certificates and lists are refused or read, and never trap, hang or take much memory.
@Suite(.serialized)
struct CertificateRobustnessTests {
    private static let list = Task {
        let corpus = try await CertificateCorpus(.p256)
        let entries = (1..<20).map { number in
            RevokedCertificate(
                serialNumber: [UInt8(number)],
                revocationDate: corpus.start,
                reason: .keyCompromise,
                invalidityDate: corpus.start
            )
        }
        return try await RevocationListBuilder(
            thisUpdate: corpus.start,
            nextUpdate: corpus.noon,
            number: 1,
            revokedCertificates: entries
        ).issued(by: corpus.root)
    }

    /// A certificate with every extension that this module reads.
    private static let rich = Task {
        let corpus = try await CertificateCorpus(.p256)
        let id = OID("1.2.3").map { GeneralName.registeredID($0) }
        let names: [GeneralName] = [
            .dns("a.example"), .email("a@b.example"), .uri("https://a.example/"), .ipAddress([1, 2, 3, 4]),
            .directory(try DistinguishedName(countryName: "UT", commonName: "ü")),
        ]
        return try await corpus.authority(
            by: corpus.root,
            extensions: [
                .certificateAuthority(pathLength: 3), .keyUsage([.keyCertSign, .digitalSignature]),
                .extendedKeyUsage([.serverAuthentication, .mdlDocumentSigner]),
                .subjectAlternativeName(names + [id].compactMap(\.self)), .issuerAlternativeName(names),
                .crlDistributionPoints(["http://a.example/crl"]),
                .nameConstraints(permitted: [.dns("example")], excluded: [.email("evil.example")]),
                .certificatePolicies([.serverAuthentication]),
            ]
        ).certificate
    }

    /// Reads everything that can be asked of a certificate.
    private static func exhaust(_ certificate: Certificate, _ validator: CertificatePathValidator, at time: Date) {
        _ = certificate.description
        _ = certificate.subject.matches(certificate.issuer)
        _ = try? certificate.publicKey()
        _ = certificate.signatureAlgorithm
        _ = certificate.extensions.map(\.name)
        _ = try? certificate.subjectAlternativeName
        _ = try? certificate.issuerAlternativeName
        _ = try? certificate.crlDistributionPoints
        _ = try? certificate.certificatePolicies
        _ = try? certificate.policyMappings
        _ = try? certificate.nameConstraints
        _ = CertificateProfile.mdocDocumentSigner.deviations(of: certificate, issuer: certificate)
        _ = validator.validate([certificate], at: time)
    }

    @Test
    func truncationAtEveryByteIsRefused() async throws {
        let certificates = [AnnexD.documentSigner, AnnexD.iaca, try await Self.rich.value.derBytes]
        for der in certificates {
            for count in der.indices { #expect(throws: CryptoError.self) { try Certificate(der: der[..<count]) } }
        }
        let list = try await Self.list.value.derBytes
        for count in list.indices {
            #expect(throws: CryptoError.self) { try CertificateRevocationList(der: list[..<count]) }
        }
    }

    @Test
    func mutationsOfCertificates() async throws {
        let time = try Date(iso8601: "2021-01-01T00:00:00Z")
        let validator = CertificatePathValidator(anchors: [try Certificate(der: AnnexD.iaca)])
        let seeds = [AnnexD.documentSigner, AnnexD.iaca, AnnexD.reader, try await Self.rich.value.derBytes]
        for seed in seeds { Self.exhaust(try Certificate(der: seed), validator, at: time) }
        var mutator = Mutator(seed: 5280)
        let before = PeakMemory.bytes
        var read = 0
        for round in 0..<10_000 {
            guard let certificate = try? Certificate(der: mutator.mutate(seeds[round % seeds.count])) else { continue }
            read += 1
            Self.exhaust(certificate, validator, at: time)
        }
        print("mutated certificates: 10000, of which \(read) could still be read")
        #expect(read > 0)
        if let before, let after = PeakMemory.bytes { #expect(after - before <= 64 << 20) }
    }

    @Test
    func mutationsOfRevocationLists() async throws {
        let seed = try await Self.list.value.derBytes
        let corpus = try await CertificateCorpus(.p256)
        let leaf = try await corpus.leaf(by: corpus.root)
        _ = try CertificateRevocationList(der: seed).verify(issuer: corpus.root.certificate, at: corpus.noon)
        var mutator = Mutator(seed: 5281)
        let before = PeakMemory.bytes
        var read = 0
        for _ in 0..<10_000 {
            guard let list = try? CertificateRevocationList(der: mutator.mutate(seed)) else { continue }
            read += 1
            _ = list.revokedCertificates.map(\.reason?.description)
            _ = RevocationListProfile.iaca.deviations(of: list, issuer: leaf)
            _ = list.verify(issuer: corpus.root.certificate, at: corpus.noon)
        }
        print("mutated revocation lists: 10000, of which \(read) could still be read")
        #expect(read > 0)
        if let before, let after = PeakMemory.bytes { #expect(after - before <= 64 << 20) }
    }

    @Test
    func listsOfTheLargestSizeTakeBoundedMemory() throws {
        let entry = DER.sequence(DER.integer(1), DER.utcTime("260101000000Z"))
        let count = CertificateRevocationList.defaultMaximumSize / entry.count - 20
        var entries: [UInt8] = []
        for _ in 0..<count { entries += entry }
        let shape = RawRevocationList.with { $0.entries = [[]] }.der
        func long(_ tag: UInt8, _ contents: [UInt8]) -> [UInt8] {
            [tag, 0x83] + [16, 8, 0].map { UInt8(truncatingIfNeeded: contents.count >> $0) } + contents
        }
        let raw = RawRevocationList()
        let members = raw.version + raw.innerAlgorithm + raw.issuer + raw.thisUpdate + raw.nextUpdate
        let der = long(0x30, long(0x30, members + long(0x30, entries)) + raw.outerAlgorithm + DER.bitString([1]))
        #expect(try CertificateRevocationList(der: shape).count == 0)
        let before = PeakMemory.bytes
        #expect(try CertificateRevocationList(der: der).count == count)
        if let before, let after = PeakMemory.bytes { #expect(after - before <= 64 << 20) }
    }
}
