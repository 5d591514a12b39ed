import CryptoCore
import Foundation
import IRMAMessages
import Testing

/// The index of a scheme: its paths, its signature, its digests, and how it is made.
@Suite struct SchemeIndexTests {
    private let digest = String(repeating: "0a", count: 32)

    private func index(_ text: String) throws -> SchemeIndex {
        try SchemeIndex(decoding: Array(text.utf8), of: "demo")
    }

    @Test func pathsMayHaveSpaces() throws {
        let index = try index("\(digest) demo/a b/c.xml\n\(digest.uppercased()) demo/d\n")
        #expect(index.digests["a b/c.xml"] == [UInt8](repeating: 10, count: 32))
        #expect(index.digests.count == 2)
    }

    @Test(
        arguments: [
            "/etc/passwd", "demo", "other/a", "demo/../a", "demo/a/../../b", "demo/..", "demo/./a", "demo//a",
            "demo/a/",
            "demo/a\\b", "demo/a\0b", "demo/a\u{7f}", "Demo/a", "demoa/b", "demo/", " demo/a",
        ]
    )
    func pathsOutsideTheFolderAreRefused(path: String) {
        expectRefusal(.invalidPath) { try index("\(digest) \(path)\n") }
    }

    @Test(arguments: ["x", "0a demo/a", "demo/a", "+0" + String(repeating: "0a", count: 31) + " demo/a"])
    func otherLinesAreRefused(line: String) {
        expectRefusal(.malformedDescription) { try index(line + "\n") }
    }

    @Test func repeatedPathsAreRefused() {
        expectRefusal(.malformedDescription) { try index("\(digest) demo/a\n\(digest) demo/a\n") }
    }

    @Test func limitsHold() throws {
        var limits = SchemeLimits()
        let text = Array("\(digest) demo/a\n\(digest) demo/b\n".utf8)
        (limits.files, limits.indexSize) = (2, text.count)
        _ = try SchemeIndex(decoding: text, of: "demo", limits: limits)
        limits.files = 1
        expectRefusal(.limitExceeded) { try SchemeIndex(decoding: text, of: "demo", limits: limits) }
        (limits.files, limits.indexSize) = (2, text.count - 1)
        expectRefusal(.limitExceeded) { try SchemeIndex(decoding: text, of: "demo", limits: limits) }
    }

    @Test func changedFilesAreRefused() async throws {
        let fixture = try SchemeFixture()
        let stored = try await fixture.verified().stored
        let key = fixture.signer.publicKey
        for path in stored.files.keys where path != .publicKey {
            var changed = stored
            changed.files[path]?[0] ^= 1
            #expect(throws: IRMAError.self, "\(path)") { try changed.verified(by: key) }
            changed.files[path] = nil
            expectRefusal(.invalidScheme) { try changed.verified(by: key) }
        }
        var changed = stored
        changed.files["bank/logo.png"] = [1]
        expectRefusal(.digestMismatch, at: "bank/logo.png") { try changed.verified(by: key) }
        let other = try PrivateKey.generate(.p256).publicKey
        expectRefusal(.invalidSchemeSignature) { try stored.verified(by: other) }
        var limits = SchemeLimits()
        limits.totalSize = 1_000
        expectRefusal(.limitExceeded) { try stored.verified(by: key, limits: limits) }
        limits = SchemeLimits()
        limits.fileSize = 100
        expectRefusal(.limitExceeded) { try stored.verified(by: key, limits: limits) }
        changed.files[.publicKey] = [1]
        expectRefusal(.invalidScheme) { try changed.storedPublicKey() }
    }

    @Test func filesOutsideTheIndexAreNotVerified() async throws {
        let fixture = try SchemeFixture()
        var stored = try await fixture.verified().stored
        stored.files["bank/PublicKeys/9.xml"] = stored.files["bank/PublicKeys/0.xml"]
        let scheme = try IRMAScheme(stored.verified(by: fixture.signer.publicKey))
        #expect(scheme.keyCounters(of: "demo.bank") == [0])
    }

    @Test func layoutLeavesOutPrivateFiles() async throws {
        var fixture = try SchemeFixture()
        for path in ["bank/PrivateKeys/0.xml", "bank/Proofs/0.xml", "sk.pem", "README.md", "index", "kss-0.pem"] {
            fixture.files[SchemePath(path)] = [0x41]
        }
        let verified = try await fixture.verified()
        let paths = Set(verified.index.digests.keys.map(\.text))
        #expect(paths.contains("kss-0.pem") && paths.contains("timestamp") && paths.contains("bank/logo.png"))
        #expect(
            paths.isDisjoint(with: ["bank/PrivateKeys/0.xml", "bank/Proofs/0.xml", "sk.pem", "README.md", "index"])
        )
        #expect(verified.files["timestamp"] == Array("1800000000\n".utf8))
        let lines = String(decoding: verified.index.encodedBytes, as: UTF8.self).split(separator: "\n")
        #expect(lines.map { String($0.dropFirst(65)) } == lines.map { String($0.dropFirst(65)) }.sorted())
        #expect(try SchemeIndex(decoding: verified.index.encodedBytes, of: "demo") == verified.index)
    }

    @Test func filesWithCarriageReturnsAreNotSigned() async throws {
        var fixture = try SchemeFixture()
        fixture.files["bank/x.xml"] = Array("<a>\r\n</a>".utf8)
        await expectRefusal(.invalidScheme, at: "bank/x.xml") { [fixture] in try await fixture.verified() }
        fixture.files["bank/x.xml"] = nil
        fixture.files["../x.xml"] = []
        await expectRefusal(.invalidPath) { [fixture] in try await fixture.verified() }
    }

    @Test func signaturesMadeElsewhereAreChecked() throws {
        let fixture = try SchemeFixture()
        let files = SchemeFiles(scheme: "demo", files: fixture.files)
        let unsigned = try UnsignedIRMAScheme(files, at: SchemeFixture.time)
        let signature = try fixture.signer.signature(for: unsigned.bytesToSign)
        #expect(try unsigned.completed(with: signature, by: fixture.signer.publicKey).scheme == "demo")
        let other = try PrivateKey.generate(.p256).publicKey
        expectRefusal(.signingFailed) { try unsigned.completed(with: signature, by: other) }
        expectRefusal(.signingFailed) { try unsigned.completed(with: [1], by: fixture.signer.publicKey) }
    }

    @Test(arguments: ["", "\n", "1 \n", "-1\n", "+1\n", "1234567890123456789\n", "1\n\n"])
    func timestampsAreSeconds(text: String) async throws {
        let fixture = try SchemeFixture()
        let paths = try await fixture.verified().files
        var files = paths
        files[.timestamp] = Array(text.utf8)
        let index = SchemeIndex(of: files, in: "demo")
        let signature = try fixture.signer.signature(for: index.encodedBytes)
        files[.index] = index.encodedBytes
        files[.signature] = try ECDSASignature(rawRepresentation: signature, curve: .p256).derRepresentation
        expectRefusal(.malformedDescription, at: "timestamp") {
            try SchemeFiles(scheme: "demo", files: files).verified(by: fixture.signer.publicKey)
        }
    }

    @Test func knownSchemesHaveKeys() {
        #expect(Set(WellKnownSchemes.keys.keys) == Set(WellKnownSchemes.urls.keys))
    }
}
