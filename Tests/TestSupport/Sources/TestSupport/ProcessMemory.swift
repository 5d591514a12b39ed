#if os(Linux)
import Foundation

/// Bytes that must not be found in memory, masked so that the pattern itself is not found.
public struct HiddenBytes: Sendable {
    /// The name of the pattern in a finding.
    public let name: String
    private let masked: [UInt8]
    private static let mask: UInt8 = 0x5a

    /// Masks bytes; the caller wipes its own copy.
    public init(_ name: String, _ bytes: some Sequence<UInt8>) {
        self.name = name
        masked = bytes.map { $0 ^ Self.mask }
    }

    /// Patterns of 16 bytes at the start, in the middle and at the end: a copy is rarely complete.
    public static func windows(_ name: String, _ bytes: UnsafeRawBufferPointer) -> [HiddenBytes] {
        guard bytes.count > 16 else { return [HiddenBytes(name, bytes)] }
        return [0, (bytes.count - 16) / 2, bytes.count - 16].map { start in
            HiddenBytes("\(name), 16 bytes from \(start)", bytes[start..<start + 16])
        }
    }

    /// Undoes the masking of a literal, so that a test's secret is not in its own text.
    public static func unmask(_ literal: UInt8) -> UInt8 { literal ^ mask }

    /// Returns `true` if the bytes are in a row of memory.
    fileprivate func isFound(in memory: UnsafeRawBufferPointer) -> Bool {
        guard let first = masked.first, let start = memory.baseAddress, masked.count <= memory.count else {
            return false
        }
        var offset = 0
        while offset <= memory.count - masked.count {
            let room = memory.count - masked.count + 1 - offset
            guard let candidate = memchr(start + offset, Int32(first ^ Self.mask), room) else { return false }
            offset = UnsafeRawPointer(candidate) - start
            var length = 1
            while length < masked.count, memory[offset + length] ^ Self.mask == masked[length] { length += 1 }
            if length == masked.count { return true }
            offset += 1
        }
        return false
    }
}

/// The memory of this process: heap, stacks and variables, whether in use or free.
public enum ProcessMemory {
    /// The names of the patterns found anywhere in readable and writable memory.
    ///
    /// For a process without concurrent work, such as that of an exit test.
    public static func findings(_ patterns: [HiddenBytes]) throws -> [String] {
        var found: [String] = []
        for mapping in try mappings() {
            for pattern in patterns where pattern.isFound(in: mapping.memory) {
                found.append("\(pattern.name), in \(mapping.name)")
            }
        }
        return found
    }

    private static func mappings() throws -> [(name: String, memory: UnsafeRawBufferPointer)] {
        // Lines such as `7f0000000000-7f0000021000 rw-p 00000000 00:00 0  [heap]`.
        let maps = try String(contentsOfFile: "/proc/self/maps", encoding: .utf8)
        return maps.split(separator: "\n").compactMap { line in
            let fields = line.split(separator: " ", omittingEmptySubsequences: true)
            guard fields.count >= 5, fields[1].hasPrefix("rw"), !line.hasSuffix("[vvar]") else { return nil }
            let ends = fields[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
            guard ends.count == 2, let start = UnsafeRawPointer(bitPattern: ends[0]) else { return nil }
            let name = fields.count > 5 ? String(fields[5]) : "memory at \(fields[0])"
            return (name, UnsafeRawBufferPointer(start: start, count: Int(ends[1] - ends[0])))
        }
    }
}
#endif
