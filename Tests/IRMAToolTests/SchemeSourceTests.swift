#if Server && Client && SQLite
import CommandSupport
import CommandTesting
import CredentialServingOperations
import CredentialTransport
import CryptoCore
import Foundation
import IRMAMessages
import IRMAServer
import IdemixCore
import Logging
import ServerSupport
import Synchronization
import Testing

@testable import IRMATool

/// The schemes of a running server, updated in the background.
@Suite struct SchemeSourceTests {
    private let disk: SchemeOnDisk
    private let directory: SchemeDirectory
    private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    init() async throws {
        disk = try await SchemeOnDisk()
        directory = try SchemeDirectory(opening: URL(fileURLWithPath: disk.schemes))
    }

    /// The scheme's server, which has another name for the issuer.
    private func server(signedBy signer: (any Signer)? = nil, at time: Date) async throws -> InMemoryHTTPTransport {
        var files = try #require(try await directory.files(of: "demo"))
        let path: SchemePath = "bank/description.xml"
        let text = String(decoding: try #require(files.files[path]), as: UTF8.self)
        files.files[path] = Array(text.replacingOccurrences(of: "Demo Bank", with: "Demo Other").utf8)
        let key = try PrivateKey(pem: String(contentsOfFile: disk.privateKey, encoding: .utf8))
        let signed = try await files.signed(with: signer ?? SoftwareSigner(key), at: time)
        let type = try MediaType("application/octet-stream")
        return InMemoryHTTPTransport(
            Dictionary(
                uniqueKeysWithValues: signed.stored.files.map { path, bytes in
                    ("https://schemes.example/demo/\(path.text)", .ok(bytes, type: type))
                }
            )
        )
    }

    @Test func givesTheNewVersionOnce() async throws {
        let source = SchemeSource(directory: directory, privateKeys: nil)
        let first = try await source.load()
        #expect(first.schemes.issuer("demo.bank")?.name["en"] == "Demo Bank")
        let transport = try await server(at: SchemeOnDisk.now + 60)
        let updated = try #require(try await source.update(over: transport, logger: logger))
        #expect(updated.schemes.issuer("demo.bank")?.name["en"] == "Demo Other")
        // The private keys beside the scheme are still there.
        #expect(updated.issuerKeys.newest(of: "demo.bank") != nil)
        #expect(try await source.update(over: transport, logger: logger) == nil)
        // What is on disk is the new version.
        #expect(try await source.load().schemes.issuer("demo.bank")?.name["en"] == "Demo Other")
    }

    /// The scheme is on the disk by then, so that its server has nothing newer.
    @Test func aVersionThatCouldNotBeReadIsReadLater() async throws {
        let folder = try TemporaryFolder()
        let updates = SchemeUpdates(
            source: SchemeSource(directory: directory, privateKeys: folder.url.path),
            transport: try await server(at: SchemeOnDisk.now + 60),
            logger: logger
        )
        _ = try await updates.source.load()
        let key = try folder.write("no key", to: "demo.bank.xml")
        #expect(await updates.update(nil) == nil)
        #expect(await updates.update(nil) == nil)
        try FileManager.default.removeItem(atPath: key)
        let updated = try #require(await updates.update(nil))
        #expect(updated.schemes.issuer("demo.bank")?.name["en"] == "Demo Other")
        #expect(await updates.update(nil) == nil)
    }

    /// `irma scheme update`, or another server with the same folder.
    @Test func aVersionThatAnotherProgramFetchedIsRead() async throws {
        let transport = try await server(at: SchemeOnDisk.now + 60)
        let source = SchemeSource(directory: directory, privateKeys: nil)
        _ = try await source.load()
        let other = try SchemeDirectory(opening: URL(fileURLWithPath: disk.schemes))
        _ = try await SchemeUpdater(transport: transport, store: other).update("demo")
        let updated = try #require(try await source.update(over: transport, logger: logger))
        #expect(updated.schemes.issuer("demo.bank")?.name["en"] == "Demo Other")
        #expect(try await source.update(over: transport, logger: logger) == nil)
    }

    /// As with the existing server, whose key in `privkeys` may lack the part for revocation.
    @Test func aKeyInTheFolderOfItsSchemeComesFirst() async throws {
        let text = try String(contentsOfFile: "\(disk.scheme)/bank/PrivateKeys/0.xml", encoding: .utf8)
        let start = try #require(text.range(of: "<ECDSA>")).lowerBound
        let end = try #require(text.range(of: "</ECDSA>")).upperBound
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("demo.bank.xml")
        try Data((text[..<start] + text[end...]).utf8).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
        let source = SchemeSource(directory: directory, privateKeys: folder.url.path)
        let keys = try await source.load().issuerKeys
        #expect(keys.newest(of: "demo.bank")?.privateKey.revocationKey != nil)
        var others = IssuerKeyRing()
        try others.add(folder: folder.url, schemes: try await directory.snapshot())
        #expect(others.newest(of: "demo.bank").map { $0.privateKey.revocationKey == nil } == true)
    }

    @Test func updatesTheSchemesThatARequestNeeds() async throws {
        let updates = SchemeUpdates(
            source: SchemeSource(directory: directory, privateKeys: nil),
            transport: try await server(at: SchemeOnDisk.now + 60),
            logger: logger
        )
        #expect(await updates.update(["other"]) == nil)
        let updated = try #require(await updates.update(["other", "demo"]))
        #expect(updated.schemes.issuer("demo.bank")?.name["en"] == "Demo Other")
        #expect(await updates.update(nil) == nil)
    }

    /// The end of the index, as a loss of power takes it.
    private func damage() throws {
        let url = URL(fileURLWithPath: "\(disk.scheme)/index")
        try Data(Data(contentsOf: url).dropLast(80)).write(to: url)
    }

    @Test func startsWithoutASchemeThatIsDamaged() async throws {
        let transport = try await server(at: SchemeOnDisk.now + 60)
        let folder = try TemporaryFolder()
        try FileManager.default.copyItem(
            atPath: "\(disk.scheme)/bank/PrivateKeys/0.xml",
            toPath: folder.path("demo.bank.xml")
        )
        try damage()
        let source = SchemeSource(directory: directory, privateKeys: folder.url.path)
        await #expect(throws: ToolError.self) { try await source.load() }
        for away in [nil, InMemoryHTTPTransport([:])] {
            let started = try await source.start(over: away, logger: logger)
            #expect(started.schemes.schemes.isEmpty && started.issuerKeys.issuers.isEmpty)
        }
        let updated = try #require(try await source.update(over: transport, logger: logger))
        #expect(updated.schemes.issuer("demo.bank")?.name["en"] == "Demo Other")
        #expect(updated.issuerKeys.newest(of: "demo.bank") != nil)
        #expect(try await source.load().schemes.issuer("demo.bank") != nil)
    }

    @Test func repairsASchemeWhenItStarts() async throws {
        let transport = try await server(at: SchemeOnDisk.now + 60)
        try damage()
        let source = SchemeSource(directory: directory, privateKeys: nil)
        let started = try await source.start(over: transport, logger: logger)
        #expect(started.schemes.issuer("demo.bank")?.name["en"] == "Demo Other")
        // The private keys beside the scheme are still there.
        #expect(started.issuerKeys.newest(of: "demo.bank") != nil)
    }

    @Test func keepsTheVersionThatItHasReadWhileTheFolderIsDamaged() async throws {
        let source = SchemeSource(directory: directory, privateKeys: nil)
        _ = try await source.load()
        try damage()
        let started = try await source.start(over: nil, logger: logger)
        #expect(started.schemes.issuer("demo.bank")?.name["en"] == "Demo Bank")
    }

    @Test func olderVersionsAreNoErrorOfACommand() async throws {
        let transport = try await server(at: SchemeOnDisk.now - 60)
        let before = try await directory.files(of: "demo")
        let updater = SchemeUpdater(transport: transport, store: directory)
        let report = try await SchemeNetwork.outline { () throws(IRMAError) in try await updater.update("demo") }
        #expect("\(report)".contains("unchanged: the server offers an older version"))
        let notices = Mutex("")
        let console = Console(
            output: { _ in },
            error: { line in notices.withLock { $0 += line } },
            readLine: { nil },
            now: { SchemeOnDisk.now }
        )
        try await Console.$current.withValue(console) {
            try await SchemeNetwork.updateAll(in: directory, over: transport)
        }
        #expect(notices.withLock { $0 }.contains("demo is unchanged"))
        #expect(try await directory.files(of: "demo") == before)
        let foreign = try SoftwareSigner(PrivateKey.generate(.p256))
        let forged = try await server(signedBy: foreign, at: SchemeOnDisk.now + 60)
        await #expect(throws: ToolError.self) { try await SchemeNetwork.updateAll(in: directory, over: forged) }
    }

    @Test func leavesWhatIsThereWhenAnUpdateFails() async throws {
        let source = SchemeSource(directory: directory, privateKeys: nil)
        let before = try await directory.files(of: "demo")
        let foreign = try SoftwareSigner(PrivateKey.generate(.p256))
        for transport in [
            try await server(signedBy: foreign, at: SchemeOnDisk.now + 60), try await server(at: SchemeOnDisk.now - 60),
            InMemoryHTTPTransport([:]),
        ] {
            #expect(try await source.update(over: transport, logger: logger) == nil)
            #expect(try await directory.files(of: "demo") == before)
        }
    }

    /// With the reason of the reason: a file that could not be fetched has many.
    @Test func logsWhyAnUpdateFailed() async throws {
        let lines = Mutex("")
        let logging = OperationsLogging(
            level: .warning,
            now: { SchemeOnDisk.now },
            write: { line in lines.withLock { $0 += line } }
        )
        let transport = InMemoryHTTPTransport { _ throws(TransportError) in
            throw TransportError(.connectionFailed, "the server is away")
        }
        let source = SchemeSource(directory: directory, privateKeys: nil)
        #expect(try await source.update(over: transport, logger: logging.logger(label: "irma")) == nil)
        let text = lines.withLock { $0 }
        #expect(text.contains("the server is away"), "\(text)")
        #expect(text.ranges(of: "retrievalFailed").count == 1, "\(text)")
    }
}

/// Tolerances of `irma server`, from its configuration to its options.
@Suite struct ServerToleranceTests {
    private func settings(_ flags: String..., file: String? = nil) throws -> ServerSettings {
        let folder = try FileManager.default.url(
            for: .itemReplacementDirectory,
            in: .userDomainMask,
            appropriateFor: FileManager.default.temporaryDirectory,
            create: true
        )
        defer { try? FileManager.default.removeItem(at: folder) }
        var arguments = flags
        if let file {
            let url = folder.appendingPathComponent("irmaserver.yml")
            try Data(file.utf8).write(to: url)
            arguments += ["-c", url.path]
        }
        let loaded = try ServerProgram.load(try ServerKeys.schema(), folders: [], arguments, environment: [:])
        return try ServerSettings(try #require(loaded))
    }

    @Test func oldVersionsAreTakenByName() throws {
        #expect(try settings().sessionOptions(SchemeSnapshot()).minimumVersion == .v2_8)
        #expect(try settings("--allow-old-protocol-versions").sessionOptions(SchemeSnapshot()).minimumVersion == .v2_4)
    }

    @Test func revocationHasItsOwnForEachType() throws {
        let file = """
            revocation_settings:
              demo.bank.pass: {server: true, revocation_server_url: 'https://a.example', tolerance: 90}
              demo.bank.other: {authority: true}
            """
        let tolerances = try settings(file: file).sessionOptions(SchemeSnapshot()).disclosurePolicy.revocationTolerances
        #expect(tolerances == ["demo.bank.pass": 90, "demo.bank.other": 600])
        #expect(try settings().sessionOptions(SchemeSnapshot()).disclosurePolicy.revocationTolerances.isEmpty)
    }

    @Test func callbacksToPrivateAddressesDependOnTheMode() throws {
        let unsigned = try settings("--allow-unsigned-callbacks", "--augment-client-return-url").sessionOptions(
            SchemeSnapshot()
        )
        #expect(unsigned.allowsUnsignedCallbacks && unsigned.augmentsReturnURLs)
        let strict = try settings().sessionOptions(SchemeSnapshot())
        #expect(!strict.allowsUnsignedCallbacks && !strict.augmentsReturnURLs && !strict.allowsPlainHTTP)
    }
}
#endif
