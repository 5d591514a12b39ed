import CBORKit
import TestSupport

extension VectorJSON {
    /// Returns `true` if a CBOR value says the same; numbers are compared as such, as JSON has only one kind.
    func matches(_ value: CBOR) -> Bool {
        switch (self, value) {
        case (.null, _): value.isNull
        case (.bool(let bool), _): value.boolValue == bool
        case (.integer(let integer), .float(let number)): number.value == Double(integer)
        case (.integer(let integer), _): value.integerValue == integer
        case (.number(let double), .float(let number)): number.value == double
        case (.number(let double), _): Self.approximate(value) == double
        case (.string(let text), _): value.textValue == text
        case (.array(let elements), .array(let values)):
            elements.count == values.count && zip(elements, values).allSatisfy { $0.matches($1) }
        case (.object(let members), .map(let map)):
            members.count == map.count && members.allSatisfy { $1.matches(map[.text($0)] ?? .undefined) }
        default: false
        }
    }

    /// An integer beyond 64 bits, as near as JSON readers keep it.
    private static func approximate(_ value: CBOR) -> Double? {
        if let integer = value.integerValue { return Double(integer) }
        guard case .tagged(let tag, .bytes(let bytes)) = value, tag == 2 || tag == 3 else { return nil }
        let magnitude = bytes.reduce(0.0) { $0 * 256 + Double($1) }
        return tag == 2 ? magnitude : -1 - magnitude
    }
}
