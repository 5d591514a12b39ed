/// The one pass over an input that checks it and writes its tape.
///
/// It keeps no stack of calls: an open item has the index of the enclosing one in its entry, and the number of items
/// that are still to come stands in a small buffer.
///
/// The code for every item is inlined into one loop. The few numbers that change stay in registers; all else is in
/// ``TapeWorkspace``, in memory. The strictness is known at compile time, so that the checks of strict readers cost
/// others nothing.
@safe
struct TapeBuilder<Strictness: TapeStrictness> {
    /// The first byte that is not read yet.
    private var cursor: UnsafeRawPointer
    /// The number of entries written.
    private var count = 0
    /// The innermost open item, or ``TapeWorkspace/none``.
    private var container = TapeWorkspace.none
    /// Items that may still come into the innermost open item; ``endless`` minus those that came, if indefinite.
    private var remaining: UInt32 = 1
    /// The place for the number of the enclosing item while another is open.
    private var level: UnsafeMutablePointer<UInt32>

    /// The first byte of the input.
    private let base: UnsafeRawPointer
    /// One past the last byte of the input, or of the embedded item that is being read.
    private var end: UnsafeRawPointer
    /// Room for the entries: that of the workspace, which moves when it grows.
    private var entries: UnsafeMutableBufferPointer<TapeEntry>
    private let work: UnsafeMutablePointer<TapeWorkspace>

    /// The number of items to come in an indefinite length: more than any input can hold.
    private static var endless: UInt32 { .max }
    /// Numbers above this belong to indefinite lengths, since inputs have fewer bytes.
    private static var mostDefinite: UInt32 { UInt32(Int32.max) }

    private init(_ work: UnsafeMutablePointer<TapeWorkspace>) {
        unsafe self.work = work
        unsafe base = work.pointee.base
        unsafe end = work.pointee.end
        unsafe entries = work.pointee.entries
        unsafe cursor = base
        unsafe level = work.pointee.counts
    }

    /// Fills the workspace; returns the failure that stopped the pass, if any.
    @inline(never)
    static func run(_ work: UnsafeMutablePointer<TapeWorkspace>) -> TapeFailure? {
        var builder = unsafe TapeBuilder(work)
        var failure: TapeFailure?
        do throws(TapeFailure) {
            while try builder.readItem() {}
            try builder.checkEnd()
        } catch {
            failure = error
        }
        unsafe work.pointee.count = builder.count
        unsafe work.pointee.container = builder.container
        unsafe work.pointee.position = builder.position
        return failure
    }

    private func checkEnd() throws(TapeFailure) {
        guard rest > 0, unsafe work.pointee.rules.checks.contains(.trailingBytes) else { return }
        throw TapeFailure(.trailingBytes, position: position, entry: 0, argument: rest)
    }
}

// The loop.
extension TapeBuilder {
    /// Reads one head, and the content of a string; returns false once the root is complete.
    @inline(__always)
    private mutating func readItem() throws(TapeFailure) -> Bool {
        guard unsafe cursor < end else {
            throw TapeFailure(.missingItem, position: position, entry: count)
        }
        let initial = unsafe cursor.load(as: UInt8.self)
        if initial & 0x1f == 31 { return try readIndefinite(initial) }
        try append()
        let argument = try readHead(initial)
        switch initial >> 5 {
        case 0: break
        case 1: if Strictness.isStrict { try check { unsafe work.pointee.rules.checkNegative(argument) } }
        case 2:
            try skipString(argument)
            if unsafe work.pointee.indexesEmbeddedItems, isInTag24 { indexEmbeddedItem(argument) }
        case 3: try skipText(argument)
        case 4:
            guard argument <= rest else { throw failure(.shortArray, argument) }
            if argument > 0 { return try open(UInt32(truncatingIfNeeded: argument)) }
        case 5:
            guard argument <= rest / 2 else { throw failure(.shortMap, argument) }
            if argument > 0 { return try open(UInt32(truncatingIfNeeded: argument) &* 2) }
        case 6:
            if Strictness.isStrict, unsafe work.pointee.rules.checks.contains(.tags) {
                try check { unsafe work.pointee.rules.checkTag(argument) }
            }
            return try open(1)
        default: try checkMajor7(initial, argument)
        }
        return try complete()
    }

    /// The number of bytes that are not read yet.
    @inline(__always)
    private var rest: UInt64 { unsafe UInt64(truncatingIfNeeded: end - cursor) }

    @inline(__always)
    private var position: Int { unsafe cursor - base }

    /// The failure of the item appended last.
    private func failure(_ reason: TapeFailure.Reason, _ argument: UInt64 = 0) -> TapeFailure {
        let entry = count - 1
        return unsafe TapeFailure(
            reason,
            position: Int(entries[entry].offset),
            entry: entry,
            argument: argument
        )
    }

    /// Fails with the reason found for the item appended last, if there is one.
    private func check(_ find: () -> TapeFailure.Reason?, argument: UInt64 = 0) throws(TapeFailure) {
        if let reason = find() { throw failure(reason, argument) }
    }

    /// Reads the first byte and the argument; indefinite lengths are not for this.
    @inline(__always)
    private mutating func readHead(_ initial: UInt8, noted: Int? = nil) throws(TapeFailure) -> UInt64 {
        let information = initial & 0x1f
        unsafe cursor += 1
        if information < 24 { return UInt64(information) }
        guard information < 28 else { throw failure(.reserved, UInt64(initial)) }
        let width = 1 << Int(information &- 24)
        guard UInt64(width) <= rest else {
            throw TapeFailure(.truncatedHead, position: position + Int(rest), entry: count - 1)
        }
        let argument = unsafe Head.argument(after: information, at: cursor)
        unsafe cursor += width
        if Strictness.isStrict { try checkWidth(initial, argument, noted: noted) }
        return argument
    }

    /// Writes the entry of the item that begins here.
    @inline(__always)
    private mutating func append() throws(TapeFailure) {
        if unsafe count == entries.count { try grow() }
        let offset = UInt32(truncatingIfNeeded: position)
        unsafe entries[count] = TapeEntry(offset: offset, next: UInt32(truncatingIfNeeded: count &+ 1))
        count &+= 1
    }

    /// Makes more room for entries.
    @inline(never)
    private mutating func grow() throws(TapeFailure) {
        guard unsafe work.pointee.grow() else {
            let limit = unsafe work.pointee.rules.maximumItems
            throw TapeFailure(.tooManyItems, position: position, entry: count, argument: UInt64(limit))
        }
        unsafe entries = work.pointee.entries
    }

    @inline(__always)
    private mutating func skipString(_ length: UInt64) throws(TapeFailure) {
        guard length <= rest else { throw failure(.shortString, length) }
        let limit = unsafe work.pointee.rules.maximumStringLength
        guard length <= limit else { throw failure(.longString, limit) }
        unsafe cursor += Int(truncatingIfNeeded: length)
    }

    @inline(__always)
    private mutating func skipText(_ length: UInt64) throws(TapeFailure) {
        try skipString(length)
        let length = Int(truncatingIfNeeded: length)
        if unsafe UTF8Check.isASCII(cursor - length, count: length) { return }
        let text = unsafe UnsafeRawBufferPointer(start: cursor - length, count: length)
        if let invalid = unsafe UTF8Check.firstInvalidPosition(in: text) {
            throw TapeFailure(.invalidUTF8, position: position - length + invalid, entry: count - 1)
        }
        if Strictness.isStrict { try check { unsafe work.pointee.rules.checkNormalization(text) } }
    }

    /// Makes the item just appended the innermost open one.
    @inline(__always)
    private mutating func open(_ items: UInt32) throws(TapeFailure) -> Bool {
        guard unsafe level < work.pointee.lastLevel else {
            throw unsafe failure(.tooDeep, UInt64(work.pointee.rules.maximumDepth))
        }
        unsafe level.pointee = remaining
        unsafe level += 1
        unsafe entries[count &- 1].next = container
        container = UInt32(truncatingIfNeeded: count &- 1)
        remaining = items
        return true
    }

    /// Counts one item as complete and closes all that end with it; returns false if that is the root.
    @inline(__always)
    private mutating func complete() throws(TapeFailure) -> Bool {
        remaining &-= 1
        while remaining == 0 {
            guard container != TapeWorkspace.none else { return false }
            try close()
            remaining &-= 1
        }
        return true
    }

    /// Closes the innermost open item.
    @inline(__always)
    private mutating func close() throws(TapeFailure) {
        let closed = Int(container)
        try checkClosing(closed)
        unsafe container = entries[closed].next
        unsafe entries[closed].next = UInt32(truncatingIfNeeded: count)
        unsafe level -= 1
        unsafe remaining = level.pointee
    }

    @inline(__always)
    private func checkClosing(_ entry: Int) throws(TapeFailure) {
        if unsafe work.pointee.checksDuplicateKeys {
            let initial = unsafe base.load(fromByteOffset: Int(entries[entry].offset), as: UInt8.self)
            if initial >> 5 == 5, let failure = MapCheck(contents, map: entry).duplicateKey() { throw failure }
        }
        guard Strictness.isStrict else { return }
        let initial = unsafe base.load(fromByteOffset: Int(entries[entry].offset), as: UInt8.self)
        guard unsafe work.pointee.rules.checks.checkWhenComplete(of: initial) else { return }
        guard let failure = unsafe work.pointee.rules.checkClosing(entry, in: contents) else { return }
        try unsafe Self.note(failure, work, contents)
    }

    /// Notes an unneeded bignum instead of refusing it, if deviations are noted, and checks its tag's content.
    // Static, so that the builder need not be in memory.
    @inline(never)
    private static func note(
        _ failure: TapeFailure,
        _ work: UnsafeMutablePointer<TapeWorkspace>,
        _ contents: TapeContents
    ) throws(TapeFailure) {
        guard failure.reason == .bignumNotNeeded, unsafe work.pointee.notesDeviations else { throw failure }
        unsafe work.pointee.deviations.note(longForm: failure.entry)
        if let failure = unsafe work.pointee.rules.checkContent(ofTag: failure.entry, in: contents) { throw failure }
    }

    /// The entries written so far.
    @inline(__always)
    private var contents: TapeContents {
        unsafe TapeContents(
            bytes: UnsafeRawBufferPointer(start: base, count: end - base),
            entries: UnsafeBufferPointer(start: entries.baseAddress, count: count)
        )
    }

    @inline(__always)
    private func checkMajor7(_ initial: UInt8, _ argument: UInt64) throws(TapeFailure) {
        if initial == 0xf8, argument < 32 { throw failure(.invalidSimpleValue) }
        guard Strictness.isStrict else { return }
        if initial <= 0xf8 {
            try check({ unsafe work.pointee.rules.checkSimple(argument) }, argument: argument)
        } else {
            try check { unsafe work.pointee.rules.checkFloat(initial, argument) }
        }
    }

    /// - Parameter noted: The item for a note; nil for the one appended last.
    private func checkWidth(_ initial: UInt8, _ argument: UInt64, noted: Int?) throws(TapeFailure) {
        guard initial < 0xe0, unsafe work.pointee.rules.checks.contains(.shortestArguments) else { return }
        guard CBORWidth(shortestFor: argument)?.rawValue != initial & 0x1f else { return }
        guard unsafe work.pointee.notesDeviations else { throw failure(.notShortest) }
        unsafe work.pointee.deviations.note(longForm: noted ?? count - 1)
    }
}

// Embedded items.
extension TapeBuilder {
    /// Indicates that the innermost open item is tag 24, in its shortest form.
    @inline(__always)
    private var isInTag24: Bool {
        guard container != TapeWorkspace.none else { return false }
        let head = unsafe base + Int(entries[Int(container)].offset)
        return unsafe head.load(as: UInt8.self) == 0xd8 && head.load(fromByteOffset: 1, as: UInt8.self) == 24
    }

    /// Indexes the item within the byte string read last, right after the entry of that; leaves it alone where the content
    /// is not one item that the rules allow.
    @inline(never)
    private mutating func indexEmbeddedItem(_ length: UInt64) {
        let string = count &- 1
        var builder = self
        unsafe builder.cursor -= Int(truncatingIfNeeded: length)
        unsafe builder.end = cursor
        builder.container = TapeWorkspace.none
        builder.remaining = 1
        unsafe builder.level = work.pointee.enterEmbeddedItem()
        let isRead = builder.readToEnd()
        unsafe work.pointee.leaveEmbeddedItem()
        unsafe entries = work.pointee.entries
        guard isRead, unsafe builder.cursor == cursor else { return }
        unsafe entries[string].next = UInt32(truncatingIfNeeded: builder.count)
        count = builder.count
    }

    /// Reads items until the root is complete; false if one of them cannot be read.
    @inline(__always)
    private mutating func readToEnd() -> Bool {
        do throws(TapeFailure) {
            while try readItem() {}
            return true
        } catch {
            return false
        }
    }
}

// Indefinite lengths.
extension TapeBuilder {
    /// Reads a head with additional information 31: a break, or the begin of an indefinite length.
    @inline(__always)
    private mutating func readIndefinite(_ initial: UInt8) throws(TapeFailure) -> Bool {
        if initial == TapeEntry.breakByte { return try readBreak() }
        try append()
        unsafe cursor += 1
        guard (2...5).contains(initial >> 5) else { throw failure(.reserved, UInt64(initial)) }
        if Strictness.isStrict, unsafe work.pointee.rules.checks.contains(.definiteLengths) {
            guard unsafe work.pointee.notesDeviations else { throw failure(.indefiniteLength) }
            unsafe work.pointee.deviations.note(indefiniteLength: count - 1)
        }
        guard initial >> 5 < 4 else { return try open(Self.endless) }
        let (builder, failure) = readingChunks(of: initial & 0xe0)
        self = builder
        if let failure { throw failure }
        return try complete()
    }

    @inline(__always)
    private mutating func readBreak() throws(TapeFailure) -> Bool {
        let isInIndefinite = remaining > Self.mostDefinite
        let isInMap = isInIndefinite && contents.initialByte(of: Int(container)) == 0xbf
        guard isInIndefinite, !isInMap || (Self.endless &- remaining) % 2 == 0 else {
            throw TapeFailure(.unexpectedBreak, position: position, entry: count)
        }
        try append()
        unsafe cursor += 1
        try close()
        return try complete()
    }

    /// The builder after a string in chunks, or where that failed; they are not a level of nesting, since they cannot
    /// nest.
    @inline(never)
    private func readingChunks(of kind: UInt8) -> (TapeBuilder, TapeFailure?) {
        var builder = self
        let string = count - 1
        do throws(TapeFailure) {
            try builder.readChunks(of: kind, string: string)
        } catch {
            // The string is not closed yet, so its chunks are no place to point to.
            return (
                builder, TapeFailure(error.reason, position: error.position, entry: string, argument: error.argument)
            )
        }
        return (builder, nil)
    }

    private mutating func readChunks(of kind: UInt8, string: Int) throws(TapeFailure) {
        let limit = unsafe work.pointee.rules.maximumStringLength
        var length: UInt64 = 0
        while let chunk = try readChunk(kind, of: string) {
            length += chunk
            guard length <= limit else { throw failure(.longString, limit) }
        }
        unsafe work.pointee.entries[string].next = UInt32(truncatingIfNeeded: count)
    }

    /// Reads a chunk and returns its length, or the break and returns nil.
    private mutating func readChunk(_ kind: UInt8, of string: Int) throws(TapeFailure) -> UInt64? {
        guard unsafe cursor < end else {
            throw TapeFailure(.unfinishedChunks, position: position, entry: count)
        }
        let initial = unsafe cursor.load(as: UInt8.self)
        try append()
        guard initial != TapeEntry.breakByte else {
            unsafe cursor += 1
            return nil
        }
        guard initial & 0xe0 == kind, initial & 0x1f != 31 else { throw failure(.invalidChunk) }
        let length = try readHead(initial, noted: string)
        if kind == 0x60 { try skipText(length) } else { try skipString(length) }
        return length
    }
}
