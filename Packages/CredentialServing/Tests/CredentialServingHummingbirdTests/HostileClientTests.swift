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
@Suite(.serialized, .timeLimit(.minutes(3)))
struct HostileClientTests {
    /// The requests that an engine works on.
    private final class Work: Sendable {
        private let state = Mutex(0)
        var count: Int { state.withLock { $0 } }

        func run<Value>(_ operation: () async throws -> Value) async rethrows -> Value {
            state.withLock { $0 += 1 }
            defer { state.withLock { $0 -= 1 } }
            return try await operation()
        }
    }

    private static func engine(_ work: Work, deadline: Duration? = .seconds(60)) throws -> RoutedEngine {
        try RoutedEngine(
            [
                .get("/") { _ in .text("fine") },
                .post("/body") { request in
                    try await work.run { .text("\(try await request.body.collect(upTo: 1 << 20).count)") }
                },
                .get("/events") { request in
                    .events(for: request) { stream in
                        try await work.run {
                            try await stream.send(OutgoingEvent(data: "x"))
                            await ShutdownSignal().wait()
                        }
                    }
                },
            ],
            options: RoutedEngineOptions(deadline: deadline)
        )
    }

    private static func expectFine(_ port: Int) async throws {
        let client = try await WireClient.connect(to: port)
        try await client.begin(.get("/"))
        #expect(try await client.head().status == .ok)
        #expect(try await client.next() == Array("fine".utf8))
        await client.disconnect()
    }

    /// Runs an attack, and expects that nothing is left of it.
    private static func attack(
        limits: ConnectionLimits = ConnectionLimits(),
        deadline: Duration? = .seconds(60),
        _ operation: @escaping @Sendable (_ port: Int, _ work: @escaping @Sendable () -> Int) async throws -> Void
    ) async throws {
        let work = Work()
        let engine = try engine(work, deadline: deadline)
        // What the process makes once stays out of the count.
        try await LoopbackWorld.run(engine) { port, _ in try await expectFine(port) }
        let memory = try ProcessUse.memory()
        let port = Mutex(0)
        try await LoopbackWorld.run(engine, HummingbirdServerOptions(port: 0, limits: limits)) { number, _ in
            port.withLock { $0 = number }
            try await operation(number) { work.count }
            try await expectFine(number)
            let growth = try ProcessUse.memory() - memory
            #expect(growth <= 200 << 20, "\(growth >> 20) MiB")
        }
        #expect(work.count == 0)
        #expect(try ProcessUse.sockets(of: port.withLock { $0 }) == 0)
    }

    /// Runs an operation many times, some at a time.
    private static func many(
        _ count: Int,
        atOnce: Int = 64,
        _ operation: @escaping @Sendable (Int) async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<count {
                if index >= atOnce { try await group.next() }
                group.addTask { try await operation(index) }
            }
            try await group.waitForAll()
        }
    }

    @Test func headersThatNeverEndAreCutOff() async throws {
        try await Self.attack(limits: ConnectionLimits(idleTimeout: .seconds(1))) { port, _ in
            try await Self.many(200, atOnce: 200) { _ in
                let client = try await HostileClient.connect(to: port)
                try await client.send("GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ")
                // Drops of a header do not keep the connection; writing may fail when it is closed.
                while (try? await client.send("a")) != nil { await Task.yield() }
                try await client.waitForClose()
            }
        }
    }

    @Test func silentConnectionsAreCutOff() async throws {
        try await Self.attack(limits: ConnectionLimits(idleTimeout: .seconds(1))) { port, _ in
            try await Self.many(200, atOnce: 200) { _ in
                try await HostileClient.connect(to: port).waitForClose()
            }
        }
    }

    @Test func longHeadersAreRefused() async throws {
        try await Self.attack { port, _ in
            try await Self.many(50) { _ in
                let client = try await HostileClient.connect(to: port)
                try? await client.send("GET / HTTP/1.1\r\nHost: x\r\nX-Long: " + String(repeating: "a", count: 1 << 20))
                try await client.waitForClose()
                #expect(client.text.isEmpty || client.text.hasPrefix("HTTP/1.1 400"))
            }
        }
    }

    @Test func slowBodiesEndAtTheDeadline() async throws {
        try await Self.attack(deadline: .seconds(1)) { port, _ in
            try await Self.many(200, atOnce: 200) { _ in
                let client = try await HostileClient.connect(to: port)
                try await client.send("POST /body HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n")
                while (try? await client.send("a")) != nil { await Task.yield() }
                try await client.waitForClose()
                #expect(client.text.isEmpty || client.text.hasPrefix("HTTP/1.1 408"))
            }
        }
    }

    @Test func endlessChunksAreRefused() async throws {
        try await Self.attack(limits: ConnectionLimits(lingeringTime: .milliseconds(200))) { port, _ in
            try await Self.many(20, atOnce: 20) { _ in
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
        try await Self.attack { port, _ in
            let body = [UInt8](repeating: 0x61, count: 10 << 20)
            try await Self.many(40, atOnce: 8) { _ in
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
        try await Self.attack { port, _ in
            for bytes in [request, events] {
                try await Self.many(bytes.count + 1) { count in
                    let client = try await HostileClient.connect(to: port)
                    if count > 0 { try await client.send(Array(bytes.prefix(count))) }
                    await client.close()
                }
            }
        }
    }

    @Test func idleStreamsAreCheapAndEnd() async throws {
        try await Self.attack { port, work in
            let clients = Mutex<[HostileClient]>([])
            try await Self.many(2000, atOnce: 100) { _ in
                let client = try await HostileClient.connect(to: port)
                try await client.send("GET /events HTTP/1.1\r\nHost: x\r\n\r\n")
                await client.waitForAnswer()
                clients.withLock { $0.append(client) }
            }
            #expect(work() == 2000)
            try await Self.expectFine(port)
            for client in clients.withLock({ $0 }) { await client.close() }
            while work() > 0 { await Task.yield() }
        }
    }

    @Test func streamsNobodyReadsAreBrokenOff() async throws {
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

    @Test func connectionsOverTheLimitWait() async throws {
        let engine = try Self.engine(Work())
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
        let engine = try Self.engine(Work())
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
