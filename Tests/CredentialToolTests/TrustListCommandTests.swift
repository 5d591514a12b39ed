import CommandTesting
import CredentialTesting
import CryptoCore
import Foundation
import JSONKit
import TestSupport
import Testing

@testable import CredentialTool

/// `credential mdoc vical`, `lint`, and VICALs in `--trust` and `inspect`.
@Suite struct TrustListCommandTests {
    private static let now = "2026-05-29T00:00:00Z"

    private static func file(_ name: String) -> String {
        OwnVectors.url("mdoc-trust-lists/\(name).hex").path
    }

    private static func certificate(_ name: String, in folder: TemporaryFolder) throws -> String {
        let path = folder.path("\(name).der")
        try Data(OwnVectors.bytes(hex: "mdoc-trust-lists/\(name)-certificate.hex")).write(
            to: URL(fileURLWithPath: path)
        )
        return path
    }

    // MARK: credential mdoc vical

    @Test func listsWithoutVerifying() async throws {
        for (option, value) in [("--at", Self.now), ("--last-issue", "1"), ("--last-date", Self.now)] {
            let refused = await Invocation.run("mdoc", "vical", Self.file("vical"), option, value)
            #expect(refused.status == 2 && refused.errors.contains("need --trust"), "\(refused.errors)")
        }
        let invocation = await Invocation.run("mdoc", "vical", Self.file("vical"))
        #expect(invocation.status == 0, "\(invocation.errors)")
        #expect(invocation.output.hasPrefix("verdict: not verified\n"))
        for text in ["Example provider", "Example IACA", "Example authority", "org.iso.18013.5.1.mDL"] {
            #expect(invocation.output.contains(text), "\(text)")
        }
    }

    @Test func verifiesAgainstTheProvidersRoot() async throws {
        let folder = try TemporaryFolder()
        let root = try Self.certificate("provider-root", in: folder)
        let arguments = ["mdoc", "vical", Self.file("vical"), "--trust", root, "--at", Self.now]
        let invocation = await Invocation.run(arguments: arguments + ["--json"])
        #expect(invocation.status == 0, "\(invocation.errors)\(invocation.output)")
        let report = try JSONValue(parsing: invocation.output)
        #expect(report["verdict"] == "verified")
        #expect(report["list"]?["issue"] == "7")
        #expect(report["list"]?["certificates"]?.arrayValue?.count == 1)
        let newer = await Invocation.run(arguments: arguments + ["--last-issue", "8"])
        #expect(newer.status == 1)
        #expect(newer.output.contains("reason: superseded\ncheck: issueID"))
        let due = ["mdoc", "vical", Self.file("vical"), "--trust", root, "--at", "2026-05-30T00:00:00Z"]
        let overdue = await Invocation.run(arguments: due)
        #expect(overdue.status == 0, "\(overdue.output)")
        #expect(overdue.output.contains("due since"))
    }

    /// The date that the listing shows is the one to give for the next issue.
    @Test func refusesAnEarlierIssueWithTheSameNumber() async throws {
        let folder = try TemporaryFolder()
        let root = try Self.certificate("provider-root", in: folder)
        let arguments = ["mdoc", "vical", Self.file("vical"), "--trust", root, "--at", Self.now]
        let shown = try JSONValue(parsing: await Invocation.run(arguments: arguments + ["--json"]).output)["list"]
        let date = try #require(shown?["date"]?.stringValue)
        #expect(shown?["nextUpdate"]?.stringValue != nil && shown?["notAfter"]?.stringValue != nil)
        for last in [["--last-issue", "7", "--last-date", date], ["--last-date", date]] {
            let same = await Invocation.run(arguments: arguments + last)
            #expect(same.status == 0, "\(same.errors)\(same.output)")
        }
        let later = "2026-05-28T12:00:00Z"
        for last in [["--last-issue", "7", "--last-date", later], ["--last-date", later]] {
            let earlier = await Invocation.run(arguments: arguments + last)
            #expect(earlier.status == 1, "\(earlier.output)")
            #expect(earlier.output.contains("reason: superseded\ncheck: issueID"))
        }
        // A larger number decides alone.
        let next = await Invocation.run(arguments: arguments + ["--last-issue", "6", "--last-date", later])
        #expect(next.status == 0, "\(next.output)")
        let malformed = await Invocation.run(arguments: arguments + ["--last-date", "yesterday"])
        #expect(malformed.status == 2)
    }

    @Test func refusesListsOfOthersAndOldOnes() async throws {
        let folder = try TemporaryFolder()
        let stranger = try Self.certificate("iaca", in: folder)
        let foreign = await Invocation.run("mdoc", "vical", Self.file("vical"), "--trust", stranger, "--at", Self.now)
        #expect(foreign.status == 1)
        #expect(foreign.output.hasPrefix("verdict: refused\nreason: issuerNotTrusted\ncheck: signerCertificate\n"))
        let root = try Self.certificate("provider-root", in: folder)
        let late = "2026-06-01T00:00:00Z"
        let old = await Invocation.run("mdoc", "vical", Self.file("vical"), "--trust", root, "--at", late)
        #expect(old.status == 1)
        #expect(old.output.contains("reason: expired\ncheck: validity"))
    }

    @Test func whatIsNoList() async throws {
        let folder = try TemporaryFolder()
        let text = await Invocation.run("mdoc", "vical", try folder.write("8440a04040", to: "list.hex"))
        #expect(text.status == 2)
        let missing = await Invocation.run("mdoc", "vical", folder.path("nothing"))
        #expect(missing.status == 2)
    }

    // MARK: credential inspect

    @Test(arguments: [("vical", "mdoc VICAL", "Example IACA"), ("rical", "mdoc RICAL", "Example readers")])
    func inspectsLists(_ name: String, _ kind: String, _ content: String) async throws {
        let invocation = await Invocation.run("inspect", Self.file(name))
        #expect(invocation.status == 0, "\(invocation.errors)")
        #expect(invocation.output.contains(kind))
        #expect(invocation.output.contains(content))
    }

    // MARK: --trust

    @Test func aListIsTrustedForItsTypes() async throws {
        let list = Self.file("vical")
        let licence = await Invocation.run(
            "mdoc",
            "verify",
            Self.file("issuer-signed"),
            "--trust",
            list,
            "--at",
            Self.now
        )
        #expect(licence.status == 0, "\(licence.errors)\(licence.output)")
        #expect(licence.output.contains("family_name: \"Doe\""))
        let other = Self.file("issuer-signed-other-type")
        let pass = await Invocation.run("mdoc", "verify", other, "--trust", list, "--at", Self.now)
        #expect(pass.status == 1)
        #expect(pass.output.contains("reason: issuerNotTrusted"))
        let folder = try TemporaryFolder()
        let both = ["--trust", list, "--trust", try Self.certificate("iaca", in: folder), "--at", Self.now]
        let trusted = await Invocation.run(arguments: ["mdoc", "verify", other] + both)
        #expect(trusted.status == 0, "\(trusted.errors)\(trusted.output)")
    }

    @Test func aListMustBeInOrder() async throws {
        let folder = try TemporaryFolder()
        let credential = Self.file("issuer-signed")
        let late = "2026-06-01T00:00:00Z"
        let old = await Invocation.run("mdoc", "verify", credential, "--trust", Self.file("vical"), "--at", late)
        #expect(old.status == 2)
        #expect(old.errors.contains("validity"))
        var bytes = try OwnVectors.bytes(hex: "mdoc-trust-lists/vical.hex")
        bytes[bytes.count - 1] ^= 1
        let forged = try folder.write(bytes.hex, to: "forged.hex")
        let refused = await Invocation.run("mdoc", "verify", credential, "--trust", forged, "--at", Self.now)
        #expect(refused.status == 2)
        #expect(refused.errors.contains("signature"))
    }

    // MARK: credential mdoc lint

    @Test func lintsCertificates() async throws {
        let folder = try TemporaryFolder()
        let iaca = try Self.certificate("iaca", in: folder)
        let signer = try Self.certificate("document-signer", in: folder)
        let both = await Invocation.run("mdoc", "lint", iaca)
        #expect(both.status == 0, "\(both.errors)\(both.output)")
        #expect(both.output.hasPrefix("verdict: clean\n"))
        #expect(both.output.contains("profile: iaca"))
        let below = await Invocation.run("mdoc", "lint", signer, "--issuer", iaca, "--json")
        #expect(below.status == 0, "\(below.errors)\(below.output)")
        let report = try JSONValue(parsing: below.output)
        #expect(report["certificates"]?.arrayValue?.first?["profile"] == "document-signer")
        let other = await Invocation.run("mdoc", "lint", signer, "--issuer", signer)
        #expect(other.status == 1)
        #expect(other.output.contains("kind: signature"))
        let reader = await Invocation.run("mdoc", "lint", signer, iaca, "--profile", "reader")
        #expect(reader.status == 1)
        #expect(reader.output.hasPrefix("verdict: deviating\n"))
        #expect(reader.output.contains("kind: extendedKeyUsage"))
    }

    @Test func acceptsTheCertificatesOfTheTestPKI() async throws {
        let folder = try TemporaryFolder()
        #expect(await Invocation.run("mdoc", "test-pki", folder.url.path).status == 0)
        for (name, issuer) in [
            ("iaca", "iaca"), ("document-signer", "iaca"), ("reader-authority", "reader-authority"),
            ("reader", "reader-authority"),
        ] {
            let file = folder.path("\(name).pem")
            let alone = await Invocation.run("mdoc", "lint", file)
            #expect(alone.status == 0, "\(alone.errors)\(alone.output)")
            let below = await Invocation.run("mdoc", "lint", file, "--issuer", folder.path("\(issuer).pem"))
            #expect(below.status == 0, "\(below.errors)\(below.output)")
        }
    }

    @Test func refusesACountryThatIsNotAssigned() async throws {
        let folder = try TemporaryFolder()
        let pki = try await MdocTestPKI.make()
        let lint = await Invocation.run("mdoc", "lint", try folder.write(pki.iaca.certificate.pem, to: "iaca.pem"))
        #expect(lint.status == 1)
        #expect(lint.output.contains("kind: unassignedCountry"))
    }

    @Test func lintsWhatClaimsNoProfile() async throws {
        let folder = try TemporaryFolder()
        let made = await Invocation.run("mdoc", "test-pki", folder.url.path)
        #expect(made.status == 0)
        let key = await Invocation.run("mdoc", "lint", folder.path("device-key.pem"))
        #expect(key.status == 2)
        let unknown = await Invocation.run("mdoc", "lint", folder.path("iaca.pem"), "--profile", "nobody")
        #expect(unknown.status == 2)
        let several = folder.path("several.pem")
        let text = try ["iaca.pem", "reader.pem"].map { try String(contentsOfFile: folder.path($0), encoding: .utf8) }
        try text.joined(separator: "\n").write(toFile: several, atomically: true, encoding: .utf8)
        let issuer = await Invocation.run("mdoc", "lint", folder.path("reader.pem"), "--issuer", several)
        #expect(issuer.status == 2)
    }
}
