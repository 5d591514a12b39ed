import Foundation
import Harness

/// Figures of a Python library for the reader's orientation, where one is installed; no bar.
///
/// `jose_peer.py` measures joserfc or jwcrypto with the Python of `Tests/Benchmarks/.venv` if there is one, else with
/// `python3`.
enum JOSEOrientation {
    private static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// One figure a line of the script's output; none if it cannot run.
    static func figures() -> [Figure] {
        let process = Process()
        let environment = folder.appendingPathComponent(".venv/bin/python3").path
        let hasEnvironment = FileManager.default.isExecutableFile(atPath: environment)
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            hasEnvironment ? environment : "python3", folder.appendingPathComponent("jose_peer.py").path,
        ]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return [] }
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return text.split(separator: "\n").compactMap(figure)
    }

    /// A figure of a line: a number of microseconds, a space and a name.
    private static func figure(_ line: Substring) -> Figure? {
        let parts = line.split(separator: " ", maxSplits: 1)
        guard let first = parts.first, parts.count == 2, let value = Double(first) else { return nil }
        return Figure(layer: JOSEBenchmarks.layer, name: String(parts[1]), value: value, unit: "µs")
    }
}
