/// One item of a document, read when asked for.
///
/// A view is an index into the document, which it keeps alive; making one decodes nothing. The bytes behind it were
/// checked when the document was read, so only the expectation of the caller can fail: an item of another kind, a
/// number out of range, a key that is missing.
public struct CBORView: Sendable {
    let tape: Tape
    let entry: Int

    /// The bytes of the item as received, its head included.
    public var encodedBytes: ArraySlice<UInt8> { tape.slice(tape.read { $0.range(of: entry) }) }

    /// The kind of the item.
    public var kind: CBORKind { CBORKind(initialByte: initialByte) }

    /// The distance in bytes from the start of the outermost input to the item.
    public var offset: Int { tape.baseOffset + tape.read { $0.offset(of: entry) } }

    /// The steps from the root of the outermost input to the item.
    public var path: CBORPath { tape.path(to: entry) }

    var initialByte: UInt8 { tape.read { $0.initialByte(of: entry) } }

    var head: Head { tape.read { $0.head(of: entry) } }

    func sibling(_ entry: Int) -> CBORView { CBORView(tape: tape, entry: entry) }
}

extension CBORKind {
    init(initialByte: UInt8) {
        switch initialByte >> 5 {
        case 0: self = .unsigned
        case 1: self = .negative
        case 2: self = .byteString
        case 3: self = .textString
        case 4: self = .array
        case 5: self = .map
        case 6: self = .tag
        default: self = initialByte <= 0xf8 ? .simple : .float
        }
    }
}

extension CBORView: CBORDecodable {
    /// The view itself, where a structure keeps an item unread.
    public init(cbor view: CBORView) {
        self = view
    }
}

/// A type that can be read from an item of a document.
public protocol CBORDecodable {
    /// Reads a value from an item.
    ///
    /// - Throws: ``CBORError``, or an error of the type's own, if the item does not have the form of the type.
    init(cbor view: CBORView) throws
}
