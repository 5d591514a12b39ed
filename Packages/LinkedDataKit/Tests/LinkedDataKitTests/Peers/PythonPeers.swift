import Foundation
import JSONKit
import TestSupport
import Testing

/// didkit and PyLD in Python, installed from PyPI into a temporary folder for the time of the tests.
actor PythonPeers {
    /// A process that failed, with its error output.
    struct Failure: Error {
        let output: String
    }

    /// The answer to a task.
    struct Answer {
        let text: String?
        let error: String?
    }

    static let shared = PythonPeers()

    /// The comment of a skipped test.
    static let absence: Comment = "no peers: python3 with venv is not there, or PyPI cannot be reached"

    private static let packages = ["didkit==0.3.3", "PyLD==3.3.0"]
    private static let script = VectorSet.checkout
        .appendingPathComponent("Packages/LinkedDataKit/Tests/Peers/linked_data_peers.py")
    private static let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("linked-data-peers-\(ProcessInfo.processInfo.processIdentifier)")

    private var installation: Task<URL, any Error>?

    /// Indicates whether the peers could be installed.
    var areAvailable: Bool {
        get async { (try? await python()) != nil }
    }

    /// Gives the peers tasks, and returns their answers in the same order.
    func run(_ tasks: [JSONValue]) async throws -> [Answer] {
        let input = Data(JSONValue.array(tasks).encoded())
        let output = try Self.run(try await python(), [Self.script.path], input: input)
        let answers = try #require(JSONValue(parsing: [UInt8](output)).arrayValue)
        try #require(answers.count == tasks.count)
        return answers.map { Answer(text: $0["text"]?.stringValue, error: $0["error"]?.stringValue) }
    }

    /// The Python that has the peers; installs them when it is asked first.
    private func python() async throws -> URL {
        let task = installation ?? Task.detached { try Self.install() }
        installation = task
        return try await task.value
    }

    private static func install() throws -> URL {
        atexit { try? FileManager.default.removeItem(at: PythonPeers.folder) }
        _ = try run(URL(fileURLWithPath: "/usr/bin/env"), ["python3", "-m", "venv", folder.path])
        let python = folder.appendingPathComponent("bin/python")
        let options = ["--quiet", "--disable-pip-version-check", "--retries", "1", "--timeout", "20"]
        _ = try run(python, ["-m", "pip", "install"] + options + packages)
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
        let errors = stderr.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure(output: String(decoding: errors, as: UTF8.self)) }
        return output
    }
}
