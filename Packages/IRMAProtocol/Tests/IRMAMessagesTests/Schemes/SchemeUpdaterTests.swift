import CredentialTransport
import CryptoCore
import Foundation
import IRMAMessages
import IdemixCore
import Testing

/// Updates over HTTP: what is taken, and what leaves the stored version in place.
@Suite struct SchemeUpdaterTests {
    private static let url = "https://schemes.example/demo"

    /// A server with the files of a scheme.
    private func server(_ files: SchemeFiles) throws -> InMemoryHTTPTransport {
        let type = try MediaType("application/octet-stream")
        return InMemoryHTTPTransport(
            Dictionary(
                uniqueKeysWithValues: files.files.map { path, bytes in
                    ("\(Self.url)/\(path.text.replacingOccurrences(of: " ", with: "%20"))", .ok(bytes, type: type))
                }
            )
        )
    }

    private func later(_ fixture: SchemeFixture, by seconds: TimeInterval = 60) async throws -> VerifiedSchemeFiles {
        try await fixture.changing("bank/description.xml", "Demo bank", "Demo new")
            .verified(at: SchemeFixture.time + seconds)
    }

    @Test func installsWithAPinnedKey() async throws {
        var fixture = try SchemeFixture()
        fixture.files["bank/with space.png"] = [1]
        let files = try await fixture.verified()
        let store = InMemorySchemeStore()
        let updater = SchemeUpdater(transport: try server(files.stored), store: store)
        let result = try await updater.install("demo", from: Self.url + "/", pinned: fixture.signer.publicKey)
        #expect(result.files == files)
        #expect(await store.files(of: "demo") == files.stored)
        let other = try PrivateKey.generate(.p256).publicKey
        let empty = SchemeUpdater(transport: try server(files.stored), store: InMemorySchemeStore())
        await expectRefusal(.invalidSchemeSignature) { try await empty.install("demo", from: Self.url, pinned: other) }
        #expect(try await empty.installTrustingFirstUse("demo", from: Self.url).files == files)
    }

    @Test func fetchesOnlyWhatHasChanged() async throws {
        // Without private keys, which a demo scheme asks for.
        let fixture = try SchemeFixture(issuers: 5).changing("description.xml", "<Demo>true</Demo>", "")
        let new = try await later(fixture)
        let store = InMemorySchemeStore([try await fixture.verified().stored])
        let transport = try server(new.stored)
        guard case .updated(let files) = try await SchemeUpdater(transport: transport, store: store).update("demo")
        else {
            Issue.record("not updated")
            return
        }
        #expect(files == new)
        let paths = transport.requests.map { $0.url.path }
        #expect(paths.sorted() == ["/demo/bank/description.xml", "/demo/index", "/demo/index.sig", "/demo/timestamp"])
        let again = try await SchemeUpdater(transport: transport, store: store).update("demo")
        guard case .unchanged = again else {
            Issue.record("updated twice")
            return
        }
        #expect(transport.requests.count == 7)
    }

    @Test func demoSchemesComeWithTheirPrivateKeys() async throws {
        let scene = try Scene.shared.get()
        var fixture = try SchemeFixture()
        fixture.files["bank/PublicKeys/0.xml"] = nil
        fixture.files["bank/PublicKeys/3.xml"] = scene.keys.publicKey.xml
        fixture.files["bank/PublicKeys/4.xml"] = try IdemixIssuerPublicKey(
            counter: 4,
            expiryDate: Scene.now,
            elements: scene.keys.publicKey.elements
        ).xml
        func served(_ fixture: SchemeFixture) async throws -> InMemorySchemeStore {
            var files = try await fixture.verified().stored
            let privateKey = try scene.keys.privateKey.xml().withUnsafeBytes { [UInt8]($0) }
            files.files["bank/PrivateKeys/3.xml"] = privateKey
            // A key of another counter does not belong to the public key.
            files.files["bank/PrivateKeys/4.xml"] = privateKey
            let store = InMemorySchemeStore()
            let updater = SchemeUpdater(transport: try server(files), store: store)
            _ = try await updater.install("demo", from: Self.url, pinned: fixture.signer.publicKey)
            return store
        }
        #expect(await Set(try served(fixture).unsignedFiles(of: "demo").keys) == ["bank/PrivateKeys/3.xml"])
        let production = try fixture.changing("description.xml", "<Demo>true</Demo>", "")
        #expect(await (try served(production)).unsignedFiles(of: "demo").isEmpty)
    }

    /// The server that lacked a private key may have it later; one that is kept is not fetched again.
    @Test func privateKeysThatAreMissingAreAskedForAgain() async throws {
        let scene = try Scene.shared.get()
        var fixture = try SchemeFixture()
        fixture.files["bank/PublicKeys/0.xml"] = nil
        fixture.files["bank/PublicKeys/3.xml"] = scene.keys.publicKey.xml
        let store = InMemorySchemeStore()
        let path: SchemePath = "bank/PrivateKeys/3.xml"
        for (hours, hasKey, asks) in [(0, false, true), (1, true, true), (2, true, false)] {
            var files = try await later(fixture, by: Double(hours) * 3600).stored
            if hasKey { files.files[path] = try scene.keys.privateKey.xml().withUnsafeBytes { [UInt8]($0) } }
            let transport = try server(files)
            let updater = SchemeUpdater(transport: transport, store: store)
            _ = try await updater.install("demo", from: Self.url, pinned: fixture.signer.publicKey)
            #expect(transport.requests.contains { $0.url.path.contains("PrivateKeys") } == asks)
            #expect(await store.hasUnsignedFile(path, of: "demo") == hasKey)
        }
    }

    @Test func namesComeFromTheDescription() async throws {
        let fixture = try SchemeFixture()
        let updater = SchemeUpdater(
            transport: try server(await fixture.verified().stored),
            store: InMemorySchemeStore()
        )
        #expect(try await updater.scheme(at: Self.url) == "demo")
        #expect(try await updater.scheme(at: Self.url + "/") == "demo")
        await expectRefusal(.retrievalFailed) { try await updater.scheme(at: "https://schemes.example/other") }
        let requestors = SchemeFiles(
            scheme: "demo",
            files: ["description.json": SchemeFixture.bytes(#"{"id":"requestors"}"#)]
        )
        let other = SchemeUpdater(transport: try server(requestors), store: InMemorySchemeStore())
        #expect(try await other.scheme(at: Self.url) == "requestors")
        #expect(try SchemeFiles(described: fixture.files).scheme == "demo")
        expectRefusal(.invalidScheme) { try SchemeFiles(described: [:]) }
        for id in ["<Id>a.b</Id>", "<Id>a/b</Id>", ""] {
            let changed = try fixture.changing("description.xml", "<Id>demo</Id>", id)
            expectRefusal(.malformedDescription) { try SchemeFiles(described: changed.files) }
        }
    }

    @Test func olderVersionsAreRefused() async throws {
        let fixture = try SchemeFixture()
        let stored = try await later(fixture)
        let store = InMemorySchemeStore([stored.stored])
        let updater = SchemeUpdater(transport: try server(await fixture.verified().stored), store: store)
        await expectRefusal(.rollback) { try await updater.update("demo") }
        #expect(await store.files(of: "demo") == stored.stored)
    }

    @Test func unsignedAndChangedFilesLeaveTheStoredVersion() async throws {
        let fixture = try SchemeFixture()
        let old = try await fixture.verified().stored
        let new = try await later(fixture).stored
        let foreign = try SchemeFixture()
        var offers: [(IRMAError.Code, SchemeFiles)] = [
            (.invalidSchemeSignature, try await later(foreign).stored), (.digestMismatch, new), (.digestMismatch, new),
            (.retrievalFailed, new), (.invalidSchemeSignature, new),
        ]
        offers[1].1.files["bank/description.xml"]?.append(0x20)
        offers[2].1.files[.timestamp] = Array("1900000000\n".utf8)
        offers[3].1.files["bank/description.xml"] = nil
        offers[4].1.files[.index]?.append(0x0a)
        for (code, offer) in offers {
            let store = InMemorySchemeStore([old])
            let updater = SchemeUpdater(transport: try server(offer), store: store)
            await expectRefusal(code) { try await updater.update("demo") }
            #expect(await store.files(of: "demo") == old)
        }
    }

    @Test func invalidContentLeavesTheStoredVersion() async throws {
        let fixture = try SchemeFixture()
        let old = try await fixture.verified().stored
        let changes: [(SchemePath, String, String)] = [
            ("bank/PublicKeys/0.xml", "<Counter>0", "<Counter>5"), ("bank/description.xml", "Demo bank", "bank"),
        ]
        for (path, text, other) in changes {
            let invalid = try await fixture.changing(path, text, other).verified(at: SchemeFixture.time + 60)
            let store = InMemorySchemeStore([old])
            let updater = SchemeUpdater(transport: try server(invalid.stored), store: store)
            await expectRefusal(.invalidScheme) { try await updater.update("demo") }
            #expect(await store.files(of: "demo") == old)
        }
    }

    @Test func sizesAreLimited() async throws {
        let fixture = try SchemeFixture()
        let files = try await fixture.verified().stored
        for change in [\SchemeLimits.fileSize, \.totalSize, \.indexSize] {
            var limits = SchemeLimits()
            limits[keyPath: change] = 300
            let updater = SchemeUpdater(transport: try server(files), store: InMemorySchemeStore(), limits: limits)
            let key = fixture.signer.publicKey
            let error = await #expect(throws: IRMAError.self) {
                try await updater.install("demo", from: Self.url, pinned: key)
            }
            #expect([.limitExceeded, .retrievalFailed].contains(error?.code), "\(String(describing: error))")
        }
    }

    @Test func schemesThatAreNotKeptAreNotUpdated() async throws {
        let updater = SchemeUpdater(transport: InMemoryHTTPTransport([:]), store: InMemorySchemeStore())
        await expectRefusal(.unknownIdentifier) { try await updater.update("demo") }
        let key = try PrivateKey.generate(.p256).publicKey
        await expectRefusal(.retrievalFailed) { try await updater.install("demo", from: "ftp://x", pinned: key) }
    }
}
