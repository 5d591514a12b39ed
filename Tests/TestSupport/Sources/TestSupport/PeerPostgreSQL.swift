public import Foundation
import Synchronization

/// A PostgreSQL server that a test starts on loopback, with its own data, and ends.
///
/// The server refuses to run as root; a test that does starts it as the user `postgres`, or else as `nobody`.
public final class PeerPostgreSQL: Sendable {
    /// The port that the server listens at.
    public let port: Int
    /// The folder for its files, readable by the server.
    public let folder: URL
    /// The password of the user `tester`, who may do everything.
    public let password = "p\(UUID().uuidString)"
    private let programs: String
    private let settings: [String]
    private let running = Mutex<Process?>(nil)

    /// Makes a server on a free port, and starts it.
    ///
    /// - Parameters:
    ///   - settings: Settings as `name=value`, in which `FOLDER` stands for the folder.
    ///   - prepare: Writes files into the folder, which are the server's own from then on.
    public init(settings: [String] = [], prepare: (URL) throws -> Void = { _ in }) async throws {
        programs = try Self.programs()
        port = try PeerProcess.freePort()
        folder = FileManager.default.temporaryDirectory.appending(path: "postgresql-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let place = folder.path
        self.settings = settings.map { $0.replacingOccurrences(of: "FOLDER", with: place) }
        try prepare(folder)
        try Data("\(password)\n".utf8).write(to: folder.appending(path: "password"))
        try Self.giveAway(folder)
        let making = try launch(
            "initdb",
            [
                "-D", "\(place)/data", "-U", "tester", "--auth=scram-sha-256", "--pwfile=\(place)/password", "-E",
                "UTF8",
                "--no-locale", "--no-sync",
            ]
        )
        making.waitUntilExit()
        guard making.terminationStatus == 0 else { throw PeerProcess.Failure(description: "initdb failed: \(log)") }
        try await start()
    }

    deinit {
        stop()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Starts the server again, and returns when it accepts connections.
    public func start() async throws {
        let process = try launch(
            "postgres",
            [
                "-D", "\(folder.path)/data", "-p", "\(port)", "-c", "listen_addresses=127.0.0.1",
                "-c", "unix_socket_directories=\(folder.path)", "-c", "fsync=off", "-c", "shared_buffers=16MB",
            ] + settings.flatMap { ["-c", $0] }
        )
        running.withLock { $0 = process }
        while try !isReady() {
            guard process.isRunning else { throw PeerProcess.Failure(description: "postgres did not start: \(log)") }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    /// Ends the server at once, as a crash does.
    public func stop() {
        let process = running.withLock { process in
            defer { process = nil }
            return process
        }
        guard let process else { return }
        // It ends its own processes; a killed one would leave them.
        kill(process.processIdentifier, SIGQUIT)
        process.waitUntilExit()
    }

    /// Makes an empty database, and returns its connection string.
    public func makeDatabase() throws -> String {
        let name = "test_" + UUID().uuidString.lowercased().filter { $0 != "-" }
        let process = try launch(
            "psql",
            ["-X", "-q", "-c", "CREATE DATABASE \(name)", connectionString(database: "postgres")]
        )
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw PeerProcess.Failure(description: "no database: \(log)") }
        return connectionString(database: name)
    }

    /// The connection string of a database, for the user `tester`.
    public func connectionString(database: String) -> String {
        "host=127.0.0.1 port=\(port) dbname=\(database) user=tester password=\(password)"
    }

    private func isReady() throws -> Bool {
        let process = try launch("pg_isready", ["-q", "-h", "127.0.0.1", "-p", "\(port)"])
        process.waitUntilExit()
        return process.terminationStatus == 0
    }

    private func launch(_ program: String, _ arguments: [String]) throws -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "\(programs)/\(program)")
        process.arguments = arguments
        if let user = Self.user {
            process.executableURL = URL(fileURLWithPath: "/usr/bin/setpriv")
            process.arguments =
                ["--reuid=\(user.pw_uid)", "--regid=\(user.pw_gid)", "--clear-groups", "\(programs)/\(program)"]
                + arguments
        }
        process.currentDirectoryURL = folder
        let file = folder.appending(path: "log")
        if !FileManager.default.fileExists(atPath: file.path) { try Data().write(to: file) }
        let output = try FileHandle(forWritingTo: file)
        try output.seekToEnd()
        process.standardOutput = output
        process.standardError = output
        process.standardInput = FileHandle.nullDevice
        try process.run()
        return process
    }

    /// The end of what the programs printed.
    private var log: String {
        let text = (try? String(contentsOf: folder.appending(path: "log"), encoding: .utf8)) ?? ""
        return String(text.suffix(2000))
    }

    /// The folder of the newest version's programs.
    private static func programs() throws -> String {
        let root = "/usr/lib/postgresql"
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
        let newest = versions.compactMap { Int($0) }.max()
        guard let newest, FileManager.default.isExecutableFile(atPath: "\(root)/\(newest)/bin/postgres") else {
            throw PeerProcess.Failure(description: "PostgreSQL is not installed")
        }
        return "\(root)/\(newest)/bin"
    }

    /// The user that the server runs as, where that is not the test's own.
    private static var user: passwd? {
        guard getuid() == 0 else { return nil }
        return (getpwnam("postgres") ?? getpwnam("nobody"))?.pointee
    }

    private static func giveAway(_ folder: URL) throws {
        guard let user else { return }
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        for path in [folder.path] + names.map({ folder.appending(path: $0).path }) {
            guard chown(path, user.pw_uid, user.pw_gid) == 0 else {
                throw PeerProcess.Failure(description: "\(path) cannot be given away")
            }
        }
    }
}
