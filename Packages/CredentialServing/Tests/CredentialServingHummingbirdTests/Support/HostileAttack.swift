#if Server && os(Linux)
import CredentialServing
import CredentialServingHummingbird
import HTTPTypes
import ServingContracts
import Synchronization
import Testing

/// An attack on a server, and the engine that it attacks.
enum HostileAttack {
    /// The requests that an engine works on.
    final class Work: Sendable {
        private let state = Mutex(0)
        var count: Int { state.withLock { $0 } }

        func run<Value>(_ operation: () async throws -> Value) async rethrows -> Value {
            state.withLock { $0 += 1 }
            defer { state.withLock { $0 -= 1 } }
            return try await operation()
        }
    }

    private static let long = [UInt8](repeating: 1, count: 1 << 20)

    static func engine(_ work: Work, deadline: Duration? = .seconds(60)) throws -> RoutedEngine {
        try RoutedEngine(
            [
                .get("/") { _ in .text("fine") },
                .get("/long") { _ in ServerResponse(.ok, body: .bytes(long)) },
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

    static func expectFine(_ port: Int, _ identity: TestIdentity? = nil) async throws {
        let tls = try identity?.clientContext(protocols: ["h2"])
        let client = try await WireClient.connect(to: port, tls: tls, isHTTP2: tls != nil)
        try await client.begin(.get("/"))
        #expect(try await client.head().status == .ok)
        #expect(try await client.next() == Array("fine".utf8))
        await client.disconnect()
    }

    /// Runs an attack, and expects that nothing is left of it.
    static func run(
        limits: ConnectionLimits = ConnectionLimits(),
        identity: TestIdentity? = nil,
        deadline: Duration? = .seconds(60),
        _ operation: @escaping @Sendable (_ port: Int, _ work: @escaping @Sendable () -> Int) async throws -> Void
    ) async throws {
        let work = Work()
        let engine = try engine(work, deadline: deadline)
        // What the process makes once stays out of the count.
        let options = HummingbirdServerOptions(port: 0, certificate: try identity?.certificate(), limits: limits)
        try await LoopbackWorld.run(engine, options) { port, _ in try await expectFine(port, identity) }
        let memory = try ProcessUse.memory()
        let port = Mutex(0)
        try await LoopbackWorld.run(engine, options) { number, _ in
            port.withLock { $0 = number }
            try await operation(number) { work.count }
            try await expectFine(number, identity)
            let growth = try ProcessUse.memory() - memory
            #expect(growth <= 200 << 20, "\(growth >> 20) MiB")
        }
        #expect(work.count == 0)
        // A socket whose channel has just closed may still be in the tables of the system for a moment.
        let number = port.withLock { $0 }
        for _ in 0..<1000 where try ProcessUse.sockets(of: number) > 0 { await Task.yield() }
        #expect(try ProcessUse.sockets(of: number) == 0)
    }

    /// Runs an operation many times, some at a time.
    static func many(
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
}
#endif
