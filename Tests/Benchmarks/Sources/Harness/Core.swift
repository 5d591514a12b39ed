import Caffinity

/// A core of the machine that threads can be held on, so that they keep its caches.
public struct Core: Sendable {
    private let index: Int

    /// The cores that this process may use; empty if the system does not tell.
    public static let available: [Core] = {
        #if os(Linux)
        var bits = [UInt8](repeating: 0, count: 128)
        guard affinity_get(&bits, bits.count) > 0 else { return [] }
        return (0..<bits.count * 8).filter { bits[$0 / 8] & 1 << ($0 % 8) != 0 }.map(Core.init)
        #else
        return []
        #endif
    }()

    /// Holds the calling thread on this core, and the threads that it starts.
    public func hold() {
        #if os(Linux)
        var bits = [UInt8](repeating: 0, count: 128)
        bits[index / 8] |= 1 << UInt8(index % 8)
        _ = affinity_set(bits, bits.count)
        #endif
    }
}
