#if Server
import CredentialServing
import CredentialServingHummingbird
import HTTPTypes
import ServingContracts
import Testing

/// Clients that wait for leave to send a body (RFC 9110 section 10.1.1).
@Suite(.timeLimit(.minutes(1)))
struct InterimResponseTests {
    private static func engine() throws -> RoutedEngine {
        try RoutedEngine(
            [
                .post("/body") { request in .text("\(try await request.body.collect(upTo: 100).count)") },
                .post("/unread") { _ in .text("unread", status: .unauthorized) },
                .post("/echo") { request in
                    ServerResponse(
                        .ok,
                        body: .stream { writer in
                            for try await piece in request.body { try await writer.write(piece) }
                        }
                    )
                },
            ],
            options: RoutedEngineOptions(maximumBodySize: 100)
        )
    }

    private static func head(_ path: String, _ length: Int) -> String {
        "POST \(path) HTTP/1.1\r\nHost: x\r\nExpect: 100-Continue\r\nContent-Length: \(length)\r\n\r\n"
    }

    @Test(arguments: ["/body", "/echo"])
    func bodyThatIsReadIsAskedFor(path: String) async throws {
        try await LoopbackWorld.run(try Self.engine()) { port, _ in
            let client = try await HostileClient.connect(to: port)
            try await client.send(Self.head(path, 5))
            await client.waitForAnswer()
            #expect(client.text.hasPrefix("HTTP/1.1 100 Continue\r\n\r\n"))
            try await client.send("hello")
            await client.waitForAnswer { $0.hasSuffix(path == "/body" ? "\r\n\r\n5" : "0\r\n\r\n") }
            #expect(client.text.contains("HTTP/1.1 200 OK\r\n"))
            // The connection is fit for another request.
            try await client.send(Self.head("/body", 101))
            await client.waitForAnswer { $0.contains(" 413 ") }
            await client.close()
        }
    }

    @Test(arguments: [("/body", 101, "413"), ("/none", 5, "404"), ("/unread", 5, "401")])
    func bodyThatIsRefusedIsNotAskedFor(path: String, length: Int, status: String) async throws {
        try await LoopbackWorld.run(try Self.engine()) { port, _ in
            let client = try await HostileClient.connect(to: port)
            try await client.send(Self.head(path, length))
            await client.waitForAnswer { $0.contains("\r\n\r\n") }
            #expect(client.text.hasPrefix("HTTP/1.1 \(status) "))
            // The server cannot tell whether the body follows.
            #expect(client.text.lowercased().contains("\r\nconnection: close\r\n"))
            await client.close()
        }
    }

    @Test func bodyIsNotAskedForWithoutExpectation() async throws {
        try await LoopbackWorld.run(try Self.engine()) { port, _ in
            let client = try await HostileClient.connect(to: port)
            try await client.send("POST /body HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello")
            await client.waitForAnswer { $0.hasSuffix("\r\n\r\n5") }
            #expect(client.text.hasPrefix("HTTP/1.1 200 OK\r\n"))
            await client.close()
        }
    }
}
#endif
