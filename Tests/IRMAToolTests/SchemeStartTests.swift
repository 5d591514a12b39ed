#if Server && Client && SQLite
import CommandSupport
import CommandTesting
import CredentialServingOperations
import CredentialTransport
import Foundation
import IRMAMessages
import IRMAServer
import Logging
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
        let server = Task { [assembly] in try await ServerRun(assembly, logger: logger, console: console).run() }
        #expect(await updates.first { _ in true } == .some(nil))
        server.cancel()
        _ = await server.result
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
            try await SchemeCopy.copySchemes(from: path, to: directory, in: environment)
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
}
#endif
