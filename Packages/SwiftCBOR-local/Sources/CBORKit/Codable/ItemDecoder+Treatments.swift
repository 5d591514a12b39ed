// Types that are not decoded by their own `init(from:)`.
extension ItemDecoder {
    /// A type that is decoded better here than by its own `init(from:)`.
    func sessionDecodable<Value: Decodable>(
        _ coded: (some SessionDecodable).Type,
        as type: Value.Type
    ) throws -> Value {
        try cast(coded.init(decoding: self), to: type) ?? Value(from: self)
    }

    /// A type that reads items itself.
    func decodable<Value: Decodable>(_ coded: (some CBORDecodable).Type, as type: Value.Type) throws -> Value {
        do {
            return try cast(coded.init(cbor: view), to: type) ?? Value(from: self)
        } catch let error as CBORError {
            throw view.isNull ? DecodingError.null(type, at: view) : DecodingError(error, for: type)
        }
    }

    /// A collection of bytes: a byte string, or an array of numbers as other encoders write it.
    func bytes<Value: Decodable>(
        _ collection: (some RangeReplaceableCollection<UInt8>).Type,
        as type: Value.Type
    ) throws -> Value {
        let content = view.untagged()
        guard content.kind == .byteString else { return try Value(from: self) }
        return try cast(collection.init(content.bytes()), to: type) ?? Value(from: self)
    }

    /// The value under the name that the caller has for its type.
    private func cast<Value, Result>(_ value: Value, to type: Result.Type) -> Result? {
        // The same type twice: the casts of the runtime would look for more than that.
        Value.self == Result.self ? unsafe unsafeBitCast(value, to: type) : nil
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
}

/// A type whose decoding needs the options of the session.
protocol SessionDecodable {
    init(decoding decoder: ItemDecoder) throws
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
