/// The pairs of a map in the order in which they were read or added.
///
/// Keys are looked up by equality of ``CBOR`` values. `append` does not look for an equal key; setting by subscript
/// does.
public struct CBORMap: Sendable {
    /// A key and its value.
    public struct Pair: Hashable, Sendable {
        /// The key.
        public var key: CBOR
        /// The value.
        public var value: CBOR

        /// A pair of the two.
        public init(key: CBOR, value: CBOR) {
            self.key = key
            self.value = value
        }
    }

    /// The pairs in order.
    public var pairs: [Pair]

    /// A map without pairs.
    public init() {
        pairs = []
    }

    /// A map of pairs in the order given.
    public init(_ pairs: [Pair]) {
        self.pairs = pairs
    }

    /// Adds a pair at the end.
    public mutating func append(_ key: CBOR, _ value: CBOR) {
        pairs.append(Pair(key: key, value: value))
    }

    /// The value of the first pair with an equal key; setting replaces it, adds a pair, or removes it for nil.
    public subscript(key: CBOR) -> CBOR? {
        get { pairs.first { $0.key == key }?.value }
        set {
            let index = pairs.firstIndex { $0.key == key }
            switch (index, newValue) {
            case (let index?, let value?): pairs[index].value = value
            case (let index?, nil): pairs.remove(at: index)
            case (nil, let value?): append(key, value)
            case (nil, nil): break
            }
        }
    }
}

extension CBORMap: RandomAccessCollection {
    /// The index of the first pair.
    public var startIndex: Int { pairs.startIndex }
    /// One past the index of the last pair.
    public var endIndex: Int { pairs.endIndex }
    /// The pair at an index.
    public subscript(index: Int) -> Pair { pairs[index] }
}

extension CBORMap: ExpressibleByDictionaryLiteral {
    /// A map of the pairs in the order written.
    public init(dictionaryLiteral elements: (CBOR, CBOR)...) {
        pairs = elements.map { Pair(key: $0.0, value: $0.1) }
    }
}

extension CBORMap: Hashable {
    /// Returns `true` for equal pairs in any order; the values of a repeated key must have the same order.
    ///
    /// Every value is compared at most once, so that nesting does not multiply the work.
    public static func == (first: CBORMap, second: CBORMap) -> Bool {
        guard first.count == second.count else { return false }
        var index = 0
        while index < first.count, first.pairs[index].key == second.pairs[index].key {
            guard first.pairs[index].value == second.pairs[index].value else { return false }
            index += 1
        }
        return index == first.count || first.hasPairs(of: second, from: index)
    }

    /// Returns `true` if the pairs from an index on are those of another map, in another order.
    private func hasPairs(of other: CBORMap, from start: Int) -> Bool {
        var places: [CBOR: [Int]] = [:]
        for index in (start..<other.count).reversed() { places[other.pairs[index].key, default: []].append(index) }
        return pairs[start...].allSatisfy { pair in
            places[pair.key]?.popLast().map { pair.value == other.pairs[$0].value } == true
        }
    }

    /// Hashes the pairs without their order.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(count)
        hasher.combine(pairs.reduce(0) { $0 &+ $1.hashValue })
    }
}
