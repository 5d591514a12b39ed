/// Makes owned values from a tape.
///
/// It calls itself for nested items: ``CBORLimits/maximumDepth`` bounds how often.
struct ValueReader {
    let contents: TapeContents
    let keepsForm: Bool
    /// The next entry.
    var entry: Int

    /// Reads the item at the next entry with all that is in it.
    mutating func read() -> CBOR {
        let head = contents.head(of: entry)
        let start = entry
        entry += 1
        let value: CBOR
        switch head.major {
        case 0: value = .unsigned(head.argument)
        case 1: value = .negative(head.argument)
        case 2: value = readBytes(start, head)
        case 3: value = readText(start, head)
        case 4: value = readArray(start, head)
        case 5: value = readMap(start, head)
        case 6: value = .tagged(head.argument, read())
        default: return readMajor7(head)
        }
        return keepsForm ? formed(value, start, head) : value
    }

    private func readMajor7(_ head: Head) -> CBOR {
        guard head.initial < 0xf9 else {
            return .float(CBORFloat(initialByte: head.initial, bits: head.argument))
        }
        return CBORSimpleValue(rawValue: UInt8(truncatingIfNeeded: head.argument)).map(CBOR.simple) ?? .undefined
    }

    private mutating func readBytes(_ start: Int, _ head: Head) -> CBOR {
        guard head.isIndefinite else {
            // Behind it are the entries of what is embedded in it, if that was indexed along.
            entry = contents.next(after: start)
            let range = contents.contentRange(of: start)
            return unsafe .bytes(Array(contents.bytes[range]))
        }
        entry = contents.next(after: start)
        return .bytes(contents.string(at: start))
    }

    private mutating func readText(_ start: Int, _ head: Head) -> CBOR {
        guard head.isIndefinite else {
            let range = contents.contentRange(of: start)
            return unsafe .text(String(decoding: contents.bytes[range], as: UTF8.self))
        }
        entry = contents.next(after: start)
        return .text(String(decoding: contents.string(at: start), as: UTF8.self))
    }

    private mutating func readArray(_ start: Int, _ head: Head) -> CBOR {
        var elements: [CBOR] = []
        elements.reserveCapacity(Int(truncatingIfNeeded: head.argument))
        let end = contents.children(of: start).end
        while entry < end { elements.append(read()) }
        if head.isIndefinite { entry += 1 }
        return .array(elements)
    }

    private mutating func readMap(_ start: Int, _ head: Head) -> CBOR {
        var pairs: [CBORMap.Pair] = []
        pairs.reserveCapacity(Int(truncatingIfNeeded: head.argument))
        let end = contents.children(of: start).end
        while entry < end {
            let key = read()
            pairs.append(CBORMap.Pair(key: key, value: read()))
        }
        if head.isIndefinite { entry += 1 }
        return .map(CBORMap(pairs))
    }

    private func formed(_ value: CBOR, _ start: Int, _ head: Head) -> CBOR {
        if let width = head.redundantWidth { return .formed(.width(width), value) }
        guard head.isIndefinite else { return value }
        guard head.major < 4 else { return .formed(.indefinite, value) }
        let chunks = contents.children(of: start).map { entry in
            let head = contents.head(of: entry)
            return CBORForm.Chunk(count: Int(truncatingIfNeeded: head.argument), width: head.redundantWidth)
        }
        return .formed(.chunks(chunks), value)
    }
}

/// A value that is looked at where it stands.
///
/// Taking an element out of an array retains what it holds, twice the price of writing it. A noncopyable value is lent
/// instead: this has the layout of its only property, so that memory of the one can be read as memory of the other.
struct Borrowed<Value>: ~Copyable {
    let value: Value
}

extension Array {
    /// Lends the elements where they stand, one after the other.
    @inline(__always)
    func forEachBorrowed(_ body: (borrowing Borrowed<Element>) -> Void) {
        unsafe withUnsafeBufferPointer { elements in
            unsafe elements.withMemoryRebound(to: Borrowed<Element>.self) { borrowed in
                for index in borrowed.indices { unsafe body(borrowed[index]) }
            }
        }
    }
}
