/// A binary floating-point type that numbers can be read as.
protocol JSONFloatingPoint: BinaryFloatingPoint, LosslessStringConvertible {}

extension Double: JSONFloatingPoint {}
extension Float: JSONFloatingPoint {}

extension JSONFloatingPoint {
    /// The nearest value of the type; fails where that is an infinity, or zero for a number that is not zero.
    init(nearest number: JSONNumber) throws(JSONNumberFailure) {
        let (small, isZero) = number.text.withSpan { text in
            let decimal = JSONDecimal(text)
            return (decimal.smallDouble(of: text), decimal.digitCount == 0)
        }
        if let small, Self.self == Double.self {
            self = Self(small)
            return
        }
        guard let value = Self(number.text), value.isFinite, !value.isZero || isZero else { throw .outOfRange }
        self = value
    }

    /// The nearest value of the type; fails, too, for an integer written out that would become another one.
    ///
    /// Two integers stay themselves: one that the type holds exactly (known up to 2¹²⁷), and one that has the shortest
    /// digits which read back as its nearest value, as RFC 8785 writes them.
    init(exact number: JSONNumber) throws(JSONNumberFailure) {
        try self.init(nearest: number)
        let mayChange = number.text.withSpan { text in
            let decimal = JSONDecimal(text)
            return decimal.isPlain && decimal.digitCount > Self.safeDigits
        }
        guard mayChange, !JSONNumber(valid: description).hasSameValue(as: number) else { return }
        guard let integer = Int128(exactly: self), JSONNumber(integer) == number else { throw .notExact }
    }

    /// The number of significant digits with which every integer is exactly representable: as many as
    /// 2^`significandBitCount` has, less one.
    private static var safeDigits: Int { Self.significandBitCount * 3 / 10 }
}
