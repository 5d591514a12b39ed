import Foundation
import Synchronization
import Testing

@testable import IRMAMessages

/// Schemes in a folder: read, replaced, and interrupted at every step.
@Suite struct SchemeDirectoryTests {
    /// The end of the process, as far as a test can have it: nothing happens after it.
    private final class Interruption: Sendable {
        private let left: Mutex<Int>

        init(after changes: Int) {
            left = Mutex(changes)
        }

        func beforeChange() throws(IRMAError) {
            let isOver = left.withLock { left in
                left -= 1
                return left < 0
            }
            if isOver { throw IRMAError(.storageFailed, "the process ended here") }
        }
    }

    private func withFolder<Value>(_ body: (URL) async throws -> Value) async throws -> Value {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString, isDirectory: true)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: url) }
        return try await body(url)
    }

    private func names(in url: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
    }

    @Test func keepsSchemes() async throws {
        try await withFolder { url in
            let files = try await SchemeFixture().verified()
            let store = try SchemeDirectory(opening: url)
            #expect(try await store.schemes().isEmpty)
            #expect(try await store.files(of: "demo") == nil)
            try await store.replace(with: files)
            #expect(try await store.schemes() == ["demo"])
            #expect(try await store.verifiedFiles(of: "demo") == files)
            #expect(try await store.snapshot().credentialType("demo.bank.card") != nil)
            let other = try await SchemeFixture().verified().publicKey
            await expectRefusal(.invalidSchemeSignature) { try await store.snapshot(pinned: ["demo": other]) }
            #expect(try names(in: url) == ["demo"])
        }
    }

    @Test func privateKeysAreHidden() async throws {
        try await withFolder { url in
            let store = try SchemeDirectory(opening: url)
            let files = try await SchemeFixture().verified()
            try await store.replace(with: files, unsigned: ["bank/PrivateKeys/0.xml": [1], "bank/logo.png": [2]])
            let path = url.appendingPathComponent("demo/bank/PrivateKeys/0.xml").path
            #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
            #expect(try await store.verifiedFiles(of: "demo") == files)
            await expectRefusal(.invalidPath) { try await store.replace(with: files, unsigned: ["../x": [1]]) }
        }
    }

    @Test func folderHasToBeThere() {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        expectRefusal(.storageFailed) { try SchemeDirectory(opening: url) }
    }

    @Test func namesStayInTheFolder() async throws {
        try await withFolder { url in
            let store = try SchemeDirectory(opening: url)
            for name in ["..", "a/b", "", ".hidden"] {
                await expectRefusal(.invalidPath) { try await store.files(of: SchemeIdentifier(name)) }
            }
        }
    }

    @Test func missingAndLargeFilesAreRefused() async throws {
        try await withFolder { url in
            let store = try SchemeDirectory(opening: url)
            try await store.replace(with: try await SchemeFixture().verified())
            var limits = SchemeLimits()
            limits.fileSize = 100
            let small = try SchemeDirectory(opening: url, limits: limits)
            await expectRefusal(.limitExceeded) { try await small.files(of: "demo") }
            limits = SchemeLimits()
            limits.totalSize = 1_000
            let smaller = try SchemeDirectory(opening: url, limits: limits)
            await expectRefusal(.limitExceeded) { try await smaller.files(of: "demo") }
            try FileManager.default.removeItem(at: url.appendingPathComponent("demo/bank/logo.png"))
            await expectRefusal(.storageFailed, at: "logo.png") { try await store.files(of: "demo") }
        }
    }

    @Test func interruptionLeavesTheOldVersionOrTheNew() async throws {
        let fixture = try SchemeFixture()
        let old = try await fixture.verified()
        var changed = try fixture.changing("bank/description.xml", "Demo bank", "Demo new")
        changed.files["bank/logo.png"] = nil
        let new = try await changed.verified(at: SchemeFixture.time + 60)
        var outcomes: [Date: Int] = [:]
        var steps = 0
        var isFinished = false
        while !isFinished {
            try await withFolder { url in
                try await SchemeDirectory(opening: url).replace(with: old)
                let privateKey = url.appendingPathComponent("demo/bank/PrivateKeys/0.xml")
                try FileManager.default.createDirectory(
                    at: privateKey.deletingLastPathComponent(),
                    withIntermediateDirectories: true
                )
                try Data("secret".utf8).write(to: privateKey)
                let interruption = Interruption(after: steps)
                let store = try SchemeDirectory(opening: url) { () throws(IRMAError) in
                    try interruption.beforeChange()
                }
                isFinished = (try? await store.replace(with: new)) != nil
                let reopened = try SchemeDirectory(opening: url)
                let files = try #require(try await reopened.verifiedFiles(of: "demo"))
                #expect(files == old || files == new, "after \(steps) changes")
                #expect(try Data(contentsOf: privateKey) == Data("secret".utf8))
                #expect(try names(in: url) == ["demo"])
                let hasLogo = FileManager.default.fileExists(
                    atPath: url.appendingPathComponent("demo/bank/logo.png").path
                )
                #expect(hasLogo == (files == old))
                outcomes[files.time, default: 0] += 1
            }
            steps += 1
        }
        #expect(outcomes.count == 2, "\(outcomes)")
        #expect(steps > 8)
    }

    @Test func leftoversAreRemovedAndOthersKept() async throws {
        try await withFolder { url in
            try await SchemeDirectory(opening: url).replace(with: try await SchemeFixture().verified())
            for name in [".tempscheme-demo", ".oldscheme-demo", ".other"] {
                try FileManager.default.createDirectory(
                    at: url.appendingPathComponent(name),
                    withIntermediateDirectories: false
                )
            }
            _ = try SchemeDirectory(opening: url)
            #expect(try names(in: url) == [".other", "demo"])
        }
    }
}
