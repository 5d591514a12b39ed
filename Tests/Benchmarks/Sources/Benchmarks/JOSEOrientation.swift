import Harness

/// Figures of a Python library for the reader's orientation, where one is installed; no bar.
enum JOSEOrientation {
    /// One figure a line of the output of `jose_peer.py`.
    static func figures() -> [Figure] {
        PeerScript.output(of: "jose_peer.py").split(separator: "\n").compactMap(figure)
    }

    /// A figure of a line: a number of microseconds, a space and a name.
    private static func figure(_ line: Substring) -> Figure? {
        let parts = line.split(separator: " ", maxSplits: 1)
        guard let first = parts.first, parts.count == 2, let value = Double(first) else { return nil }
        return Figure(layer: JOSEBenchmarks.layer, name: String(parts[1]), value: value, unit: "µs")
    }
}
