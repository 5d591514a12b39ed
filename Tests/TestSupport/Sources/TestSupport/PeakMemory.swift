import Foundation

/// The peak memory of this process, for tests that bound a parser's memory.
public enum PeakMemory {
    /// The peak resident size in bytes (`VmHWM`), or nil if the system does not tell.
    public static var bytes: Int? { field("VmHWM:") }

    /// Forgets the peak so far: from now on ``bytes`` starts at what the process holds (where the system can do that).
    public static func restart() {
        try? Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"))
    }

    private static func field(_ name: String) -> Int? {
        guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else { return nil }
        guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix(name) }) else { return nil }
        return line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }.map { $0 * 1024 }
    }
}
