/// The rules of the standard for what a tag may hold (RFC 8949 section 3.4, RFC 8943, RFC 9052), for the known tags.
struct TagContentCheck {
    let contents: TapeContents
    /// The entry of the tag, whose content is complete.
    let tag: Int
    let rules: TapeRules

    private var content: Int { tag + 1 }
    private var number: UInt64 { contents.head(of: tag).argument }

    /// The failure of a bignum with leading zeros, or one that an integer of major type 0 or 1 can hold.
    func checkBignumIsNeeded() -> TapeFailure? {
        guard number == CBORTag.unsignedBignum || number == CBORTag.negativeBignum, major(content) == 2 else {
            return nil
        }
        let bytes = contents.string(at: content)
        guard bytes.count <= 8 || bytes[0] == 0 else { return nil }
        return TapeFailure(.bignumNotNeeded, position: contents.offset(of: tag), entry: tag)
    }

    /// The failure of content that the tag does not allow; unknown tags allow all.
    func checkContent() -> TapeFailure? {
        guard !isContentValid else { return nil }
        return TapeFailure(.tagContent, position: contents.offset(of: content), entry: tag, argument: number)
    }

    private var isContentValid: Bool {
        switch number {
        case CBORTag.dateTime: isText { RFC3339.dateTime($0) != nil }
        case CBORTag.epochTime: isTime
        case CBORTag.unsignedBignum, CBORTag.negativeBignum: major(content) == 2
        case CBORTag.decimalFraction, CBORTag.bigfloat: isScaledNumber
        case CBORTag.coseSign1: isSign1
        case CBORTag.encodedItem: isEncodedItem
        case CBORTag.uri: isText(URISyntax.isURI)
        case CBORTag.epochDate: major(content) < 2
        case CBORTag.fullDate: isText { RFC3339.date($0) != nil }
        default: true
        }
    }

    /// The expected content of a tag, in words.
    static func expectation(for number: UInt64) -> String {
        switch number {
        case CBORTag.dateTime: "a date-time of RFC 3339 as text"
        case CBORTag.epochTime: "a number of seconds in the years 0 to 9999"
        case CBORTag.unsignedBignum, CBORTag.negativeBignum: "a byte string"
        case CBORTag.decimalFraction, CBORTag.bigfloat: "an array of an integer and an integer or bignum"
        case CBORTag.coseSign1: "an array of byte string, map, byte string or null, byte string"
        case CBORTag.encodedItem: "a byte string that holds one encoded item"
        case CBORTag.uri: "a URI as text"
        case CBORTag.epochDate: "an integer"
        case CBORTag.fullDate: "a full-date of RFC 3339 as text"
        default: "anything"
        }
    }

    private func major(_ entry: Int) -> UInt8 { contents.initialByte(of: entry) >> 5 }

    private func isText(_ isValid: ([UInt8]) -> Bool) -> Bool {
        major(content) == 3 && isValid(contents.string(at: content))
    }

    private var isTime: Bool {
        let head = contents.head(of: content)
        let range = CBORDateTime.secondsOfCalendar
        switch head.major {
        case 0: return head.argument <= UInt64(range.upperBound)
        case 1: return head.argument < range.lowerBound.magnitude
        case 7 where head.initial > 0xf8:
            let seconds = CBORFloat(initialByte: head.initial, bits: head.argument).value
            return seconds >= Double(range.lowerBound) && seconds < Double(range.upperBound) + 1
        default: return false
        }
    }

    private var isScaledNumber: Bool {
        guard major(content) == 4 else { return false }
        let parts = Array(contents.children(of: content))
        guard parts.count == 2, major(parts[0]) < 2 else { return false }
        let mantissa = contents.head(of: parts[1])
        return mantissa.major < 2 || mantissa.major == 6 && (2...3).contains(mantissa.argument)
    }

    private var isSign1: Bool {
        guard major(content) == 4 else { return false }
        let parts = Array(contents.children(of: content))
        guard parts.count == 4, major(parts[0]) == 2, major(parts[1]) == 5, major(parts[3]) == 2 else { return false }
        return major(parts[2]) == 2 || contents.initialByte(of: parts[2]) == 0xf6
    }

    /// Looks into the byte string once; what tags in there hold is left alone, so that nesting costs nothing.
    private var isEncodedItem: Bool {
        guard major(content) == 2 else { return false }
        return unsafe contents.string(at: content).withUnsafeBytes {
            switch unsafe TapeWorkspace.index($0, rules.forEncodedItem) {
            case .success(let index):
                unsafe HeapMemory.deallocate(index.entries.baseAddress)
                return true
            case .failure: return false
            }
        }
    }
}
