#if Server && Client && SQLite
import CommandTesting
import CredentialTransport
import Foundation
import HTTPTypes
import IRMATool
import Synchronization
import Testing

extension RunningCommand {
    /// Starts `irma`, and waits for its first line.
    convenience init(_ arguments: [String], input: [String] = []) async throws {
        try await self.init(IRMATool.self, arguments, input: input, now: SchemeOnDisk.now)
    }
}

/// Runs a test beside a server in development mode, which is stopped whatever happens; the test takes its URL.
func withServer<Value>(
    of place: SchemeOnDisk,
    _ flags: String...,
    body: (String) async throws -> Value
) async throws -> Value {
    let arguments = [
        "server", "-s", place.schemes, "--schemes-update", "0", "-p", "0", "-l", "127.0.0.1",
        "-u", "http://127.0.0.1:port",
    ]
    return try await withRunning(arguments + flags) { server in
        try await body("http://127.0.0.1:\(try server.port())")
    }
}

/// A port that a server had, and has no more.
func freePort(_ place: SchemeOnDisk) async throws -> Int {
    let server = try await RunningCommand([
        "server", "-s", place.schemes, "--schemes-update", "0", "-p", "0", "-l", "127.0.0.1", "-u",
        "http://127.0.0.1:port",
    ])
    let port = try server.port()
    await server.stop()
    return port
}

/// Runs a test beside a command, which is stopped whatever happens.
func withRunning<Value>(
    _ arguments: String...,
    body: (RunningCommand) async throws -> Value
) async throws -> Value {
    try await withRunning(arguments, body: body)
}

/// Runs a test beside a command, which is stopped whatever happens.
func withRunning<Value>(
    _ arguments: [String],
    body: (RunningCommand) async throws -> Value
) async throws -> Value {
    let command = try await RunningCommand(arguments)
    do {
        let value = try await body(command)
        await command.stop()
        return value
    } catch {
        await command.stop()
        throw error
    }
}

/// HTTP to servers on this machine.
enum LocalHTTP {
    static let transport = GuardedHTTPTransport(
        connector: AsyncHTTPClientConnector(),
        addressGuard: AddressGuard(allowing: [.loopback], literalAddresses: true, plainHTTP: true, ports: .any)
    )

    /// No limit of its own: a machine that is busy takes its time, and the suite has a limit.
    private static let limits = HTTPLimits(timeout: .seconds(600))

    /// Gets a path of a port: the status and the body as text.
    static func get(_ port: Int, _ path: String) async throws -> (status: Int, body: String) {
        var request = HTTPTransportRequest.get(
            try HTTPURL("http://127.0.0.1:\(port)\(path)"),
            accepting: .any,
            limits: limits
        )
        request.acceptedStatuses = AcceptedStatuses(200...599)
        let response = try await transport.response(to: request)
        return (response.status, String(decoding: response.body, as: UTF8.self))
    }

    /// Posts JSON to a path of a port.
    static func post(
        _ port: Int,
        _ path: String,
        _ body: String,
        token: String? = nil
    ) async throws -> (
        status: Int, body: String
    ) {
        var request = HTTPTransportRequest.post(
            try HTTPURL("http://127.0.0.1:\(port)\(path)"),
            body: Array(body.utf8),
            type: .json,
            accepting: .any,
            limits: limits
        )
        if let token { try request.setField(.authorization, token) }
        request.acceptedStatuses = AcceptedStatuses(200...599)
        let response = try await transport.response(to: request)
        return (response.status, String(decoding: response.body, as: UTF8.self))
    }
}
#endif
