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

    @Test func refusesPassphrases() async throws {
        let sealing = await Invocation.irma(
            "scheme",
            "keycopy",
            "-i",
            folder.path("sk.pem"),
            "-o",
            folder.path("c.pem")
        )
        #expect(sealing.status == 2)
        #expect(sealing.errors.contains("--pass=false"))
        let sealed = try folder.write(
            "-----BEGIN ENCRYPTED IRMA SCHEME PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED IRMA SCHEME PRIVATE KEY-----\n",
            to: "sealed.pem"
        )
        let opening = await Invocation.irma(
            "scheme",
            "keycopy",
            "-i",
            sealed,
            "-o",
            folder.path("c.pem"),
            "--pass=false"
        )
        #expect(opening.status == 2)
        #expect(opening.errors.contains("passphrase"))
    }

    @Test func refusesWhatIsNoKeyOfAScheme() async throws {
        let text = try folder.write("x", to: "x.pem")
        let refused = await Invocation.irma("scheme", "keycopy", "-i", text, "-o", folder.path("c.pem"), "--pass=false")
        #expect(refused.status == 2)
    }
}
