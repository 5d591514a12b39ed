import Synchronization

/// The key of a processed context: the context it was processed on, and the content that was processed.
///
/// URLs stand for pinned content, and contexts have numbers that are never used again, so that equal keys have equal
/// results.
struct ContextKey: Hashable, Sendable {
    enum Content: Hashable, Sendable {
        /// The context of a term definition.
        case scoped(UInt64)
        /// A local context.
        case local(Text)
        /// A remote context.
        case remote(Text)
    }

    /// A local context as JSON and the URL that it is resolved against, or the URL of a remote one; hashed as a whole,
    /// not byte by byte.
    struct Text: Hashable, Sendable {
        let bytes: [UInt8]

        init(_ bytes: [UInt8]) {
            self.bytes = bytes
        }

        func hash(into hasher: inout Hasher) {
            bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
        }
    }

    let parent: UInt64
    let content: Content
    let settings: UInt8

    /// The size of the text in bytes.
    var size: Int {
        switch content {
        case .scoped: 0
        case .local(let text), .remote(let text): text.bytes.count
        }
    }
}

/// Processed contexts, shared between threads and bounded by the number of terms in them; long texts count as terms.
///
/// Beyond the bound, the least recently used half is dropped: contexts that documents make up cannot drive out those
/// that all documents share.
package final class ContextCache: Sendable {
    private struct Entry {
        let context: ActiveContext
        let weight: Int
        var lastUse: UInt64
    }

    private struct State {
        var entries: [ContextKey: Entry] = [:]
        var weight = 0
        var uses: UInt64 = 0
    }

    /// The size of a term in bytes, about.
    private static let termSize = 300

    private let state = Mutex(State())
    private let capacity: Int

    /// Makes a cache for contexts with so many terms in all.
    package init(capacity: Int) {
        self.capacity = capacity
    }

    subscript(key: ContextKey) -> ActiveContext? {
        state.withLock { state in
            state.uses += 1
            guard let index = state.entries.index(forKey: key) else { return nil }
            state.entries.values[index].lastUse = state.uses
            return state.entries.values[index].context
        }
    }

    func insert(_ context: ActiveContext, for key: ContextKey) {
        let text = key.size + context.cost.text
        let weight = context.state.terms.count + 1 + text / Self.termSize
        guard weight <= capacity / 2 else { return }
        state.withLock { state in
            state.uses += 1
            if state.weight + weight > capacity { Self.evict(from: &state) }
            let entry = Entry(context: context, weight: weight, lastUse: state.uses)
            if let replaced = state.entries.updateValue(entry, forKey: key) { state.weight -= replaced.weight }
            state.weight += weight
        }
    }

    /// The number of terms of all contexts in the cache, with what their texts count for.
    package var weight: Int { state.withLock { $0.weight } }

    private static func evict(from state: inout State) {
        let half = state.weight / 2
        for (key, entry) in state.entries.sorted(by: { $0.value.lastUse < $1.value.lastUse }) {
            guard state.weight > half else { return }
            state.entries[key] = nil
            state.weight -= entry.weight
        }
    }
}
