import CredentialServing
import Foundation
import JSONKit
import OID4VPMessages
import OID4VPVerifier
import Synchronization
import TestSupport
import Testing

#if SQLite
import CredentialServingSQLite
#endif
#if Redis
import CredentialServingRedis
#endif

/// One transaction of each mode over each store, in which every call is served by another instance of the verifier.
@Suite struct StoreTests {
    @Test func memory() async throws {
        try await Self.answerEveryMode(over: MemorySessionStore(clock: StoreScene.storeClock))
    }

    #if SQLite
    @Test func sqlite() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "oid4vp-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "transactions.sqlite").path
        let store = try SQLiteSessionStore(path: path, clock: StoreScene.storeClock)
        try await Self.answerEveryMode(over: store)
        await store.close()
    }
    #endif

    #if Redis && os(Linux)
    @Test(.enabled(if: PeerProcess.areWanted, PeerProcess.comment)) func redis() async throws {
        let server = try await PeerProcess(
            "/usr/bin/redis-server",
            arguments: { [$0] },
            configuration: { port, folder in "bind 127.0.0.1\nport \(port)\ndir \(folder)\nsave \"\"\nappendonly no\n" }
        )
        defer { server.stop() }
        let address = RedisAddress(host: "127.0.0.1", port: server.port)
        let store = try RedisSessionStore(
            configuration: RedisSessionConfiguration(server: .address(address)),
            clock: StoreScene.storeClock
        )
        try await Self.answerEveryMode(over: store)
        await store.close()
    }
    #endif

    /// `direct_post` by value; `direct_post.jwt` by reference with GET and with POST; the Digital Credentials API.
    private static func answerEveryMode(over store: any SessionStore) async throws {
        let scene = try await StoreScene(store)
        var inTheClear = TransactionRequest(of: "unsigned", for: try StoreScene.query())
        inTheClear.form = .value
        inTheClear.isEncrypted = false
        try await answer(inTheClear, in: scene)
        for method in [RequestReference.Method.get, .post] {
            var encrypted = TransactionRequest(of: "signing", for: try StoreScene.query())
            encrypted.requestMethod = method
            try await answer(encrypted, in: scene)
            encrypted.redirect = try RedirectTemplate("https://shop.example/done#{response_code}")
            try await answer(encrypted, in: scene)
        }
        for isEncrypted in [false, true] {
            var platform = TransactionRequest(of: "signing", for: try StoreScene.query())
            platform.form = .digitalCredentials
            platform.isEncrypted = isEncrypted
            try await answer(platform, in: scene)
        }
        try await endSessionsOfOthers(in: store)
    }

    /// A process ends the sessions whose deadlines another one has noted.
    private static func endSessionsOfOthers(in store: any SessionStore) async throws {
        func deadlines() -> SharedDeadlines { SharedDeadlines(in: store, named: "test", keeping: .seconds(300)) }
        let now = StoreScene.storeClock.milliseconds
        let names = (0..<20).map { "session \($0)" }
        await withTaskGroup { group in
            for name in names { group.addTask { try? await deadlines().add(name, until: now) } }
        }
        let ended = Mutex<Set<String>>([])
        for _ in 0..<2 {
            await deadlines().endExpired(at: now + 2000) { name in
                let isNew = ended.withLock { $0.insert(name).inserted }
                #expect(isNew, "ended twice: \(name)")
            }
        }
        #expect(ended.withLock { $0 } == Set(names))
    }

    private static func answer(_ request: TransactionRequest, in scene: StoreScene) async throws {
        let transaction = try await scene.instance().start(request)
        var code: String?
        if let link = transaction.qrText {
            let addresses = try await scene.answer(link: link)
            #expect(addresses[0] == addresses[1])
            code = addresses[0].map { String($0.drop { $0 != "#" }.dropFirst()) }
            #expect((code == nil) == (request.redirect == nil))
        } else {
            let data = try await scene.answer(platform: try #require(transaction.digitalCredentialRequest))
            try await scene.instance().answer(
                transaction.id,
                digitalCredential: data,
                from: "https://verifier.example"
            )
        }
        #expect(try await scene.instance().status(of: transaction.id) == .verified)
        let result = try await scene.instance().result(of: transaction.id, responseCode: code)
        let claims = result.credentials?["q"]?[0]?["claims"]
        #expect(claims?["family_name"] == "Lovelace")
        #expect(claims?["given_name"] == nil)
        let again = try? await scene.instance().result(of: transaction.id, responseCode: code)
        #expect(again?.credentials == nil, "claims are given out once")
    }
}
