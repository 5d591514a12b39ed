import Foundation
import TestSupport
import Testing

/// Other people's mdoc libraries in Python: those of a `python3` that has them, or else installed from PyPI into a temporary
/// folder for the time of the tests.
actor PythonPeers {
    /// One of them.
    enum Peer: String, CaseIterable, Encodable, Sendable {
        case isomdoc
        case pymdoccbor
    }

    /// A process that failed, with what it said.
    struct Failure: Error {
        let said: String
    }

    static let shared = PythonPeers()

    /// The comment of a skipped test.
    static let absence: Comment = "no peers: python3 lacks isomdoc and pymdoccbor, and cannot install them from PyPI"

    private static let packages = ["isomdoc": "0.0.5", "pymdoccbor": "1.4.0"]
    private static let script = VectorSet.checkout
        .appendingPathComponent("Packages/MdocKit/Tests/Peers/mdoc_peers.py")
    private static let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("mdoc-peers-\(ProcessInfo.processInfo.processIdentifier)")

    private var installation: Task<URL, any Error>?

    /// Indicates whether the peers are there, or could be installed; under `scripts/test --peers` they must.
    var areAvailable: Bool {
        get async {
            if PeerProcess.areWanted { return true }
            return (try? await python()) != nil
        }
    }

    /// Gives the peers tasks, and returns the answers in the same order.
    func run(_ tasks: [PeerTask]) async throws -> [PeerAnswer] {
        let output = try Self.run(try await python(), ["-B", Self.script.path], input: JSONEncoder().encode(tasks))
        let answers = try JSONDecoder().decode([PeerAnswer].self, from: output)
        try #require(answers.count == tasks.count)
        return answers
    }

    /// Gives a peer a task.
    func run(_ task: PeerTask) async throws -> PeerAnswer {
        try #require(try await run([task]).first)
    }

    /// The Python that has the peers; installs them when it is asked first.
    private func python() async throws -> URL {
        let task = installation ?? Task.detached { try Self.install() }
        installation = task
        return try await task.value
    }

    private static func install() throws -> URL {
        let env = URL(fileURLWithPath: "/usr/bin/env")
        let versions = packages.map { "version('\($0.key)') == '\($0.value)'" }.joined(separator: " and ")
        let search = "import sys; from importlib.metadata import version; print(sys.executable if \(versions) else '')"
        if let found = try? run(env, ["python3", "-c", search]), found.count > 1 {
            return URL(fileURLWithPath: String(decoding: found, as: UTF8.self).trimmingCharacters(in: .newlines))
        }
        atexit { try? FileManager.default.removeItem(at: PythonPeers.folder) }
        _ = try run(env, ["python3", "-m", "venv", folder.path])
        let python = folder.appendingPathComponent("bin/python")
        let options = ["--quiet", "--disable-pip-version-check", "--retries", "1", "--timeout", "20"]
        _ = try run(python, ["-m", "pip", "install"] + options + packages.map { "\($0.key)==\($0.value)" })
        return python
    }

    private static func run(_ program: URL, _ arguments: [String], input: Data = Data()) throws -> Data {
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        let (stdin, stdout, stderr) = (Pipe(), Pipe(), Pipe())
        (process.standardInput, process.standardOutput, process.standardError) = (stdin, stdout, stderr)
        try process.run()
        try stdin.fileHandleForWriting.write(contentsOf: input)
        try stdin.fileHandleForWriting.close()
        let output = stdout.fileHandleForReading.readDataToEndOfFile()
        let said = stderr.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure(said: String(decoding: said, as: UTF8.self)) }
        return output
    }
}
