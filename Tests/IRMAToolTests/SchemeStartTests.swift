#if Server && Client && SQLite
import CommandSupport
import CommandTesting
import CredentialServingOperations
import CredentialTransport
import Foundation
import IRMAMessages
import IRMAServer
import Logging
import ServerSupport
import Testing

@testable import IRMATool

/// The schemes of a server that starts.
@Suite struct SchemeStartTests {
    /// Tells when it is asked for newer schemes, of which it has none.
    private struct AskedSource: ServerMaterialSource {
        let asked: AsyncStream<Set<SchemeIdentifier>?>.Continuation

        func update(_ schemes: Set<SchemeIdentifier>?) async -> ServerMaterial? {
            asked.yield(schemes)
            return nil
        }
    }

    @Test(.timeLimit(.minutes(5))) func areUpdatedAtOnce() async throws {
        let disk = try await SchemeOnDisk()
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let console = Console(output: { _ in }, error: { _ in }, readLine: { nil }, now: { SchemeOnDisk.now })
        let flags = ["-s", disk.schemes, "--schemes-update", "60", "-p", "0", "-l", "127.0.0.1"]
        let loaded = try ServerProgram.load(try ServerKeys.schema(), folders: [], flags, environment: [:])
        let settings = try ServerSettings(try #require(loaded))
        var assembly = try await SessionServerAssembly(settings, console: console, logger: logger)
        let (updates, asked) = AsyncStream<Set<SchemeIdentifier>?>.makeStream()
        assembly.services.materialSource = AskedSource(asked: asked)
        let hangups = await Hangups(of: ServerInvocation([]))
        let server = Task { [assembly] in
            try await ServerRun(assembly, logger: logger, console: console).run(renewingAt: hangups)
        }
        #expect(await updates.first { _ in true } == .some(nil))
        server.cancel()
        _ = await server.result
    }

    /// A server works with the others meanwhile, whatever its settings name in a scheme that is damaged.
    @Test(arguments: [
        ["--issue-perms", "demo.bank.card"], ["--disclose-perms", "demo.*"], ["--revoke-perms", "demo.bank.*"],
        ["--revocation-settings", #"{"demo.bank.card": {"authority": true}}"#],
    ])
    func takeSettingsThatNameADamagedOne(_ flags: [String]) async throws {
        let disk = try await SchemeOnDisk()
        let description = URL(fileURLWithPath: disk.scheme + "/bank/description.xml")
        let whole = try Data(contentsOf: description)
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let console = Console(output: { _ in }, error: { _ in }, readLine: { nil }, now: { SchemeOnDisk.now })
        func start(_ flags: [String]) async throws {
            let words = ["-s", disk.schemes, "--schemes-update", "0", "-p", "0", "-l", "127.0.0.1"] + flags
            let loaded = try ServerProgram.load(try ServerKeys.schema(), folders: [], words, environment: [:])
            let settings = try ServerSettings(try #require(loaded))
            _ = try await SessionServerAssembly(settings, console: console, logger: logger)
        }
        try whole.prefix(20).write(to: description)
        try await start(flags)
        let others = flags.map { $0.replacing("demo.", with: "other.") }
        await #expect(throws: (any Error).self) { try await start(others) }
        try whole.write(to: description)
        await #expect(throws: (any Error).self) { try await start(others) }
    }

    /// The well-known schemes have pinned keys, so that only their owners' servers can give them.
    @Test func areFetchedIntoAnEmptyFolder() async throws {
        let (disk, folder) = (try await SchemeOnDisk(), try TemporaryFolder())
        let transport = InMemoryHTTPTransport([:])
        try await WellKnownSchemes.install(
            inEmpty: try SchemeFolder.opened(disk.schemes),
            over: transport
        )
        #expect(transport.requests.isEmpty)
        let empty = try SchemeFolder.opened(folder.url.path)
        let error = await #expect(throws: ToolError.self) {
            try await WellKnownSchemes.install(inEmpty: empty, over: transport)
        }
        #expect("\(try #require(error))".contains("cannot be fetched"))
        #expect(transport.requests.map(\.url.description) == ["https://schemes.yivi.app/irma-demo/index"])
    }

    /// As `irma scheme download` without a URL does it.
    @Test func areFetchedIntoAFolderThatHasOthers() async throws {
        let disk = try await SchemeOnDisk()
        let transport = InMemoryHTTPTransport([:])
        let error = await #expect(throws: ToolError.self) {
            try await WellKnownSchemes.install(in: try SchemeFolder.opened(disk.schemes), over: transport)
        }
        #expect("\(try #require(error))".hasPrefix("irma-demo: "))
        #expect(transport.requests.map(\.url.description) == ["https://schemes.yivi.app/irma-demo/index"])
    }

    @Test func haveAFolderOnAFreshMachine() throws {
        let folder = try TemporaryFolder()
        let home = folder.path("home")
        let environment = ["HOME": home, "XDG_DATA_HOME": "", "XDG_DATA_DIRS": folder.path("share")]
        #expect(throws: ToolError.self) { try SchemeFolder.standard(in: environment) }
        let made = try SchemeFolder.made(in: environment)
        #expect(made == home + "/.local/share/irma/irma_configuration")
        #expect(try SchemeFolder.standard(in: environment) == made)
        let data = ["HOME": home, "XDG_DATA_HOME": folder.path("data"), "XDG_DATA_DIRS": folder.path("share")]
        #expect(try SchemeFolder.made(in: data) == folder.path("data/irma/irma_configuration"))
        #expect(throws: ToolError.self) { try SchemeFolder.made(in: ["XDG_DATA_DIRS": folder.path("share")]) }
        #expect(throws: ToolError.self) { try SchemeFolder.standard(.assets, in: environment) }
        let assets = try SchemeFolder.made(.assets, in: environment)
        #expect(assets == home + "/.local/share/irma/irma_configuration_assets")
        #expect(try SchemeFolder.standard(.assets, in: environment) == assets)
    }

    @Test func areCopiedFromTheFolderOfAnInstallation() async throws {
        let (disk, folder) = (try await SchemeOnDisk(), try TemporaryFolder())
        let environment = ["HOME": folder.path("home"), "XDG_DATA_DIRS": folder.path("share")]
        func copied(from path: String?, _ name: String) async throws -> [SchemeIdentifier] {
            try FileManager.default.createDirectory(atPath: folder.path(name), withIntermediateDirectories: true)
            let directory = try SchemeFolder.opened(folder.path(name))
            if let assets = try SchemeCopy.assets(path, in: environment) {
                try await SchemeCopy.copySchemes(from: assets, to: directory)
            }
            return try await directory.schemes()
        }
        #expect(try await copied(from: nil, "without").isEmpty)
        #expect(try await copied(from: disk.schemes, "named") == ["demo"])
        let assets = folder.path("share/irma/irma_configuration_assets")
        try FileManager.default.createDirectory(
            atPath: folder.path("share/irma"),
            withIntermediateDirectories: true
        )
        try FileManager.default.copyItem(atPath: disk.schemes, toPath: assets)
        #expect(try await copied(from: nil, "usual") == ["demo"])
        #expect(try await copied(from: "", "none").isEmpty)
    }

    private func configuration(_ flags: String...) throws -> ServerConfiguration {
        try #require(try ServerProgram.load(try ServerKeys.schema(), folders: [], flags, environment: [:]))
    }

    /// One copy of a secret is enough.
    @Test func privateKeysBesideTheirOriginalsAreReadAndNotCopied() async throws {
        let (disk, folder) = (try await SchemeOnDisk(), try TemporaryFolder())
        let flags = try configuration("--schemes-path", folder.url.path, "--schemes-assets-path", disk.schemes)
        let issuer: IssuerIdentifier = "demo.bank"
        for _ in 0..<2 {
            let source = try await SchemeSource.prepared(by: flags)
            #expect(try await source.load().issuerKeys.newest(of: issuer) != nil)
        }
        let copied = try FileManager.default.subpathsOfDirectory(atPath: folder.url.path)
        #expect(copied.contains("demo/bank/PublicKeys/0.xml"))
        #expect(!copied.contains { $0.contains("PrivateKeys") })
        let without = try await SchemeSource.prepared(by: configuration("--schemes-path", folder.url.path))
        #expect(try await without.load().issuerKeys.newest(of: issuer) == nil)
    }

    @Test func privateKeysWithoutAPublicKeyAreRefused() async throws {
        let (disk, other) = (try await SchemeOnDisk(), try await SchemeOnDisk())
        let path = URL(fileURLWithPath: "\(other.scheme)/bank/PrivateKeys/0.xml")
        let text = try String(contentsOf: path, encoding: .utf8)
        try Data(text.replacing("<Counter>0<", with: "<Counter>1<").utf8).write(to: path)
        let flags = try configuration("--schemes-path", disk.schemes, "--schemes-assets-path", other.schemes)
        let error = await #expect(throws: ToolError.self) {
            _ = try await SchemeSource.prepared(by: flags).load()
        }
        #expect("\(try #require(error))".contains("counter"))
    }

    /// The check reads what the start would copy, and copies nothing.
    @Test func checksSeeWhatTheStartWouldCopy() async throws {
        let (disk, folder) = (try await SchemeOnDisk(), try TemporaryFolder())
        func check(_ flags: String...) async -> Invocation {
            await Invocation.run(
                IRMATool.self,
                ["server", "check", "--issue-perms", "demo.bank.card"] + flags,
                now: SchemeOnDisk.now
            )
        }
        let named = await check("--schemes-path", folder.url.path, "--schemes-assets-path", disk.schemes)
        #expect(named.status == 0, "\(named.errors)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
        let without = await check("--schemes-path", folder.url.path, "--schemes-assets-path", "")
        #expect(without.status == 2 && without.errors.contains("unknown scheme"), "\(without.errors)")
        let missing = await check("--schemes-path", folder.url.path, "--schemes-assets-path", folder.path("none"))
        #expect(missing.status == 2 && missing.errors.contains("is no folder of schemes"), "\(missing.errors)")
        try FileManager.default.createDirectory(atPath: folder.path("broken"), withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: disk.scheme, toPath: folder.path("broken/demo"))
        try folder.write("0", to: "broken/demo/timestamp")
        for flags in [
            ["--schemes-path", folder.path("broken"), "--schemes-assets-path", ""],
            ["--schemes-path", folder.url.path + "/broken", "--schemes-assets-path", disk.schemes],
        ] {
            let broken = await check(flags[0], flags[1], flags[2], flags[3])
            #expect(broken.status == 2, "\(broken.output)")
        }
    }

    /// On a fresh machine the start makes the usual folder.
    @Test func checksNeedNoFolderThatTheStartMakes() async throws {
        let disk = try await SchemeOnDisk()
        let source = try await SchemeSource.checked(
            directory: nil,
            assets: SchemeFolder.opened(disk.schemes),
            privateKeys: nil
        )
        let material = try await source.load()
        #expect(material.schemes.credentialType("demo.bank.card") != nil)
        #expect(material.issuerKeys.newest(of: "demo.bank") != nil)
    }
}
#endif
