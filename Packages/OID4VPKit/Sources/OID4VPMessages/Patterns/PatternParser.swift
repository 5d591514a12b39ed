/// Reads a regular expression of ECMA-262 into a program, without calling itself: open groups are on a stack.
struct PatternParser {
    /// A group that is open: the alternatives before the current one, and the parts of that.
    private struct Group {
        var alternatives: PatternProgram?
        /// The current alternative without its last atom, which a quantifier may follow.
        var sequence = PatternProgram()
        var lastAtom: PatternProgram?
    }

    private var scanner: PatternScanner
    private let limits: PatternLimits
    private var groups = [Group()]

    init(_ text: String, limits: PatternLimits) throws(OID4VPError) {
        self.limits = limits
        scanner = PatternScanner(text)
        guard scanner.count <= limits.length else {
            throw OID4VPError(.limitExceeded, "a regular expression has more than \(limits.length) characters")
        }
    }

    mutating func parse() throws(OID4VPError) -> PatternProgram {
        while let scalar = scanner.take() {
            switch scalar {
            case "(": try openGroup()
            case ")":
                guard groups.count > 1 else { throw scanner.invalid("a parenthesis is closed that is not open") }
                try add(closeGroup())
            case "|": try endAlternative()
            case "*", "+", "?": try quantify(scalar)
            case "{": try quantifyByCount()
            case "^": try addCondition(.start)
            case "$": try addCondition(.end)
            case ".": try add(PatternProgram(.scalar(.notLineEnd)))
            case "[": try add(PatternProgram(.scalar(scanner.takeClass())))
            case "\\": try addEscape()
            default: try add(PatternProgram(.scalar(ScalarSet(scalar))))
            }
        }
        guard groups.count == 1 else { throw scanner.invalid("a parenthesis is not closed") }
        var program = try closeGroup()
        program.append(.match)
        return program
    }

    // MARK: Groups

    private mutating func openGroup() throws(OID4VPError) {
        if scanner.take("?") {
            if scanner.take(":") {
                groups.append(Group())
                return
            }
            if scanner.take("=") || scanner.take("!") { throw scanner.unsupported("a look-ahead") }
            guard scanner.take("<") else { throw scanner.invalid("a group has an unknown kind") }
            if scanner.take("=") || scanner.take("!") { throw scanner.unsupported("a look-behind") }
            try scanner.takeGroupName()
        }
        groups.append(Group())
    }

    private mutating func closeGroup() throws(OID4VPError) -> PatternProgram {
        try endAlternative()
        return groups.popLast()?.alternatives ?? PatternProgram()
    }

    private mutating func endAlternative() throws(OID4VPError) {
        try flush()
        let last = groups.count - 1
        let sequence = groups[last].sequence
        groups[last].sequence = PatternProgram()
        if let alternatives = groups[last].alternatives {
            groups[last].alternatives = .either(alternatives, sequence)
        } else {
            groups[last].alternatives = sequence
        }
        try checkSize(groups[last].alternatives?.count ?? 0)
    }

    // MARK: Atoms

    /// Appends the last atom to its sequence.
    private mutating func flush() throws(OID4VPError) {
        let last = groups.count - 1
        guard let atom = groups[last].lastAtom else { return }
        groups[last].lastAtom = nil
        groups[last].sequence.append(atom)
        try checkSize(groups[last].sequence.count + (groups[last].alternatives?.count ?? 0))
    }

    private mutating func add(_ atom: PatternProgram) throws(OID4VPError) {
        try flush()
        groups[groups.count - 1].lastAtom = atom
    }

    /// A condition, which no quantifier may follow.
    private mutating func addCondition(_ condition: PatternProgram.Condition) throws(OID4VPError) {
        try add(PatternProgram(.assert(condition)))
        try flush()
    }

    private mutating func addEscape() throws(OID4VPError) {
        switch try scanner.takeEscape() {
        case .set(let set): try add(PatternProgram(.scalar(set)))
        case .condition(let condition): try addCondition(condition)
        }
    }

    // MARK: Quantifiers

    private mutating func quantify(_ sign: Unicode.Scalar) throws(OID4VPError) {
        switch sign {
        case "*": try quantify(0, nil)
        case "+": try quantify(1, nil)
        default: try quantify(0, 1)
        }
    }

    private mutating func quantifyByCount() throws(OID4VPError) {
        // A brace that starts no quantifier stands for itself (ECMA-262, annex B.1.2).
        guard let (least, most) = try scanner.takeCount() else {
            try add(PatternProgram(.scalar(ScalarSet("{"))))
            return
        }
        try quantify(least, most)
    }

    private mutating func quantify(_ least: Int, _ most: Int?) throws(OID4VPError) {
        let last = groups.count - 1
        guard let atom = groups[last].lastAtom else { throw scanner.invalid("nothing stands before a quantifier") }
        // A lazy quantifier matches the same texts.
        _ = scanner.take("?")
        // Neither factor is large: the scanner bounds counts, and a program is never larger than the limit.
        let optional = most.map { ($0 - least) * (atom.count + 1) } ?? atom.count + 2
        try checkSize(least * atom.count + optional)
        var program = PatternProgram()
        for _ in 0..<least { program.append(atom) }
        if let most {
            program.append(.optional(atom, upTo: most - least))
        } else {
            program.append(.repeated(atom))
        }
        // Nothing but another atom or the end may follow a quantifier.
        groups[last].lastAtom = nil
        groups[last].sequence.append(program)
        try checkSize(groups[last].sequence.count)
    }

    private func checkSize(_ count: Int) throws(OID4VPError) {
        guard count <= limits.instructions else {
            throw OID4VPError(.limitExceeded, "a regular expression needs more than \(limits.instructions) states")
        }
    }
}
