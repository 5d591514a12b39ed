/// One CBOR item, checked and indexed, with the bytes it was received in.
///
/// Reading makes one pass over the bytes. It checks what ``CBORReadingOptions`` demand, well-formedness always, and notes
/// where every item is (RFC 8949 appendix C is the check, without its recursion). Nothing is decoded before a ``CBORView`` is asked
/// for it:
///
/// ```swift
/// let document = try CBORDocument(bytes)
/// let version = try document.root.map().required("version").text()
/// ```
///
/// The index takes at most eight bytes for a byte of input, usually one or two.
public struct CBORDocument: Sendable {
    let tape: Tape
    /// The entry of the item: 0 but for one that was indexed along with what it is embedded in.
    private let entry: Int

    /// Checks and indexes one item.
    ///
    /// - Throws: ``CBORError`` with the reason, the byte and the path, if the bytes are not one item that the options
    ///   allow.
    public init(_ bytes: [UInt8], options: CBORReadingOptions = .default) throws(CBORError) {
        self.init(tape: try Tape(bytes[...], options: options))
    }

    /// Checks and indexes one item in a slice; offsets in errors count from the start of the slice.
    ///
    /// - Throws: ``CBORError`` as for an array.
    public init(_ bytes: ArraySlice<UInt8>, options: CBORReadingOptions = .default) throws(CBORError) {
        self.init(tape: try Tape(bytes, options: options))
    }

    init(content: ArraySlice<UInt8>, origin: Tape.Origin, options: CBORReadingOptions) throws(CBORError) {
        self.init(tape: try Tape(content, options: options, origin: origin))
    }

    init(tape: Tape, entry: Int = 0) {
        self.tape = tape
        self.entry = entry
    }

    /// The item.
    public var root: CBORView { CBORView(tape: tape, entry: entry) }

    /// The first item whose argument, or bignum, violates ``CBORReadingOptions/requiresShortestArguments``; nil without
    /// one, or if deviations are not noted, see ``CBORReadingOptions/notesDeviations``.
    public var firstLongForm: CBORView? {
        entry == 0 ? tape.deviations.longForm.map { CBORView(tape: tape, entry: $0) } : nil
    }

    /// The first item of indefinite length that violates ``CBORReadingOptions/requiresDefiniteLengths``; nil without
    /// one, or if deviations are not noted, see ``CBORReadingOptions/notesDeviations``.
    public var firstIndefiniteLength: CBORView? {
        entry == 0 ? tape.deviations.indefiniteLength.map { CBORView(tape: tape, entry: $0) } : nil
    }

    /// The bytes of the item, as received.
    public var encodedBytes: ArraySlice<UInt8> { root.encodedBytes }

    /// The bytes after the item; empty unless ``CBORReadingOptions/trailingBytes`` allows them.
    public var trailingBytes: ArraySlice<UInt8> {
        entry == 0 ? tape.slice(tape.rootLength..<tape.bytes.count) : root.encodedBytes.suffix(0)
    }
}
