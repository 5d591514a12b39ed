#if os(Linux)
import CredentialWallet
import CryptoCore
import Foundation
import Glibc
import Synchronization
import Testing

#if SQLite
import CredentialWalletSQLite
import SQLiteTesting
#endif

/// A wallet's process that is killed while it writes, at one step after the other.
@Suite(.serialized) struct WalletCrashTests {
    private static let completeExit: Int32 = 3

    @Test(.timeLimit(.minutes(5)), arguments: StorageKind.durable)
    func presentsNoCopyTwiceAfterAKillAtAnyWrite(kind: StorageKind) async throws {
        var kills = 0
        var step = 1
        var isComplete = false
        while !isComplete {
            let count = step
            try await withFolder { folder in
                let outcome = await #expect(processExitsWith: .failure) {
                    [folder = folder as String, count = count as Int, kind = kind.rawValue as String] in
                    try await Self.use(try #require(StorageKind(rawValue: kind)), in: folder, killedAt: count)
                }
                let exit = try #require(outcome).exitStatus
                isComplete = exit == .exitCode(Self.completeExit)
                if !isComplete {
                    #expect(exit == .signal(SIGKILL))
                    kills += 1
                }
                try await Self.verify(kind, in: folder)
            }
            step += 1 + step / 8
        }
        print("wallet in \(kind): killed at \(kills) steps, no credential is lost and no copy presented twice")
        #expect(kills >= 15)
    }

    /// The work of the process that is killed: it adds a credential, presents its copies, and refills it.
    ///
    /// It notes each change that was acknowledged: `a`, the copy `1` to `3`, `r`, the copy `4`.
    private static func use(_ kind: StorageKind, in folder: String, killedAt step: Int) async throws {
        guard FileManager.default.createFile(atPath: folder + "/acknowledged", contents: nil),
            let note = FileHandle(forWritingAtPath: folder + "/acknowledged")
        else { exit(1) }
        let (first, more) = (TextScene.copies(3), TextScene.copies(1))
        let store = TextScene.store(try storage(kind, in: folder, killedAt: step))
        let added = try await store.add(first, rotation: .once, at: TextScene.now)
        try note.write(contentsOf: Data("a".utf8))
        for _ in 0..<4 {
            let offer = try await store.copiesToPresent(at: TextScene.now)
            if offer.copies.isEmpty { exit(1) }
            let copies = try await store.claim(offer.copies.map(\.id), at: TextScene.now).keys
            try note.write(contentsOf: Data(copies.compactMap(\.last).map { String($0) }.joined().utf8))
            if copies.contains("\(added.id)/3") {
                _ = try await store.add(more, to: added.id, at: TextScene.now)
                try note.write(contentsOf: Data("r".utf8))
            }
        }
        exit(completeExit)
    }

    private static func storage(
        _ kind: StorageKind,
        in folder: String,
        killedAt step: Int
    ) throws -> any CredentialStorage {
        let path = kind.path(in: folder)
        switch kind {
        case .memory: return InMemoryCredentialStorage()
        case .file:
            let rest = Steps(step)
            return try FileCredentialStorage(path: path, key: StorageKind.key, onStep: { rest.take() })
        #if SQLite
        case .sqlite:
            let storage = try SQLiteCredentialStorage(path: path, key: StorageKind.key)
            WriteCalls.killAfter(step)
            return storage
        #endif
        }
    }

    /// Kills the process at a step.
    private final class Steps: Sendable {
        private let rest: Atomic<Int>

        init(_ count: Int) {
            rest = Atomic(count)
        }

        func take() {
            if rest.subtract(1, ordering: .sequentiallyConsistent).newValue == 0 { kill(getpid(), SIGKILL) }
        }
    }

    /// Looks at what the killed process left: the state after the last acknowledged change, or after the one behind it.
    private static func verify(_ kind: StorageKind, in folder: String) async throws {
        let noted = try String(contentsOfFile: folder + "/acknowledged", encoding: .utf8)
        let store = TextScene.store(try kind.open(in: folder))
        let credentials = try await store.credentials()
        guard let credential = credentials.first else {
            #expect(noted.isEmpty, "a credential is lost after \(noted)")
            return
        }
        #expect(credentials.count == 1)
        let presented = Set(noted.compactMap { UInt32(String($0)) })
        let used = Set(credential.copies.filter { $0.uses > 0 }.map(\.number))
        let isRefilled = credential.copies.contains { $0.number == 4 }
        if noted.contains("r") { #expect(isRefilled) }
        // A refill removes the spent copies; before it, each that was presented is counted.
        if isRefilled {
            #expect(presented.isSuperset(of: [1, 2, 3]))
            #expect(credential.copies.map(\.number) == [4])
        } else {
            #expect(used.isSuperset(of: presented))
            #expect(credential.copies.map(\.number) == [1, 2, 3])
        }
        #expect(used.subtracting(presented).count <= 1, "\(used) after \(noted)")
        #expect(credential.copies.allSatisfy { $0.uses <= 1 })
        // The copies that are left can be presented, each once, and none that was presented before.
        for copy in credential.usableCopies(at: TextScene.now) {
            let offer = try await store.copiesToPresent(at: TextScene.now)
            let names = try await store.claim(offer.copies.map(\.id), at: TextScene.now).keys
            #expect(Array(names) == ["\(credential.id)/\(copy.number)"])
            #expect(!presented.contains(copy.number))
        }
    }
}
#endif
