/// The working memory and the results of the pass over an input.
@safe
struct TapeWorkspace {
    /// The first byte of the input.
    let base: UnsafeRawPointer
    /// One past the last byte of the input.
    let end: UnsafeRawPointer
    let rules: TapeRules
    let checksDuplicateKeys: Bool
    /// Room for the entries, of which ``count`` are written.
    private(set) var entries: UnsafeMutableBufferPointer<TapeEntry>
    /// Room for the number of items to come, one for each open item.
    let counts: UnsafeMutablePointer<UInt32>
    /// The last place in that room; an embedded item has as many places after it.
    private(set) var lastLevel: UnsafeMutablePointer<UInt32>
    /// Indicates that byte strings under tag 24 are indexed; `false` while one of them is being read.
    private(set) var indexesEmbeddedItems: Bool
    /// Indicates that long forms and indefinite lengths are noted instead of refused; `false` in an embedded item.
    private(set) var notesDeviations: Bool

    /// The noted deviations.
    var deviations = TapeDeviations()
    /// The number of entries written, after the pass.
    var count = 0
    /// The innermost item that was open when the pass ended, or ``none``.
    var container = Self.none
    /// The first byte that was not read, when the pass is over.
    var position = 0

    /// The enclosing item of the root.
    static let none = UInt32.max

    private init(
        base: UnsafeRawPointer,
        size: Int,
        rules: TapeRules,
        counts: UnsafeMutablePointer<UInt32>
    ) {
        unsafe self.base = base
        unsafe end = base + size
        self.rules = rules
        checksDuplicateKeys = rules.checks.contains(.duplicateKeys)
        unsafe self.counts = counts
        unsafe lastLevel = counts + rules.maximumDepth
        indexesEmbeddedItems = rules.checks.contains(.embeddedItems)
        notesDeviations = rules.checks.contains(.notes)
        let estimate = size < 1 << 16 ? size / 16 + 16 : size / 4
        // If more bytes may follow, the item can be much smaller than the input.
        let capacity = rules.checks.contains(.trailingBytes) ? estimate : min(estimate, 64)
        unsafe entries = Self.entries(in: nil, capacity: min(capacity, rules.maximumItems))
    }

    /// Checks and indexes an input; the caller frees the entries.
    static func index(_ input: UnsafeRawBufferPointer, _ rules: TapeRules) -> Result<TapeIndex, CBORError> {
        let isTooLong = input.count > rules.maximumSize
        let tooLong = TapeFailure(.tooLong, position: 0, entry: 0, argument: UInt64(rules.maximumSize))
        guard !isTooLong || !rules.checks.contains(.trailingBytes) else { return .failure(CBORError(tooLong)) }
        guard let base = input.baseAddress, rules.maximumSize > 0, input.count > 0 else {
            return .failure(CBORError(TapeFailure(.missingItem, position: 0, entry: 0)))
        }
        let size = min(input.count, rules.maximumSize)
        let levels = rules.maximumDepth + 1
        let capacity = rules.checks.contains(.embeddedItems) ? 2 * levels : levels
        return unsafe withUnsafeTemporaryAllocation(of: UInt32.self, capacity: capacity) { counts in
            guard let counts = counts.baseAddress else { return .failure(CBORError(tooLong)) }
            var work = unsafe TapeWorkspace(base: base, size: size, rules: rules, counts: counts)
            guard let failure = work.run() else {
                return unsafe .success(
                    TapeIndex(
                        entries: work.entries,
                        count: work.count,
                        rootLength: work.position,
                        deviations: work.deviations
                    )
                )
            }
            let error = isTooLong && failure.code == .truncated ? CBORError(tooLong) : work.error(for: failure)
            unsafe HeapMemory.deallocate(work.entries.baseAddress)
            return .failure(error)
        }
    }

    private mutating func run() -> TapeFailure? {
        let isStrict = rules.isStrict
        return unsafe withUnsafeMutablePointer(to: &self) {
            unsafe isStrict ? TapeBuilder<StrictTape>.run($0) : TapeBuilder<UsualTape>.run($0)
        }
    }

    /// Prepares for reading what is embedded in the input: its nesting counts anew, in the room that this returns.
    mutating func enterEmbeddedItem() -> UnsafeMutablePointer<UInt32> {
        unsafe lastLevel += rules.maximumDepth + 1
        indexesEmbeddedItems = false
        notesDeviations = false
        return unsafe counts + rules.maximumDepth + 1
    }

    /// Goes back to the input.
    mutating func leaveEmbeddedItem() {
        unsafe lastLevel -= rules.maximumDepth + 1
        indexesEmbeddedItems = true
        notesDeviations = rules.checks.contains(.notes)
    }

    /// Makes more room for entries; returns false if there are as many as allowed.
    @inline(never)
    mutating func grow() -> Bool {
        let written = unsafe entries.count
        guard written < rules.maximumItems else { return false }
        let capacity = min(max(written * 2, 64), rules.maximumItems)
        unsafe entries = Self.entries(in: entries.baseAddress, capacity: capacity)
        return true
    }

    /// Room for entries: a new block of memory, or the given one with another size.
    private static func entries(
        in block: UnsafeMutablePointer<TapeEntry>?,
        capacity: Int
    ) -> UnsafeMutableBufferPointer<TapeEntry> {
        let memory = unsafe HeapMemory.reallocate(block, byteCount: capacity * MemoryLayout<TapeEntry>.stride)
        return unsafe UnsafeMutableBufferPointer(
            start: memory.bindMemory(to: TapeEntry.self, capacity: capacity),
            count: capacity
        )
    }

    /// The entries written so far.
    private var contents: TapeContents {
        unsafe TapeContents(
            bytes: UnsafeRawBufferPointer(start: base, count: end - base),
            entries: UnsafeBufferPointer(start: entries.baseAddress, count: count)
        )
    }

    /// The error for a failure, with the path from the root.
    private func error(for failure: TapeFailure) -> CBORError {
        let contents = contents
        var steps: [CBORPath.Step] = []
        var child = failure.entry
        var parent = container
        while parent != Self.none {
            steps.append(contents.step(from: Int(parent), to: child))
            child = Int(parent)
            unsafe parent = entries[child].next
        }
        return CBORError(failure, path: CBORPath(steps.reversed()))
    }
}

extension CBORError {
    /// The error for a failure.
    init(_ failure: TapeFailure, path: CBORPath = CBORPath(), movedBy distance: Int = 0) {
        self.init(failure.code, failure.message, offset: failure.position + distance, path: path)
    }
}
