import CommandTesting
import CryptoCore
import Foundation
import JSONKit
import Testing

@testable import CredentialTool

/// A wallet in a file, from its making to a presentation.
@Suite struct WalletCommandTests {
    private static let claims = """
        {"docType": "org.iso.18013.5.1.mDL", "nameSpaces": {"org.iso.18013.5.1": {
            "family_name": "Doe", "given_name": "Jane", "age_over_18": true
        }}}
        """
    private static let items = """
        {"docType": "org.iso.18013.5.1.mDL", "nameSpaces": {"org.iso.18013.5.1": {"family_name": false}}}
        """

    /// Keys, certificates, two copies of a document, and an empty wallet.
    private static func world() async throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        _ = await Invocation.run("mdoc", "test-pki", folder.url.path)
        try folder.write(items, to: "items.json")
        let claims = try folder.write(Self.claims, to: "claims.json")
        for name in ["first.txt", "second.txt"] {
            let issued = await Invocation.run(
                arguments: [
                    "mdoc", "issue", claims, "--issuer-key", folder.path("document-signer-key.pem"),
                    "--issuer-certificate", folder.path("document-signer.pem"), "--device-key",
                    folder.path("device-key.pem"),
                ]
            )
            try folder.write(issued.output, to: name)
        }
        let made = await Invocation.run(
            "wallet",
            "init",
            folder.path("wallet"),
            "--wallet-key",
            folder.path("wallet.key")
        )
        #expect(made.status == 0, "\(made.errors)")
        return folder
    }

    private static func run(_ command: String, _ folder: TemporaryFolder, _ more: String...) async -> Invocation {
        await Invocation.run(
            arguments: ["wallet", command, folder.path("wallet"), "--wallet-key", folder.path("wallet.key")] + more
        )
    }

    private static func add(
        _ folder: TemporaryFolder,
        rotation: String = "until-expiry",
        _ more: String...
    ) async -> Invocation {
        await Invocation.run(
            arguments: [
                "wallet", "add", folder.path("wallet"), folder.path("first.txt"), folder.path("second.txt"),
                "--wallet-key",
                folder.path("wallet.key"), "--device-key", folder.path("device-key.pem"), "--rotation", rotation,
                "--json",
            ] + more
        )
    }

    @Test func keepsListsShowsAndRemoves() async throws {
        let folder = try await Self.world()
        let added = await Self.add(
            folder,
            rotation: "once",
            "--trust",
            folder.path("iaca.pem"),
            "--refill-at",
            "1",
            "--name",
            "Licence"
        )
        #expect(added.status == 0, "\(added.output)\(added.errors)")
        let id = try #require(try JSONValue(parsing: added.output)["added"]?["id"]?.stringValue)
        let list = await Self.run("list", folder)
        for text in [id, "org.iso.18013.5.1.mDL", "Licence", "once", "usable copies: 2"] {
            #expect(list.output.contains(text), "\(list.output)")
        }
        let shown = await Self.run("show", folder, id)
        #expect(shown.output.contains("family_name: \"Doe\""), "\(shown.output)")
        for name in ["wallet", "wallet.key"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.path(name))
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
        let removed = await Self.run("remove", folder, id)
        #expect(removed.status == 0)
        #expect(await Self.run("show", folder, id).status == 2)
        #expect(await !Self.run("list", folder).output.contains(id))
    }

    /// Writes an SD-JWT VC for the device key, with its issuer's keys.
    private static func issueSDJWT(_ folder: TemporaryFolder) async throws -> String {
        let issuer = try PrivateKey.generate(.p256)
        try folder.write(issuer.pem, to: "issuer-key.pem")
        try folder.write(issuer.publicKey.pem, to: "issuer.pem")
        let claims = try folder.write(#"{"iss": "https://issuer.example", "given_name": "Erika"}"#, to: "pid.json")
        let issued = await Invocation.run(
            arguments: [
                "sdjwt", "issue", claims, "--issuer-key", folder.path("issuer-key.pem"), "--credential-type", "urn:pid",
                "--holder-key", folder.path("device-key.pem"), "--conceal", "given_name",
            ]
        )
        #expect(issued.status == 0, "\(issued.errors)")
        return try folder.write(issued.output, to: "pid.txt")
    }

    /// Adds the SD-JWT VC.
    private static func addSDJWT(
        _ folder: TemporaryFolder,
        _ pid: String,
        key: String,
        _ more: String...
    ) async -> Invocation {
        await Invocation.run(
            arguments: [
                "wallet", "add", folder.path("wallet"), pid, "--wallet-key", folder.path("wallet.key"), "--device-key",
                folder.path(key), "--rotation", "until-expiry",
            ] + more
        )
    }

    @Test func keepsSDJWTsBesideMdocs() async throws {
        let folder = try await Self.world()
        #expect(await Self.add(folder, "--trust", folder.path("iaca.pem")).status == 0)
        let pid = try await Self.issueSDJWT(folder)
        let added = await Self.addSDJWT(
            folder,
            pid,
            key: "device-key.pem",
            "--issuer-key",
            folder.path("issuer.pem"),
            "--json"
        )
        #expect(added.status == 0, "\(added.output)\(added.errors)")
        let id = try #require(try JSONValue(parsing: added.output)["added"]?["id"]?.stringValue)
        let list = await Self.run("list", folder)
        for text in ["org.iso.18013.5.1.mDL", "urn:pid", id] { #expect(list.output.contains(text), "\(list.output)") }
        let shown = await Self.run("show", folder, id)
        #expect(shown.output.contains("given_name: Erika"), "\(shown.output)")
        #expect(!shown.output.contains("valid until"), "the credential names no end")
        #expect(await Self.run("remove", folder, id).status == 0)
        let rest = try JSONValue(parsing: await Self.run("list", folder, "--json").output)["credentials"]?.arrayValue
        #expect(rest?.compactMap { $0["type"]?.stringValue } == ["org.iso.18013.5.1.mDL"])
    }

    @Test func addsNoSDJWTThatIsNotVerified() async throws {
        let folder = try await Self.world()
        let pid = try await Self.issueSDJWT(folder)
        let stranger = await Self.addSDJWT(folder, pid, key: "device-key.pem", "--trust", folder.path("iaca.pem"))
        #expect(stranger.status == 1, "\(stranger.output)\(stranger.errors)")
        let issuer = folder.path("issuer.pem")
        let otherKey = await Self.addSDJWT(folder, pid, key: "reader-key.pem", "--issuer-key", issuer)
        #expect(otherKey.status == 1)
        #expect(otherKey.output.contains("claimMismatch"), "\(otherKey.output)")
        let mixed = await Self.addSDJWT(
            folder,
            pid,
            key: "device-key.pem",
            folder.path("first.txt"),
            "--issuer-key",
            issuer
        )
        #expect(mixed.status == 2, "\(mixed.output)")
        let mdoc = await Self.add(folder, "--trust", folder.path("iaca.pem"), "--issuer-key", issuer)
        #expect(mdoc.status == 2)
        #expect(mdoc.errors.contains("--issuer-key is for SD-JWT VCs"), "\(mdoc.errors)")
        #expect(await Self.addSDJWT(folder, pid, key: "device-key.pem").errors.contains("say whom you trust"))
        let list = try JSONValue(parsing: await Self.run("list", folder, "--json").output)
        #expect(list["credentials"]?.arrayValue?.isEmpty == true)
    }

    @Test func addsNothingThatIsNotVerified() async throws {
        let folder = try await Self.world()
        let untrusted = await Self.add(folder, "--trust", folder.path("reader-authority.pem"))
        #expect(untrusted.status == 1)
        #expect(untrusted.output.contains("issuerNotTrusted"))
        let otherKey = await Invocation.run(
            arguments: [
                "wallet", "add", folder.path("wallet"), folder.path("first.txt"), "--wallet-key",
                folder.path("wallet.key"),
                "--device-key", folder.path("reader-key.pem"), "--trust", folder.path("iaca.pem"), "--rotation", "once",
            ]
        )
        #expect(otherKey.status == 1, "\(otherKey.output)\(otherKey.errors)")
        let list = try JSONValue(parsing: await Self.run("list", folder, "--json").output)
        #expect(list["credentials"]?.arrayValue?.isEmpty == true)
    }

    @Test func refusesOtherKeysAndFiles() async throws {
        let folder = try await Self.world()
        let again = await Invocation.run(
            "wallet",
            "init",
            folder.path("wallet"),
            "--wallet-key",
            folder.path("wallet.key")
        )
        #expect(again.status == 2)
        let key = try folder.write(String(repeating: "ab", count: 32), to: "other.key")
        let other = await Invocation.run("wallet", "list", folder.path("wallet"), "--wallet-key", key)
        #expect(other.status == 2)
        #expect(other.errors.contains("storageDamaged"), "\(other.errors)")
        let short = try folder.write("abcd", to: "short.key")
        #expect(await Invocation.run("wallet", "list", folder.path("wallet"), "--wallet-key", short).status == 2)
        let nothing = await Invocation.run(
            "wallet",
            "list",
            folder.path("none"),
            "--wallet-key",
            folder.path("wallet.key")
        )
        #expect(nothing.status == 2)
        #expect(nothing.errors.contains("wallet init"))
        #expect(await Self.run("remove", folder, "00").status == 2)
        for value in ["0", "-1", "twice"] {
            #expect(await Self.add(folder, rotation: value, "--trust", folder.path("iaca.pem")).status == 2)
        }
    }

    @Test func presentsEachCopyOnce() async throws {
        let folder = try await Self.world()
        _ = await Self.add(folder, rotation: "once", "--trust", folder.path("iaca.pem"))
        for isAnswered in [true, true, false] {
            let socket = folder.path("s")
            let (lines, continuation) = AsyncStream.makeStream(of: String.self)
            let arguments = [
                "mdoc", "engage", "--wallet", folder.path("wallet"), "--wallet-key", folder.path("wallet.key"),
                "--listen", socket, "--yes",
            ]
            let wallet = Task {
                defer { continuation.finish() }
                return await Invocation.run(arguments: arguments) { continuation.yield($0) }
            }
            let uri = try #require(await lines.first { _ in true })
            let read = await Invocation.run(
                arguments: [
                    "mdoc", "read", uri, "--request", folder.path("items.json"), "--trust", folder.path("iaca.pem"),
                ]
            )
            #expect((read.status == 0) == isAnswered, "\(read.output)\(read.errors)")
            #expect(read.output.contains("Doe") == isAnswered)
            _ = await wallet.value
        }
        let list = await Self.run("list", folder)
        #expect(list.output.contains("usable copies: 0"), "\(list.output)")
    }

    @Test(
        arguments: [
            [], ["x"], ["--device-key", "k"], ["x", "--device-key", "k", "--wallet", "w"], ["--wallet", "w"],
            ["x", "--wallet", "w", "--wallet-key", "k"],
        ]
    )
    func engageNeedsFilesOrAWallet(arguments: [String]) async {
        let invocation = await Invocation.run(arguments: ["mdoc", "engage", "--listen", "./s"] + arguments)
        #expect(invocation.status == 2)
        #expect(invocation.errors.contains("--wallet with --wallet-key"), "\(invocation.errors)")
    }
}
