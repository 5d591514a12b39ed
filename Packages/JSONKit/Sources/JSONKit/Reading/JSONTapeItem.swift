/// One value or name of a JSON text as the tape keeps it: where it is and what it belongs to.
struct JSONTapeItem: Sendable {
    /// The kind of item, as far as reading distinguishes it.
    enum Kind: UInt8, Sendable {
        case object, array
        case string, escapedString
        case name, escapedName
        case integer, number
        case `true`, `false`, null
    }

    /// Stands for the parent of the root, and for "no container is open".
    static let none = UInt32.max

    private static let kindBits: UInt32 = 4
    private static let kindMask: UInt32 = 0xf

    /// The offset of the first byte.
    let start: UInt32
    /// The offset after the last byte; see ``JSONTapeItems/suspend(_:count:names:)`` for a container that is open.
    var end: UInt32
    /// The index of the item after this one and all that it contains; the same goes for a container that is open.
    var next: UInt32
    /// The number of elements or members.
    var count: UInt32
    /// The index of the container, or ``none``.
    let parent: UInt32
    /// `kind` in the low bits, the position among the values of the container above.
    private let ordinalAndKind: UInt32

    init(_ kind: Kind, start: UInt32, end: UInt32, index: UInt32, parent: UInt32, ordinal: UInt32) {
        self.start = start
        self.end = end
        next = index &+ 1
        count = 0
        self.parent = parent
        ordinalAndKind = ordinal &<< Self.kindBits | UInt32(kind.rawValue)
    }

    var kind: Kind {
        // The bits are those of a kind, which has been put there: they need no check at every reading.
        unsafe unsafeBitCast(UInt8(truncatingIfNeeded: ordinalAndKind & Self.kindMask), to: Kind.self)
    }

    /// The position among the values of the container; a name counts as its value.
    var ordinal: Int { Int(ordinalAndKind >> Self.kindBits) }

    var isContainer: Bool { kind == .object || kind == .array }

    var isName: Bool { kind == .name || kind == .escapedName }

    /// The range of the item's bytes.
    var range: Range<Int> { unsafe Range(uncheckedBounds: (Int(start), Int(end))) }

    /// The range of the text of a string or name: the bytes between the quotes.
    var textRange: Range<Int> { unsafe Range(uncheckedBounds: (Int(start) &+ 1, Int(end) &- 1)) }
}
