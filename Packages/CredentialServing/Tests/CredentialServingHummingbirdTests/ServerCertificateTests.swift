#if Server
import CredentialServing
import CredentialServingHummingbird
import HTTPTypes
import ServingContracts
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ServerCertificateTests {
    private func engine() throws -> RoutedEngine {
        try RoutedEngine([.get("/") { _ in .text("fine") }])
    }

    private static func answers(_ port: Int, trusting identity: TestIdentity) async throws -> Bool {
        do {
            let client = try await WireClient.connect(to: port, tls: try identity.clientContext())
            try await client.begin(.get("/"))
            let status = try await client.head().status
            await client.disconnect()
            return status == .ok
        } catch {
            return false
        }
    }

    @Test func reloadsWithoutRestart() async throws {
        let (first, second) = (try TestIdentity(1), try TestIdentity(2))
        let current = Mutex(1)
        let certificate = try ServerCertificate {
            let identity = try TestIdentity(current.withLock { $0 })
            return (identity.chain, identity.key)
        }
        let options = HummingbirdServerOptions(port: 0, certificate: certificate)
        try await LoopbackWorld.run(try engine(), options) { port, _ in
            let kept = try await WireClient.connect(to: port, tls: try first.clientContext())
            try await kept.begin(.get("/"))
            #expect(try await kept.head().status == .ok)
            while try await kept.next() != nil {}
            current.withLock { $0 = 2 }
            try certificate.reload()
            #expect(try await Self.answers(port, trusting: second))
            #expect(try await !Self.answers(port, trusting: first))
            kept.reset()
            try await kept.begin(.get("/"))
            #expect(try await kept.head().status == .ok)
            await kept.disconnect()
        }
    }

    @Test func keepsCertificateThatWorks() async throws {
        let isBroken = Mutex(false)
        let certificate = try ServerCertificate {
            let identity = try TestIdentity(1)
            return (identity.chain, isBroken.withLock { $0 } ? try TestIdentity(2).key : identity.key)
        }
        let options = HummingbirdServerOptions(port: 0, certificate: certificate)
        try await LoopbackWorld.run(try engine(), options) { port, _ in
            isBroken.withLock { $0 = true }
            expectInvalid { try certificate.reload() }
            let answers = try await Self.answers(port, trusting: TestIdentity(1))
            #expect(answers)
        }
    }

    /// A client that reads nothing does not confirm the end of TLS, which NIOSSL awaits for 5 seconds by default.
    @Test func idleClientDoesNotHoldUpTheEnd() async throws {
        var times: [Duration] = []
        // A busy machine may need more than one attempt; no attempt of a server that waits is short enough.
        while times.count < 3, times.allSatisfy({ $0 > .seconds(4) }) { times.append(try await timeToStop()) }
        #expect(times.contains { $0 < .seconds(4) }, "\(times)")
    }

    /// The time that a server with an idle client over TLS needs to stop.
    private func timeToStop() async throws -> Duration {
        let options = HummingbirdServerOptions(
            port: 0,
            certificate: try TestIdentity().certificate(),
            limits: ConnectionLimits(lingeringTime: .milliseconds(100))
        )
        let time = Mutex(Duration.zero)
        try await LoopbackWorld.run(try engine(), options) { port, stop in
            let idle = try await WireClient.connect(to: port, tls: try TestIdentity().clientContext())
            try await idle.begin(.get("/"))
            #expect(try await idle.head().status == .ok)
            while try await idle.next() != nil {}
            let needed = try await ContinuousClock().measure { try await stop() }
            time.withLock { $0 = needed }
            await idle.disconnect()
        }
        return time.withLock { $0 }
    }

    @Test func refusesInvalidCertificates() throws {
        expectInvalid { _ = try ServerCertificate(chainFile: "/none.pem", keyFile: "/none.key") }
        expectInvalid { _ = try ServerCertificate { ([], try TestIdentity(1).key) } }
        expectInvalid { _ = try ServerCertificate { (try TestIdentity(1).chain, try TestIdentity(2).key) } }
    }

    @Test func handshakesThatNeverEndAreCutOff() async throws {
        let options = HummingbirdServerOptions(
            port: 0,
            certificate: try TestIdentity().certificate(),
            limits: ConnectionLimits(handshakeTimeout: .milliseconds(300))
        )
        try await LoopbackWorld.run(try engine(), options) { port, _ in
            let silent = try await HostileClient.connect(to: port)
            let slow = try await HostileClient.connect(to: port)
            try? await slow.send([0x16, 0x03, 0x01, 0x02, 0x00, 0x01])
            try await silent.waitForClose()
            try await slow.waitForClose()
        }
    }

    private func expectInvalid(_ operation: () throws -> Void) {
        do {
            try operation()
            Issue.record("no error")
        } catch let error as ServingError {
            #expect(error.code == .invalidCertificate)
        } catch {
            Issue.record("\(error)")
        }
    }
}
#endif
