package import JSONKit

extension JSONNumber {
    /// Returns `true` for a number without a fraction, such as `12`, `12.0` and `1.2e1`.
    package var isInteger: Bool {
        if (try? integer(as: Int128.self)) != nil { return true }
        guard let double = try? nearestDouble() else { return false }
        return double.rounded() == double && double.magnitude > 1e15
    }

    /// Returns `true` if the number is less than another; nil if one of them is beyond all bounds.
    func isLess(than other: JSONNumber) -> Bool? {
        if let left = try? integer(as: Int128.self), let right = try? other.integer(as: Int128.self) {
            return left < right
        }
        guard let left = try? nearestDouble(), let right = try? other.nearestDouble() else { return nil }
        return left < right
    }

    /// Returns `true` for a whole multiple of another number, which is not zero.
    func isMultiple(of other: JSONNumber) -> Bool {
        if let left = try? integer(as: Int64.self), let right = try? other.integer(as: Int64.self) {
            return right != 0 && Int128(left) % Int128(right) == 0
        }
        guard let left = try? nearestDouble(), let right = try? other.nearestDouble() else { return false }
        let quotient = left / right
        return quotient.isFinite && quotient.rounded() == quotient
    }
}

extension JSONValue {
    /// Returns `true` for a value that says the same; unlike `==`, which compares the texts of numbers, by their values.
    package func hasSameValue(as other: JSONValue) -> Bool {
        var pairs = [(self, other)]
        while let (left, right) = pairs.popLast() {
            switch (left, right) {
            case (.number(let left), .number(let right)):
                guard left.hasSameValue(as: right) else { return false }
            case (.array(let left), .array(let right)):
                guard left.count == right.count else { return false }
                pairs += zip(left, right)
            case (.object(let left), .object(let right)):
                guard left.count == right.count else { return false }
                for (name, value) in left {
                    guard let counterpart = right[name] else { return false }
                    pairs.append((value, counterpart))
                }
            default:
                guard left == right else { return false }
            }
        }
        return true
    }
}
