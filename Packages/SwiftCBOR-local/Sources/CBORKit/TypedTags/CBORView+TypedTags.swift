// Accessors for the content of tags. They read an item where it stands; the value model always keeps tag and content.
extension CBORView {
    /// The date and time of tag 0.
    ///
    /// - Throws: ``CBORError/Code/typeMismatch`` for another item, ``CBORError/Code/invalidTagContent`` for text that is
    ///   not of RFC 3339.
    public func dateTime() throws(CBORError) -> CBORDateTime {
        let text = try content(ofTag: CBORTag.dateTime).utf8()
        guard let value = RFC3339.dateTime(text) else { throw invalidContent("text is not a date-time of RFC 3339") }
        return value
    }

    /// The time of tag 1.
    ///
    /// - Throws: ``CBORError/Code/typeMismatch`` for another item, ``CBORError/Code/outOfRange`` for NaN, infinities and
    ///   integers beyond 64 bits.
    public func epochTime() throws(CBORError) -> CBOREpochTime {
        try CBOREpochTime(content: try content(ofTag: CBORTag.epochTime))
    }

    /// The integer of tag 2 or 3, or of major type 0 or 1.
    ///
    /// - Throws: ``CBORError/Code/typeMismatch`` for another item.
    public func bigInteger() throws(CBORError) -> CBORBigInteger {
        switch tag {
        case CBORTag.unsignedBignum: return CBORBigInteger(isNegative: false, argument: try sibling(entry + 1).bytes())
        case CBORTag.negativeBignum: return CBORBigInteger(isNegative: true, argument: try sibling(entry + 1).bytes())
        default: return CBORBigInteger(try integer(as: Int128.self))
        }
    }

    /// The number of tag 4.
    ///
    /// - Throws: ``CBORError/Code/typeMismatch``, ``CBORError/Code/missingItem`` or ``CBORError/Code/unexpectedItem`` if
    ///   the content is not an array of an exponent and a mantissa.
    public func decimalFraction() throws(CBORError) -> CBORDecimalFraction {
        let (exponent, mantissa) = try scaledNumber(tag: CBORTag.decimalFraction)
        guard let value = CBORDecimalFraction(exponent: exponent, mantissa: mantissa) else {
            throw .outOfRange("an exponent", at: self)
        }
        return value
    }

    /// The number of tag 5.
    ///
    /// - Throws: As ``decimalFraction()``.
    public func bigfloat() throws(CBORError) -> CBORBigfloat {
        let (exponent, mantissa) = try scaledNumber(tag: CBORTag.bigfloat)
        guard let value = CBORBigfloat(exponent: exponent, mantissa: mantissa) else {
            throw .outOfRange("an exponent", at: self)
        }
        return value
    }

    private func scaledNumber(tag: UInt64) throws(CBORError) -> (Int128, CBORBigInteger) {
        let parts = try content(ofTag: tag).array(count: 2)
        return (try parts.element(at: 0).integer(), try parts.element(at: 1).bigInteger())
    }

    /// The text that byte strings within are to become in JSON, if the item is a tag that says so: 21, 22 or 23.
    public var expectedEncoding: CBORExpectedEncoding? { tag.flatMap(CBORExpectedEncoding.init) }

    /// The URI of tag 32.
    ///
    /// - Throws: ``CBORError/Code/typeMismatch`` for another item, ``CBORError/Code/invalidTagContent`` for text that
    ///   does not have the form of a URI.
    public func uri() throws(CBORError) -> String {
        let text = try content(ofTag: CBORTag.uri)
        guard URISyntax.isURI(try text.utf8()) else { throw invalidContent("text is not a URI") }
        return try text.text()
    }

    /// The day of tag 100 or 1004.
    ///
    /// - Throws: ``CBORError/Code/typeMismatch`` for another item, ``CBORError/Code/invalidTagContent`` for text that is
    ///   not a full-date of RFC 3339, ``CBORError/Code/outOfRange`` for a day millions of years away.
    public func date() throws(CBORError) -> CBORDate {
        if tag == CBORTag.epochDate { return CBORDate(daysSinceEpoch: try sibling(entry + 1).integer()) }
        let text = try content(ofTag: CBORTag.fullDate).utf8()
        guard let date = RFC3339.date(text) else { throw invalidContent("text is not a full-date of RFC 3339") }
        return date
    }

    /// The item without tag 55799 around it, if it has that.
    public func withoutSelfDescription() -> CBORView {
        var view = self
        while view.tag == CBORTag.selfDescribed { view = sibling(view.entry + 1) }
        return view
    }

    private func invalidContent(_ message: String) -> CBORError {
        CBORError(.invalidTagContent, "the \(message)", at: sibling(entry + 1))
    }
}
