/// Finds the end of an item whose bytes arrive in pieces, and refuses early what cannot become one.
///
/// It looks at heads only and keeps its place; what it accepts is checked in full once it is complete.
struct ItemScan: Sendable {
    /// The first byte of the item that is not looked at yet.
    private(set) var position = 0
    /// Indicates that the item ends at ``position``.
    private(set) var isComplete = false

    /// The open items around the next one, outermost first.
    private var open: [Level] = []
    /// The number of bytes still missing from a string.
    private var stringRest: UInt64 = 0
    /// The number of bytes still missing from the head at ``position``, if it has begun.
    private var headRest = 0
    private var items = 0
    private let limits: CBORLimits

    fileprivate enum Level {
        /// So many items are still to come.
        case items(UInt64)
        /// Items up to a break.
        case array
        /// Pairs up to a break.
        case map(isKeyNext: Bool)
        /// Strings of a major type up to a break.
        case chunks(UInt8)
    }

    init(limits: CBORLimits) {
        self.limits = limits
    }

    /// The smallest number of bytes still missing from the item.
    var missing: Int {
        guard !isComplete else { return 0 }
        let begun = stringRest > 0 ? stringRest : UInt64(headRest)
        guard let innermost = open.last else { return Int(clamping: max(begun, 1)) }
        let sum = begun.addingWithSaturation(begun > 0 ? innermost.minimumAfterItem : innermost.minimum)
        return Int(clamping: open.dropLast().reduce(sum) { $0.addingWithSaturation($1.minimumAfterItem) })
    }

    /// Goes on over the bytes of the item, of which those before ``position`` were seen already.
    mutating func advance(over bytes: ArraySlice<UInt8>) throws(TapeFailure) {
        while !isComplete {
            if stringRest > 0 {
                let step = min(stringRest, UInt64(bytes.count - position))
                position += Int(step)
                stringRest -= step
                guard stringRest == 0 else { break }
                completeItem()
            } else {
                guard try readHead(bytes.dropFirst(position)) else { break }
            }
        }
        let size = max(0, min(limits.size, CBORLimits.maximumSize))
        guard missing <= size - position else { throw failure(.tooLong, UInt64(size)) }
    }

    /// Reads a head; returns `false` if it is incomplete.
    private mutating func readHead(_ bytes: ArraySlice<UInt8>) throws(TapeFailure) -> Bool {
        guard let initial = bytes.first else { return false }
        let information = initial & 0x1f
        guard !(28...30).contains(information) else {
            throw failure(.reserved, UInt64(initial))
        }
        let byteCount = (24...27).contains(information) ? 1 + 1 << Int(information - 24) : 1
        guard bytes.count >= byteCount else {
            headRest = byteCount - bytes.count
            return false
        }
        headRest = 0
        try checkPlace(of: initial)
        let argument = bytes.prefix(byteCount).dropFirst().reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        try begin(initial, byteCount == 1 ? UInt64(information) : argument, byteCount)
        return true
    }

    private func checkPlace(of initial: UInt8) throws(TapeFailure) {
        if case .chunks(let major)? = open.last, initial != TapeEntry.breakByte {
            guard initial >> 5 == major, initial & 0x1f != 31 else {
                throw failure(.invalidChunk)
            }
        }
        if initial == TapeEntry.breakByte {
            switch open.last {
            case .array?, .chunks?, .map(isKeyNext: true)?: break
            default: throw failure(.unexpectedBreak)
            }
        } else if initial & 0x1f == 31, !(2...5).contains(initial >> 5) {
            throw failure(.reserved, UInt64(initial))
        }
    }

    private mutating func begin(_ initial: UInt8, _ argument: UInt64, _ byteCount: Int) throws(TapeFailure) {
        items += 1
        guard items <= limits.items else { throw failure(.tooManyItems, UInt64(max(0, limits.items))) }
        if initial == 0xf8, argument < 32 { throw failure(.invalidSimpleValue) }
        let isIndefinite = initial & 0x1f == 31
        switch initial >> 5 {
        case 2, 3:
            if isIndefinite { open.append(.chunks(initial >> 5)) } else { stringRest = argument }
            position += byteCount
            if !isIndefinite, argument == 0 { completeItem() }
        case 4: try descend(isIndefinite ? .array : .items(argument), byteCount)
        case 5:
            try descend(
                isIndefinite ? .map(isKeyNext: true) : .items(argument.addingWithSaturation(argument)),
                byteCount
            )
        case 6: try descend(.items(1), byteCount)
        default:
            position += byteCount
            if initial == TapeEntry.breakByte { open.removeLast() }
            completeItem()
        }
    }

    private mutating func descend(_ level: Level, _ byteCount: Int) throws(TapeFailure) {
        if case .items(0) = level {
            position += byteCount
            return completeItem()
        }
        let depth = min(limits.depth, CBORLimits.maximumDepth)
        guard open.count < depth else { throw failure(.tooDeep, UInt64(max(0, depth))) }
        position += byteCount
        open.append(level)
    }

    /// Counts an item as complete, with all that end with it.
    private mutating func completeItem() {
        while let level = open.popLast() {
            switch level {
            case .items(1): continue
            case .items(let rest): open.append(.items(rest - 1))
            case .map(let isKeyNext): open.append(.map(isKeyNext: !isKeyNext))
            case .array, .chunks: open.append(level)
            }
            return
        }
        isComplete = true
    }

    private func failure(_ reason: TapeFailure.Reason, _ argument: UInt64 = 0) -> TapeFailure {
        TapeFailure(reason, position: position, entry: 0, argument: argument)
    }
}

extension ItemScan.Level {
    /// The bytes that the rest of the level takes at least, breaks included.
    fileprivate var minimum: UInt64 {
        switch self {
        case .items(let rest): rest
        case .array, .chunks, .map(isKeyNext: true): 1
        case .map(isKeyNext: false): 2
        }
    }

    /// The bytes that the rest of the level takes at least after the item that has begun.
    fileprivate var minimumAfterItem: UInt64 {
        switch self {
        case .items(let rest): rest - 1
        case .array, .chunks, .map(isKeyNext: false): 1
        case .map(isKeyNext: true): 2
        }
    }
}

extension UInt64 {
    /// The sum, or the largest number if that is larger.
    fileprivate func addingWithSaturation(_ other: UInt64) -> UInt64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
