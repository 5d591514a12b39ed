#if Server && Client && SQLite
import CommandTesting
import CredentialTransport
import Foundation
import JSONKit
import TestSupport
import Testing

/// The counts of sessions at `/metrics` of `irma server`.
@Suite struct SessionMetricsTests {
    private let disk: SchemeOnDisk

    init() async throws {
        disk = try await SchemeOnDisk()
    }

    @Test(.timeLimit(.minutes(5))) func countWhatHappensToSessions() async throws {
        let (operations, nobody) = (try PeerProcess.freePort(), try PeerProcess.freePort())
        let request = """
            {"callbackUrl": "http://127.0.0.1:\(nobody)/result", "request": \
            {"@context": "https://irma.app/ld/request/disclosure/v2", "disclose": [[["demo.bank.card.name"]]]}}
            """
        let flags = ["--allow-unsigned-callbacks", "--operations-port", "\(operations)"]
        try await withServer(of: disk, flags[0], flags[1], flags[2]) { url in
            var counts = try await counts(at: operations)
            #expect(counts.count == 13 && counts.values.allSatisfy { $0 == 0 }, "\(counts)")
            let port = try #require(url.split(separator: ":").last.flatMap { Int($0) })
            var tokens: [String] = []
            for _ in 1...2 {
                let started = try await LocalHTTP.post(port, "/session", request)
                tokens.append(try #require(try JSONValue(parsing: Array(started.body.utf8))["token"]?.stringValue))
            }
            _ = try await LocalHTTP.transport.response(to: .delete(HTTPURL("\(url)/session/\(tokens[0])")))
            while counts["failures"] == 0 { counts = try await self.counts(at: operations) }
            counts["failures"] = nil
            let others = counts.filter { $0.value != 0 }
            #expect(others == ["disclosing started": 2, "disclosing cancelled": 1], "\(counts)")
        }
    }

    /// The counts of events by kind and name, and those of failed calls.
    private func counts(at port: Int) async throws -> [String: Int] {
        var counts: [String: Int] = [:]
        for line in try await LocalHTTP.get(port, "/metrics").body.split(separator: "\n") {
            guard let count = line.split(separator: " ").last.flatMap({ Int($0) }) else { continue }
            func label(_ name: String) -> Substring? {
                line.split(separator: "\(name)=\"").last?.prefix { $0 != "\"" }
            }
            if line.hasPrefix("irma_callback_failures_total ") { counts["failures"] = count }
            guard line.hasPrefix("irma_events_total{"), let kind = label("kind"), let event = label("event") else {
                continue
            }
            counts["\(kind) \(event)"] = count
        }
        return counts
    }
}
#endif
