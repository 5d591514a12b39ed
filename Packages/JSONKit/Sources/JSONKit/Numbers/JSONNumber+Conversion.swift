extension JSONNumber {
    /// The number as an integer, exactly: `12`, `12.0` and `1.2e1` are the same.
    ///
    /// - Throws: ``JSONError`` with code ``JSONError/Code/numberNotExact`` for a number with a fraction,
    ///   ``JSONError/Code/numberOutOfRange`` for one that the type cannot hold.
    public func integer<Integer: FixedWidthInteger>(as type: Integer.Type = Integer.self) throws(JSONError) -> Integer {
        let result = text.withSpan { JSONDecimal.integer(of: $0) as Result<Integer, _> }
        do throws(JSONNumberFailure) {
            return try result.get()
        } catch {
            throw error.error(text, asking: type)
        }
    }

    /// The nearest `Double`, but never an integer other than the written one.
    ///
    /// A decimal fraction or a power of ten is rounded as everywhere; an integer that is written out, such as
    /// `9007199254740993`, must be one that a `Double` holds, or that RFC 8785 writes for one.
    ///
    /// - Throws: ``JSONError`` with code ``JSONError/Code/numberNotExact`` for other integers,
    ///   ``JSONError/Code/numberOutOfRange`` if the nearest `Double` is an infinity, or zero for a number that is not
    ///   zero.
    public func double() throws(JSONError) -> Double {
        do throws(JSONNumberFailure) {
            return try Double(exact: self)
        } catch {
            throw error.error(text, asking: Double.self)
        }
    }

    /// The nearest `Double`, be it another integer.
    ///
    /// - Throws: ``JSONError/Code/numberOutOfRange`` if the nearest `Double` is an infinity, or zero for a number that
    ///   is not zero.
    public func nearestDouble() throws(JSONError) -> Double {
        do throws(JSONNumberFailure) {
            return try Double(nearest: self)
        } catch {
            throw error.error(text, asking: Double.self)
        }
    }
}

/// The reason that a number does not fit the requested type.
enum JSONNumberFailure: Error {
    case outOfRange, notExact

    /// The failure as callers see it.
    func error(_ number: String, asking type: Any.Type, offset: Int? = nil, path: JSONPath = JSONPath()) -> JSONError {
        // Numbers may be long, and what is printed should not be.
        let shown = number.utf8.count <= 40 ? number : "\(number.prefix(40))…"
        return switch self {
        case .outOfRange:
            JSONError(.numberOutOfRange, "\(shown) is outside the range of \(type)", offset: offset, path: path)
        case .notExact:
            JSONError(
                .numberNotExact,
                "\(shown) cannot become \(type) without being changed",
                offset: offset,
                path: path
            )
        }
    }
}
