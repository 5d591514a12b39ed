// What is rare: kept out of the loop.
extension TapeBuilder {
    /// More room for entries, the written ones moved there and the old room freed.
    @inline(never)
    func grown() throws(TapeFailure) -> UnsafeMutableBufferPointer<TapeEntry> {
        guard count < rules.maximumItems else {
            throw TapeFailure(.limitExceeded, "more than \(rules.maximumItems) items", position: position, entry: count)
        }
        let capacity = min(max(count * 2, 64), rules.maximumItems)
        let larger = UnsafeMutableBufferPointer<TapeEntry>.allocate(capacity: capacity)
        _ = unsafe larger.moveInitialize(fromContentsOf: entries[..<count])
        unsafe entries.deallocate()
        return unsafe larger
    }

    @inline(never)
    func tooLong() -> TapeFailure {
        TapeFailure(.limitExceeded, "more than \(rules.maximumSize) bytes", position: 0, entry: 0)
    }

    @inline(never)
    func truncated(_ message: String) -> TapeFailure {
        unsafe TapeFailure(.truncated, message, position: bytes.count, entry: count)
    }

    @inline(never)
    func missingItems(_ items: UInt64, from start: Int) -> TapeFailure {
        truncated("array of \(items) items", from: start)
    }

    @inline(never)
    func missingPairs(_ pairs: UInt64, from start: Int) -> TapeFailure {
        truncated("map of \(pairs) pairs", from: start)
    }

    @inline(never)
    func shortString(_ length: UInt64, from start: Int) -> TapeFailure {
        truncated("string of \(length) bytes", from: start)
    }

    private func truncated(_ claim: String, from start: Int) -> TapeFailure {
        let rest = unsafe bytes.count - position
        return TapeFailure(.truncated, "\(claim) where \(rest) bytes are left", position: start, entry: count - 1)
    }

    @inline(never)
    func longString(from start: Int) -> TapeFailure {
        let message = "string of more than \(rules.maximumStringLength) bytes"
        return TapeFailure(.limitExceeded, message, position: start, entry: count - 1)
    }

    @inline(never)
    func reserved(from start: Int) -> TapeFailure {
        let initial = unsafe bytes[start]
        let message = "additional information \(initial & 0x1f) does not exist in major type \(initial >> 5)"
        return TapeFailure(.reserved, message, position: start, entry: count)
    }

    @inline(never)
    func notShortest(from start: Int) -> TapeFailure {
        TapeFailure(.notDeterministic, "the argument is not in its shortest form", position: start, entry: count)
    }

    @inline(never)
    func indefinite(from start: Int) -> TapeFailure {
        TapeFailure(.notDeterministic, "the length is indefinite", position: start, entry: count)
    }

    @inline(never)
    func invalidUTF8(at position: Int) -> TapeFailure {
        TapeFailure(.invalidUTF8, "the text string is not valid UTF-8", position: position, entry: count - 1)
    }

    @inline(never)
    func tooDeep() -> TapeFailure {
        let message = "more than \(rules.maximumDepth) levels of nesting"
        return unsafe TapeFailure(
            .limitExceeded,
            message,
            position: Int(entries[count - 1].offset),
            entry: count - 1
        )
    }

    @inline(never)
    func unexpectedBreak() -> TapeFailure {
        let message = "a break where no indefinite-length item can end"
        return TapeFailure(.unexpectedBreak, message, position: position, entry: count)
    }

    @inline(never)
    func invalidChunk(_ kind: UInt8) -> TapeFailure {
        let name = kind == 0x60 ? "text" : "byte"
        let message = "a chunk that is not a definite-length \(name) string"
        return TapeFailure(.invalidChunk, message, position: position, entry: count)
    }

    @inline(never)
    func invalidSimple(from start: Int) -> TapeFailure {
        let message = "a simple value below 32 in two bytes"
        return TapeFailure(.invalidSimpleValue, message, position: start, entry: count - 1)
    }

    /// The error for the failure, with the path from the root.
    func error(for failure: TapeFailure) -> CBORError {
        let contents = unsafe TapeContents(bytes: bytes, entries: UnsafeBufferPointer(entries))
        var steps: [CBORPath.Step] = []
        var child = failure.entry
        var parent = container
        while parent != Self.none {
            steps.append(contents.step(from: Int(parent), to: child))
            child = Int(parent)
            unsafe parent = entries[child].next
        }
        return CBORError(failure.code, failure.message, offset: failure.position, path: CBORPath(steps.reversed()))
    }
}
