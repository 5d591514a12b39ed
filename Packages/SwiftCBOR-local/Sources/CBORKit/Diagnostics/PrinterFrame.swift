/// An item that is being written in diagnostic notation and has others in it.
struct PrinterFrame {
    /// The end of the frame.
    enum Extent {
        /// After so many more items.
        case items(UInt64)
        /// At a break.
        case indefinite
        /// At the end of the bytes of embedded items.
        case position(Int)
    }

    /// The separators between the items.
    enum Separation {
        /// A comma.
        case commas
        /// A colon after a key, a comma after a value.
        case pairs
        /// Nothing: there is one item.
        case none
    }

    var extent: Extent
    let separation: Separation
    /// The text after the last item.
    let closing: String
    /// Indicates that items stand on lines of their own.
    var breaksLines = false
    /// The number of items written.
    var written = 0
}
