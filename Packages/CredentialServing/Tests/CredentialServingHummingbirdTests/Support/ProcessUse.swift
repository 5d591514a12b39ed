#if Server && os(Linux)
import Foundation

/// The resources of the process, as the system tells.
enum ProcessUse {
    /// The resident memory, in bytes.
    static func memory() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        return (line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 1024
    }

    /// The number of open descriptors that are sockets of a port, at either end.
    static func sockets(of port: Int) throws -> Int {
        let nodes = try nodes(of: port)
        let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
        return descriptors.count { descriptor in
            let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + descriptor)
            return target.map { nodes.contains($0) } ?? false
        }
    }

    /// The sockets of a port as links of descriptors name them, such as `socket:[4711]`.
    private static func nodes(of port: Int) throws -> Set<String> {
        let suffix = ":" + String(format: "%04X", port)
        let table = try String(contentsOfFile: "/proc/self/net/tcp", encoding: .utf8)
        let rows = table.split(separator: "\n").map { $0.split(separator: " ") }
        let ofPort = rows.filter { $0.count > 9 && ($0[1].hasSuffix(suffix) || $0[2].hasSuffix(suffix)) }
        return Set(ofPort.map { "socket:[\($0[9])]" })
    }
}
#endif
