import CredentialTransport
import CredentialWallet
import CryptoCore
import Foundation
import HTTPTypes
import IRMAMessages
import IdemixCore
import Synchronization
import TestSupport
import Testing

@testable import IRMAClient

/// Schemes that change while a wallet runs.
struct WalletSchemesTests {
    /// The scheme `demo` as files, with more credential types in later versions.
    private struct Fixture {
        let signer: SoftwareSigner

        init() throws {
            signer = try SoftwareSigner(PrivateKey.generate(.p256))
        }

        func files(
            _ types: [String],
            attributes: String = #"<Attribute id="name"/>"#,
            at time: Date
        ) async throws -> VerifiedSchemeFiles {
            var files: [SchemePath: [UInt8]] = [
                "description.xml": bytes(
                    """
                    <SchemeManager version="7"><Id>demo</Id><Url>https://schemes.example/demo</Url><Demo>true</Demo>
                    <Name><en>Demo</en></Name><Description><en>Demo</en></Description></SchemeManager>
                    """
                ),
                "bank/description.xml": bytes(
                    """
                    <Issuer version="4"><ID>bank</ID><SchemeManager>demo</SchemeManager><Name><en>Demo bank</en></Name>
                    <ContactEMail>a@example.com</ContactEMail></Issuer>
                    """
                ),
                "bank/PublicKeys/3.xml": try Stage.shared.get().keys.publicKey.xml,
            ]
            for type in types {
                files[SchemePath("bank/Issues/\(type)/description.xml")] = bytes(
                    """
                    <IssueSpecification version="4"><SchemeManager>demo</SchemeManager><IssuerID>bank</IssuerID>
                    <CredentialID>\(type)</CredentialID><Name><en>Demo \(type)</en></Name>
                    <Attributes>\(attributes)</Attributes></IssueSpecification>
                    """
                )
            }
            return try await SchemeFiles(scheme: "demo", files: files).signed(with: signer, at: time)
        }

        private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }
    }

    /// A server that offers the newest version of the scheme, and a wallet that has the first.
    private func scene(
        _ newest: @escaping @Sendable () -> SchemeFiles?,
        _ first: VerifiedSchemeFiles,
        timer: any Clock<Duration> = ContinuousClock()
    ) async throws -> (PlayServer, IRMAWallet, InMemorySchemeStore) {
        let stage = try Stage.shared.get()
        let server = try PlayServer(stage) { request throws(TransportError) in
            guard request.url.host.description == "schemes.example" else { return nil }
            let path = SchemePath(String(request.url.path.dropFirst("/demo/".count)))
            guard let bytes = newest()?.files[path] else { return InMemoryHTTPAnswer(status: 404) }
            return .ok(bytes, type: try MediaType("application/octet-stream"))
        }
        let store = InMemorySchemeStore([first.stored])
        let schemes = try await WalletSchemes(store, transport: server.transport, pinned: [:])
        let wallet = try await IRMAWallet(
            storage: InMemoryCredentialStorage(),
            schemes: schemes,
            transport: server.transport,
            clock: WalletClock(now: { Stage.now }, timer: timer)
        )
        return (server, wallet, store)
    }

    @Test func updatesASchemeThatLacksWhatARequestNames() async throws {
        let fixture = try Fixture()
        let first = try await fixture.files(["card"], at: Stage.now)
        let second = try await fixture.files(["card", "new"], at: Stage.now + 60)
        let (server, wallet, store) = try await scene({ second.stored }, first)
        let session = try wallet.session(with: server.start(issuing(offer("demo.bank.new", ["name": "x"]))))
        #expect(try await session.request().credentials.map(\.type) == ["demo.bank.new"])
        #expect(await store.files(of: "demo") == second.stored)
        // A known name needs no update.
        let count = server.transport.requests.count
        _ = try await wallet.session(with: server.start(issuing(offer("demo.bank.new", ["name": "x"])))).request()
        #expect(server.transport.requests.count == count + 1)
    }

    @Test func updatesASchemeThatNeedsWhatARequestLacks() async throws {
        let fixture = try Fixture()
        let attributes = [
            #"<Attribute id="name"/><Attribute id="level"/>"#,
            #"<Attribute id="name"/><Attribute id="level" optional="true"/>"#,
        ]
        let first = try await fixture.files(["card"], attributes: attributes[0], at: Stage.now)
        let second = try await fixture.files(["card"], attributes: attributes[1], at: Stage.now + 60)
        let request = issuing(offer("demo.bank.card", ["name": "x"]))
        let (server, wallet, store) = try await scene({ second.stored }, first)
        #expect(try await wallet.session(with: server.start(request)).request().credentials.count == 1)
        #expect(await store.files(of: "demo") == second.stored)
        // Where the newest scheme needs it, too, the request is refused.
        let (other, behind, _) = try await scene({ first.stored }, first)
        let session = try behind.session(with: other.start(request))
        await expectRefusal(.requiredAttributeMissing) { try await session.request() }
    }

    @Test func refusesWhatTheNewestSchemeLacksToo() async throws {
        let fixture = try Fixture()
        let first = try await fixture.files(["card"], at: Stage.now)
        let (server, wallet, _) = try await scene({ first.stored }, first)
        let session = try wallet.session(with: server.start(issuing(offer("demo.bank.new", ["name": "x"]))))
        await expectRefusal(.unknownIdentifier) { try await session.request() }
    }

    @Test func runsSessionsWhileSchemesCannotBeHad() async throws {
        let fixture = try Fixture()
        let first = try await fixture.files(["card"], at: Stage.now)
        let (server, wallet, store) = try await scene({ nil }, first)
        #expect(await wallet.updateSchemes().mapValues(\.code) == ["demo": .configurationDownload])
        #expect(await store.files(of: "demo") == first.stored)
        _ = try await wallet.session(with: server.start(issuing(offer("demo.bank.card", ["name": "x"])))).request()
    }

    @Test func keepsTheOldVersionWhereTheNewOneIsForged() async throws {
        let first = try await Fixture().files(["card"], at: Stage.now)
        let forged = try await Fixture().files(["card", "new"], at: Stage.now + 60)
        let (_, wallet, store) = try await scene({ forged.stored }, first)
        #expect(await wallet.updateSchemes().mapValues(\.code) == ["demo": .invalidScheme])
        #expect(await store.files(of: "demo") == first.stored)
    }

    @Test func updatesInTheBackground() async throws {
        let fixture = try Fixture()
        let first = try await fixture.files(["card"], at: Stage.now)
        let second = try await fixture.files(["card", "new"], at: Stage.now + 60)
        let newest = Mutex(first.stored)
        let clock = ManualClock()
        let (_, wallet, store) = try await scene({ newest.withLock { $0 } }, first, timer: clock)
        let task = Task { await wallet.run() }
        await clock.waitForSleepers(2)
        newest.withLock { $0 = second.stored }
        clock.advance(by: .seconds(3600))
        await clock.waitForSleepers(2)
        #expect(await store.files(of: "demo") == second.stored)
        #expect(await wallet.core.schemes.snapshot.credentialType("demo.bank.new") != nil)
        task.cancel()
        await task.value
    }

    @Test func keepsTheSnapshotOfASession() async throws {
        let fixture = try Fixture()
        let first = try await fixture.files(["card"], at: Stage.now)
        let second = try await fixture.files(["card", "new"], at: Stage.now + 60)
        let newest = Mutex(first.stored)
        let (server, wallet, _) = try await scene({ newest.withLock { $0 } }, first)
        let pointer = server.start(issuing(offer("demo.bank.card", ["name": "x"])))
        let session = try wallet.session(with: pointer)
        _ = try await session.request()
        newest.withLock { $0 = second.stored }
        #expect(await wallet.updateSchemes().isEmpty)
        _ = try await session.answer(WalletChoice())
        #expect(await wallet.credentials().map(\.type) == ["demo.bank.card"])
    }

    /// Another program, or an update whose reading failed, has stored the newest version.
    @Test func readsAVersionThatIsStoredAlready() async throws {
        let fixture = try Fixture()
        let first = try await fixture.files(["card"], at: Stage.now)
        let second = try await fixture.files(["card", "new"], at: Stage.now + 60)
        let (server, wallet, store) = try await scene({ second.stored }, first)
        await store.replace(with: second, unsigned: [:])
        let session = try wallet.session(with: server.start(issuing(offer("demo.bank.new", ["name": "x"]))))
        #expect(try await session.request().credentials.map(\.type) == ["demo.bank.new"])
    }

    /// A loss of power has cut the index.
    @Test func opensWithoutASchemeThatIsDamagedAndRepairsIt() async throws {
        let first = try await Fixture().files(["card"], at: Stage.now)
        for repairsInSession in [false, true] {
            let (server, _, store) = try await scene({ first.stored }, first)
            var damaged = first.stored
            damaged.files[.index]?.removeLast(80)
            let other = InMemorySchemeStore([damaged])
            let schemes = try await WalletSchemes(other, transport: server.transport, pinned: [:])
            #expect(await schemes.unreadable.mapValues(\.code) == ["demo": .invalidScheme])
            #expect(await schemes.snapshot.schemes.isEmpty)
            let wallet = try await IRMAWallet(
                storage: InMemoryCredentialStorage(),
                schemes: schemes,
                transport: server.transport,
                clock: WalletClock(now: { Stage.now }, timer: ContinuousClock())
            )
            #expect(await wallet.unreadableSchemes().count == 1)
            if repairsInSession {
                let session = try wallet.session(with: server.start(issuing(offer("demo.bank.card", ["name": "x"]))))
                #expect(try await session.request().credentials.count == 1)
            } else {
                #expect(await wallet.updateSchemes().isEmpty)
            }
            #expect(await wallet.unreadableSchemes().isEmpty)
            #expect(await other.files(of: "demo") == first.stored)
            #expect(await schemes.snapshot.credentialType("demo.bank.card") != nil)
            #expect(await store.files(of: "demo") == first.stored)
        }
    }

    /// The version that was read stays in use, and the damage is told.
    @Test func keepsWhatItHasReadWhileTheStoreIsDamaged() async throws {
        let fixture = try Fixture()
        let first = try await fixture.files(["card"], at: Stage.now)
        let (server, _, _) = try await scene({ nil }, first)
        let store = DamagedStore(first.stored)
        let schemes = try await WalletSchemes(store, transport: server.transport, pinned: [:])
        #expect(await schemes.unreadable.isEmpty)
        await store.damage()
        #expect(await schemes.updateAll().mapValues(\.code) == ["demo": .configurationDownload])
        #expect(await schemes.snapshot.credentialType("demo.bank.card") != nil)
    }

    /// A store whose files are damaged while it is open.
    private actor DamagedStore: SchemeStore {
        private var kept: SchemeFiles

        init(_ files: SchemeFiles) {
            kept = files
        }

        func damage() { kept.files[.index]?.removeLast(80) }

        func schemes() -> [SchemeIdentifier] { [kept.scheme] }

        func files(of scheme: SchemeIdentifier) -> SchemeFiles? { kept }

        func replace(with files: VerifiedSchemeFiles, unsigned: [SchemePath: [UInt8]]) { kept = files.stored }
    }

    @Test func readsASchemeThatWasInstalledMeanwhile() async throws {
        let fixture = try Fixture()
        let first = try await fixture.files(["card"], at: Stage.now)
        let server = try PlayServer(try Stage.shared.get()) { request throws(TransportError) in
            guard request.url.host.description == "schemes.example" else { return nil }
            let path = SchemePath(String(request.url.path.dropFirst("/demo/".count)))
            guard let bytes = first.stored.files[path] else { return InMemoryHTTPAnswer(status: 404) }
            return .ok(bytes, type: try MediaType("application/octet-stream"))
        }
        let store = InMemorySchemeStore()
        let schemes = try await WalletSchemes(store, transport: server.transport, pinned: [:])
        await store.replace(with: first, unsigned: [:])
        #expect(await schemes.updateAll().isEmpty)
        #expect(await schemes.snapshot.credentialType("demo.bank.card") != nil)
    }

    /// The files of a version come slowly, and another update has brought a newer one meanwhile.
    @Test func keepsTheNewestOfTwoUpdatesAtOnce() async throws {
        let fixture = try Fixture()
        let first = try await fixture.files(["card"], at: Stage.now)
        let second = try await fixture.files(["card", "new"], at: Stage.now + 60)
        let third = try await fixture.files(["card", "newer"], at: Stage.now + 120)
        let store = InMemorySchemeStore([first.stored])
        let transport = InMemoryHTTPTransport { request throws(TransportError) in
            let path = SchemePath(String(request.url.path.dropFirst("/demo/".count)))
            if path.text.hasSuffix("new/description.xml") { await store.replace(with: third, unsigned: [:]) }
            guard let bytes = second.stored.files[path] else { return InMemoryHTTPAnswer(status: 404) }
            return .ok(bytes, type: try MediaType("application/octet-stream"))
        }
        let error = await #expect(throws: IRMAError.self) {
            _ = try await SchemeUpdater(transport: transport, store: store).update("demo")
        }
        #expect(error?.code == .rollback)
        #expect(await store.files(of: "demo") == third.stored)
    }
}
