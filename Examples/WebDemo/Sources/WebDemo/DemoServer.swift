import CredentialServingHummingbird
import Credentials
import Foundation
import HTTPTypes
import IRMAServer
import Logging
import OID4VPVerifier
import ServiceLifecycle
import Synchronization
import UnixSignals

/// The listeners of the page and of wallets, and what is behind them.
///
/// OpenID4VP demands https of a verifier's endpoints, so they are behind TLS as well, with a certificate made at the start that the
/// demo's wallet trusts. Browsers see the page over plain HTTP, which on loopback is no risk.
struct DemoServer {
    let settings: Settings

    init(_ settings: Settings) {
        self.settings = settings
    }

    /// Serves until SIGTERM or SIGINT.
    func run() async throws {
        let identity = try await ServerIdentity.make(for: settings.address, now: Date())
        let door = LateEngine()
        let address = settings.address
        let page = HummingbirdServer(
            door,
            options: HummingbirdServerOptions(host: address, port: Int(settings.port))
        )
        let secure = HummingbirdServer(
            door,
            options: HummingbirdServerOptions(host: address, port: 0, certificate: try identity.serverCertificate())
        )
        let work = OpeningService {
            let ports = (page: try await page.port, secure: try await secure.port)
            let questions = try await Questions.make(
                page: "http://\(address):\(ports.page)",
                wallets: "https://\(address):\(ports.secure)",
                transport: try identity.transport(to: [ports.page, ports.secure])
            )
            door.open(try questions.engine())
            try await questions.irma.issueCard()
            // Not by print, which keeps the line back where its reader is a pipe.
            let line = "The demo is ready at http://\(address):\(ports.page)/\n"
            FileHandle.standardOutput.write(Data(line.utf8))
            return questions
        }
        let logger = Logger(label: "WebDemo", factory: { _ in SwiftLogNoOpLogHandler() })
        try await ServiceGroup(
            services: [page, secure, work],
            gracefulShutdownSignals: [.sigterm, .sigint],
            logger: logger
        ).run()
    }
}

/// The two ways to ask, in one engine with the page.
struct Questions: Sendable {
    let openID4VP: OpenID4VPQuestion
    let irma: IRMAQuestion

    /// Makes the parties of both.
    ///
    /// - Parameters:
    ///   - page: The URL of the page.
    ///   - wallets: The URL of the same server with https.
    ///   - transport: Reaches both for the demo's wallets.
    static func make(
        page: String,
        wallets: String,
        transport: any HTTPStreamingTransport
    ) async throws -> Questions {
        Questions(
            openID4VP: try await .make(url: wallets + "/oid4vp/", transport: transport),
            irma: try await .make(url: page + "/irma/", transport: transport)
        )
    }

    /// The page, and the endpoints of wallets and frontends.
    func engine() throws -> MountedEngines {
        try MountedEngines([
            "/": try Site(["openid4vp": openID4VP, "irma": irma]).engine(),
            "/oid4vp": try openID4VP.server.walletEngine(),
            "/irma": try irma.server.walletEngine(),
        ])
    }

    /// Does the background work of both servers until the task is cancelled.
    func run() async {
        await withTaskGroup { group in
            group.addTask { await openID4VP.server.run() }
            group.addTask { await irma.server.run() }
        }
    }
}

/// Opens the door when the ports are known, and does the background work from then on.
private struct OpeningService: Service {
    let open: @Sendable () async throws -> Questions

    func run() async throws {
        let questions = try await open()
        await cancelWhenGracefulShutdown { await questions.run() }
    }
}

/// An engine that answers once another one is there: engines are made for a URL, and a port is known only when it is open.
private final class LateEngine: HTTPEngine {
    private let engine = Mutex<(any HTTPEngine)?>(nil)

    func open(_ engine: any HTTPEngine) {
        self.engine.withLock { $0 = engine }
    }

    func response(to request: ServerRequest) async -> ServerResponse {
        guard let engine = engine.withLock({ $0 }) else { return ServerResponse(.serviceUnavailable) }
        return await engine.response(to: request)
    }
}
