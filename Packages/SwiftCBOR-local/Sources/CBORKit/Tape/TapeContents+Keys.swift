extension TapeContents {
    /// Returns `true` if an item is a text string with the given UTF-8 bytes.
    @inline(__always)
    func isText(_ entry: Int, equalTo text: UnsafeBufferPointer<UInt8>) -> Bool {
        let head = head(of: entry)
        guard head.major == 3 else { return false }
        guard !head.isIndefinite else { return unsafe string(at: entry).elementsEqual(text) }
        guard head.argument == UInt64(text.count) else { return false }
        guard let base = unsafe bytes.baseAddress, let other = text.baseAddress else { return true }
        let start = unsafe base + offset(of: entry) + head.byteCount
        return unsafe ByteComparison.areEqual(start, UnsafeRawPointer(other), count: text.count)
    }

    /// Returns `true` if an item is an integer of major type 0 or 1 with the given value.
    @inline(__always)
    func isInteger(_ entry: Int, equalTo value: Int) -> Bool {
        let head = head(of: entry)
        return value < 0
            ? head.major == 1 && head.argument == UInt64(~value) : head.major == 0 && head.argument == UInt64(value)
    }

    /// The integer of major type 0 or 1, or nil for other items and for those that the type cannot hold.
    @inline(__always)
    func integer<Integer: FixedWidthInteger>(_ entry: Int) -> Integer? {
        let head = head(of: entry)
        switch head.major {
        case 0: return Integer(exactly: head.argument)
        case 1:
            guard let argument = Int64(exactly: head.argument) else {
                return Integer(exactly: -1 - Int128(head.argument))
            }
            return Integer(exactly: ~argument)
        default: return nil
        }
    }

    /// The text of a definite-length text string, or nil for other items.
    @inline(__always)
    func text(_ entry: Int) -> String? {
        let head = head(of: entry)
        guard head.major == 3, !head.isIndefinite, let base = unsafe bytes.baseAddress else { return nil }
        let start = unsafe base + offset(of: entry) + head.byteCount
        let utf8 = unsafe UnsafeRawBufferPointer(start: start, count: Int(truncatingIfNeeded: head.argument))
        return unsafe String(decoding: utf8, as: UTF8.self)
    }

    /// The floating-point number, or nil for other items.
    @inline(__always)
    func double(_ entry: Int) -> Double? {
        let head = head(of: entry)
        return head.initial < 0xf9 ? nil : CBORFloat(initialByte: head.initial, bits: head.argument).value
    }

    /// The Boolean value, or nil for other items.
    @inline(__always)
    func bool(_ entry: Int) -> Bool? {
        switch initialByte(of: entry) {
        case 0xf4: false
        case 0xf5: true
        default: nil
        }
    }
}
