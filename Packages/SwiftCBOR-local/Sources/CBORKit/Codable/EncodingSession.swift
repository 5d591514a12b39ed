/// The state that all encoders of one call share.
final class EncodingSession {
    let options: CBOREncoder
    private let types = TypeCatalog(TypeTreatment.encoding)

    init(_ options: CBOREncoder) {
        self.options = options
    }

    /// The treatment of a type.
    func treatment(of type: Any.Type) -> TypeTreatment { types.treatment(of: type) }

    /// The key of a map for a coding key.
    func key(for key: any CodingKey) -> CBOR {
        guard options.keys == .integersWhereGiven, let label = key.intValue else { return .text(key.stringValue) }
        return .integer(label)
    }

    /// Encodes a value of any type.
    func encode<Value: Encodable>(_ value: Value, codingPath: CodingPath) throws -> EncodedItem {
        switch treatment(of: Value.self) {
        case .standard, .decodable, .sessionDecodable: break
        case .sessionEncodable:
            if let value = value as? any SessionEncodable { return try value.encoded(in: self, codingPath: codingPath) }
        case .encodable:
            if let value = value as? any CBOREncodable { return .encoded(value.cborEncoded()) }
        case .bytes:
            if let bytes = value as? any Sequence<UInt8> { return .value(.bytes(Array(bytes))) }
        case .date: return .value(try date(value, codingPath: codingPath))
        }
        return try standard(value, codingPath: codingPath)
    }

    /// Encodes a value as its own `encode(to:)` says.
    private func standard(_ value: some Encodable, codingPath: CodingPath) throws -> EncodedItem {
        let encoder = ItemEncoder(session: self, path: codingPath)
        try value.encode(to: encoder)
        guard let item = encoder.item else {
            let context = EncodingError.Context(
                codingPath: codingPath.keys,
                debugDescription: "the value wrote nothing"
            )
            throw EncodingError.invalidValue(value, context)
        }
        return item
    }

    /// Encodes Foundation's `Date`, which encodes itself as the seconds since 2001.
    private func date(_ value: some Encodable, codingPath: CodingPath) throws -> CBOR {
        let item = try standard(value, codingPath: codingPath)
        if case .value(.float(let seconds)) = item,
            let date = options.dates.item(secondsSinceEpoch: seconds.value + CBORDateForm.referenceSeconds)
        {
            return date
        }
        let message = "the date cannot be written in the form \(options.dates)"
        throw EncodingError.invalidValue(value, .init(codingPath: codingPath.keys, debugDescription: message))
    }
}

/// A type whose encoding needs the options of the session.
protocol SessionEncodable {
    func encoded(in session: EncodingSession, codingPath: CodingPath) throws -> EncodedItem
}

/// The keys of the standard library's dictionaries claim to be integers where the text looks like one.
extension Dictionary: SessionEncodable where Key == String, Value: Encodable {
    func encoded(in session: EncodingSession, codingPath: CodingPath) throws -> EncodedItem {
        let node = EncodedItem.MapNode()
        for (key, value) in self {
            let item = try session.encode(value, codingPath: codingPath.appending(PathKey(stringValue: key)))
            node.pairs.append((.text(key), item))
        }
        return .map(node)
    }
}

extension CBORDateForm {
    /// The item for a time, or nil if the form cannot hold it.
    fileprivate func item(secondsSinceEpoch seconds: Double) -> CBOR? {
        switch self {
        case .dateTime: return dateTime(seconds).map { .dateTime($0) }
        case .fullDate: return day(seconds).flatMap { .fullDate(CBORDate(daysSinceEpoch: $0)) }
        case .epochDate: return day(seconds).map { .epochDate(CBORDate(daysSinceEpoch: $0)) }
        case .epochTime: return number(seconds).map { .tagged(CBORTag.epochTime, $0) }
        case .seconds: return number(seconds)
        }
    }

    private func number(_ seconds: Double) -> CBOR? {
        guard seconds.isFinite else { return nil }
        return Int64(exactly: seconds).map { .integer($0) } ?? .double(seconds)
    }

    /// The last whole second that is not later, or nil if that is beyond 2^62.
    ///
    /// Conversions do it, since `rounded` would need libm, which nothing else of this module links.
    private func wholeSeconds(_ seconds: Double) -> Int64? {
        guard seconds.magnitude < 0x1p62 else { return nil }
        let truncated = Int64(seconds)
        return Double(truncated) > seconds ? truncated - 1 : truncated
    }

    private func day(_ seconds: Double) -> Int32? {
        guard let whole = wholeSeconds(seconds) else { return nil }
        let (quotient, remainder) = whole.quotientAndRemainder(dividingBy: 86400)
        return Int32(exactly: remainder < 0 ? quotient - 1 : quotient)
    }

    /// A `Date` is exact to about a tenth of a microsecond in this century, so finer digits would be noise.
    private func dateTime(_ seconds: Double) -> CBORDateTime? {
        guard let whole = wholeSeconds(seconds) else { return nil }
        let microseconds = Int((seconds - Double(whole)) * 1e6 + 0.5)
        let carries = microseconds == 1_000_000
        return CBORDateTime(
            secondsSinceEpoch: carries ? whole + 1 : whole,
            nanosecond: carries ? 0 : microseconds * 1000
        )
    }
}
