import IdemixCore
import Synchronization

/// The computation of a part of the hash, which depends on no other part.
struct HashJob: Sendable {
    private let append: @Sendable (inout FiatShamirPart) -> Void

    init(_ append: @escaping @Sendable (inout FiatShamirPart) -> Void) {
        self.append = append
    }

    /// The part of the hash.
    func part() -> FiatShamirPart {
        var part = FiatShamirPart()
        append(&part)
        return part
    }
}

/// Runs independent computations in several tasks.
struct WorkPool: Sendable {
    /// The number of tasks.
    private let width: Int

    init(width: Int) {
        self.width = max(1, width)
    }

    /// The results of a computation for 0 ..< count, in their order.
    ///
    /// - Throws: `IdemixError.Code.cancelled`, once the computations that have begun are at their end.
    func map<Result: Sendable>(
        count: Int,
        _ compute: @escaping @Sendable (Int) -> Result
    ) async throws(IdemixError) -> [Result] {
        let counter = WorkCounter()
        let unordered = await withTaskGroup(of: [(Int, Result)].self) { tasks in
            for _ in 0..<min(width, count) {
                tasks.addTask {
                    var results: [(Int, Result)] = []
                    while !Task.isCancelled {
                        let index = counter.take()
                        guard index < count else { break }
                        results.append((index, compute(index)))
                    }
                    return results
                }
            }
            return await tasks.reduce(into: []) { $0 += $1 }
        }
        try Task.checkNotCancelled()
        return unordered.sorted { $0.0 < $1.0 }.map(\.1)
    }
}

/// Hands out the numbers 0, 1, 2 and so on, each once.
final class WorkCounter: Sendable {
    private let next = Mutex(0)

    func take() -> Int {
        next.withLock { next in
            defer { next += 1 }
            return next
        }
    }
}
