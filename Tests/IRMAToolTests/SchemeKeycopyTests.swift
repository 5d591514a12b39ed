import CommandTesting
import Foundation
import IRMATool
import Testing

/// Copies of the private key of a scheme.
@Suite struct SchemeKeycopyTests {
    private let folder: TemporaryFolder

    init() async throws {
        folder = try TemporaryFolder()
        let made = await Invocation.irma("scheme", "keygen", "-s", folder.path("sk.pem"), "-p", folder.path("pk.pem"))
        try #require(made.status == 0)
    }

    @Test func copiesTheKeyForItsOwnerAlone() async throws {
        let copied = await Invocation.irma(
            "scheme",
            "keycopy",
            "-i",
            folder.path("sk.pem"),
            "-o",
            folder.path("copy.pem"),
            "--pass=false"
        )
        #expect(copied.status == 0, "\(copied.errors)")
        let contents = try ["sk.pem", "copy.pem"].map { try String(contentsOfFile: folder.path($0), encoding: .utf8) }
        #expect(contents[0] == contents[1])
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.path("copy.pem"))
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        let again = await Invocation.irma(
            "scheme",
            "keycopy",
            "-i",
            folder.path("sk.pem"),
            "-o",
            folder.path("copy.pem"),
            "--pass=false"
        )
        #expect(again.status == 2)
    }

    private func keycopy(_ input: String, _ output: String, _ flags: String..., typing: String...) async -> Invocation {
        let places = ["-i", folder.path(input), "-o", folder.path(output)]
        return await Invocation.run(IRMATool.self, ["scheme", "keycopy"] + places + flags, input: typing)
    }

    @Test func sealsWithAPassphrase() async throws {
        let sealed = await keycopy("sk.pem", "sealed.pem", typing: "secret", "secret")
        #expect(sealed.status == 0, "\(sealed.errors)")
        let text = try String(contentsOfFile: folder.path("sealed.pem"), encoding: .utf8)
        #expect(text.hasPrefix("-----BEGIN ENCRYPTED IRMA SCHEME PRIVATE KEY-----\n"))
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.path("sealed.pem"))
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        // What OpenSSH itself writes differs in the label alone.
        try folder.write(text.replacingOccurrences(of: "ENCRYPTED IRMA SCHEME", with: "OPENSSH"), to: "ssh.pem")
        for input in ["sealed.pem", "ssh.pem"] {
            let opened = await keycopy(input, "from-\(input)", "--pass=false", typing: "secret")
            #expect(opened.status == 0, "\(opened.errors)")
            let copy = try String(contentsOfFile: folder.path("from-\(input)"), encoding: .utf8)
            #expect(try copy == String(contentsOfFile: folder.path("sk.pem"), encoding: .utf8))
        }
        let wrong = await keycopy("sealed.pem", "c.pem", "--pass=false", typing: "Secret")
        #expect(wrong.status == 2)
        #expect(!wrong.errors.contains("Secret"))
        let none = await keycopy("sealed.pem", "c.pem", "--pass=false")
        #expect(none.status == 2)
        #expect(!FileManager.default.fileExists(atPath: folder.path("c.pem")))
    }

    @Test func refusesPassphrasesThatDiffer() async throws {
        for typed in [["a", "b"], ["", ""], ["a"]] {
            let places = ["-i", folder.path("sk.pem"), "-o", folder.path("c.pem")]
            let refused = await Invocation.run(IRMATool.self, ["scheme", "keycopy"] + places, input: typed)
            #expect(refused.status == 2)
        }
        #expect(!FileManager.default.fileExists(atPath: folder.path("c.pem")))
    }

    @Test func generatesSealedKeys() async throws {
        let places = ["-s", folder.path("new.pem"), "-p", folder.path("new-pk.pem")]
        let made = await Invocation.run(
            IRMATool.self,
            ["scheme", "keygen", "--pass"] + places,
            input: ["secret", "secret"]
        )
        #expect(made.status == 0, "\(made.errors)")
        let opened = await keycopy("new.pem", "open.pem", "--pass=false", typing: "secret")
        #expect(opened.status == 0, "\(opened.errors)")
    }

    @Test func refusesWhatIsNoKeyOfAScheme() async throws {
        let text = try folder.write("x", to: "x.pem")
        let refused = await Invocation.irma("scheme", "keycopy", "-i", text, "-o", folder.path("c.pem"), "--pass=false")
        #expect(refused.status == 2)
    }
}
