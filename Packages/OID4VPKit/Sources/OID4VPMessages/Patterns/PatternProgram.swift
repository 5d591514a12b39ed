/// A compiled regular expression: instructions that lead to others by relative distances, so that programs can be put
/// together by appending.
struct PatternProgram: Sendable {
    /// One instruction.
    enum Instruction: Sendable {
        /// Takes one scalar of a set.
        case scalar(ScalarSet)
        /// Goes on in two places.
        case split(Int, Int)
        /// Goes on elsewhere.
        case jump(Int)
        /// Goes on where a condition on the position holds.
        case assert(Condition)
        /// Ends a match.
        case match
    }

    /// A condition on a position, which takes no scalar.
    enum Condition: Sendable {
        case start
        case end
        case wordBoundary
        case notWordBoundary
    }

    private(set) var instructions: [Instruction] = []

    init() {}

    init(_ instruction: Instruction) {
        instructions = [instruction]
    }

    var count: Int { instructions.count }

    mutating func append(_ other: PatternProgram) {
        instructions += other.instructions
    }

    mutating func append(_ instruction: Instruction) {
        instructions.append(instruction)
    }

    /// Either of two programs.
    static func either(_ first: PatternProgram, _ second: PatternProgram) -> PatternProgram {
        var program = PatternProgram(.split(1, first.count + 2))
        program.append(first)
        program.append(.jump(second.count + 1))
        program.append(second)
        return program
    }

    /// A program any number of times.
    static func repeated(_ body: PatternProgram) -> PatternProgram {
        var program = PatternProgram(.split(1, body.count + 2))
        program.append(body)
        program.append(.jump(-body.count - 1))
        return program
    }

    /// A program up to a number of times.
    static func optional(_ body: PatternProgram, upTo count: Int) -> PatternProgram {
        var program = PatternProgram()
        for round in 0..<count {
            program.append(.split(1, (body.count + 1) * (count - round)))
            program.append(body)
        }
        return program
    }
}
