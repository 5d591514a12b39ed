// Types that are not decoded by their own `init(from:)`.
extension ItemDecoder {
    /// A type that reads items itself.
    func native<Value: Decodable>(_ type: Value.Type) throws -> Value {
        if let coded = type as? any SessionDecodable.Type, let value = try coded.init(decoding: self) as? Value {
            return value
        }
        guard let decodable = type as? any CBORDecodable.Type, let value = try native(decodable) as? Value else {
            return try Value(from: self)
        }
        return value
    }

    private func native(_ type: any CBORDecodable.Type) throws -> any CBORDecodable {
        do {
            return try type.init(cbor: view)
        } catch let error as CBORError {
            throw view.isNull ? DecodingError.null(type, at: view) : DecodingError(error, for: type)
        }
    }

    /// A collection of bytes: a byte string, or an array of numbers as other encoders write it.
    func bytes<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let content = view.untagged()
        guard content.kind == .byteString, let collection = type as? any RangeReplaceableCollection<UInt8>.Type else {
            return try Value(from: self)
        }
        let bytes = try content.bytes()
        if let same = bytes as? Value { return same }
        guard let value = collection.init(bytes) as? Value else { return try Value(from: self) }
        return value
    }

    /// Foundation's `Date`, which decodes itself from the seconds since 2001.
    func date<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let seconds: Double
        do throws(CBORError) {
            seconds = try view.secondsSinceEpoch(in: session.options.dates)
        } catch {
            throw view.isNull ? DecodingError.null(type, at: view) : DecodingError(error, for: type)
        }
        let item = CBOR.double(seconds - CBORDateForm.referenceSeconds).encoded()
        return try Value(from: ItemDecoder(view: CBORDocument(item).root, session: session))
    }

    /// A dictionary with `String` keys.
    func textKeyed<Value: Decodable>(_ type: Value.Type) throws -> Value {
        guard let dictionary = type as? any TextKeyedDecodable.Type,
            let value = try dictionary.init(decoding: self) as? Value
        else { return try Value(from: self) }
        return value
    }
}

/// A type whose decoding needs the options of the session.
protocol SessionDecodable {
    init(decoding decoder: ItemDecoder) throws
}

/// A dictionary with `String` keys and values that can be coded.
protocol TextKeyedDecodable {
    init(decoding decoder: ItemDecoder) throws
}

extension Dictionary: TextKeyedDecodable where Key == String, Value: Decodable {
    init(decoding decoder: ItemDecoder) throws {
        let content = decoder.view.untagged()
        if content.isNull { throw DecodingError.null(Self.self, at: content) }
        self.init()
        do throws(CBORError) {
            let map = try content.map()
            reserveCapacity(map.count)
            try Self.checkKeys(map)
        } catch {
            throw DecodingError(error, for: Self.self)
        }
        for (key, value) in try content.map() {
            self[try key.text()] = try ItemDecoder(view: value, session: decoder.session).decode(Value.self)
        }
    }

    private static func checkKeys(_ map: CBORMapView) throws(CBORError) {
        for (key, _) in map where key.kind != .textString {
            throw .typeMismatch(expected: "text string as a key", at: key)
        }
    }
}

extension CBORDateForm {
    /// The seconds from 1970 to 2001, where Foundation counts from.
    static let referenceSeconds = 978_307_200.0
}

extension CBORView {
    /// The seconds since 1970 of a date in the given form, or in any tagged form.
    fileprivate func secondsSinceEpoch(in form: CBORDateForm?) throws(CBORError) -> Double {
        switch (form, tag) {
        case (.dateTime, _), (nil, CBORTag.dateTime):
            let value = try dateTime()
            return Double(value.secondsSinceEpoch) + Double(value.nanosecond) / 1e9
        case (.epochTime, _), (nil, CBORTag.epochTime): return try epochTime().secondsSinceEpoch
        case (.fullDate, _), (nil, CBORTag.fullDate): return try day(tagged: CBORTag.fullDate)
        case (.epochDate, _), (nil, CBORTag.epochDate): return try day(tagged: CBORTag.epochDate)
        case (.seconds, _): return try CBOREpochTime(content: self).secondsSinceEpoch
        case (nil, _): throw .typeMismatch(expected: "date under tag 0, 1, 100 or 1004", at: self)
        }
    }

    private func day(tagged number: UInt64) throws(CBORError) -> Double {
        _ = try content(ofTag: number)
        return Double(try date().daysSinceEpoch) * 86400
    }
}
