import ArgumentParser
import CommandSupport
import CredentialTransport
import Foundation
import IRMAMessages
import JSONKit

#if Server
import IRMAServer
#endif

/// `irma session`: starts a session, shows its QR code, and prints the result.
struct SessionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "session",
        abstract: "Performs a session that discloses, signs or issues.",
        discussion: """
            The session is served by this command, or by the server that --server names. Its QR code is printed, and the \
            result when the session has ended. Ctrl-C cancels it.

            A server that becomes silent is asked again, with growing pauses, for some two minutes. With --server, \
            standard error has the session's token, with which that server tells the result later: GET session/TOKEN/result.

            A folder of schemes that is missing is made, and the well-known schemes are fetched into an empty one.
            """
    )

    @Option(name: .long, help: "The server that the request is posted to; without it this command serves the session.")
    var server: String?

    @Option(
        name: [.customShort("u"), .long],
        help: "The URL at which the wallet reaches this command; \":port\" stands for --port."
    )
    var url: String?

    @Option(name: [.customShort("p"), .long], help: "The port to listen at, without --server; 0 for any.")
    var port: UInt16 = 48680

    @Option(name: .customLong("listen"), help: "The address to listen at, without --server.")
    var address = "0.0.0.0"

    @Flag(name: .customLong("noqr"), help: "Print the content of the QR code instead of the code.")
    var hidesCode = false

    @Flag(name: .long, help: "Let the wallet's user compare a code before the session is shown.")
    var pairing = false

    @Option(name: [.customShort("k"), .customLong("privkeys")], help: "The folder with private keys of issuers.")
    var privateKeys: String?

    @Flag(name: .customLong("disable-schemes-update"), help: "Use the schemes as they are.")
    var keepsSchemes = false

    @Option(name: .long, help: "The server of a static session.")
    var staticServer: String?

    @Option(name: .long, help: "The name of a static session, with --static-server.")
    var staticName: String?

    @Option(name: .long, help: "Follow a session that was started elsewhere: a server's answer in JSON.")
    var fromPackage: String?

    @Flag(name: [.customShort("v"), .long], help: "Print each change of the session's state; may be repeated.")
    var verbose: Int

    @OptionGroup var request: RequestOptions
    @OptionGroup var authorities: AuthorityOptions
    @OptionGroup var authentication: RequestorAuthenticationOptions
    @OptionGroup var outputOptions: OutputOptions

    func validate() throws {
        guard url == nil || server == nil else { throw ValidationError("--url and --server exclude each other.") }
        guard (staticServer == nil) == (staticName == nil) else {
            throw ValidationError("--static-server and --static-name go together.")
        }
        guard staticServer == nil || (server == nil && fromPackage == nil && request.request == nil) else {
            throw ValidationError("With --static-server only --static-name and --noqr can be used.")
        }
        guard server != nil || authentication.method == .none else {
            throw ValidationError("--auth-method goes with --server.")
        }
    }

    func run() async throws {
        let console = Console.current
        let display = SessionDisplay(console: console, hidesCode: hidesCode, isVerbose: verbose > 0)
        if let staticServer, let staticName {
            let base = staticServer.hasSuffix("/") ? staticServer : staticServer + "/"
            return try display.show(SessionPointer(url: "\(base)irma/session/\(staticName)", kind: .redirect))
        }
        let work = Task { try await perform(display) }
        let interruption = Interruption { work.cancel() }
        defer { interruption.end() }
        let result = try await withTaskCancellationHandler {
            try await work.value
        } onCancel: {
            work.cancel()
        }
        guard let result else { return console.output("No session result available.") }
        let json = try result.json()
        console.output(
            outputOptions.json
                ? json.text(.compact.escapingInvisible)
                : "Session result:\n" + json.text(.pretty.escapingInvisible)
        )
        let isValid = result.proofStatus.map { $0 == .valid } ?? (result.kind == .issuing)
        if result.status != .done || !isValid { throw ExitCode(1) }
    }

    private func perform(_ display: SessionDisplay) async throws -> SessionResult? {
        if let fromPackage {
            let package: SessionPackage
            do {
                package = try SessionPackage(decoding: Array(fromPackage.utf8))
            } catch {
                throw ToolError("--from-package: \(error)")
            }
            let client = RequestorClient(transport: try RequestorClient.transport(trusting: authorities))
            return try await display.follow(RemoteSession(client, package, server: server), pairing: pairing)
        }
        try request.checkFlags()
        if !keepsSchemes { try await SchemeNetwork.updateAll(in: request.schemes.path) }
        let message = try request.message(try await request.snapshot())
        guard let server else { return try await serve(message, display) }
        let client = RequestorClient(transport: try RequestorClient.transport(trusting: authorities))
        let now = Console.current.now()
        let body = try await client.post(.session(message), to: "session", of: server, as: authentication, at: now)
        let package = try SessionPackage(decoding: body)
        Console.current.error("requestor token: \(package.token.escapedForDisplay())")
        return try await display.follow(RemoteSession(client, package, server: server), pairing: pairing)
    }

    /// Serves the session in this process.
    private func serve(_ message: RequestorMessage, _ display: SessionDisplay) async throws -> SessionResult? {
        #if Server
        let host = LocalSessionHost(
            schemes: request.schemes.path,
            assets: request.assets.path,
            privateKeys: privateKeys,
            url: url,
            address: address,
            port: Int(port),
            authorities: authorities
        )
        return try await host.run { server in
            let package = try await server.start(message)
            return try await display.follow(LocalSession(server: server, package: package), pairing: pairing)
        }
        #else
        throw ToolError("this build has no HTTP server: name one with --server, or build with the trait Server")
        #endif
    }
}
