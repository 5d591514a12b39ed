#if Redis
import CredentialServing
import CredentialServingRedis
import Foundation
import ServingContracts
import Testing

@Suite(.enabled(if: RedisServerProcess.isInstalled, "redis-server and redis-sentinel are not installed"))
struct RedisSessionStoreTests {
    private let time = SessionTestTime()

    private func entry(_ key: String, value: [UInt8] = [1], lifetime: TimeInterval = 3600) -> SessionEntry {
        SessionEntry(
            key: SessionKey(key),
            secondaryKeys: [SessionKey("\(key) too")],
            value: value,
            expiry: time.date + lifetime
        )
    }

    private func store(_ configuration: RedisSessionConfiguration) throws -> RedisSessionStore {
        try RedisSessionStore(configuration: configuration, clock: time.clock, jitter: { 1 })
    }

    @Test func keepsAllLawsBetweenTwoInstances() async throws {
        let server = try await RedisServerProcess.start()
        defer { server.stop() }
        for (index, law) in SessionStoreLaw.all.enumerated() {
            let time = SessionTestTime()
            let stores = try (0..<2).map { _ in
                try RedisSessionStore(
                    configuration: RedisSessionConfiguration(
                        server: .address(server.address),
                        keyPrefix: "law\(index):"
                    ),
                    clock: time.clock
                )
            }
            do {
                try await law.check(
                    SessionStoreWorld(stores, time: time) { stores.map(\.subscriptionCount).reduce(0, +) }
                )
            } catch {
                Issue.record("\(law): \(error)")
            }
        }
    }

    @Test func keepsPrefixesAndDatabasesApart() async throws {
        let server = try await RedisServerProcess.start()
        defer { server.stop() }
        let configurations = [("a:", 0), ("b:", 0), ("a:", 1)].map { prefix, database in
            RedisSessionConfiguration(server: .address(server.address), database: database, keyPrefix: prefix)
        }
        for (index, configuration) in configurations.enumerated() {
            let store = try store(configuration)
            try await store.insert(entry("a", value: [UInt8(index)]))
            await store.close()
        }
        for (index, configuration) in configurations.enumerated() {
            let store = try store(configuration)
            #expect(try await store.entry(forSecondaryKey: SessionKey("a too"))?.value == [UInt8(index)])
            await store.close()
        }
    }

    @Test func serverFreesExpiredSessionsByItself() async throws {
        let server = try await RedisServerProcess.start()
        defer { server.stop() }
        let store = try store(RedisSessionConfiguration(server: .address(server.address)))
        var session = entry("a", lifetime: 0.01)
        try await store.insert(session)
        // The store's time stands still, so only the server can end the session.
        while try await store.entry(for: session.key) != nil { await Task.yield() }
        #expect(try await store.entry(forSecondaryKey: SessionKey("a too")) == nil)
        session = entry("b", lifetime: 0.01)
        session.expiry = time.date + 3600
        await store.close()
    }

    @Test func logsInAsAUserOfAnAccessControlList() async throws {
        let rules = """
            user sessions on >secret resetkeys ~credentials:* resetchannels &credentials:* -@all +auth +select +ping \
            +eval +evalsha +hget +hmget +hset +get +set +del +pexpire +publish +subscribe
            """
        let server = try await RedisServerProcess.start { port, _ in
            ["port \(port)", rules, "user default off"]
        }
        defer { server.stop() }
        var configuration = RedisSessionConfiguration(
            server: .address(server.address),
            credentials: RedisCredentials(user: "sessions", password: "secret")
        )
        let store = try store(configuration)
        try await SessionStoreLaw.all[0].check(SessionStoreWorld([store], time: time) { store.subscriptionCount })

        configuration.keyPrefix = "other:"
        let other = try self.store(configuration)
        await expectStoreError(.notAuthorized) { try await other.entry(for: SessionKey("a")) }
        configuration.credentials = RedisCredentials(user: "sessions", password: "wrong")
        let wrong = try self.store(configuration)
        let error = await expectStoreError(.notAuthorized) { try await wrong.check() }
        #expect(error?.description.contains("wrong") == false)
        configuration.credentials = nil
        let anonymous = try self.store(configuration)
        await expectStoreError(.notAuthorized) { try await anonymous.check() }
        for store in [store, other, wrong, anonymous] { await store.close() }
    }

    @Test func changesNothingThatItMayNotPublish() async throws {
        let rules = """
            user sessions on >secret ~credentials:* resetchannels -@all +auth +ping +eval +evalsha +hget +hmget +hset \
            +get +set +del +pexpire +publish
            """
        let server = try await RedisServerProcess.start { port, _ in ["port \(port)", rules] }
        defer { server.stop() }
        let configuration = RedisSessionConfiguration(
            server: .address(server.address),
            credentials: RedisCredentials(user: "sessions", password: "secret")
        )
        let store = try store(configuration)
        let error = await expectStoreError(.notAuthorized) { try await store.check() }
        #expect(error?.message.contains("NOPERM") == true)

        try server.answer(to: ["ACL", "SETUSER", "sessions", "&credentials:*"])
        time.advance(by: configuration.maximumBackoff)
        let session = entry("a")
        try await store.insert(session)
        try server.answer(to: ["ACL", "SETUSER", "sessions", "resetchannels"])
        await expectStoreError(.notAuthorized) { try await store.swap(session) }
        await expectStoreError(.notAuthorized) { try await store.delete(session.key, version: nil) }
        #expect(try await store.entry(forSecondaryKey: SessionKey("a too")) == session)
        await store.close()
    }

    #if os(Linux)
    @Test func systemProbesIdleConnections() async throws {
        let server = try await RedisServerProcess.start()
        defer { server.stop() }
        let store = try store(RedisSessionConfiguration(server: .address(server.address)))
        try await store.check()
        // The store's connection is the one of this process to the server.
        let sockets = (0..<4096).filter { peerPort(of: $0) == server.port }
        #expect(sockets.count == 1)
        for socket in sockets {
            #expect(option(SOL_SOCKET, SO_KEEPALIVE, of: socket) == 1)
            #expect(option(CInt(IPPROTO_TCP), TCP_KEEPIDLE, of: socket) == 30)
            #expect(option(CInt(IPPROTO_TCP), TCP_KEEPINTVL, of: socket) == 10)
        }
        await store.close()
    }

    private func peerPort(of socket: CInt) -> Int? {
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isConnected = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(socket, $0, &size) == 0 }
        }
        guard isConnected, address.sin_family == sa_family_t(AF_INET) else { return nil }
        return Int(UInt16(bigEndian: address.sin_port))
    }

    private func option(_ level: CInt, _ name: CInt, of socket: CInt) -> CInt? {
        var value: CInt = 0
        var size = socklen_t(MemoryLayout<CInt>.size)
        return getsockopt(socket, level, name, &value, &size) == 0 ? value : nil
    }
    #endif

    @Test func speaksThroughAUnixSocket() async throws {
        let server = try await RedisServerProcess.start { _, folder in
            ["port 0", "unixsocket \(folder.path)/socket"]
        }
        defer { server.stop() }
        let path = server.folder.appending(path: "socket").path
        let store = try store(RedisSessionConfiguration(server: .unixSocket(path: path)))
        try await store.insert(entry("a"))
        #expect(try await store.entry(for: SessionKey("a")) != nil)
        await store.close()
    }

    @Test func sendsAScriptAgainThatTheServerForgot() async throws {
        let server = try await RedisServerProcess.start()
        defer { server.stop() }
        let store = try store(RedisSessionConfiguration(server: .address(server.address)))
        try await store.insert(entry("a"))
        let port = server.port
        await store.close()
        server.stop()
        let next = try await RedisServerProcess.start(port: port)
        defer { next.stop() }
        let again = try self.store(RedisSessionConfiguration(server: .address(next.address)))
        try await again.insert(entry("a"))
        try await again.update(SessionKey("a")) { $0.value = [2] }
        #expect(try await again.entry(forSecondaryKey: SessionKey("a too"))?.value == [2])
        await again.close()
    }

    @Test func isUnavailableWhileTheServerIsAwayAndBackAfterTheBackoff() async throws {
        let server = try await RedisServerProcess.start()
        let store = try store(
            RedisSessionConfiguration(
                server: .address(server.address),
                firstBackoff: .milliseconds(100),
                maximumBackoff: .milliseconds(300)
            )
        )
        try await store.insert(entry("a"))
        server.stop()
        // The broken connection is noticed with the next command, at the latest.
        while true {
            do { try await store.check() } catch {
                #expect(error.code == .unavailable)
                break
            }
        }
        for _ in 0..<3 {
            await expectStoreError(.unavailable) { try await store.entry(for: SessionKey("a")) }
            await expectStoreError(.unavailable) { try await store.insert(entry("b")) }
        }
        let next = try await RedisServerProcess.start(port: server.port)
        defer { next.stop() }
        // No attempt is made before the back-off has passed.
        await expectStoreError(.unavailable) { try await store.check() }
        time.advance(by: .milliseconds(300))
        try await store.check()
        try await store.insert(entry("a"))
        await store.close()
        await expectStoreError(.closed) { try await store.check() }
    }

    @Test func doesNotKnowTheOutcomeOfAChangeThatIsNotAnswered() async throws {
        let server = try await RedisServerProcess.start()
        defer { server.stop() }
        let store = try store(
            RedisSessionConfiguration(server: .address(server.address), commandTimeout: .seconds(1))
        )
        let session = entry("a")
        try await store.insert(session)
        server.suspend()
        await expectStoreError(.outcomeUnknown) { try await store.swap(session) }
        await expectStoreError(.unavailable) { try await store.entry(for: session.key) }
        server.resume()
        time.advance(by: .seconds(60))
        #expect(try await store.entry(for: session.key) != nil)
        await store.close()
    }

    @Test func refusesCommandsBeyondTheirBound() async throws {
        let server = try await RedisServerProcess.start()
        defer { server.stop() }
        let store = try store(
            RedisSessionConfiguration(
                server: .address(server.address),
                commandTimeout: .seconds(1),
                maximumPendingCommands: 1
            )
        )
        try await store.check()
        server.suspend()
        let refusals = await withTaskGroup(of: String.self) { group in
            for _ in 0..<3 {
                group.addTask {
                    await expectStoreError(.unavailable) { try await store.check() }?.description ?? ""
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(refusals.filter { $0.contains("1 commands wait") }.count == 2)
        #expect(refusals.filter { $0.contains("no reply in time") }.count == 1)
        server.resume()
        await store.close()
    }

    @Test func refusesWhatIsNoSessionAndWhatHasNoRoom() async throws {
        let server = try await RedisServerProcess.start()
        defer { server.stop() }
        let store = try store(RedisSessionConfiguration(server: .address(server.address)))
        try server.answer(to: ["HSET", "credentials:session:a", "g", "x", "n", "1", "x", "1", "v", "", "s", ""])
        try server.answer(to: ["SET", "credentials:session:b", "text"])
        try await store.insert(entry("c"))
        try server.answer(to: ["HSET", "credentials:session:c", "s", "list"])
        for key in ["a", "b", "c"] {
            await expectStoreError(.damaged) { try await store.entry(for: SessionKey(key)) }
        }
        try server.answer(to: ["CONFIG", "SET", "maxmemory", "1"])
        await expectStoreError(.full) { try await store.insert(entry("d")) }
        await store.close()
    }

    @Test func readersSeeChangesThatWereMadeWhileNotificationsWereAway() async throws {
        let server = try await RedisServerProcess.start()
        let configuration = RedisSessionConfiguration(server: .address(server.address))
        let store = try store(configuration)
        let first = entry("a")
        try await store.insert(first)
        var changes = store.changes(of: first.key).makeAsyncIterator()
        #expect(try await changes.next() == first)
        let run = Task { await store.run() }
        // Subscribed: the keep-alive waits.
        await time.waitForSleepers(1)
        server.stop()
        // The wait after the connection broke.
        while time.durations.last != configuration.firstBackoff { await Task.yield() }
        let next = try await RedisServerProcess.start(port: server.port)
        defer { next.stop() }
        // The session of the new server is that of the old, changed meanwhile by another process.
        let other = try self.store(configuration)
        try await other.insert(first)
        let changed = try await other.swap(first)
        time.advance(by: configuration.maximumBackoff)
        let seen = Task { [changes] in
            var changes = changes
            return try await changes.next()
        }
        #expect(try await seen.value == changed)
        await store.close()
        await other.close()
        await run.value
    }

    @Test func readsAgainWhenThePulseOfNotificationsStops() async throws {
        let server = try await RedisServerProcess.start()
        defer { server.stop() }
        let configuration = RedisSessionConfiguration(
            server: .address(server.address),
            commandTimeout: .seconds(1)
        )
        let store = try store(configuration)
        let run = Task { await store.run() }
        await time.waitForSleepers(1)
        server.suspend()
        time.advance(by: configuration.keepAliveInterval)
        while time.durations.last != configuration.firstBackoff { await Task.yield() }
        server.resume()
        time.advance(by: configuration.maximumBackoff)
        // Subscribed again: the keep-alive waits.
        while time.durations.last != configuration.keepAliveInterval {
            time.tick(configuration.maximumBackoff)
            await Task.yield()
        }
        await store.close()
        await run.value
    }

    @Test func refusesSettingsThatCannotWork() {
        let address = RedisAddress(host: "127.0.0.1", port: 1)
        for configuration in [
            RedisSessionConfiguration(server: .sentinels([], master: "m")),
            RedisSessionConfiguration(server: .address(address), database: -1),
            RedisSessionConfiguration(server: .address(address), maximumReplySize: 1 << 20),
        ] {
            do {
                _ = try RedisSessionStore(configuration: configuration)
                Issue.record("is not refused")
            } catch {
                #expect(error.code == .invalidConfiguration)
            }
        }
    }

    @Test func printsNoPassword() {
        let credentials = RedisCredentials(user: "u", password: "secret")
        var text = "\(credentials) \(String(reflecting: credentials))"
        dump(RedisSessionConfiguration(server: .unixSocket(path: "/"), credentials: credentials), to: &text)
        #expect(!text.contains("secret"))
    }
}

/// Runs what must be refused, and gives the error that it was refused with.
@discardableResult
func expectStoreError<Value>(
    _ code: SessionStoreError.Code,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () async throws -> Value
) async -> SessionStoreError? {
    do {
        _ = try await body()
        Issue.record("is not refused", sourceLocation: sourceLocation)
    } catch let error as SessionStoreError {
        #expect(error.code == code, "\(error)", sourceLocation: sourceLocation)
        return error
    } catch {
        Issue.record(error, sourceLocation: sourceLocation)
    }
    return nil
}
#endif
