extension TapeContents {
    /// The step from an item, which may be open, to one directly within it.
    func step(from parent: Int, to child: Int) -> CBORPath.Step {
        var entry = parent + 1
        var previous = entry
        var index = 0
        while entry < child {
            previous = entry
            entry = next(after: entry)
            index += 1
        }
        return step(from: parent, toChild: index, after: previous)
    }

    /// The step from an item to the one with an index directly within it, and the entry of the one before that.
    func step(from parent: Int, toChild index: Int, after previous: Int) -> CBORPath.Step {
        switch head(of: parent).major {
        case 2 where embeddedItem(in: parent) != nil: return .embedded
        case 5: return index % 2 == 0 ? .keyItem(index / 2) : step(forKey: previous)
        case 6: return .tag(head(of: parent).argument)
        default: return .index(index)
        }
    }

    /// The step to the value of a key.
    func step(forKey entry: Int) -> CBORPath.Step {
        let head = head(of: entry)
        switch head.major {
        case 0: return .label(Int128(head.argument))
        case 1: return .label(-1 - Int128(head.argument))
        case 3 where !head.isIndefinite:
            return unsafe .key(String(decoding: bytes[contentRange(of: entry)], as: UTF8.self))
        default:
            let range = range(of: entry)
            return unsafe .otherKey("\(Hex.text(bytes[range].prefix(32)))")
        }
    }
}
