/// A fuzzer's bytes, read as decisions: the place, the kind and the content of each change in a scene.
struct FuzzScript {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) {
        rest = bytes[...]
    }

    /// Indicates that every byte has been used.
    var isAtEnd: Bool { rest.isEmpty }

    /// The next byte; 0 after the end.
    mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

    /// A number below a bound, from two bytes; 0 for a bound of 0.
    mutating func number(below bound: Int) -> Int {
        let number = Int(byte()) << 8 | Int(byte())
        return bound > 0 ? number % bound : 0
    }

    /// Some bytes, after their count.
    mutating func bytes() -> [UInt8] {
        let count = Int(byte())
        let bytes = Array(rest.prefix(count))
        rest = rest.dropFirst(count)
        return bytes
    }

    /// An integer of any size up to eight bytes.
    mutating func integer() -> UInt64 {
        bytes().prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// An element of a non-empty list.
    mutating func choice<Element>(of elements: [Element]) -> Element {
        elements[Int(byte()) % elements.count]
    }
}
