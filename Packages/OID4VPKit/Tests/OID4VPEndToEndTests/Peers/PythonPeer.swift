import Foundation
import JSONKit
import TestSupport
import Testing

/// A wallet and a verifier of OpenID4VP in Python, on libraries of others.
///
/// They need packages from PyPI: those of a `python3` that has them, or else, under `scripts/test --peers`, those in a virtual
/// environment that the tests make.
final actor PythonPeer {
    /// The text of a peer that refused a task or stopped.
    struct Refusal: Error, CustomStringConvertible {
        let description: String
    }

    /// A call that the peer's wallet makes, answered by the test.
    typealias Network = @Sendable (_ call: JSONValue) async throws -> JSONValue

    /// The comment of a skipped test.
    static let absence: Comment =
        "no peer: python3 lacks sd-jwt, jwcrypto, pymdoccbor, pycose or didkit; run scripts/test --peers"

    /// Indicates whether a Python with the packages is there.
    static var isAvailable: Bool {
        get async { await python.value != nil }
    }

    private static let packages = [
        "sd-jwt==0.10.4", "jwcrypto==1.6.1", "pymdoccbor==1.4.0", "pycose==1.1.0", "didkit==0.3.3",
    ]
    private static let script = VectorSet.checkout
        .appendingPathComponent("Packages/OID4VPKit/Tests/Peers/oid4vp_peer.py")
    private static let python = Task.detached { findPython() }

    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private var received: [UInt8] = []

    /// Starts the peer, which ends when its input is closed.
    init() async throws {
        guard let python = await Self.python.value else { throw Refusal(description: "there is no peer") }
        process.executableURL = python
        process.arguments = ["-B", Self.script.path]
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
    }

    /// Gives the peer a task, and makes the calls that it needs.
    ///
    /// Only one task at a time may be one with calls.
    ///
    /// - Throws: ``Refusal`` for a task that the peer refuses.
    @discardableResult
    func run(_ task: JSONValue, _ network: Network? = nil) async throws -> JSONValue {
        var answer = try exchange(task)
        while let call = answer["http"], let network { answer = try exchange(try await network(call)) }
        if let refusal = answer["refusal"]?.stringValue, task["do"] != "result" {
            throw Refusal(description: refusal)
        }
        return answer
    }

    private func exchange(_ message: JSONValue) throws -> JSONValue {
        try input.fileHandleForWriting.write(contentsOf: Data(message.encoded() + [UInt8(ascii: "\n")]))
        while true {
            if let end = received.firstIndex(of: UInt8(ascii: "\n")) {
                defer { received.removeFirst(end + 1) }
                return try JSONValue(parsing: Array(received[..<end]))
            }
            let piece = output.fileHandleForReading.availableData
            guard !piece.isEmpty else { throw Refusal(description: "the peer has ended") }
            received += piece
        }
    }

    // MARK: Packages

    private static func findPython() -> URL? {
        let env = URL(fileURLWithPath: "/usr/bin/env")
        let imports = "import sd_jwt, jwcrypto, pymdoccbor, pycose, didkit"
        if run(env, ["python3", "-c", imports]) {
            return try? which("python3")
        }
        guard PeerProcess.areWanted else { return nil }
        atexit { try? FileManager.default.removeItem(at: PythonPeer.folder) }
        guard run(env, ["python3", "-m", "venv", folder.path]) else { return nil }
        let python = folder.appendingPathComponent("bin/python")
        let options = ["--quiet", "--disable-pip-version-check", "--retries", "1", "--timeout", "20"]
        return run(python, ["-m", "pip", "install"] + options + packages) ? python : nil
    }

    private static let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("oid4vp-peer-\(ProcessInfo.processInfo.processIdentifier)")

    /// The path of a program.
    private static func which(_ name: String) throws -> URL? {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        return folders.map { URL(fileURLWithPath: String($0)).appendingPathComponent(name) }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }

    private static func run(_ program: URL, _ arguments: [String]) -> Bool {
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}
