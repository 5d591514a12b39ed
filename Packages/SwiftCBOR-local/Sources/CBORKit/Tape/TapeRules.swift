/// The reading options in the form in which the tape builder asks for them, and the checks that few readers want.
struct TapeRules {
    let options: CBORReadingOptions
    let maximumSize: Int
    let maximumDepth: Int
    let maximumItems: Int
    let maximumStringLength: UInt64
    let requiresShortestArguments: Bool
    let checksTags: Bool
    let checksSimpleValues: Bool
    let checksFloats: Bool
    let checksMaps: Bool
    let checksOnClose: Bool

    init(_ options: CBORReadingOptions) {
        self.options = options
        maximumSize = max(0, min(options.limits.size, CBORLimits.maximumSize))
        maximumDepth = max(0, min(options.limits.depth, CBORLimits.maximumDepth))
        maximumItems = max(0, options.limits.items)
        maximumStringLength = UInt64(max(0, options.limits.stringLength))
        requiresShortestArguments = options.requiresShortestArguments
        checksTags = options.allowedTags != nil
        checksSimpleValues = options.allowedSimpleValues != nil
        checksFloats = options.requiresShortestFloats
        checksMaps = options.duplicateKeys == .refuse || options.keyOrder != nil
        checksOnClose = checksMaps || options.requiresShortestArguments
    }

    @inline(never)
    func checkTag(_ number: UInt64, at start: Int, entry: Int) throws(TapeFailure) {
        guard options.allowedTags?.contains(number) == false else { return }
        throw TapeFailure(.notAllowed, "tag \(number) is not allowed here", position: start, entry: entry)
    }

    @inline(never)
    func checkSimple(_ number: UInt64, at start: Int, entry: Int) throws(TapeFailure) {
        guard let allowed = options.allowedSimpleValues else { return }
        if let value = CBORSimpleValue(rawValue: UInt8(truncatingIfNeeded: number)), allowed.contains(value) { return }
        throw TapeFailure(.notAllowed, "simple value \(number) is not allowed here", position: start, entry: entry)
    }

    @inline(never)
    func checkFloat(_ initial: UInt8, _ bits: UInt64, at start: Int, entry: Int) throws(TapeFailure) {
        let number = CBORFloat(initialByte: initial, bits: bits)
        let isShortest =
            number.value.isNaN
            ? initial == 0xf9 && bits == UInt64(FloatConversion.canonicalHalfNaN)
            : number.isShortest
        guard !isShortest else { return }
        let message = "the floating-point number is not in its shortest form"
        throw TapeFailure(.notDeterministic, message, position: start, entry: entry)
    }

    /// Checks an item whose content is complete, from its entry to the one before the end.
    @inline(__always)
    func checkClosing(_ entry: Int, end: Int, in contents: TapeContents) throws(TapeFailure) {
        switch contents.initialByte(of: entry) >> 5 {
        case 5 where checksMaps: try MapCheck(contents, map: entry, end: end).run(options)
        case 6 where requiresShortestArguments: try checkBignum(entry, in: contents)
        default: return
        }
    }

    @inline(never)
    private func checkBignum(_ entry: Int, in contents: TapeContents) throws(TapeFailure) {
        let head = contents.head(of: entry)
        let content = contents.head(of: entry + 1)
        guard head.argument == 2 || head.argument == 3, content.major == 2, !content.isIndefinite else { return }
        let range = contents.contentRange(of: entry + 1)
        let isReducible = unsafe range.count <= 8 || contents.bytes[range.lowerBound] == 0
        guard isReducible else { return }
        let message = "the bignum has leading zeros or fits an integer"
        throw TapeFailure(.notDeterministic, message, position: contents.offset(of: entry), entry: entry)
    }
}
