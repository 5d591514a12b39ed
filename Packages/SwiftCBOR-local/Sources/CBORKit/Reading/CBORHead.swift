/// The head of an item: its kind and its argument (RFC 8949 section 3).
public struct CBORHead: Hashable, Sendable {
    /// The kind of the item.
    public let kind: CBORKind
    /// The value, the length, the count, the tag number or the bits of a float; nil for an indefinite length.
    public let argument: UInt64?

    init(_ head: Head) {
        kind = CBORKind(initialByte: head.initial)
        argument = head.isIndefinite ? nil : head.argument
    }
}

extension CBORMapView {
    /// Returns `true` if the heads of every key and its value are as expected; makes no views, and ends at the first
    /// other pair.
    public func allHeads(satisfy isExpected: (_ key: CBORHead, _ value: CBORHead) -> Bool) -> Bool {
        view.tape.read { contents in
            var entries = contents.children(of: view.entry)
            while let key = entries.next(), let value = entries.next() {
                guard isExpected(CBORHead(contents.head(of: key)), CBORHead(contents.head(of: value))) else {
                    return false
                }
            }
            return true
        }
    }
}

extension CBORArrayView {
    /// Returns `true` if the heads of all elements are as expected; makes no views, and ends at the first other element.
    public func allHeads(satisfy isExpected: (CBORHead) -> Bool) -> Bool {
        view.tape.read { contents in
            var entries = contents.children(of: view.entry)
            while let entry = entries.next() {
                guard isExpected(CBORHead(contents.head(of: entry))) else { return false }
            }
            return true
        }
    }
}
