import CommandTesting
import Foundation
import IRMATool
import IdemixCore
import Testing

/// The versions that the command prints.
@Suite struct VersionTests {
    @Test func printsItsVersion() async {
        let version = await Invocation.irma("--version")
        #expect(version.status == 0 && version.errors.isEmpty)
        #expect(version.output.hasPrefix("irma ") && !version.output.contains("\n"))
        let report = await Invocation.irma("version")
        #expect(report.status == 0)
        #expect(report.output.contains("version: \(version.output.dropFirst(5))"), "\(report.output)")
        #expect(report.output.contains("protocol: 2.4 to 2.9"), "\(report.output)")
    }
}

/// The metadata attribute as the command prints it.
@Suite struct MetaCommandTests {
    @Test func printsTheMetadataOfAKnownType() async throws {
        let disk = try await SchemeOnDisk()
        let metadata = try disk.metadata()
        let base64 = Data(metadata.integer.bytes(paddedTo: 24)).base64EncodedString()
        for text in [metadata.integer.decimal, base64] {
            let printed = await Invocation.irma("meta", text, "-i", disk.schemes)
            #expect(printed.status == 0, "\(printed.errors)")
            #expect(
                printed.output == """
                    Identifier      : demo.bank.card
                    Signed          : 2026-12-31T00:00:00Z
                    Expires         : 2027-05-06T00:00:00Z
                    IsValid         : true
                    Version         : 3
                    KeyCounter      : 0
                    KeyExpires      : 2028-01-15T08:00:00Z
                    KeyModulusBitlen: 1024
                    """
            )
        }
    }

    @Test(arguments: ["--irmaconf-assets", "--schemes-assets-path"])
    func copiesSchemesFromAnotherFolder(flag: String) async throws {
        let (disk, folder) = (try await SchemeOnDisk(), try TemporaryFolder())
        let attribute = try disk.metadata().integer.decimal
        let printed = await Invocation.irma("meta", attribute, "-i", folder.url.path, flag, disk.schemes)
        #expect(printed.output.hasPrefix("Identifier      : demo.bank.card"), "\(printed.errors)")
    }

    @Test func printsTheHashOfAnUnknownType() async throws {
        let disk = try await SchemeOnDisk()
        let metadata = try MetadataAttribute(
            credentialType: "other.bank.card",
            keyCounter: 2,
            signedAt: SchemeOnDisk.now - 1e8,
            expiresAt: SchemeOnDisk.now - 1e7
        )
        let printed = await Invocation.irma("meta", metadata.integer.decimal, "-s", disk.schemes)
        let hash = Data(metadata.credentialTypeHash).base64EncodedString()
        #expect(printed.output.hasPrefix("Unknown credential type, hash: \(hash)\nSigned          : "))
        #expect(printed.output.contains("IsValid         : false"))
        #expect(!printed.output.contains("KeyExpires"))
        let json = await Invocation.irma("meta", metadata.integer.decimal, "-s", disk.schemes, "--json")
        #expect(json.output.contains(#""CredentialTypeHash":"\#(hash)""#))
    }

    @Test(arguments: ["x", "", "12", "AAAA", String(repeating: "9", count: 1001)])
    func refusesWhatIsNoMetadata(_ text: String) async throws {
        let folder = try TemporaryFolder()
        #expect(await Invocation.irma("meta", text, "-i", folder.url.path).status == 2)
    }
}
