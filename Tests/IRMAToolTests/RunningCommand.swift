#if Server && Client && SQLite
import CommandTesting
import CredentialTransport
import Foundation
import HTTPTypes
import IRMATool
import Synchronization
import Testing

/// A server command that runs in this process until it is stopped.
final class RunningCommand: Sendable {
    let task: Task<Invocation, Never>
    /// The line that it printed when it was ready.
    let readyLine: String

    /// Starts a command, and waits for its first line.
    ///
    /// - Parameters:
    ///   - arguments: The words after the command's name.
    ///   - input: The lines that the user types.
    init(_ arguments: [String], input: [String] = []) async throws {
        let (lines, continuation) = AsyncStream.makeStream(of: String.self)
        let task = Task {
            let invocation = await Invocation.run(IRMATool.self, arguments, input: input, now: SchemeOnDisk.now) {
                continuation.yield($0)
            }
            continuation.finish()
            return invocation
        }
        guard let line = await lines.first(where: { _ in true }) else {
            let ended = await task.value
            throw CommandFailure(description: "the command ended with \(ended.status): \(ended.errors)")
        }
        self.task = task
        readyLine = line
    }

    /// The number behind a word of the ready line.
    func port(behind word: String = "port ") throws -> Int {
        let rest = try #require(readyLine.ranges(of: word).last.map { readyLine[$0.upperBound...] })
        return try #require(Int(rest.prefix { $0.isNumber }))
    }

    /// Ends the command.
    @discardableResult
    func stop() async -> Invocation {
        task.cancel()
        return await task.value
    }
}

/// The reason that a command did not run.
struct CommandFailure: Error, CustomStringConvertible {
    let description: String
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
