import Foundation
import Synchronization
public import Testing

/// A server of others, such as nginx, that a test starts on loopback and ends.
///
/// `scripts/test --peers` installs these servers and asks for the tests with them; otherwise they are skipped:
///
/// ```swift
/// @Test(.enabled(if: PeerProcess.areWanted, PeerProcess.comment))
/// ```
public final class PeerProcess: Sendable {
    /// The reason that a process did not start.
    public struct Failure: Error, CustomStringConvertible {
        /// The reason.
        public let description: String

        /// A reason.
        public init(description: String) {
            self.description = description
        }
    }

    /// Indicates a run with servers of others: the variable `CREDENTIALS_PEERS` is set.
    public static let areWanted = !(ProcessInfo.processInfo.environment["CREDENTIALS_PEERS"] ?? "").isEmpty

    /// The comment of a skipped test.
    public static let comment: Comment = "run scripts/test --peers"

    /// The port that the server listens at.
    public let port: Int
    private let folder: URL
    private let process: Process
    private let isStopped = Mutex(false)

    /// Starts a server, and returns when it accepts connections.
    ///
    /// - Parameters:
    ///   - program: The path of the program, such as `/usr/sbin/nginx`.
    ///   - port: The port of loopback; nil for a free one.
    ///   - arguments: Its arguments, given the path of its configuration.
    ///   - configuration: The text of its configuration, given the port and a folder for its files.
    public init(
        _ program: String,
        port: Int? = nil,
        arguments: (_ file: String) -> [String],
        configuration: (_ port: Int, _ folder: String) -> String
    ) async throws {
        let port = try port ?? Self.freePort()
        self.port = port
        folder = FileManager.default.temporaryDirectory.appending(path: "peer-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appending(path: "peer.conf")
        try Data(configuration(port, folder.path).utf8).write(to: file)
        process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments(file.path)
        process.standardInput = FileHandle.nullDevice
        try process.run()
        while !Self.accepts(port) {
            guard process.isRunning else { throw Failure(description: "\(program) did not start") }
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    deinit {
        stop()
    }

    /// Kills the process and removes its files.
    public func stop() {
        let isFirst = isStopped.withLock { isStopped in
            defer { isStopped = true }
            return !isStopped
        }
        guard isFirst else { return }
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        try? FileManager.default.removeItem(at: folder)
    }

    /// A port of loopback that is free now; another process may take it before it is used.
    public static func freePort() throws -> Int {
        try withSocket(at: 0) { descriptor, address, size in
            guard bind(descriptor, address, size) == 0 else { throw Failure(description: "no free port") }
            var bound = sockaddr_in()
            var size = size
            let isKnown = withUnsafeMutablePointer(to: &bound) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) == 0 }
            }
            guard isKnown else { throw Failure(description: "no free port") }
            return Int(UInt16(bigEndian: bound.sin_port))
        }
    }

    private static func accepts(_ port: Int) -> Bool {
        (try? withSocket(at: port) { connect($0, $1, $2) == 0 }) ?? false
    }

    private static func withSocket<Value>(
        at port: Int,
        _ operation: (Int32, UnsafePointer<sockaddr>, socklen_t) throws -> Value
    ) throws -> Value {
        #if os(Linux)
        let kind = Int32(SOCK_STREAM.rawValue)
        #else
        let kind = SOCK_STREAM
        #endif
        let descriptor = socket(AF_INET, kind, 0)
        guard descriptor >= 0 else { throw Failure(description: "no socket") }
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(truncatingIfNeeded: port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        return try withUnsafePointer(to: address) { pointer in
            try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                try operation(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}
