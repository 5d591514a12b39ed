/// What the tape says about one item; everything else is read from the input when asked for.
struct TapeEntry {
    /// Where the item's first byte is.
    var offset: UInt32
    /// The index of the entry that follows the item and all that is in it.
    ///
    /// While the item is open, the builder has the index of the enclosing one here.
    var next: UInt32

    /// The first byte of an item that ends an indefinite length.
    static let breakByte: UInt8 = 0xff
}

/// What the tape builder yields.
@safe
struct TapeIndex {
    /// Room for the entries, of which some are written; the owner frees it.
    let entries: UnsafeMutableBufferPointer<TapeEntry>
    /// How many entries are written.
    let count: Int
    /// How many bytes belong to the root.
    let rootLength: Int
    /// What was noted instead of refused.
    let deviations: TapeDeviations
}

/// The first items that a strict reader would have refused for their form.
struct TapeDeviations {
    /// The entry of the first item with a longer argument, or as a bignum, than needed.
    private(set) var longForm: Int?
    /// The entry of the first item of indefinite length.
    private(set) var indefiniteLength: Int?

    mutating func note(longForm entry: Int) {
        longForm = longForm ?? entry
    }

    mutating func note(indefiniteLength entry: Int) {
        indefiniteLength = indefiniteLength ?? entry
    }
}
