import CommandSupport
import CommandTesting
import CryptoCore
import Foundation
import IRMATool
import IdemixCore
import IdemixKeyProofs
@_spi(Layers) import JOSEKit
import Testing

/// `irma scheme issuer keyprove` and `keyverify`: what they refuse, and the file that they share.
///
/// A proof about a key that the commands take would run for minutes; the file is tested with a key of 32 bits.
@Suite struct KeyproveCommandTests {
    private static let statement = Result {
        try KeyStatement(n: BigInteger(56_807) * BigInteger(53_147), bases: [4, 9])
    }

    private static let p =
        "126198408027895746798201403317187118937376168496210482030284437561833881676411007595284702"
        + "60818994441192395901779875960585940007525047941951043419940588343"
    private static let q =
        "119107312673982708144985977094522893964712774310093249570245762389446523771466632376178565"
        + "71256645481825902008276841439902785604952362727395853547141319727"

    private func keyprove(_ arguments: String...) async -> Invocation {
        await Invocation.run(IRMATool.self, ["scheme", "issuer", "keyprove"] + arguments)
    }

    private func keyverify(_ arguments: String...) async -> Invocation {
        await Invocation.run(IRMATool.self, ["scheme", "issuer", "keyverify"] + arguments)
    }

    /// A folder of an issuer with a key pair that no proof can be made of: both primes are 7 modulo 8.
    private func unprovableIssuer() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        for name in ["PublicKeys", "PrivateKeys", "Proofs"] {
            try FileManager.default.createDirectory(atPath: folder.path(name), withIntermediateDirectories: true)
        }
        let keys = try IdemixIssuerKeyPair.make(
            p: try #require(BigInteger(decimal: Self.p)),
            q: try #require(BigInteger(decimal: Self.q)),
            counter: 3,
            expiryDate: Date(timeIntervalSince1970: 1_900_000_000),
            baseCount: 3
        )
        try folder.write(String(decoding: keys.publicKey.xml, as: UTF8.self), to: "PublicKeys/3.xml")
        try keys.privateKey.xml().withUnsafeBytes {
            _ = try folder.write(String(decoding: $0, as: UTF8.self), to: "PrivateKeys/3.xml")
        }
        return folder
    }

    @Test func keyproveRefusesAKeyThatNoProofHoldsFor() async throws {
        let folder = try unprovableIssuer()
        let refused = await keyprove(folder.url.path)
        #expect(refused.status == 1, "\(refused.errors)")
        #expect(refused.output.contains("refused"))
        #expect(!FileManager.default.fileExists(atPath: folder.path("Proofs/3.json.gz")))
    }

    @Test func keyproveReplacesNoProofUnlessForced() async throws {
        let folder = try unprovableIssuer()
        try folder.write("mine", to: "Proofs/3.json.gz")
        let refused = await keyprove(folder.url.path)
        #expect(refused.status == 2)
        #expect(refused.errors.contains("is there already"))
        #expect(await keyprove(folder.url.path, "-f").status == 1)
        #expect(try String(contentsOfFile: folder.path("Proofs/3.json.gz"), encoding: .utf8) == "mine")
    }

    @Test func keyproveNamesWhatIsMissing() async throws {
        let folder = try unprovableIssuer()
        #expect(await keyprove("/nowhere/at/all").status == 2)
        #expect(await keyprove(folder.url.path, "-c", "4").status == 2)
        #expect(await keyprove(folder.url.path, "-s", folder.path("PublicKeys/3.xml")).status == 2)
        let empty = try TemporaryFolder()
        let refused = await keyprove(empty.url.path)
        #expect(refused.status == 2)
        #expect(refused.errors.contains("PrivateKeys has no files"))
    }

    @Test func keyproveTakesOnlyAPair() async throws {
        let (one, other) = (try unprovableIssuer(), try TemporaryFolder())
        let keys = await Invocation.run(
            IRMATool.self,
            ["scheme", "issuer", "keygen", other.url.path, "-l", "1024", "-a", "3"]
        )
        #expect(keys.status == 0)
        let refused = await keyprove(one.url.path, "-p", other.path("PublicKeys/0.xml"))
        #expect(refused.status == 2)
        #expect(refused.errors.contains("keyPairMismatch"))
    }

    @Test func keyverifyReadsNothingElse() async throws {
        let folder = try unprovableIssuer()
        let missing = await keyverify(folder.url.path)
        #expect(missing.status == 2)
        #expect(missing.errors.contains("Proofs has no files"))
        try Data(try Deflate.compress(Array("{\"PProof\":7}".utf8), format: .gzip)).write(
            to: folder.url.appendingPathComponent("other.json.gz")
        )
        try folder.write("{\"PProof\":7}", to: "plain.json")
        for name in ["other.json.gz", "plain.json", "nothing"] {
            let refused = await keyverify(folder.url.path, "-c", "3", "-o", folder.path(name))
            #expect(refused.status == 2)
            #expect(refused.errors.contains(name))
        }
        #expect(await keyverify(folder.url.path, "-c", "3", "-p", folder.path("plain.json")).status == 2)
    }

    /// The text of a proof in one piece.
    private static func text(_ proof: KeyProof) -> [UInt8] {
        var text: [UInt8] = []
        proof.write { text += $0 }
        return text
    }

    @Test func theFileKeepsAProof() async throws {
        let folder = try TemporaryFolder()
        let statement = try Self.statement.get()
        let proof = try await KeyProof.prove(statement, p: 56_807, q: 53_147)
        let file = KeyProofFile(path: folder.path("0.json.gz"))
        try file.write(proof)
        // A second one takes its place.
        try file.write(proof)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["0.json.gz"])
        #expect(Self.text(try file.read(for: statement)) == Self.text(proof))

        let bytes = try Data(contentsOf: URL(fileURLWithPath: file.path))
        for damaged in [bytes.dropLast(1), bytes.dropLast(1_000), bytes + [0]] {
            try damaged.write(to: URL(fileURLWithPath: file.path))
            #expect(throws: ToolError.self) { try file.read(for: statement) }
        }
        #expect(throws: ToolError.self) { try KeyProofFile(path: folder.path("none/0.json.gz")).write(proof) }
    }
}
