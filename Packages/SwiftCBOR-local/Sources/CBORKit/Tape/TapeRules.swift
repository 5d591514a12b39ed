/// The strictness of a pass: the loop is compiled once for each.
protocol TapeStrictness {
    /// Indicates any check beyond well-formedness, UTF-8, limits and duplicate keys.
    static var isStrict: Bool { get }
}

/// The pass of most readers.
enum UsualTape: TapeStrictness {
    static var isStrict: Bool { false }
}

/// The pass of readers that demand more.
enum StrictTape: TapeStrictness {
    static var isStrict: Bool { true }
}

/// The reading options in the form in which the tape builder asks for them, and the checks that few readers want.
struct TapeRules {
    let maximumSize: Int
    let maximumDepth: Int
    let maximumItems: Int
    let maximumStringLength: UInt64
    let keyOrder: CBORKeyOrder?
    private(set) var checks: Checks
    /// The allowed tags and simple values, on the heap because the rules are copied often.
    private let allowed: Allowed?

    /// The checks beyond well-formedness and UTF-8.
    struct Checks: OptionSet {
        let rawValue: UInt16

        static let trailingBytes = Checks(rawValue: 1 << 0)
        static let shortestArguments = Checks(rawValue: 1 << 1)
        static let definiteLengths = Checks(rawValue: 1 << 2)
        static let floats = Checks(rawValue: 1 << 3)
        static let simpleValues = Checks(rawValue: 1 << 4)
        static let tags = Checks(rawValue: 1 << 5)
        static let tagContent = Checks(rawValue: 1 << 6)
        static let duplicateKeys = Checks(rawValue: 1 << 7)
        static let keyOrder = Checks(rawValue: 1 << 8)
        static let dCBOR = Checks(rawValue: 1 << 9)
        /// No check: whether to look into byte strings under tag 24.
        static let embeddedItems = Checks(rawValue: 1 << 10)
        /// A flag and no check: long forms and indefinite lengths are noted instead of refused.
        static let notes = Checks(rawValue: 1 << 11)

        /// Returns `true` if a complete item with this first byte is checked: the order of a map's keys, the content of
        /// a tag, or the need for a bignum.
        func checkWhenComplete(of initial: UInt8) -> Bool {
            switch initial >> 5 {
            case 5: contains(.keyOrder)
            // With the shortest arguments required, bignums begin with these.
            case 6: contains(.tagContent) || (0xc2...0xc3 ~= initial && contains(.shortestArguments))
            default: false
            }
        }
    }

    private final class Allowed {
        let tags: Set<UInt64>?
        let simpleValues: Set<CBORSimpleValue>?

        init(_ options: CBORReadingOptions) {
            tags = options.allowedTags
            simpleValues = options.allowedSimpleValues
        }
    }

    init(_ options: CBORReadingOptions) {
        maximumSize = max(0, min(options.limits.size, CBORLimits.maximumSize))
        maximumDepth = max(0, min(options.limits.depth, CBORLimits.maximumDepth))
        maximumItems = max(0, options.limits.items)
        maximumStringLength = UInt64(max(0, options.limits.stringLength))
        keyOrder = options.keyOrder
        allowed = options.allowedTags == nil && options.allowedSimpleValues == nil ? nil : Allowed(options)
        checks = []
        if options.trailingBytes == .refuse { checks.insert(.trailingBytes) }
        if options.requiresShortestArguments { checks.insert(.shortestArguments) }
        if options.requiresDefiniteLengths { checks.insert(.definiteLengths) }
        if options.requiresShortestFloats { checks.insert(.floats) }
        if options.allowedSimpleValues != nil { checks.insert(.simpleValues) }
        if options.allowedTags != nil { checks.insert(.tags) }
        if options.checksTagContent { checks.insert(.tagContent) }
        if options.duplicateKeys == .refuse { checks.insert(.duplicateKeys) }
        if options.keyOrder != nil { checks.insert(.keyOrder) }
        if options.indexesEmbeddedItems { checks.insert(.embeddedItems) }
        if options.notesDeviations { checks.insert(.notes) }
        if options.requiresDCBOR { checks.formUnion([.dCBOR, .simpleValues, .floats]) }
    }

    /// The rules for an item within a byte string, where tags are let alone.
    var forEncodedItem: TapeRules {
        var rules = self
        rules.checks.subtract([.tagContent, .embeddedItems, .notes])
        rules.checks.insert(.trailingBytes)
        return rules
    }

    /// Indicates any check beyond well-formedness, UTF-8, limits, duplicate keys and trailing bytes.
    var isStrict: Bool { !checks.subtracting([.trailingBytes, .duplicateKeys, .embeddedItems, .notes]).isEmpty }

    /// The fault in a tag number, or nil.
    func checkTag(_ number: UInt64) -> TapeFailure.Reason? {
        allowed?.tags?.contains(number) == false ? .tagNotAllowed : nil
    }

    /// The fault in a negative integer, or nil.
    func checkNegative(_ argument: UInt64) -> TapeFailure.Reason? {
        checks.contains(.dCBOR) && !DCBOR.allowsNegative(argument) ? .integerNotInDCBOR : nil
    }

    /// The fault in a simple value, or nil.
    func checkSimple(_ number: UInt64) -> TapeFailure.Reason? {
        guard let value = CBORSimpleValue(rawValue: UInt8(truncatingIfNeeded: number)) else {
            return .invalidSimpleValue
        }
        if checks.contains(.dCBOR), !DCBOR.allows(value) { return .simpleValueNotInDCBOR }
        return allowed?.simpleValues?.contains(value) == false ? .simpleValueNotAllowed : nil
    }

    /// The fault in a floating-point number, or nil.
    func checkFloat(_ initial: UInt8, _ bits: UInt64) -> TapeFailure.Reason? {
        let number = CBORFloat(initialByte: initial, bits: bits)
        if checks.contains(.dCBOR), DCBOR.integer(for: number.value) != nil { return .integralFloat }
        guard checks.contains(.floats) else { return nil }
        let isCanonicalNaN = initial == 0xf9 && bits == UInt64(FloatConversion.canonicalHalfNaN)
        let isShortest = number.value.isNaN ? isCanonicalNaN : number.isShortest
        return isShortest ? nil : .floatNotShortest
    }

    /// The fault in text with characters beyond ASCII, or nil.
    func checkNormalization(_ text: UnsafeRawBufferPointer) -> TapeFailure.Reason? {
        guard checks.contains(.dCBOR) else { return nil }
        return unsafe UnicodeNormalization.isFormC(String(decoding: text, as: UTF8.self)) ? nil : .notNormalized
    }

    /// The fault in a tag's content, if that is checked.
    func checkContent(ofTag entry: Int, in contents: TapeContents) -> TapeFailure? {
        guard checks.contains(.tagContent) else { return nil }
        return TagContentCheck(contents: contents, tag: entry, rules: self).checkContent()
    }

    /// The failure of an item whose content is complete: the last entry is the last one in it.
    func checkClosing(_ entry: Int, in contents: TapeContents) -> TapeFailure? {
        switch contents.initialByte(of: entry) >> 5 {
        case 5: return keyOrder.flatMap(MapCheck(contents, map: entry).misplacedKey)
        case 6:
            let check = TagContentCheck(contents: contents, tag: entry, rules: self)
            if checks.contains(.shortestArguments), let failure = check.checkBignumIsNeeded() { return failure }
            return checkContent(ofTag: entry, in: contents)
        default: return nil
        }
    }
}
