import CredentialTransport
import CryptoCore
import Foundation
import IRMAMessages
import Testing

/// Schemes whose files are damaged, as a loss of power leaves them: what an update takes in their place.
@Suite struct SchemeRepairTests {
    private static let url = "https://schemes.example/demo"

    private let fixture: SchemeFixture
    private let old: VerifiedSchemeFiles

    init() async throws {
        fixture = try SchemeFixture()
        old = try await fixture.verified(at: SchemeFixture.time + 60)
    }

    private func updater(_ offer: VerifiedSchemeFiles, _ store: any SchemeStore) throws -> SchemeUpdater {
        let type = try MediaType("application/octet-stream")
        let answers = offer.stored.files.map {
            ("\(Self.url)/\($0.key.text)", InMemoryHTTPAnswer.ok($0.value, type: type))
        }
        return SchemeUpdater(
            transport: InMemoryHTTPTransport(Dictionary(uniqueKeysWithValues: answers)),
            store: store
        )
    }

    /// A store whose version has lost the end of some files.
    private func store(cutting paths: SchemePath...) -> InMemorySchemeStore {
        var files = old.stored
        for path in paths { files.files[path]?.removeLast(5) }
        return InMemorySchemeStore([files])
    }

    @Test(arguments: ["index", "index.sig", "timestamp", "bank/description.xml", "bank/PublicKeys/0.xml"])
    func areFetchedAnew(path: String) async throws {
        let store = self.store(cutting: SchemePath(path))
        await #expect(throws: IRMAError.self) { try await store.snapshot() }
        let result = try await updater(old, store).update("demo")
        guard case .updated(old) = result else {
            Issue.record("not repaired")
            return
        }
        #expect(await store.files(of: "demo") == old.stored)
        let other = self.store(cutting: SchemePath(path))
        _ = try await updater(old, other).install("demo", from: Self.url, pinned: fixture.signer.publicKey)
        #expect(await other.files(of: "demo") == old.stored)
    }

    @Test func keepTheirTimeAsFarAsItVerifies() async throws {
        let older = try await fixture.verified()
        let damaged = self.store(cutting: "bank/description.xml")
        await expectRefusal(.rollback) { try await updater(older, damaged).update("demo") }
        let key = fixture.signer.publicKey
        await expectRefusal(.rollback) {
            try await updater(older, damaged).install("demo", from: Self.url, pinned: key)
        }
        // A signature that does not verify says nothing about the time.
        for path in ["index", "index.sig", "timestamp"] as [SchemePath] {
            #expect(try await updater(older, store(cutting: path)).update("demo").files == older)
        }
    }

    @Test func keepTheirKey() async throws {
        let foreign = try await SchemeFixture().verified(at: SchemeFixture.time + 120)
        let damaged = self.store(cutting: "index")
        await expectRefusal(.invalidSchemeSignature) { try await updater(foreign, damaged).update("demo") }
        await expectRefusal(.invalidSchemeSignature) {
            try await updater(foreign, damaged).installTrustingFirstUse("demo", from: Self.url)
        }
        #expect(try await updater(old, damaged).installTrustingFirstUse("demo", from: Self.url).files == old)
    }

    /// The key of the server that happens to answer is no substitute for one that was kept.
    @Test func withoutTheirKeyNeedAPinnedOne() async throws {
        let damaged = self.store(cutting: "pk.pem", "index")
        let updater = try self.updater(old, damaged)
        await expectRefusal(.invalidScheme) { try await updater.update("demo") }
        await expectRefusal(.invalidScheme) { try await updater.installTrustingFirstUse("demo", from: Self.url) }
        #expect(try await updater.update("demo", pinned: fixture.signer.publicKey).files == old)
    }

    @Test func ofAnotherOwnerAreLeft() async throws {
        let foreign = try await SchemeFixture().verified(at: SchemeFixture.time + 120)
        let damaged = self.store(cutting: "bank/description.xml")
        let key = foreign.publicKey
        await expectRefusal(.invalidSchemeSignature) {
            try await updater(foreign, damaged).install("demo", from: Self.url, pinned: key)
        }
    }

    @Test func withoutADescriptionHaveNoURL() async throws {
        let damaged = self.store(cutting: "description.xml")
        await expectRefusal(.invalidScheme, at: "demo") { try await updater(old, damaged).update("demo") }
        let key = fixture.signer.publicKey
        #expect(try await updater(old, damaged).install("demo", from: Self.url, pinned: key).files == old)
    }

    /// Those that exist in the world have a URL that is known.
    @Test func areFetchedFromTheirKnownURL() async throws {
        let name: SchemeIdentifier = "pbdf"
        let transport = InMemoryHTTPTransport([:])
        let damaged = InMemorySchemeStore([SchemeFiles(scheme: name, files: [.index: [0]])])
        let updater = SchemeUpdater(transport: transport, store: damaged)
        await expectRefusal(.retrievalFailed) { try await updater.update(name, pinned: WellKnownSchemes.keys[name]) }
        #expect(transport.requests.map(\.url.description) == ["https://schemes.yivi.app/pbdf/index"])
    }

    @Test func doNotHideTheOthers() async throws {
        let damaged = self.store(cutting: "index")
        let other = try fixture.changing("description.xml", "<Id>demo</Id>", "<Id>other</Id>")
            .changing("bank/description.xml", "<SchemeManager>demo", "<SchemeManager>other")
            .changing("bank/Issues/card/description.xml", "<SchemeManager>demo", "<SchemeManager>other")
        let files = try await SchemeFiles(scheme: "other", files: other.files).signed(
            with: fixture.signer,
            at: SchemeFixture.time
        )
        await damaged.replace(with: files, unsigned: [:])
        let reading = try await damaged.reading()
        #expect(Set(reading.snapshot.schemes.keys) == ["other"])
        #expect(reading.errors.mapValues(\.code) == ["demo": .invalidSchemeSignature])
        // A version that was read before stays.
        let former = try SchemeSnapshot([try IRMAScheme(old)])
        let kept = try await damaged.reading(keeping: former)
        #expect(Set(kept.snapshot.schemes.keys) == ["demo", "other"] && kept.errors.keys.contains("demo"))
    }

    @Test func inAFolderKeepTheirPrivateKeys() async throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString, isDirectory: true)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: url) }
        let directory = try SchemeDirectory(opening: url)
        var first = fixture
        first.files["bank/old.png"] = [1]
        let stored = try await first.verified()
        try await directory.replace(with: stored, unsigned: ["bank/PrivateKeys/0.xml": [2], "README.md": [3]])
        #expect(try await directory.hasUnsignedFile("bank/PrivateKeys/0.xml", of: "demo"))
        #expect(try await !directory.hasUnsignedFile("bank/PrivateKeys/1.xml", of: "demo"))
        for damage in [[], Array(stored.index.encodedBytes.prefix(100))] as [[UInt8]] {
            try Data(damage).write(to: url.appendingPathComponent("demo/index"))
            #expect(try await directory.reading().errors.keys.contains("demo"))
            #expect(try await updater(old, directory).update("demo").files == old)
            #expect(try await directory.verifiedFiles(of: "demo") == old)
            #expect(try await directory.reading().errors.isEmpty)
            let paths = try FileManager.default.subpathsOfDirectory(atPath: url.path)
            #expect(paths.contains("demo/bank/PrivateKeys/0.xml") && paths.contains("demo/README.md"))
            #expect(!paths.contains("demo/bank/old.png"))
        }
        // A missing index is a damage like others, and the key still counts.
        try FileManager.default.removeItem(at: url.appendingPathComponent("demo/index"))
        #expect(try await directory.schemes() == ["demo"])
        #expect(try await directory.reading().errors["demo"]?.code == .invalidScheme)
        let foreign = try await SchemeFixture().verified()
        await expectRefusal(.invalidSchemeSignature) {
            try await updater(foreign, directory).installTrustingFirstUse("demo", from: Self.url)
        }
        #expect(try await updater(old, directory).update("demo").files == old)
        #expect(try await directory.verifiedFiles(of: "demo") == old)
    }
}
