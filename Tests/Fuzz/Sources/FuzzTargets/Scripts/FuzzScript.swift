/// The bytes of a fuzzer, read as decisions: what to change in a scene, how, and with what.
struct FuzzScript {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) {
        rest = bytes[...]
    }

    /// Whether every byte has been used.
    var isAtEnd: Bool { rest.isEmpty }

    /// The next byte; 0 after the end.
    mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

    /// A number from 0, of two bytes, below a bound; 0 where nothing is below it.
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

    /// One of the elements of a list that is not empty.
    mutating func choice<Element>(of elements: [Element]) -> Element {
        elements[Int(byte()) % elements.count]
    }
}
