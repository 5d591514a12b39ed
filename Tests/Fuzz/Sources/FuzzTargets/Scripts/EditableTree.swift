/// A structure of parts in which a script can change any part.
protocol EditableTree {
    /// The parts in their order; empty for a leaf.
    var children: [Self] { get }

    /// The same structure with other parts.
    func replacing(children: [Self]) -> Self

    /// The structure without one of its parts.
    func removing(at index: Int) -> Self

    /// The structure with a change: a leaf anywhere, others outside of their parts.
    func changed(by script: inout FuzzScript) -> Self

    /// A small structure made by the script.
    static func made(by script: inout FuzzScript) -> Self
}

extension EditableTree {
    /// Makes up to six changes, while the script lasts.
    func edited(by script: inout FuzzScript) -> Self {
        var tree = self
        var edits = 0
        while !script.isAtEnd, edits < 6 {
            var position = script.number(below: tree.count)
            tree = tree.edited(at: &position, whole: tree, by: &script)
            edits += 1
        }
        return tree
    }

    func removing(at index: Int) -> Self {
        var children = children
        children.remove(at: index)
        return replacing(children: children)
    }

    /// The number of nodes: itself, its parts, and their parts.
    private var count: Int { children.reduce(1) { $0 + $1.count } }

    /// The part at a place, counted depth first from itself.
    private func part(at position: inout Int) -> Self? {
        if position == 0 { return self }
        position -= 1
        for child in children {
            if let found = child.part(at: &position) { return found }
        }
        return nil
    }

    /// Makes one change at a place, which is its own or that of a part.
    private func edited(at position: inout Int, whole: Self, by script: inout FuzzScript) -> Self {
        if position == 0 { return replaced(whole: whole, by: &script) }
        position -= 1
        var children = children
        for (index, child) in children.enumerated() {
            let count = child.count
            guard position < count else {
                position -= count
                continue
            }
            guard position == 0 else {
                children[index] = child.edited(at: &position, whole: whole, by: &script)
                return replacing(children: children)
            }
            switch script.byte() % 6 {
            case 0: return removing(at: index)
            case 1: children.insert(child, at: index)
            case 2: children.swapAt(index, (index + 1) % children.count)
            case 3: children.insert(Self.made(by: &script), at: index)
            default: children[index] = child.replaced(whole: whole, by: &script)
            }
            return replacing(children: children)
        }
        return self
    }

    /// A changed copy of itself, or another structure in its place: a new one, or a part of the whole.
    private func replaced(whole: Self, by script: inout FuzzScript) -> Self {
        switch script.byte() % 6 {
        case 0: return Self.made(by: &script)
        case 1:
            var position = script.number(below: whole.count)
            return whole.part(at: &position) ?? self
        default: return changed(by: &script)
        }
    }
}

extension [UInt8] {
    /// Changed as a script says: a bit, a byte, a stretch, or all of it.
    func changed(by script: inout FuzzScript) -> [UInt8] {
        var bytes = self
        let index = script.number(below: count)
        switch script.byte() % 6 {
        case 0 where !bytes.isEmpty: bytes[index] ^= 1 << (script.byte() % 8)
        case 1 where !bytes.isEmpty: bytes[index] = script.byte()
        case 2: bytes.removeLast(Swift.min(count, Int(script.byte())))
        case 3: bytes.insert(contentsOf: script.bytes(), at: index)
        case 4: bytes.removeFirst(Swift.min(count, Int(script.byte())))
        default: bytes = script.bytes()
        }
        return bytes
    }
}

extension String {
    /// Changed as a script says; invalid UTF-8 is then repaired.
    func changed(by script: inout FuzzScript) -> String {
        String(decoding: Array(utf8).changed(by: &script), as: UTF8.self)
    }
}
