#if Redis
import CredentialServingRedis
import Foundation
import Synchronization
import TestSupport

/// A Redis server, or a sentinel, that a test starts on loopback and ends.
final class RedisServerProcess: Sendable {
    /// The reason why a process did not start.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// The servers are on the machine; else the tests are skipped.
    static let isInstalled = ["redis-server", "redis-sentinel"].allSatisfy { path(of: $0) != nil }

    let port: Int
    let folder: URL
    private let process: Process
    private let isStopped = Mutex(false)

    var address: RedisAddress { RedisAddress(host: "127.0.0.1", port: port) }

    /// Starts a server on a free port, on another one where that was taken meanwhile.
    ///
    /// - Parameters:
    ///   - program: `redis-server` or `redis-sentinel`.
    ///   - port: The port, or nil for a free one.
    ///   - settings: The lines of its configuration, given the port and a folder for its files.
    static func start(
        _ program: String = "redis-server",
        port: Int? = nil,
        settings: (_ port: Int, _ folder: URL) throws -> [String] = { port, _ in ["port \(port)"] }
    ) async throws -> RedisServerProcess {
        for _ in 0..<20 {
            let server = try RedisServerProcess(program, port: try port ?? PeerProcess.freePort(), settings)
            if await server.isReady() { return server }
            server.stop()
        }
        throw Failure(description: "\(program) did not start in 20 attempts")
    }

    private init(_ program: String, port: Int, _ settings: (Int, URL) throws -> [String]) throws {
        guard let path = Self.path(of: program) else { throw Failure(description: "\(program) is not installed") }
        self.port = port
        folder = FileManager.default.temporaryDirectory.appending(path: "redis-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        var lines = ["bind 127.0.0.1", "daemonize no", "dir \(folder.path)", "logfile \"\""]
        if program == "redis-server" { lines += ["save \"\"", "appendonly no"] }
        lines += try settings(port, folder)
        let file = folder.appending(path: "redis.conf")
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: file)
        process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = [file.path]
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = Pipe()
        try process.run()
    }

    deinit {
        stop()
    }

    /// Reads the process's log until it accepts connections, or until it ends.
    private func isReady() async -> Bool {
        guard let output = process.standardOutput as? Pipe else { return false }
        let marks = ["Ready to accept connections", "ready to accept connections", "Sentinel ID is"].map {
            Data($0.utf8)
        }
        return await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                var log = Data()
                var isDecided = false
                // The pipe is read to its end, so that the process never waits for a reader.
                while case let piece = output.fileHandleForReading.availableData, !piece.isEmpty {
                    guard !isDecided else { continue }
                    log += piece
                    if marks.contains(where: { log.range(of: $0) != nil }) {
                        isDecided = true
                        continuation.resume(returning: true)
                    }
                }
                if !isDecided { continuation.resume(returning: false) }
            }
        }
    }

    /// Kills the process and removes its files.
    func stop() {
        guard
            !isStopped.withLock({ isStopped in
                defer { isStopped = true }
                return isStopped
            })
        else { return }
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Suspends the process, so that it answers nothing.
    func suspend() {
        kill(process.processIdentifier, SIGSTOP)
    }

    func resume() {
        kill(process.processIdentifier, SIGCONT)
    }

    private static func path(of program: String) -> String? {
        ["/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"].map { "\($0)/\(program)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }
}

extension RedisServerProcess {
    /// The answer of the server to a command of redis-cli.
    @discardableResult
    func answer(to words: [String]) throws -> String {
        try output(of: "redis-cli", ["-p", "\(port)"] + words)
    }
}

/// Runs a program to its end and returns what it prints.
@discardableResult
func output(of program: String, _ arguments: [String]) throws -> String {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [program] + arguments
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let text = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
        throw RedisServerProcess.Failure(description: "\(program) ended with \(process.terminationStatus)")
    }
    return String(decoding: text, as: UTF8.self)
}
#endif
