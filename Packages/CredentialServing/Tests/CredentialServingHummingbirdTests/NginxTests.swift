#if Server && os(Linux)
import CredentialServing
import CredentialServingHummingbird
import HTTPTypes
import ServingContracts
import TestSupport
import Testing

/// The server behind Debian's nginx, with the buffering that it has by default.
@Suite(.timeLimit(.minutes(1)))
struct NginxTests {
    /// An event must not wait in the proxy for the end of the stream, which here comes after it was seen.
    @Test(.enabled(if: PeerProcess.areWanted, PeerProcess.comment))
    func eventsPassOneByOne() async throws {
        let count = 5
        let seen = (0..<count).map { _ in ShutdownSignal() }
        let engine = try RoutedEngine([
            .get("/events") { request in
                .events(for: request) { stream in
                    for index in 0..<count {
                        try await stream.send(OutgoingEvent(data: "\(index)"))
                        await seen[index].wait()
                    }
                }
            }
        ])
        try await LoopbackWorld.run(engine) { port, _ in
            let nginx = try await PeerProcess(
                "/usr/sbin/nginx",
                arguments: { ["-c", $0] },
                configuration: { own, folder in Self.configuration(port: own, server: port, folder) }
            )
            defer { nginx.stop() }
            let client = try await WireClient.connect(to: nginx.port)
            try await client.begin(.get("/events"))
            #expect(try await client.head().status == .ok)
            for index in 0..<count {
                #expect(try await client.next() == Array("data: \(index)\n\n".utf8))
                seen[index].give()
            }
            #expect(try await client.next() == nil)
            await client.disconnect()
        }
    }

    private static func configuration(port: Int, server: Int, _ folder: String) -> String {
        let folders = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map { "\($0)_temp_path \(folder)/\($0);" }
        return """
            daemon off;
            master_process off;
            pid \(folder)/nginx.pid;
            error_log stderr crit;
            events {}
            http {
                access_log off;
                \(folders.joined(separator: " "))
                server {
                    listen 127.0.0.1:\(port);
                    location / {
                        proxy_pass http://127.0.0.1:\(server);
                        proxy_http_version 1.1;
                    }
                }
            }
            """
    }
}
#endif
