#if Server && Client && SQLite
import CommandTesting
import Foundation
import Testing

/// The binary of the command as a process of its own.
final class ServerProcess: Sendable {
    /// The line that it printed when it was ready.
    let readyLine: String
    private let process: Process
    private let errors = Pipe()

    /// The binary, which is built beside the tests.
    static func binary() throws -> URL {
        let folder = try #require(Bundle.main.executableURL).deletingLastPathComponent()
        let url = folder.appendingPathComponent("irma")
        try #require(FileManager.default.isExecutableFile(atPath: url.path), "no binary at \(url.path)")
        return url
    }

    /// Starts the binary, and waits for its first line.
    ///
    /// - Parameters:
    ///   - arguments: The words after the command's name.
    ///   - environment: The variables of the process.
    init(_ arguments: [String], environment: [String: String] = [:]) async throws {
        process = try Self.process(arguments, environment)
        let output = Pipe()
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        let errors = Task { [pipe = errors] in await Self.bytes(of: pipe) }
        readyLine = await Self.firstLine(of: output)
        guard !readyLine.isEmpty else {
            throw CommandFailure(
                description: "the process ended: \(String(decoding: await errors.value, as: UTF8.self))"
            )
        }
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }

    /// Runs the binary to its end: its status, or the negative number of a signal that ended it, and what it wrote to standard error.
    ///
    /// - Parameters:
    ///   - arguments: The words after the command's name.
    ///   - environment: The variables of the process.
    ///   - meanwhile: Called with the number of the process once it has started.
    static func run(
        _ arguments: [String],
        environment: [String: String] = [:],
        meanwhile: (Int32) async throws -> Void = { _ in }
    ) async throws -> (Int32, String) {
        let process = try process(arguments, environment)
        let errors = Pipe()
        process.standardOutput = FileHandle.nullDevice
        process.standardError = errors
        try process.run()
        try await meanwhile(process.processIdentifier)
        let bytes = await bytes(of: errors)
        process.waitUntilExit()
        return (status(of: process), String(decoding: bytes, as: UTF8.self))
    }

    private static func process(_ arguments: [String], _ environment: [String: String]) throws -> Process {
        let process = Process()
        process.executableURL = try binary()
        process.arguments = arguments
        process.environment = environment.merging(["PATH": "/usr/bin:/bin", "HOME": "/nonexistent"]) { own, _ in own }
        process.standardInput = FileHandle.nullDevice
        return process
    }

    /// The first line of a pipe, which is read to its end, so that the process never waits for a reader.
    private static func firstLine(of pipe: Pipe) async -> String {
        var text: [UInt8] = []
        for await piece in pieces(of: pipe) {
            text += piece
            if let end = text.firstIndex(of: UInt8(ascii: "\n")) {
                return String(decoding: text[..<end], as: UTF8.self)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func bytes(of pipe: Pipe) async -> [UInt8] {
        await pieces(of: pipe).reduce(into: []) { $0 += $1 }
    }

    /// The output of a pipe, read on a thread of its own.
    private static func pieces(of pipe: Pipe) -> AsyncStream<[UInt8]> {
        let (stream, continuation) = AsyncStream.makeStream(of: [UInt8].self)
        let handle = pipe.fileHandleForReading
        Thread.detachNewThread {
            while case let piece = handle.availableData, !piece.isEmpty { continuation.yield([UInt8](piece)) }
            continuation.finish()
        }
        return stream
    }

    /// The number behind a word of the ready line.
    func port(behind word: String = "port ") throws -> Int {
        let rest = try #require(readyLine.ranges(of: word).last.map { readyLine[$0.upperBound...] })
        return try #require(Int(rest.prefix { $0.isNumber }))
    }

    /// Sends a signal.
    func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

    /// Sends a signal, waits for the end, and returns the exit status, or the negative number of a signal that ended it.
    func end(by signal: Int32) async -> Int32 {
        send(signal)
        process.waitUntilExit()
        return Self.status(of: process)
    }

    private static func status(of process: Process) -> Int32 {
        process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
    }
}
#endif
