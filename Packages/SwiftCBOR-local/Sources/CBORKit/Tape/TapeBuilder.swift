/// The one pass over an input that checks it and writes its tape.
///
/// It keeps no stack of calls: an open item has the index of the enclosing one in its entry, and the number of items
/// that are still to come stands in a small buffer. All that runs for every item is inlined into ``build(from:options:)``
/// so that the state stays in registers.
@safe
struct TapeBuilder {
    /// Room for the entries, of which ``count`` are written; the owner frees it.
    private(set) var entries: UnsafeMutableBufferPointer<TapeEntry>
    /// How many entries are written.
    private(set) var count = 0
    /// The first byte that is not read yet.
    private(set) var position = 0
    /// The innermost open item, or ``none``.
    private(set) var container = Self.none
    /// Why the pass stopped early, if it did.
    private(set) var failure: TapeFailure?

    let bytes: UnsafeRawBufferPointer
    let rules: TapeRules
    /// Items that may still come into the innermost open item; ``endless`` minus those that came, if indefinite.
    private var remaining: UInt32 = 1
    private var depth = 0

    /// The enclosing item of the root.
    static let none = UInt32.max
    /// The number of items to come in an indefinite length: more than any input can hold.
    private static let endless = UInt32.max
    /// Numbers above this belong to indefinite lengths, since inputs have fewer bytes.
    private static let mostDefinite = UInt32(Int32.max)

    private init(_ bytes: UnsafeRawBufferPointer, rules: TapeRules) {
        unsafe self.bytes = bytes
        self.rules = rules
        let estimate = bytes.count < 1 << 16 ? bytes.count / 16 + 16 : bytes.count / 4
        // Where more may follow, the item can be much smaller than the input.
        let capacity = rules.options.trailingBytes == .allow ? min(estimate, 64) : estimate
        unsafe entries = .allocate(capacity: min(capacity, rules.maximumItems))
    }

    /// Runs the pass; the result holds the entries or the failure.
    static func build(from input: UnsafeRawBufferPointer, options: CBORReadingOptions) -> TapeBuilder {
        let rules = TapeRules(options)
        let isTooLong = input.count > rules.maximumSize
        let bytes = unsafe UnsafeRawBufferPointer(rebasing: input.prefix(rules.maximumSize))
        var builder = unsafe TapeBuilder(bytes, rules: rules)
        guard !isTooLong || options.trailingBytes == .allow else {
            builder.failure = builder.tooLong()
            return builder
        }
        unsafe withUnsafeTemporaryAllocation(of: UInt32.self, capacity: rules.maximumDepth + 1) { counts in
            do throws(TapeFailure) {
                while try unsafe builder.readItem(counts) {}
                try builder.checkEnd()
            } catch {
                builder.failure = isTooLong && error.code == .truncated ? builder.tooLong() : error
            }
        }
        return builder
    }

    private func checkEnd() throws(TapeFailure) {
        let rest = unsafe bytes.count - position
        guard rest == 0 || rules.options.trailingBytes == .allow else {
            throw TapeFailure(.trailingBytes, "\(rest) bytes follow the item", position: position, entry: 0)
        }
    }
}

// The loop.
extension TapeBuilder {
    /// Reads one head, and the content of a string; returns false once the root is complete.
    @inline(__always)
    private mutating func readItem(_ counts: UnsafeMutableBufferPointer<UInt32>) throws(TapeFailure) -> Bool {
        guard unsafe position < bytes.count else { throw truncated("the input ends where an item should begin") }
        let start = position
        let initial = unsafe bytes[start]
        if initial & 0x1f == 31 { return try unsafe readIndefinite(initial, counts) }
        let argument = try readHead(initial)
        try append(start)
        switch initial >> 5 {
        case 0, 1: break
        case 2: try skipString(argument, from: start)
        case 3: try skipText(argument, from: start)
        case 4:
            guard unsafe argument <= UInt64(bytes.count - position) else { throw missingItems(argument, from: start) }
            if argument > 0 { return try unsafe open(UInt32(truncatingIfNeeded: argument), counts) }
        case 5:
            guard unsafe argument <= UInt64(bytes.count - position) / 2 else {
                throw missingPairs(argument, from: start)
            }
            if argument > 0 { return try unsafe open(UInt32(truncatingIfNeeded: argument) * 2, counts) }
        case 6:
            if rules.checksTags { try rules.checkTag(argument, at: start, entry: count - 1) }
            return try unsafe open(1, counts)
        default:
            try checkMajor7(initial, argument, from: start)
        }
        return try unsafe complete(counts)
    }

    /// Reads the first byte and the argument; indefinite lengths are not for this.
    @inline(__always)
    private mutating func readHead(_ initial: UInt8) throws(TapeFailure) -> UInt64 {
        let information = initial & 0x1f
        position += 1
        if information < 24 { return UInt64(information) }
        guard information < 28 else { throw reserved(from: position - 1) }
        let width = 1 << Int(information - 24)
        guard unsafe width <= bytes.count - position else { throw truncated("the input ends in the head of an item") }
        let argument = unsafe Head(at: position - 1, in: bytes).argument
        position += width
        if rules.requiresShortestArguments, initial < 0xe0, CBORWidth(shortestFor: argument)?.rawValue != information {
            throw notShortest(from: position - width - 1)
        }
        return argument
    }

    @inline(__always)
    private mutating func append(_ start: Int) throws(TapeFailure) {
        if unsafe count == entries.count { unsafe entries = try unsafe grown() }
        unsafe entries[count] = TapeEntry(
            offset: UInt32(truncatingIfNeeded: start),
            next: UInt32(truncatingIfNeeded: count + 1)
        )
        count += 1
    }

    @inline(__always)
    private mutating func skipString(_ length: UInt64, from start: Int) throws(TapeFailure) {
        guard unsafe length <= UInt64(bytes.count - position) else { throw shortString(length, from: start) }
        guard length <= rules.maximumStringLength else { throw longString(from: start) }
        position += Int(truncatingIfNeeded: length)
    }

    @inline(__always)
    private mutating func skipText(_ length: UInt64, from start: Int) throws(TapeFailure) {
        let first = position
        try skipString(length, from: start)
        let text = unsafe UnsafeRawBufferPointer(rebasing: bytes[first..<position])
        guard let address = text.baseAddress, unsafe !UTF8Check.isASCII(address, count: text.count) else { return }
        if let invalid = unsafe UTF8Check.firstInvalidPosition(in: text) { throw invalidUTF8(at: first + invalid) }
        if rules.requiresDCBOR { try unsafe rules.checkNormalization(text, at: start, entry: count - 1) }
    }

    /// Makes the item just appended the innermost open one.
    @inline(__always)
    private mutating func open(
        _ items: UInt32,
        _ counts: UnsafeMutableBufferPointer<UInt32>
    ) throws(TapeFailure) -> Bool {
        guard depth < rules.maximumDepth else { throw tooDeep() }
        unsafe counts[depth] = remaining
        depth += 1
        unsafe entries[count - 1].next = container
        container = UInt32(truncatingIfNeeded: count - 1)
        remaining = items
        return true
    }

    /// Counts one item as complete and closes all that end with it; returns false if that is the root.
    @inline(__always)
    private mutating func complete(_ counts: UnsafeMutableBufferPointer<UInt32>) throws(TapeFailure) -> Bool {
        remaining &-= 1
        while remaining == 0 {
            guard container != Self.none else { return false }
            try close()
            unsafe remaining = counts[depth] &- 1
        }
        return true
    }

    /// Closes the innermost open item.
    @inline(__always)
    private mutating func close() throws(TapeFailure) {
        if rules.checksOnClose { try rules.checkClosing(Int(container), end: count, in: contents) }
        let closed = Int(container)
        unsafe container = entries[closed].next
        unsafe entries[closed].next = UInt32(truncatingIfNeeded: count)
        depth -= 1
    }

    /// Reads a head with additional information 31: the begin of an indefinite length or a break.
    @inline(__always)
    private mutating func readIndefinite(
        _ initial: UInt8,
        _ counts: UnsafeMutableBufferPointer<UInt32>
    ) throws(TapeFailure) -> Bool {
        let start = position
        switch initial >> 5 {
        case 7: return try unsafe readBreak(counts)
        case 2...5 where rules.options.requiresDefiniteLengths: throw indefinite(from: start)
        case 2, 3: try readChunks(of: initial & 0xe0)
        case 4, 5:
            try append(start)
            position += 1
            return try unsafe open(Self.endless, counts)
        default: throw reserved(from: start)
        }
        return try unsafe complete(counts)
    }

    @inline(__always)
    private mutating func readBreak(_ counts: UnsafeMutableBufferPointer<UInt32>) throws(TapeFailure) -> Bool {
        guard remaining > Self.mostDefinite else { throw unexpectedBreak() }
        let isMap = contents.initialByte(of: Int(container)) == 0xbf
        guard !isMap || (Self.endless - remaining) % 2 == 0 else { throw unexpectedBreak() }
        try append(position)
        position += 1
        try close()
        unsafe remaining = counts[depth]
        return try unsafe complete(counts)
    }

    /// Reads a string in chunks; they are no level of nesting, since they cannot nest.
    @inline(__always)
    private mutating func readChunks(of kind: UInt8) throws(TapeFailure) {
        let string = count
        let start = position
        try append(start)
        position += 1
        var length = 0
        while true {
            guard unsafe position < bytes.count else { throw truncated("the input ends in a string in chunks") }
            let chunk = position
            let initial = unsafe bytes[chunk]
            if initial == TapeEntry.breakByte { break }
            guard initial & 0xe0 == kind, initial & 0x1f != 31 else { throw invalidChunk(kind) }
            let argument = try readHead(initial)
            try append(chunk)
            if kind == 0x60 { try skipText(argument, from: chunk) } else { try skipString(argument, from: chunk) }
            length += Int(truncatingIfNeeded: argument)
            guard UInt64(length) <= rules.maximumStringLength else { throw longString(from: start) }
        }
        try append(position)
        position += 1
        unsafe entries[string].next = UInt32(truncatingIfNeeded: count)
    }

    @inline(__always)
    private func checkMajor7(_ initial: UInt8, _ argument: UInt64, from start: Int) throws(TapeFailure) {
        if initial <= 0xf8 {
            guard initial != 0xf8 || argument >= 32 else { throw invalidSimple(from: start) }
            if rules.checksSimpleValues { try rules.checkSimple(argument, at: start, entry: count - 1) }
        } else if rules.checksFloats {
            try rules.checkFloat(initial, argument, at: start, entry: count - 1)
        }
    }

    /// What is written so far, for checks that look back.
    private var contents: TapeContents {
        unsafe TapeContents(bytes: bytes, entries: UnsafeBufferPointer(rebasing: entries[..<count]))
    }
}
