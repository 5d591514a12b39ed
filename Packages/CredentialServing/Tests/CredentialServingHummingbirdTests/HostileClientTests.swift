#if Server && os(Linux)
import CredentialServing
import CredentialServingHummingbird
import HTTPTypes
import ServingContracts
import Synchronization
import Testing

/// Clients that want to use up the server.
///
/// Every attack ends with no connection, no descriptor and no request left.
@Suite(.serialized, .timeLimit(.minutes(4)))
struct HostileClientTests {
    @Test func headersThatNeverEndAreCutOff() async throws {
        try await HostileAttack.run(limits: ConnectionLimits(idleTimeout: .seconds(1))) { port, _ in
            try await HostileAttack.many(200, atOnce: 200) { _ in
                let client = try await HostileClient.connect(to: port)
                try await client.send("GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ")
                // Drops of a header do not keep the connection; writing may fail when it is closed.
                while (try? await client.send("a")) != nil { await Task.yield() }
                try await client.waitForClose()
            }
        }
    }

    @Test func silentConnectionsAreCutOff() async throws {
        try await HostileAttack.run(limits: ConnectionLimits(idleTimeout: .seconds(1))) { port, _ in
            try await HostileAttack.many(200, atOnce: 200) { _ in
                try await HostileClient.connect(to: port).waitForClose()
            }
        }
    }

    @Test func longHeadersAreRefused() async throws {
        try await HostileAttack.run { port, _ in
            try await HostileAttack.many(50) { _ in
                let client = try await HostileClient.connect(to: port)
                try? await client.send("GET / HTTP/1.1\r\nHost: x\r\nX-Long: " + String(repeating: "a", count: 1 << 20))
                try await client.waitForClose()
                #expect(client.text.isEmpty || client.text.hasPrefix("HTTP/1.1 400"))
            }
        }
    }

    @Test func slowBodiesEndAtTheDeadline() async throws {
        try await HostileAttack.run(deadline: .seconds(1)) { port, _ in
            try await HostileAttack.many(200, atOnce: 200) { _ in
                let client = try await HostileClient.connect(to: port)
                try await client.send("POST /body HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n")
                while (try? await client.send("a")) != nil { await Task.yield() }
                try await client.waitForClose()
                #expect(client.text.isEmpty || client.text.hasPrefix("HTTP/1.1 408"))
            }
        }
    }

    @Test func endlessChunksAreRefused() async throws {
        try await HostileAttack.run(limits: ConnectionLimits(lingeringTime: .milliseconds(200))) { port, _ in
            try await HostileAttack.many(20, atOnce: 20) { _ in
                let client = try await HostileClient.connect(to: port)
                try await client.send("POST /body HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
                let chunk = Array("10000\r\n".utf8) + [UInt8](repeating: 0x61, count: 0x10000) + Array("\r\n".utf8)
                while (try? await client.send(chunk)) != nil {}
                try await client.waitForClose()
                #expect(client.text.isEmpty || client.text.hasPrefix("HTTP/1.1 413"))
            }
        }
    }

    @Test func largeBodiesAreRefusedAndTheClientIsTold() async throws {
        // However slow the machine is, the refused bodies are read to their end.
        try await HostileAttack.run(limits: ConnectionLimits(lingeringTime: .seconds(60))) { port, _ in
            let body = [UInt8](repeating: 0x61, count: 10 << 20)
            try await HostileAttack.many(40, atOnce: 8) { _ in
                let client = try await WireClient.connect(to: port)
                try await client.begin(.post("/body", headerFields: [.contentLength: String(body.count)], body: nil))
                try await client.send(body)
                #expect(try await client.head().status == .contentTooLarge)
                #expect(try await client.head().headerFields[.connection] == "close")
                await client.disconnect()
            }
        }
    }

    @Test func connectionsDroppedAtAnyByteLeaveNothing() async throws {
        let request = Array(
            "POST /body HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n".utf8
        )
        let events = Array("GET /events HTTP/1.1\r\nHost: x\r\n\r\n".utf8)
        try await HostileAttack.run { port, _ in
            for bytes in [request, events] {
                try await HostileAttack.many(bytes.count + 1) { count in
                    let client = try await HostileClient.connect(to: port)
                    if count > 0 { try await client.send(Array(bytes.prefix(count))) }
                    await client.close()
                }
            }
        }
    }

    @Test func idleStreamsAreCheapAndEnd() async throws {
        try await HostileAttack.run { port, work in
            let clients = Mutex<[HostileClient]>([])
            try await HostileAttack.many(2000, atOnce: 100) { _ in
                let client = try await HostileClient.connect(to: port)
                try await client.send("GET /events HTTP/1.1\r\nHost: x\r\n\r\n")
                // The head leaves before the stream begins its work.
                await client.waitForAnswer { $0.contains("data: x") }
                clients.withLock { $0.append(client) }
            }
            #expect(work() == 2000)
            try await HostileAttack.expectFine(port)
            for client in clients.withLock({ $0 }) { await client.close() }
            while work() > 0 { await Task.yield() }
        }
    }

    @Test func breaksOffUnreadStreams() async throws {
        let outcome = ShutdownSignal()
        let engine = try RoutedEngine([
            .get("/") { _ in
                ServerResponse(
                    .ok,
                    body: .stream(outlastsDeadline: true) { writer in
                        defer { outcome.give() }
                        while true { try await writer.write([UInt8](repeating: 1, count: 1 << 16)) }
                    }
                )
            }
        ])
        let limits = ConnectionLimits(writeTimeout: .milliseconds(300))
        try await LoopbackWorld.run(engine, HummingbirdServerOptions(port: 0, limits: limits)) { port, _ in
            let client = try await WireClient.connect(to: port)
            try await client.begin(.get("/"))
            _ = try await client.head()
            await outcome.wait()
            await client.disconnect()
        }
    }

    /// The clients hold all connections that the server takes, until they are cut off.
    @Test func breaksOffUnreadPipelinedResponses() async throws {
        let limits = ConnectionLimits(maximumConnections: 4, writeTimeout: .milliseconds(300))
        try await HostileAttack.run(limits: limits) { port, _ in
            let clients = Mutex<[HostileClient]>([])
            try await HostileAttack.many(4) { _ in
                let client = try await HostileClient.connect(to: port, reads: false)
                let request = "GET /long HTTP/1.1\r\nHost: x\r\n\r\n"
                try await client.send(String(repeating: request, count: 1000))
                clients.withLock { $0.append(client) }
            }
            try await HostileAttack.expectFine(port)
            for client in clients.withLock({ $0 }) { await client.close() }
        }
    }

    @Test func connectionsOverTheLimitWait() async throws {
        let engine = try HostileAttack.engine(HostileAttack.Work())
        let limits = ConnectionLimits(maximumConnections: 2)
        try await LoopbackWorld.run(engine, HummingbirdServerOptions(port: 0, limits: limits)) { port, _ in
            let idle = [try await HostileClient.connect(to: port), try await HostileClient.connect(to: port)]
            let third = try await WireClient.connect(to: port)
            try await third.begin(.get("/"))
            for client in idle { await client.close() }
            #expect(try await third.head().status == .ok)
            await third.disconnect()
        }
    }

    @Test func connectionIsKeptAfterARefusal() async throws {
        let engine = try HostileAttack.engine(HostileAttack.Work())
        try await LoopbackWorld.run(engine) { port, _ in
            let client = try await WireClient.connect(to: port)
            for path in ["/none", "/body", "/none"] {
                try await client.begin(.post(path, body: Array("hello".utf8)))
                #expect(try await client.head().status == (path == "/none" ? .notFound : .ok))
                while try await client.next() != nil {}
                client.reset()
            }
            await client.disconnect()
        }
    }
}
#endif
