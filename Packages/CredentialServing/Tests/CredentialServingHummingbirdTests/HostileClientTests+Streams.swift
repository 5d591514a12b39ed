#if Server && os(Linux)
import CredentialServing
import CredentialServingHummingbird
import ServingContracts
import Synchronization
import Testing

/// Clients that want to use up the server by frames of HTTP/2.
extension HostileClientTests {
    /// Runs an attack of many connections, each of which the server must end.
    private static func attack(
        _ count: Int = 10,
        limits: ConnectionLimits = ConnectionLimits(),
        settings: [(identifier: UInt16, value: UInt32)] = [],
        _ operation: @escaping @Sendable (HostileClient) async throws -> Void
    ) async throws {
        let identity = try TestIdentity()
        let ended = Atomic(0)
        try await HostileAttack.run(limits: limits, identity: identity) { port, work in
            try await HostileAttack.many(count, atOnce: count) { _ in
                let client = try await HostileClient.connect(to: port, identity: identity)
                try await client.send(HTTP2Frames.opening(settings: settings) + HTTP2Frames.acknowledgement)
                // Sending fails once the server has ended the connection.
                try? await operation(client)
                try await client.waitForClose()
                ended.add(1, ordering: .relaxed)
            }
            while work() > 0 { await Task.yield() }
        }
        #expect(ended.load(ordering: .relaxed) == count)
    }

    /// The identifiers of streams of a client.
    private static func streams(_ count: Int) -> [UInt32] {
        (0..<count).map { UInt32($0) * 2 + 1 }
    }

    @Test func rapidResetsEndTheConnection() async throws {
        try await Self.attack { client in
            for stream in Self.streams(100_000) {
                let request = HTTP2Frames.request("POST", "/body", stream: stream, endsStream: false)
                try await client.send(request + HTTP2Frames.reset(stream: stream))
            }
        }
    }

    @Test func pingsEndTheConnection() async throws {
        try await Self.attack { client in
            while true { try await client.send(HTTP2Frames.ping) }
        }
    }

    @Test func settingsEndTheConnection() async throws {
        try await Self.attack { client in
            while true { try await client.send(HTTP2Frames.settings()) }
        }
    }

    @Test func headersWithoutEndEndTheConnection() async throws {
        try await Self.attack { client in
            try await client.send(HTTP2Frames.openRequest(stream: 1))
            let field: [UInt8] = [0x00, 1, 0x61, 0x7f, 0x81, 0x1e] + [UInt8](repeating: 0x62, count: 4000)
            while true { try await client.send(HTTP2Frames.continuation(stream: 1, payload: field)) }
        }
    }

    @Test func inflatedHeadersEndTheConnection() async throws {
        try await Self.attack { client in
            for stream in Self.streams(1000) { try await client.send(HTTP2Frames.inflatingRequest(stream: stream)) }
        }
    }

    @Test func tooManyStreamsEndTheConnection() async throws {
        try await Self.attack { client in
            for stream in Self.streams(10_000) { try await client.send(HTTP2Frames.request(path: "/events", stream)) }
        }
    }

    @Test func endsUnreadResponses() async throws {
        let limits = ConnectionLimits(idleTimeout: .milliseconds(300), writeTimeout: .milliseconds(300))
        // SETTINGS_INITIAL_WINDOW_SIZE is 0: the client takes nothing of a body.
        try await Self.attack(limits: limits, settings: [(4, 0)]) { client in
            for stream in Self.streams(100) { try await client.send(HTTP2Frames.request(path: "/long", stream)) }
        }
    }

    @Test func clientsThatAnswerNoPingAreCutOff() async throws {
        let limits = ConnectionLimits(idleTimeout: .milliseconds(200), lingeringTime: .milliseconds(200))
        try await Self.attack(limits: limits) { client in
            try await client.send(HTTP2Frames.request(path: "/", 1))
        }
    }

    @Test func clientsThatAnswerNoPingAreCutOffWhenTheServerStops() async throws {
        let identity = try TestIdentity()
        let options = HummingbirdServerOptions(
            port: 0,
            certificate: try identity.certificate(),
            limits: ConnectionLimits(shutdownTimeout: .milliseconds(200))
        )
        let engine = try HostileAttack.engine(HostileAttack.Work())
        try await LoopbackWorld.run(engine, options) { port, stop in
            let client = try await HostileClient.connect(to: port, identity: identity)
            try await client.send(HTTP2Frames.opening() + HTTP2Frames.request(path: "/", 1))
            await client.waitForAnswer()
            try await stop()
            try await client.waitForClose()
        }
    }
}

extension HTTP2Frames {
    fileprivate static func request(path: String, _ stream: UInt32) -> [UInt8] {
        request("GET", path, stream: stream)
    }
}
#endif
