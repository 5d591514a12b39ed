/// The keys from the root to a value, as a list that shares its begin, so that descending costs one step.
struct CodingPath {
    private var last: Step?

    private final class Step {
        let key: any CodingKey
        let previous: Step?

        init(_ key: any CodingKey, after previous: Step?) {
            self.key = key
            self.previous = previous
        }
    }

    /// The path one step further.
    func appending(_ key: any CodingKey) -> CodingPath {
        CodingPath(last: Step(key, after: last))
    }

    init() {}

    private init(last: Step) {
        self.last = last
    }

    /// The keys, outermost first.
    var keys: [any CodingKey] {
        var keys: [any CodingKey] = []
        var step = last
        while let current = step {
            keys.append(current.key)
            step = current.previous
        }
        return keys.reversed()
    }
}
