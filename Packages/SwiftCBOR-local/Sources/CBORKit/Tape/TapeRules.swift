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
    let checksTagContent: Bool
    let requiresDCBOR: Bool
    let checksOnClose: Bool

    init(_ options: CBORReadingOptions) {
        self.options = options
        maximumSize = max(0, min(options.limits.size, CBORLimits.maximumSize))
        maximumDepth = max(0, min(options.limits.depth, CBORLimits.maximumDepth))
        maximumItems = max(0, options.limits.items)
        maximumStringLength = UInt64(max(0, options.limits.stringLength))
        requiresShortestArguments = options.requiresShortestArguments
        checksTags = options.allowedTags != nil
        checksSimpleValues = options.allowedSimpleValues != nil || options.requiresDCBOR
        checksFloats = options.requiresShortestFloats || options.requiresDCBOR
        checksMaps = options.duplicateKeys == .refuse || options.keyOrder != nil
        checksTagContent = options.checksTagContent
        requiresDCBOR = options.requiresDCBOR
        checksOnClose = checksMaps || options.requiresShortestArguments || options.checksTagContent
    }

    @inline(never)
    func checkTag(_ number: UInt64, at start: Int, entry: Int) throws(TapeFailure) {
        guard options.allowedTags?.contains(number) == false else { return }
        throw TapeFailure(.notAllowed, "tag \(number) is not allowed here", position: start, entry: entry)
    }

    @inline(never)
    func checkSimple(_ number: UInt64, at start: Int, entry: Int) throws(TapeFailure) {
        let value = CBORSimpleValue(rawValue: UInt8(truncatingIfNeeded: number))
        if requiresDCBOR, value.map(DCBOR.allows) != true {
            let message = "dCBOR has no simple values but false, true and null"
            throw TapeFailure(.notDeterministic, message, position: start, entry: entry)
        }
        guard let allowed = options.allowedSimpleValues, value.map(allowed.contains) != true else { return }
        throw TapeFailure(.notAllowed, "simple value \(number) is not allowed here", position: start, entry: entry)
    }

    @inline(never)
    func checkFloat(_ initial: UInt8, _ bits: UInt64, at start: Int, entry: Int) throws(TapeFailure) {
        let number = CBORFloat(initialByte: initial, bits: bits)
        if requiresDCBOR, DCBOR.integer(for: number.value) != nil {
            let message = "dCBOR writes integral numbers as integers"
            throw TapeFailure(.notDeterministic, message, position: start, entry: entry)
        }
        let isCanonicalNaN = initial == 0xf9 && bits == UInt64(FloatConversion.canonicalHalfNaN)
        guard number.value.isNaN ? !isCanonicalNaN : !number.isShortest else { return }
        let message = "the floating-point number is not in its shortest form"
        throw TapeFailure(.notDeterministic, message, position: start, entry: entry)
    }

    /// Checks text that is not all ASCII and is known to be valid UTF-8.
    @inline(never)
    func checkNormalization(_ text: UnsafeRawBufferPointer, at start: Int, entry: Int) throws(TapeFailure) {
        guard unsafe !UnicodeNormalization.isFormC(String(decoding: text, as: UTF8.self)) else { return }
        let message = "dCBOR has text in Unicode normalization form C only"
        throw TapeFailure(.notDeterministic, message, position: start, entry: entry)
    }

    /// Checks an item whose content is complete, from its entry to the one before the end.
    @inline(__always)
    func checkClosing(_ entry: Int, end: Int, in contents: TapeContents) throws(TapeFailure) {
        switch contents.initialByte(of: entry) >> 5 {
        case 5 where checksMaps: try MapCheck(contents, map: entry, end: end).run(options)
        case 6 where requiresShortestArguments || checksTagContent: try checkTagged(entry, in: contents)
        default: return
        }
    }

    @inline(never)
    private func checkTagged(_ entry: Int, in contents: TapeContents) throws(TapeFailure) {
        let check = TagContentCheck(contents: contents, tag: entry, options: options)
        if requiresShortestArguments { try check.checkBignumIsNeeded() }
        if checksTagContent { try check.checkContent() }
    }
}
