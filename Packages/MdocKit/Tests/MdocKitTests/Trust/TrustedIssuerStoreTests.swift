import CBORKit
import CredentialTesting
import CryptoCore
import Foundation
import MdocKit
import MdocTrust
import Synchronization
import Testing

/// Trusted issuers that live on: changes while a verifier is used, stores, and lists of providers.
@Suite struct TrustedIssuerStoreTests {
    private static let later = Utopia.now + 3 * Utopia.day

    private func verdict(_ utopia: Utopia, _ verifier: MdocVerifier) async throws -> Reason? {
        try await utopia.verify(utopia.present(utopia.licence()), with: verifier).documents.first?.refusal?.reason
    }

    private static func withFolder(_ body: (String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("issuers-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder.path)
    }

    private static func expect(_ code: MdocError.Code, _ body: () throws -> Void) {
        let error = #expect(throws: MdocError.self) { try body() }
        #expect(error?.code == code, "\(String(describing: error))")
    }

    /// A VICAL about certificates, verified.
    private static func vical(
        _ certificates: [Certificate],
        issue: Int? = 7,
        date: Date = Utopia.now - Utopia.day,
        provider: String = "Lists",
        docTypes: CBOR = ["org.iso.18013.5.1.mDL"],
        rootSeed: UInt64 = 614
    ) async throws -> VerifiedVICAL {
        let lists = try await ListProvider(seed: rootSeed)
        let infos = certificates.map {
            ListProvider.entry($0, ["docType": docTypes, "issuingAuthority": "Utopia RDW"])
        }
        guard case .map(var map) = ListProvider.vical(infos) else { throw MdocError(.invalidValue, "no map") }
        map["vicalIssueID"] = issue.map { .integer($0) }
        map["date"] = ListProvider.time(date)
        map["vicalProvider"] = .text(provider)
        let list = try VICAL(decoding: try await lists.sign(.map(map)))
        return try list.verify(anchors: [lists.root.certificate], at: Utopia.now).get()
    }

    @Test func theNextVerificationSeesAChange() async throws {
        let utopia = try await Utopia()
        let issuers = TrustedIssuers()
        let verifier = MdocVerifier(trustedIssuers: issuers, clock: { Utopia.now })
        #expect(try await verdict(utopia, verifier) == .issuerNotTrusted)
        let entry = try issuers.add(pem: utopia.iaca.certificate.pem)[0]
        #expect(try await verdict(utopia, verifier) == nil)
        // A copy with another policy has the same issuers.
        let waiving = verifier.withStatusPolicy(.waived)
        #expect(try await verdict(utopia, waiving) == nil)
        #expect(waiving.policy.status == .waived)
        try issuers.remove(id: entry.id)
        #expect(try await verdict(utopia, verifier) == .issuerNotTrusted)
        #expect(try await verdict(utopia, waiving) == .issuerNotTrusted)
        try issuers.add(utopia.iaca.certificate, docTypes: ["org.iso.23220.photoID.1"])
        #expect(try await verdict(utopia, verifier) == .issuerNotTrusted)
    }

    @Test func anEntryTellsItsNamesValidityTypesAndOrigin() async throws {
        let utopia = try await Utopia()
        let issuers = TrustedIssuers()
        let certificate = utopia.iaca.certificate
        let entry = try issuers.add(certificate, id: "utopia", docTypes: [.mDL])
        #expect(entry.name == certificate.subject.commonName)
        #expect(entry.countryName == "UT")
        #expect(entry.validity == certificate.notValidBefore...certificate.notValidAfter)
        #expect(entry.docTypes == [.mDL])
        #expect(entry.origin == .configuration)
        #expect(entry.purpose == .issuing)
        #expect(try issuers.add(certificate, id: "named", name: "Ministry").name == "Ministry")
        try issuers.replace(with: try await Self.vical([certificate]))
        let listed = try #require(issuers.entries.last)
        #expect(listed.name == "Utopia RDW")
        #expect(listed.docTypes == [.mDL])
        #expect(listed.list?.format == TrustedIssuer.List.vical)
        #expect(listed.list?.provider == "Lists")
        #expect(listed.list?.issue == 7)
        #expect(listed.list?.notAfter == Utopia.now + 2 * Utopia.day)
        #expect(Set(issuers.entries.map(\.id)).count == 3)
    }

    @Test func aVICALReplacesTheIssuersThatItBroughtBefore() async throws {
        let utopia = try await Utopia()
        let other = try await Utopia.make()
        let issuers = TrustedIssuers()
        let verifier = MdocVerifier(trustedIssuers: issuers, clock: { Utopia.now })
        let configured = try issuers.add(utopia.readerAuthority.certificate)
        try issuers.replace(with: try await Self.vical([utopia.iaca.certificate, other.iaca.certificate]))
        try issuers.replace(with: try await Self.vical([utopia.iaca.certificate], provider: "Others"))
        #expect(issuers.entries.count == 4)
        #expect(try await verdict(other, verifier) == nil)
        try issuers.replace(with: try await Self.vical([utopia.iaca.certificate], issue: 8))
        #expect(issuers.entries.map(\.list?.provider) == [nil, "Others", "Lists"])
        #expect(issuers.entries.first?.id == configured.id)
        #expect(try await verdict(other, verifier) == .issuerNotTrusted)
        #expect(try await verdict(utopia, verifier) == nil)
        #expect(issuers.lastIssueID(ofVICAL: "Lists") == 8)
        #expect(issuers.lastIssueID(ofVICAL: "Nobody") == nil)
        let earlier = try await Self.vical([other.iaca.certificate], issue: 7)
        Self.expect(.supersededList) { try issuers.replace(with: earlier) }
        #expect(try await verdict(other, verifier) == .issuerNotTrusted)
        // The issue stays known when the entries are gone.
        try issuers.removeEntries(of: TrustedIssuer.List(earlier.list))
        #expect(issuers.entries.map(\.list?.provider) == [nil, "Others"])
        Self.expect(.supersededList) { try issuers.replace(with: earlier) }
    }

    @Test(arguments: [7, nil] as [Int?])
    func refusesAnEarlierListWithTheSameNumberOrNone(issue: Int?) async throws {
        let utopia = try await Utopia()
        let issuers = TrustedIssuers()
        let date = Utopia.now - Utopia.day
        func list(_ seconds: TimeInterval, _ issue: Int?) async throws -> VerifiedVICAL {
            try await Self.vical([utopia.iaca.certificate], issue: issue, date: date + seconds)
        }
        try issuers.replace(with: try await list(0, issue))
        try issuers.replace(with: try await list(0, issue))
        #expect(issuers.lastDate(ofVICAL: "Lists") == date)
        let earlier = try await list(-1, issue)
        Self.expect(.supersededList) { try issuers.replace(with: earlier) }
        try issuers.replace(with: try await list(1, issue))
        #expect(issuers.lastDate(ofVICAL: "Lists") == date + 1)
        // A higher number is later whatever its date.
        let numbered = try await list(-1, 8)
        if issue == nil {
            Self.expect(.supersededList) { try issuers.replace(with: numbered) }
        } else {
            try issuers.replace(with: numbered)
        }
        let unnumbered = try await list(100, nil)
        if issue == nil {
            try issuers.replace(with: unnumbered)
        } else {
            Self.expect(.supersededList) { try issuers.replace(with: unnumbered) }
        }
    }

    @Test func refusesAListInTheNameOfAnotherProvider() async throws {
        let utopia = try await Utopia()
        let store = InMemoryTrustedIssuerStore()
        let issuers = try TrustedIssuers(store: store)
        let own = try await Self.vical([utopia.iaca.certificate])
        try issuers.replace(with: own)
        let other = try await Self.vical([utopia.readerAuthority.certificate], issue: 1000, rootSeed: 615)
        Self.expect(.listSignerMismatch) { try issuers.replace(with: other) }
        let again = try TrustedIssuers(store: store)
        Self.expect(.listSignerMismatch) { try again.replace(with: other) }
        Self.expect(.listSignerMismatch) {
            try again.replaceEntries(of: TrustedIssuer.List(own.list), with: [])
        }
        #expect(again.entries.map(\.certificate) == [utopia.iaca.certificate])
        #expect(again.lastIssueID(ofVICAL: "Lists") == 7)
        // The same root goes on, also with a new certificate about its key.
        try again.replace(with: try await Self.vical([utopia.iaca.certificate], issue: 8))
        // An operator knows that a provider has a new root.
        try again.forget(TrustedIssuer.List(other))
        #expect(again.entries.isEmpty)
        #expect(again.lists.isEmpty)
        try again.replace(with: other)
        #expect(again.lastIssueID(ofVICAL: "Lists") == 1000)
    }

    /// A store from before the key of the root was kept.
    @Test func readsAListThatWasStoredWithoutTheKeyOfItsRoot() async throws {
        let utopia = try await Utopia()
        let list: CBOR = ["VICAL", "Lists", 7, .float(CBORFloat(0)), .null, .null, .null]
        let content = CBOR.array([1, 1, .array([list]), []]).encoded()
        let issuers = try TrustedIssuers(store: InMemoryTrustedIssuerStore(content))
        #expect(issuers.lists.map(\.anchorKeyDigest) == [nil])
        #expect(issuers.lastIssueID(ofVICAL: "Lists") == 7)
        try issuers.replace(with: try await Self.vical([utopia.iaca.certificate]))
        #expect(issuers.lists.first?.anchorKeyDigest?.count == 32)
        let other = try await Self.vical([utopia.iaca.certificate], issue: 9, rootSeed: 615)
        Self.expect(.listSignerMismatch) { try issuers.replace(with: other) }
    }

    @Test func entriesOfAListAreTrustedUpToItsEnd() async throws {
        let utopia = try await Utopia()
        let issuers = TrustedIssuers()
        let clock = MovableTime()
        let verifier = MdocVerifier(trustedIssuers: issuers, clock: { clock.now })
        try issuers.replace(with: try await Self.vical([utopia.iaca.certificate]))
        #expect(try await verdict(utopia, verifier) == nil)
        clock.set(Self.later)
        #expect(try await verdict(utopia, verifier) == .issuerNotTrusted)
        clock.set(Utopia.now)
        #expect(try await verdict(utopia, verifier) == nil)
        clock.set(Self.later)
        try issuers.add(utopia.iaca.certificate)
        #expect(try await verdict(utopia, verifier) == nil)
    }

    @Test func aRICALBringsAuthoritiesForReadersAndNoIssuers() async throws {
        let utopia = try await Utopia()
        let lists = try await ListProvider()
        let constraint: CBOR = ["extensions": ["a": 1], "b": 2]
        let infos = [
            ListProvider.entry(
                utopia.readerAuthority.certificate,
                ["name": "Readers", "trustConstraints": [constraint]]
            ),
            ListProvider.entry(utopia.iaca.certificate),
        ]
        let list = try RICAL(decoding: try await lists.sign(ListProvider.rical(infos)), options: .deployed)
        let verified = try list.verify(anchors: [lists.root.certificate], at: Utopia.now, policy: .vical).get()
        let store = InMemoryTrustedIssuerStore()
        try TrustedIssuers(store: store).replace(with: verified)
        let issuers = try TrustedIssuers(store: store)
        #expect(issuers.anchors.isEmpty)
        #expect(issuers.entries.allSatisfy { $0.purpose == .reading })
        #expect(issuers.lastID(ofRICAL: "Lists") == 7)
        let authorities = issuers.readerAuthorities(at: Utopia.now)
        #expect(authorities.map(\.certificate) == verified.readerAuthorities.map(\.certificate))
        #expect(authorities.map(\.isTrustAnchor) == verified.readerAuthorities.map(\.isTrustAnchor))
        #expect(authorities.first?.name == "Readers")
        #expect(authorities.first?.trustConstraints.first?.reservedMembers == ["b"])
        let kept = authorities.first?.trustConstraints.first?.extensions?.view.encodedBytes
        #expect(kept == verified.readerAuthorities.first?.trustConstraints.first?.extensions?.view.encodedBytes)
        #expect(issuers.readerAuthorities(at: Self.later).isEmpty)
        let verifier = MdocVerifier(trustedIssuers: issuers, clock: { Utopia.now })
        #expect(try await verdict(utopia, verifier) == .issuerNotTrusted)
    }

    @Test(arguments: [false, true])
    func aFileKeepsTheListOverARestart(hasKey: Bool) async throws {
        let utopia = try await Utopia()
        try await Self.withFolder { folder in
            let key = hasKey ? SecretBytes([UInt8](repeating: 1, count: 32)) : nil
            let path = folder + "/issuers"
            let issuers = try TrustedIssuers(store: try FileTrustedIssuerStore(path: path, key: key))
            try issuers.add(utopia.iaca.certificate, id: "é", docTypes: [.mDL])
            try issuers.add(utopia.iaca.certificate, id: "e\u{301}")
            try issuers.replace(with: try await Self.vical([utopia.iaca.certificate]))
            let again = try TrustedIssuers(store: try FileTrustedIssuerStore(path: path, key: key))
            #expect(again.anchors == issuers.anchors)
            #expect(again.entries.map(\.origin) == issuers.entries.map(\.origin))
            #expect(again.entries.map(\.name) == issuers.entries.map(\.name))
            #expect(again.lists == issuers.lists)
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            // Two processes: neither loses the other's change, and each sees it when it reads again.
            try again.remove(id: "é")
            try issuers.add(utopia.readerAuthority.certificate, id: "more")
            #expect(issuers["é"] == nil)
            #expect(again["more"] == nil)
            try again.reload()
            #expect(again.anchors == issuers.anchors)
        }
    }

    @Test(arguments: [false, true])
    func refusesADamagedFile(hasKey: Bool) async throws {
        let utopia = try await Utopia()
        try await Self.withFolder { folder in
            let key = hasKey ? SecretBytes([UInt8](repeating: 1, count: 32)) : nil
            let url = URL(fileURLWithPath: folder + "/issuers")
            let store = try FileTrustedIssuerStore(path: url.path, key: key)
            let issuers = try TrustedIssuers(store: store)
            try issuers.add(utopia.iaca.certificate)
            let whole = try Data(contentsOf: url)
            for position in Set(stride(from: 0, to: whole.count, by: 37)).union(0..<48) {
                var changed = whole
                changed[position] ^= 1
                try changed.write(to: url)
                Self.expect(.storageDamaged) { _ = try TrustedIssuers(store: store) }
                Self.expect(.storageDamaged) { try issuers.remove(id: "x") }
            }
            try whole.prefix(whole.count - 1).write(to: url)
            Self.expect(.storageDamaged) { try issuers.reload() }
            #expect(issuers.entries.count == 1)
            try whole.write(to: url)
            let other = SecretBytes([UInt8](repeating: 2, count: 32))
            Self.expect(.storageDamaged) {
                _ = try TrustedIssuers(store: try FileTrustedIssuerStore(path: url.path, key: other))
            }
        }
        Self.expect(.storageFailed) { _ = try FileTrustedIssuerStore(path: "x", key: SecretBytes([1])) }
        Self.expect(.storageFailed) { _ = try FileTrustedIssuerStore(path: "") }
        let nowhere = try TrustedIssuers(store: try FileTrustedIssuerStore(path: "/nowhere/at/all"))
        Self.expect(.storageFailed) { try nowhere.add(utopia.iaca.certificate) }
        #expect(nowhere.entries.isEmpty)
    }

    @Test(arguments: [false, true])
    func refusesAStoreThatWasSetBack(isLost: Bool) async throws {
        let utopia = try await Utopia()
        let reader = utopia.readerAuthority.certificate
        try await Self.withFolder { folder in
            let url = URL(fileURLWithPath: folder + "/issuers")
            let store = try FileTrustedIssuerStore(path: url.path)
            let issuers = try TrustedIssuers(store: store)
            try issuers.add(utopia.iaca.certificate, id: "first")
            let earlier = try Data(contentsOf: url)
            try issuers.remove(id: "first")
            try issuers.add(reader, id: "second")
            if isLost {
                try FileManager.default.removeItem(at: url)
            } else {
                try earlier.write(to: url)
            }
            let revision = issuers.revision
            Self.expect(.storageRolledBack) { try issuers.reload() }
            // A change would be written over the earlier state, and bring the removed entry back.
            Self.expect(.storageRolledBack) { try issuers.add(utopia.iaca.certificate, id: "third") }
            Self.expect(.storageRolledBack) { try issuers.remove(id: "second") }
            #expect(issuers.entries.map(\.id) == ["second"])
            #expect(issuers.revision == revision)
            // A new list takes the store as it is.
            let again = try TrustedIssuers(store: store)
            #expect(again.entries.map(\.id) == (isLost ? [] : ["first"]))
            try again.add(reader, id: "fourth")
        }
    }

    @Test func refusesAChangeAfterTheLastNumber() async throws {
        let utopia = try await Utopia()
        let last = [0x84, 1, 0x1b] + [UInt8](repeating: 0xff, count: 8) + [0x80, 0x80]
        let issuers = try TrustedIssuers(store: InMemoryTrustedIssuerStore(last))
        Self.expect(.storageFailed) { try issuers.add(utopia.iaca.certificate) }
    }

    @Test(
        arguments: [
            ([], .storageDamaged), ([0x80], .storageDamaged), ([0x84, 2, 0, 0x80, 0x80], .unsupportedVersion),
            ([0x84, 1, 0, 0x80, 0x81, 0x80], .storageDamaged), ([0x84, 1, 0x20, 0x80, 0x80], .storageDamaged),
        ] as [([UInt8], MdocError.Code)]
    )
    func refusesAnotherContent(bytes: [UInt8], code: MdocError.Code) {
        Self.expect(code) { _ = try TrustedIssuers(store: InMemoryTrustedIssuerStore(bytes)) }
    }

    @Test func aChangeThatIsNotStoredDoesNotHold() async throws {
        let utopia = try await Utopia()
        let issuers = try TrustedIssuers(store: FullStore())
        Self.expect(.storageFailed) { try issuers.add(utopia.iaca.certificate) }
        #expect(issuers.entries.isEmpty)
    }

    /// A time that a test moves.
    private final class MovableTime: Sendable {
        private let time = Mutex(Utopia.now)

        var now: Date { time.withLock { $0 } }

        func set(_ now: Date) { time.withLock { $0 = now } }
    }

    /// A store without space.
    private struct FullStore: TrustedIssuerStore {
        func content() -> [UInt8]? { nil }

        func update(_ change: ([UInt8]?) throws(MdocError) -> [UInt8]) throws(MdocError) {
            _ = try change(nil)
            throw MdocError(.storageFailed, "no space")
        }
    }
}
