/// The tape's record of one item; everything else is read from the input on demand.
struct TapeEntry {
    /// The offset of the item's first byte.
    var offset: UInt32
    /// The index of the entry that follows the item and all that is in it.
    ///
    /// While the item is open, the builder has the index of the enclosing one here.
    var next: UInt32

    /// The first byte of an item that ends an indefinite length.
    static let breakByte: UInt8 = 0xff
}

/// The result of the tape builder.
@safe
struct TapeIndex {
    /// Room for the entries, of which some are written; the owner frees it.
    let entries: UnsafeMutableBufferPointer<TapeEntry>
    /// The number of entries written.
    let count: Int
    /// The number of bytes that belong to the root.
    let rootLength: Int
    /// The deviations noted instead of refused.
    let deviations: TapeDeviations
}

/// The first items that a strict reader would have refused for their form.
struct TapeDeviations {
    /// The entry of the first item with an argument longer than needed, or an unneeded bignum.
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
