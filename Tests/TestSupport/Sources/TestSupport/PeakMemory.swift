import Foundation

/// How much memory this process has held at most, for tests that bound what a parser may take.
public enum PeakMemory {
    /// The peak resident size in bytes (`VmHWM`), or nil where the system does not tell.
    public static var bytes: Int? { field("VmHWM:") }

    private static func field(_ name: String) -> Int? {
        guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else { return nil }
        guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix(name) }) else { return nil }
        return line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }.map { $0 * 1024 }
    }
}
