@_spi(Layers) import JSONKit

/// A JSON text in which names may stand for digests, and where they do.
struct DigestedText {
    let document: JSONDocument
    /// The text itself.
    let bytes: ArraySlice<UInt8>
    /// The members with a name that is reserved for digests, in the order of the text.
    private let digests: [JSONPosition]

    /// Looks for the digests inside a value, once for all values inside it.
    init(_ document: JSONDocument, inside position: JSONPosition) {
        self.document = document
        bytes = document.bytes
        let members = document.members(named: ReservedName.digests, inside: position)
        let elements = document.members(named: ReservedName.element, inside: position)
        digests = elements.isEmpty ? members : (members + elements).sorted()
    }

    /// Returns `true` if there are digests inside a value, at any depth.
    func hasDigests(inside position: JSONPosition) -> Bool {
        guard !digests.isEmpty else { return false }
        let extent = document.extent(of: position)
        var (low, high) = (0, digests.count)
        while low < high {
            let middle = (low + high) / 2
            if digests[middle] < extent.lowerBound { low = middle + 1 } else { high = middle }
        }
        return low < digests.count && digests[low] < extent.upperBound
    }
}
