import Foundation

/// This program in a process of its own.
final class ChildProcess {
    private let process: Process
    private let output: FileHandle

    init(_ arguments: [String]) throws {
        let pipe = Pipe()
        process = Process()
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = arguments
        process.standardOutput = pipe
        try process.run()
        output = pipe.fileHandleForReading
    }

    var id: Int32 { process.processIdentifier }

    /// The first line that the process prints; waits for it.
    func firstLine() throws -> String {
        var line: [UInt8] = []
        while let byte = try output.read(upToCount: 1)?.first, byte != UInt8(ascii: "\n") { line.append(byte) }
        return String(decoding: line, as: UTF8.self)
    }

    /// Ends the process at once: one that a thread of the concurrency pool started inherits its blocked signals.
    func stop() {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}

/// A server in a process of its own.
struct ServerProcess {
    let port: Int
    private let child: ChildProcess

    init(mode: String) throws {
        child = try ChildProcess(["serve", mode])
        port = Int(try child.firstLine()) ?? 0
    }

    /// The CPU time of all its threads so far, in seconds.
    func cpuTime() throws -> Double {
        let stat = try String(contentsOfFile: "/proc/\(child.id)/stat", encoding: .utf8)
        let fields = stat.split(separator: ")").last?.split(separator: " ") ?? []
        let ticks = fields.count > 12 ? (Double(fields[11]) ?? 0) + (Double(fields[12]) ?? 0) : 0
        return ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    /// The largest resident memory so far, in bytes.
    func memory() throws -> Double {
        let status = try String(contentsOfFile: "/proc/\(child.id)/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return (line?.split(separator: " ").dropFirst().first.flatMap { Double($0) } ?? 0) * 1024
    }

    func stop() {
        child.stop()
    }
}
