/// Runs a program over a text: all places that the program can be in advance by one scalar at a time.
struct PatternMachine {
    private let program: [PatternProgram.Instruction]
    /// The position at which each instruction was reached last, so that each is looked at once per position.
    private var reachedAt: [Int]
    /// The instructions for one scalar that can be reached at the position looked at.
    private var places: [Int] = []
    private var pending: [Int] = []
    private var steps = 0

    init(_ program: [PatternProgram.Instruction]) {
        self.program = program
        reachedAt = Array(repeating: -1, count: program.count)
    }

    mutating func search(_ text: [Unicode.Scalar]) -> (matches: Bool, steps: Int) {
        var current: [Int] = []
        for position in 0...text.count {
            // A match may start at each position; those that started before have reached theirs already.
            if reach(0, position, text) { return (true, steps) }
            guard position < text.count else { break }
            swap(&current, &places)
            places.removeAll(keepingCapacity: true)
            for index in current {
                guard case .scalar(let set) = program[index], set.contains(text[position]) else { continue }
                if reach(index + 1, position + 1, text) { return (true, steps) }
            }
        }
        return (false, steps)
    }

    /// Adds an instruction and all that follow it without taking a scalar; returns `true` if the match ends there.
    private mutating func reach(_ start: Int, _ position: Int, _ text: [Unicode.Scalar]) -> Bool {
        pending.append(start)
        defer { pending.removeAll(keepingCapacity: true) }
        while let index = pending.popLast() {
            guard reachedAt[index] != position else { continue }
            reachedAt[index] = position
            steps += 1
            switch program[index] {
            case .scalar: places.append(index)
            case .split(let first, let second):
                pending.append(index + second)
                pending.append(index + first)
            case .jump(let distance): pending.append(index + distance)
            case .assert(let condition): if condition.holds(at: position, in: text) { pending.append(index + 1) }
            case .match: return true
            }
        }
        return false
    }
}

extension PatternProgram.Condition {
    fileprivate func holds(at position: Int, in text: [Unicode.Scalar]) -> Bool {
        switch self {
        case .start: position == 0
        case .end: position == text.count
        case .wordBoundary: Self.isWordBoundary(position, text)
        case .notWordBoundary: !Self.isWordBoundary(position, text)
        }
    }

    private static func isWordBoundary(_ position: Int, _ text: [Unicode.Scalar]) -> Bool {
        let isWordBefore = position > 0 && ScalarSet.word.contains(text[position - 1])
        let isWordAfter = position < text.count && ScalarSet.word.contains(text[position])
        return isWordBefore != isWordAfter
    }
}
