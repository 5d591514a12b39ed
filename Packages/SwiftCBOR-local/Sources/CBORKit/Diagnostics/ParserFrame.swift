/// An item of diagnostic notation that is open while those within it are read.
struct ParserFrame {
    /// The kind of open item.
    enum Kind {
        /// The whole text, which must have one item.
        case item
        /// The whole text, which may have any number of items.
        case sequence
        /// An array, `[…]`.
        case array
        /// A map, `{…}`.
        case map
        /// A tag with its number, `n(…)`.
        case tag
        /// A string in chunks, `(_ …)`.
        case chunks
        /// Items within a byte string, `<<…>>`.
        case embedded
    }

    let kind: Kind
    /// The offset in the text at which it begins.
    let offset: Int
    /// The offset in the output at which its content begins.
    let start: Int
    /// The encoding indicator for its head; that of embedded items follows their end.
    var indicator: NotationIndicator?
    /// The number of items read in it.
    var count = 0
    /// The major type of the chunks.
    var chunkMajor: UInt8?
    /// The bytes in the chunks so far.
    var chunkLength = 0

    /// The text that ends it; empty for the end of the whole text.
    var closing: String {
        switch kind {
        case .item, .sequence: ""
        case .array: "]"
        case .map: "}"
        case .tag, .chunks: ")"
        case .embedded: ">>"
        }
    }

    /// Indicates that it can hold no items.
    var canBeEmpty: Bool {
        switch kind {
        case .sequence, .array, .map, .embedded: true
        case .item, .tag, .chunks: false
        }
    }

    /// Indicates that it holds one item only.
    var isSingle: Bool {
        switch kind {
        case .item, .tag: true
        case .sequence, .array, .map, .chunks, .embedded: false
        }
    }
}
