/// Lines of text, one behind the other, that are put into the order of their bytes.
struct LineBuffer {
    private(set) var bytes: [UInt8] = []
    private var ends: [Int] = []

    mutating func reserve(lines: Int, bytes count: Int) {
        ends.reserveCapacity(lines)
        bytes.reserveCapacity(count)
    }

    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
    }

    /// Appends a line, which the closure writes.
    mutating func append(_ write: (inout [UInt8]) -> Void) {
        write(&bytes)
        ends.append(bytes.count)
    }

    /// The lines in the order of their bytes, which in UTF-8 is the order of code points.
    func sorted() -> [UInt8] {
        guard ends.count > 1 else { return bytes }
        return bytes.withUnsafeBytes { text in
            var lines = ends.indices.map { index in
                UnsafeRawBufferPointer(rebasing: text[(index == 0 ? 0 : ends[index - 1])..<ends[index]])
            }
            lines.sort { $0.precedes($1) }
            var sorted: [UInt8] = []
            sorted.reserveCapacity(text.count)
            for line in lines { sorted.append(contentsOf: line) }
            return sorted
        }
    }
}

extension UnsafeRawBufferPointer {
    /// Returns `true` if these bytes come first in lexicographic order.
    fileprivate func precedes(_ other: UnsafeRawBufferPointer) -> Bool {
        let shared = Swift.min(count, other.count)
        var index = 0
        while index + 8 <= shared {
            let left = loadUnaligned(fromByteOffset: index, as: UInt64.self)
            let right = other.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            if left != right { return UInt64(bigEndian: left) < UInt64(bigEndian: right) }
            index += 8
        }
        while index < shared {
            if self[index] != other[index] { return self[index] < other[index] }
            index += 1
        }
        return count < other.count
    }
}
