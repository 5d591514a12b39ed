import CredentialServing
import CredentialServingHummingbird
import Foundation
import Hummingbird
import Logging

/// The servers that are measured.
enum Servers {
    /// One empty route of a router of Hummingbird.
    static func runBare() async throws {
        let router = Router()
        router.get("empty/{id}") { _, _ in "fine" }
        let app = Application(
            router: router,
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { tell($0.localAddress?.port ?? 0) },
            logger: Logger(label: "bare") { _ in SwiftLogNoOpLogHandler() }
        )
        try await app.run()
    }

    /// An engine with an empty route, one that reads a body, and one for events.
    static func runEngine() async throws {
        let engine = try RoutedEngine([
            .get("/empty/{id}") { _ in .text("fine") },
            .post("/body") { request in .text("\(try await request.body.collect(upTo: 1 << 20).count)") },
            .get("/events") { request in .events(for: request) { _ in await ShutdownSignal().wait() } },
        ])
        let server = HummingbirdServer(engine, options: HummingbirdServerOptions(port: 0))
        let running = Task { try await server.run() }
        tell(try await server.port)
        try await running.value
    }

    private static func tell(_ port: Int) {
        try? FileHandle.standardOutput.write(contentsOf: Data("\(port)\n".utf8))
    }
}
