import CommandSupport
import CryptoCore
import IRMAMessages
import JSONKit
import QRCodes

/// A session that a command follows from its start to its result.
protocol FollowedSession: Sendable {
    /// The pointer for the wallet.
    var pointer: SessionPointer { get }

    /// Demands that the user compares a code.
    ///
    /// - Returns: The code.
    func enablePairing() async throws -> String?

    /// Lets the wallet have the request after the comparison.
    func completePairing() async throws

    /// The states of the session, up to a final one.
    func statuses() async throws -> AsyncThrowingStream<SessionStatus, any Error>

    /// The result; nil if the session belongs to another requestor.
    func result() async throws -> SessionResult?

    /// Ends the session.
    func cancel() async
}

/// The display of a session for the user.
struct SessionDisplay: Sendable {
    let console: Console
    let hidesCode: Bool
    let isVerbose: Bool

    /// Prints a pointer: as a QR code, or its content.
    func show(_ pointer: SessionPointer) throws {
        guard !hidesCode, let code = QRCode(try pointer.qrText()) else {
            return console.output(try pointer.json().text(.compact.escapingInvisible))
        }
        console.output(code.lines.joined(separator: "\n"))
    }

    /// Follows a session to its end; a failure here ends it, unless its server has only become silent.
    func follow(_ session: some FollowedSession, pairing: Bool) async throws -> SessionResult? {
        do {
            let code = pairing ? try await session.enablePairing() : nil
            try show(session.pointer)
            var isPaired = false
            for try await status in try await session.statuses() {
                if isVerbose { console.error("status: \(status)") }
                if status == .pairing, let code {
                    try await confirm(code, session)
                    isPaired = true
                } else if status == .connected, pairing, !isPaired {
                    console.output("Pairing is not supported by the connected device.")
                }
                if status.isFinal { break }
            }
            try Task.checkCancellation()
            return try await session.result()
        } catch let error as LostServer {
            // The wallet may reach the server, and the requestor can ask for the result later.
            throw error
        } catch {
            // The task may be cancelled; the session is ended all the same.
            await Task { await session.cancel() }.value
            throw error is CancellationError ? ToolError("cancelled") : error
        }
    }

    private func confirm(_ code: String, _ session: some FollowedSession) async throws {
        console.output("\nPairing code: \(code.escapedForDisplay())")
        console.output("Press Enter if your device shows the same code; otherwise press Ctrl-C.")
        guard await console.readLine() != nil else { throw CancellationError() }
        try await session.completePairing()
        console.output("Pairing completed.")
    }
}

/// A session of a server that is reached over HTTP.
struct RemoteSession: FollowedSession {
    private let client: RequestorClient
    private let package: SessionPackage
    private let server: String?

    /// A session.
    ///
    /// - Parameters:
    ///   - client: Reaches the server.
    ///   - package: The server's answer to the request.
    ///   - server: The URL of the requestors' endpoints; nil to derive it from the pointer.
    init(_ client: RequestorClient, _ package: SessionPackage, server: String?) {
        self.client = client
        self.package = package
        self.server = server
    }

    var pointer: SessionPointer { package.pointer }

    func enablePairing() async throws -> String? {
        let options = FrontendOptionsRequest(pairingMethod: .pin)
        let body = try await client.post(options, "frontend/options", of: pointer.url, as: try authorization)
        return try SessionOptions(decoding: body).pairingCode
    }

    func completePairing() async throws {
        let nothing: FrontendOptionsRequest? = nil
        _ = try await client.post(nothing, "frontend/pairingcompleted", of: pointer.url, as: try authorization)
    }

    func statuses() -> AsyncThrowingStream<SessionStatus, any Error> { client.statuses(of: pointer) }

    func result() async throws -> SessionResult? {
        guard !package.token.isEmpty, let base = server ?? derivedServer else { return nil }
        return try await client.getPatiently(SessionResult.self, resultPath, of: base, "the session's result")
    }

    func cancel() async { await client.cancel(pointer.url) }

    private var resultPath: String { "session/\(package.token)/result" }

    private var authorization: String {
        get throws(ToolError) {
            guard let frontend = package.frontend else { throw ToolError("the server offers no pairing") }
            return frontend.authorization
        }
    }

    /// The requestors' endpoints of a server that keeps the usual layout.
    private var derivedServer: String? {
        pointer.url.ranges(of: "/irma/session/").last.map { String(pointer.url[..<$0.lowerBound]) }
    }
}
