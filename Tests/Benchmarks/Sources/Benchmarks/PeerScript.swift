import Foundation

/// Scripts that measure other people's libraries in Python, for the reader's orientation.
///
/// They run with the Python of `Tests/Benchmarks/.venv`, where `scripts/bench` installs the libraries, or else with `python3`; without its
/// library a script prints nothing.
enum PeerScript {
    private static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The output of a script in `Tests/Benchmarks`; empty if it cannot run.
    static func output(of name: String, _ arguments: [String] = []) -> String {
        let process = Process()
        let environment = folder.appendingPathComponent(".venv/bin/python3").path
        let hasEnvironment = FileManager.default.isExecutableFile(atPath: environment)
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments =
            [hasEnvironment ? environment : "python3", folder.appendingPathComponent(name).path] + arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return "" }
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return text
    }

    /// The number that a script prints; nil without one.
    static func number(of name: String, _ arguments: [String] = []) -> Double? {
        Double(output(of: name, arguments).trimmingCharacters(in: .whitespacesAndNewlines))
    }
}
