/// The rules of the standard for what a tag may hold (RFC 8949 section 3.4, RFC 8943, RFC 9052), for the known tags.
struct TagContentCheck {
    let contents: TapeContents
    /// The entry of the tag, whose content is complete.
    let tag: Int
    let options: CBORReadingOptions

    private var content: Int { tag + 1 }
    private var number: UInt64 { contents.head(of: tag).argument }

    /// Refuses a bignum with leading zeros, or one that an integer of major type 0 or 1 can hold.
    func checkBignumIsNeeded() throws(TapeFailure) {
        guard number == CBORTag.unsignedBignum || number == CBORTag.negativeBignum else { return }
        guard major(content) == 2 else { return }
        let bytes = contents.string(at: content)
        guard bytes.count <= 8 || bytes[0] == 0 else { return }
        let message = "the bignum has leading zeros or fits an integer"
        throw TapeFailure(.notDeterministic, message, position: contents.offset(of: tag), entry: tag)
    }

    /// Refuses content that the tag does not allow; unknown tags allow all.
    func checkContent() throws(TapeFailure) {
        switch number {
        case CBORTag.dateTime: try require(isText { RFC3339.dateTime($0) != nil }, "a date-time of RFC 3339 as text")
        case CBORTag.epochTime: try require(isTime, "a number of seconds in the years 0 to 9999")
        case CBORTag.unsignedBignum, CBORTag.negativeBignum: try require(major(content) == 2, "a byte string")
        case CBORTag.decimalFraction, CBORTag.bigfloat:
            try require(isScaledNumber, "an array of an integer and an integer or bignum")
        case CBORTag.coseSign1: try require(isSign1, "an array of byte string, map, byte string or null, byte string")
        case CBORTag.encodedItem: try checkEncodedItem()
        case CBORTag.uri: try require(isText(URISyntax.isURI), "a URI as text")
        case CBORTag.epochDate: try require(major(content) < 2, "an integer")
        case CBORTag.fullDate: try require(isText { RFC3339.date($0) != nil }, "a full-date of RFC 3339 as text")
        default: break
        }
    }

    private func require(_ condition: Bool, _ expectation: String) throws(TapeFailure) {
        guard !condition else { return }
        throw failure("tag \(number) takes \(expectation)")
    }

    private func failure(_ message: String) -> TapeFailure {
        TapeFailure(.invalidTagContent, message, position: contents.offset(of: content), entry: tag)
    }

    private func major(_ entry: Int) -> UInt8 { contents.initialByte(of: entry) >> 5 }

    private func isText(_ isValid: ([UInt8]) -> Bool) -> Bool {
        major(content) == 3 && isValid(contents.string(at: content))
    }

    private var isTime: Bool {
        let head = contents.head(of: content)
        let range = CBOREpochTime.calendarRange
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
    private func checkEncodedItem() throws(TapeFailure) {
        try require(major(content) == 2, "a byte string")
        var innerOptions = options
        innerOptions.checksTagContent = false
        innerOptions.trailingBytes = .refuse
        let inner = unsafe contents.string(at: content).withUnsafeBytes { bytes in
            let builder = unsafe TapeBuilder.build(from: bytes, options: innerOptions)
            unsafe builder.entries.deallocate()
            return builder.failure
        }
        guard let inner else { return }
        throw failure("tag 24 takes one encoded item, but \(inner.message) at byte \(inner.position) of it")
    }
}
