import Callocations
import Harness

/// The heap allocations of one call.
struct Allocations {
    /// The number of allocations.
    let count: Int
    /// The bytes of all of them together.
    let bytes: Int
    /// The largest number of bytes in use at once, beyond those in use before the call.
    let peak: Int

    /// Counts those of a call, after one that fills caches and tables; nil where the system cannot tell.
    init?(of body: () async throws -> Void) async rethrows {
        try await body()
        allocations_start()
        do {
            try await body()
        } catch {
            _ = allocations_stop()
            throw error
        }
        let counts = allocations_stop()
        guard counts.count >= 0 else { return nil }
        (count, bytes, peak) = (counts.count, counts.bytes, counts.peak)
    }

    /// The rows of an operation on an input.
    ///
    /// - Parameters:
    ///   - layer: The module.
    ///   - operation: The operation, such as `verify 8 items`.
    ///   - size: The number of bytes of the input.
    ///   - bars: The largest number of allocations, and the largest ratios of allocated bytes and of the peak to the input.
    func figures(
        layer: String,
        of operation: String,
        input size: Int,
        bars: (count: Double, bytes: Double, peak: Double)
    ) -> [Figure] {
        [
            Figure(
                layer: layer,
                name: "\(operation): allocations",
                value: Double(count),
                unit: "",
                bar: .atMost(bars.count)
            ),
            Figure(
                layer: layer,
                name: "\(operation): allocated bytes / bytes of input",
                value: Double(bytes) / Double(size),
                bar: .atMost(bars.bytes)
            ),
            Figure(
                layer: layer,
                name: "\(operation): peak of memory / bytes of input",
                value: Double(peak) / Double(size),
                bar: .atMost(bars.peak)
            ),
        ]
    }
}
