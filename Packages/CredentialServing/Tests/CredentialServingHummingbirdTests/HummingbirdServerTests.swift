#if Server
import CredentialServing
import CredentialServingHummingbird
import Foundation
import HTTPTypes
import Hummingbird
import ServiceLifecycle
import ServingContracts
import Testing

@Suite(.timeLimit(.minutes(1)))
struct HummingbirdServerTests {
    private func engine() throws -> RoutedEngine {
        try RoutedEngine([.get("/") { _ in .text("fine") }])
    }

    @Test func sendsDate() async throws {
        try await LoopbackWorld.run(try engine()) { port, _ in
            let client = try await WireClient.connect(to: port)
            try await client.begin(.get("/"))
            let date = try #require(try await client.head().headerFields[.date])
            #expect(
                date.wholeMatch(of: /(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT/) != nil
            )
            await client.disconnect()
        }
    }

    @Test func runsOnlyOnce() async throws {
        let server = HummingbirdServer(try engine(), options: HummingbirdServerOptions(port: 0))
        let running = Task { try await server.run() }
        let port = try await server.port
        #expect(port > 0)
        await expectCannotServe { try await server.run() }
        running.cancel()
        _ = await running.result
        await expectCannotServe { _ = try await server.port }
    }

    @Test func portOfAServerThatDoesNotRunIsNotAwaitedForever() async throws {
        let server = HummingbirdServer(try engine(), options: HummingbirdServerOptions(port: 0))
        let waiting = Task { try await server.port }
        waiting.cancel()
        let outcome = await waiting.result
        #expect(throws: ServingError.self) { try outcome.get() }
        if case .failure(let error as ServingError) = outcome { #expect(error.code == .cancelled) }
    }

    @Test func refusesTakenPort() async throws {
        try await LoopbackWorld.run(try engine()) { port, _ in
            let second = HummingbirdServer(try engine(), options: HummingbirdServerOptions(port: port))
            let error = await #expect(throws: ServingError.self) { try await second.run() }
            #expect(error?.code == .cannotServe)
            #expect(error?.message == "127.0.0.1 cannot be listened at on port \(port): the address is in use")
            await expectCannotServe { _ = try await second.port }
        }
    }

    @Test func stopsThoughARequestDoesNotEnd() async throws {
        let begun = ShutdownSignal()
        let engine = try RoutedEngine(
            [
                .get("/") { _ in
                    begun.give()
                    await ShutdownSignal().wait()
                    return .text("")
                }
            ],
            options: RoutedEngineOptions(deadline: nil)
        )
        let options = HummingbirdServerOptions(port: 0, limits: ConnectionLimits(shutdownTimeout: .milliseconds(200)))
        try await LoopbackWorld.run(engine, options) { port, stop in
            let client = try await WireClient.connect(to: port)
            try await client.begin(.get("/"))
            await begun.wait()
            try await stop()
            await client.disconnect()
        }
    }

    @Test func lastStreamOfAConnectionArrivesWhole() async throws {
        let (begun, done) = (ShutdownSignal(), ShutdownSignal())
        let engine = try RoutedEngine([
            .get("/") { _ in
                begun.give()
                await done.wait()
                return .text("last")
            }
        ])
        let identity = try TestIdentity()
        let options = HummingbirdServerOptions(port: 0, certificate: try identity.certificate())
        try await LoopbackWorld.run(engine, options) { port, stop in
            let tls = try identity.clientContext(protocols: ["h2"])
            let client = try await WireClient.connect(to: port, tls: tls, isHTTP2: true)
            try await client.begin(.get("/"))
            await begun.wait()
            async let stopped: Void = stop()
            // From now on the server closes the connection with the end of the stream.
            await client.waitForLastStream()
            done.give()
            #expect(try await client.next() == Array("last".utf8))
            #expect(try await client.next() == nil)
            await client.disconnect()
            try await stopped
        }
    }

    /// The option is a member of a list, in whatever case (RFC 9110, section 7.6.1).
    @Test(arguments: ["close", "Close", "TE, close", "keep-alive ,\tCLOSE "])
    func connectionClosesWhereTheClientSaysSo(option: String) async throws {
        let engine = try RoutedEngine([.get("/") { _ in .text("last") }])
        try await LoopbackWorld.run(engine) { port, _ in
            let client = try await HostileClient.connect(to: port)
            try await client.send("GET / HTTP/1.1\r\nHost: x\r\nConnection: \(option)\r\n\r\n")
            try await client.waitForClose()
            #expect(client.text.hasPrefix("HTTP/1.1 200 OK\r\n") && client.text.hasSuffix("\r\n\r\nlast"))
            #expect(client.text.lowercased().contains("\r\nconnection: close\r\n"))
        }
    }

    /// Proxies must not send another request on a connection that is about to close (RFC 9112, section 9.6).
    @Test func responsesOfAStoppingServerSayThatTheConnectionCloses() async throws {
        let begun = ShutdownSignal()
        let engine = try RoutedEngine([
            .get("/") { request in
                begun.give()
                await request.shutdown.wait()
                return .text("last")
            }
        ])
        try await LoopbackWorld.run(engine) { port, stop in
            let client = try await HostileClient.connect(to: port)
            try await client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            await begun.wait()
            async let stopped: Void = stop()
            try await client.waitForClose()
            #expect(client.text.lowercased().contains("\r\nconnection: close\r\n") && client.text.hasSuffix("last"))
            try await stopped
        }
    }

    /// RFC 9112, section 3.2.
    @Test(arguments: [
        ("HTTP/1.1", ""), ("HTTP/1.1", "Host: x\r\nHost: x\r\n"), ("HTTP/1.0", "Host: x\r\nHost: y\r\n"),
        ("HTTP/1.1", "Host: x, y\r\n"), ("HTTP/1.1", "Host: x/y\r\n"), ("HTTP/1.1", "Host: a@x\r\n"),
    ])
    func refusesRequestsWithoutOneHost(version: String, fields: String) async throws {
        try await expectRefusal(of: "POST / \(version)\r\n\(fields)Content-Length: 1\r\n\r\n1")
    }

    /// RFC 9112, section 6.1.
    @Test(arguments: [
        ("HTTP/1.1", "gzip, chunked"), ("HTTP/1.1", "gzip,chunked"), ("HTTP/1.1", "chunked, chunked"),
        ("HTTP/1.1", "x\r\nTransfer-Encoding: chunked"), ("HTTP/1.0", "chunked"),
    ])
    func refusesOtherTransferCodings(version: String, codings: String) async throws {
        let fields = "Host: x\r\nTransfer-Encoding: \(codings)"
        try await expectRefusal(of: "POST / \(version)\r\n\(fields)\r\n\r\n1\r\na\r\n0\r\n\r\n")
    }

    @Test(arguments: ["chunked", "Chunked", " chunked "])
    func takesChunks(coding: String) async throws {
        let engine = try RoutedEngine([
            .post("/") { request in .text(String(decoding: try await request.body.collect(upTo: 9), as: UTF8.self)) }
        ])
        try await LoopbackWorld.run(engine) { port, _ in
            let client = try await HostileClient.connect(to: port)
            try await client.send(
                "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: \(coding)\r\n\r\n4\r\nfine\r\n0\r\n\r\n"
            )
            await client.waitForAnswer { $0.hasSuffix("\r\n\r\nfine") }
            await client.close()
        }
    }

    /// Sends a request that no engine may see, and looks for status 400 and a closed connection.
    private func expectRefusal(of request: String) async throws {
        let isCalled = ShutdownSignal()
        let engine = try RoutedEngine([
            .post("/") { _ in
                isCalled.give()
                return .text("fine")
            }
        ])
        try await LoopbackWorld.run(engine) { port, _ in
            let client = try await HostileClient.connect(to: port)
            try await client.send(request)
            try await client.waitForClose()
            #expect(client.text.hasPrefix("HTTP/1.1 400 "))
            #expect(client.text.lowercased().contains("\r\nconnection: close\r\n"))
            #expect(!isCalled.isGiven)
        }
    }

    @Test(arguments: ["x", "x.example:8080", "[2001:db8::1]:80", "", " x "])
    func takesHosts(host: String) async throws {
        try await LoopbackWorld.run(try engine()) { port, _ in
            let client = try await HostileClient.connect(to: port)
            for _ in 0..<2 { try await client.send("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n") }
            await client.waitForAnswer { $0.components(separatedBy: "\r\n\r\nfine").count == 3 }
            #expect(client.text.hasPrefix("HTTP/1.1 200 OK\r\n"))
            await client.close()
        }
    }

    @Test func answersBeforeARefusedRequestAreSent() async throws {
        try await LoopbackWorld.run(try engine()) { port, _ in
            let client = try await HostileClient.connect(to: port)
            try await client.send(
                "GET / HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.1\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n"
            )
            try await client.waitForClose()
            #expect(client.text.hasPrefix("HTTP/1.1 200 OK\r\n"))
            #expect(client.text.components(separatedBy: "HTTP/1.1 ").count == 3)
            #expect(client.text.contains("fineHTTP/1.1 400 "))
        }
    }

    /// Its clients know neither chunks nor interim responses.
    @Test(arguments: ["", "Host: x\r\n", "Connection: keep-alive\r\n", "Expect: 100-continue\r\n"])
    func speaksHTTP1_0(fields: String) async throws {
        let engine = try RoutedEngine([
            .post("/whole") { request in .text("\(try await request.body.collect(upTo: 10).count)") },
            .post("/stream") { _ in
                ServerResponse(
                    .ok,
                    body: .stream { writer in
                        for piece in ["a", "b"] { try await writer.write(Array(piece.utf8)) }
                    }
                )
            },
        ])
        try await LoopbackWorld.run(engine) { port, _ in
            for (path, body) in [("/whole", "3"), ("/stream", "ab")] {
                let client = try await HostileClient.connect(to: port)
                try await client.send("POST \(path) HTTP/1.0\r\n\(fields)Content-Length: 3\r\n\r\n123")
                try await client.waitForClose()
                let text = client.text
                #expect(text.hasPrefix("HTTP/1.0 200 OK\r\n") && text.hasSuffix("\r\n\r\n\(body)"), "\(text)")
                #expect(!text.lowercased().contains("transfer-encoding"))
                #expect(text.lowercased().contains("\r\nconnection: close\r\n"))
                #expect(text.lowercased().contains("content-length: 1") == (path == "/whole"))
            }
        }
    }

    @Test func rulesHoldInAnAppToo() async throws {
        try await LoopbackWorld.runRouter(try engine()) { port, _ in
            let client = try await HostileClient.connect(to: port)
            try await client.send("GET /mount/ HTTP/1.1\r\n\r\n")
            try await client.waitForClose()
            #expect(client.text.hasPrefix("HTTP/1.1 400 "))
        }
    }

    @Test func addressFromAProxyOverAUnixSocketCounts() async throws {
        let path = "/tmp/serving-\(UInt32.random(in: 0...(.max))).socket"
        let engine = try RoutedEngine([.get("/") { .text($0.remoteAddress.map { "\($0)" } ?? "none") }])
        let proxies = TrustedProxies([], field: .xForwardedFor, trustsUnixSockets: true)
        try await LoopbackWorld.runRouter(engine.behind(proxies), at: .unixDomainSocket(path: path)) { _, _ in
            for (field, client) in [("X-Forwarded-For: 203.0.113.7\r\n", "203.0.113.7"), ("", "none")] {
                let proxy = try await HostileClient.connect(toSocket: path)
                try await proxy.send("GET /mount/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\(field)\r\n")
                try await proxy.waitForClose()
                #expect(proxy.text.hasSuffix("\r\n\r\n\(client)"))
            }
        }
    }

    /// Unread bytes of a request keep no client from reading the response.
    @Test func responseToAnUnfinishedRequestArrivesWholeWhenTheServerStops() async throws {
        let size = 1 << 20
        let begun = ShutdownSignal()
        let engine = try RoutedEngine(
            [
                .post("/") { request in
                    begun.give()
                    await request.shutdown.wait()
                    return ServerResponse(.ok, body: .bytes([UInt8](repeating: 1, count: size)))
                }
            ],
            options: RoutedEngineOptions(maximumBodySize: 64 << 20)
        )
        let options = HummingbirdServerOptions(port: 0, limits: ConnectionLimits(shutdownTimeout: .seconds(50)))
        try await LoopbackWorld.run(engine, options) { port, stop in
            let client = try await WireClient.connect(to: port)
            try await client.begin(.post("/", headerFields: [.contentLength: String(64 << 20)], body: nil))
            await begun.wait()
            async let sent: Void? = try? client.send([UInt8](repeating: 2, count: 12 << 20))
            async let stopped: Void = stop()
            var count = 0
            while let piece = try await client.next() { count += piece.count }
            #expect(count == size)
            await client.disconnect()
            await sent
            try await stopped
        }
    }

    @Test func clientThatNeverClosesIsCutOffWhenTheServerStops() async throws {
        let limits = ConnectionLimits(lingeringTime: .milliseconds(100))
        let options = HummingbirdServerOptions(port: 0, limits: limits)
        try await LoopbackWorld.run(try engine(), options) { port, stop in
            let client = try await HostileClient.connect(to: port, closesWithServer: false)
            try await client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            await client.waitForAnswer()
            try await stop()
            await client.close()
        }
    }

    @Test(arguments: ["/a/{b}", "/a*", "/%61", "/a:b"])
    func refusesMountWithParameters(path: String) throws {
        let engine = try engine()
        #expect(throws: ServingError.self) { _ = try EngineMount(engine, at: path) }
    }

    @Test func leavesOtherRoutesToTheApp() async throws {
        try await LoopbackWorld.runRouter(try engine()) { port, _ in
            for (path, status, body) in [("/", 200, "app"), ("/mount/", 200, "fine"), ("/other", 404, "")] {
                let client = try await WireClient.connect(to: port)
                try await client.begin(.get(path))
                #expect(try await client.head().status.code == status)
                let received = try await client.next() ?? []
                #expect(String(decoding: received, as: UTF8.self) == body)
                await client.disconnect()
            }
        }
    }

    @Test func handlersInAnAppAreToldThatItStops() async throws {
        let begun = ShutdownSignal()
        let engine = try RoutedEngine([
            .get("/") { request in
                begun.give()
                await request.shutdown.wait()
                return .text("stopped")
            }
        ])
        try await LoopbackWorld.runRouter(engine) { port, stop in
            let client = try await WireClient.connect(to: port)
            try await client.begin(.get("/mount/"))
            await begun.wait()
            async let stopped: Void = stop()
            #expect(try await client.next() == Array("stopped".utf8))
            await client.disconnect()
            try await stopped
        }
    }

    private func expectCannotServe(_ operation: () async throws -> Void) async {
        do {
            try await operation()
            Issue.record("no error")
        } catch let error as ServingError {
            #expect(error.code == .cannotServe)
        } catch {
            Issue.record("\(error)")
        }
    }
}
#endif
