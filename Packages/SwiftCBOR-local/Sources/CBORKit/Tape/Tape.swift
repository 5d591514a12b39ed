/// The input of a document and the index of its items, in the order in which they begin.
///
/// An array, map, tag or string in chunks is followed by what it holds; an indefinite length ends with an entry for its
/// break. So the last entry within an item always tells where the item's bytes end.
@safe
final class Tape: @unchecked Sendable {
    // Sendable although it owns memory: nothing but `places` changes after init, which is atomic, and only deinit frees it.

    /// The received bytes, those after the root included.
    let bytes: ArraySlice<UInt8>
    /// The same bytes and the index, by their addresses: what an array holds does not move as long as ``bytes`` refers to
    /// it, and borrowing it anew for every look would cost more than the look.
    private let contents: TapeContents
    /// The number of bytes that belong to the root.
    let rootLength: Int
    /// The origin of the bytes within another input, if there is one.
    let origin: Origin?
    /// Indicates that no map has two equal keys.
    let hasUniqueKeys: Bool
    /// The options under which embedded items were indexed, if they were.
    let embeddedOptions: CBORReadingOptions?
    /// The deviations noted instead of refused.
    let deviations: TapeDeviations
    private let entries: UnsafeMutableBufferPointer<TapeEntry>
    /// The way from each item to the root, for paths.
    let places = TapePlaces()

    /// A place in an outer input.
    struct Origin: Sendable {
        /// The outer item or sequence.
        enum Place {
            /// The content of a byte string, by its entry in another tape.
            case content(Tape, entry: Int)
            /// The item of a sequence with this index.
            case sequence(Int)
        }

        let place: Place
        /// The distance from the start of the outermost input.
        let offset: Int

        /// The path from the root of the outermost input.
        var path: CBORPath {
            switch place {
            case .content(let tape, let entry): tape.path(to: entry) + CBORPath([.embedded])
            case .sequence(let index): CBORPath([.index(index)])
            }
        }
    }

    /// Checks and indexes the bytes.
    init(_ bytes: ArraySlice<UInt8>, options: CBORReadingOptions, origin: Origin? = nil) throws(CBORError) {
        let (input, result) = unsafe bytes.withUnsafeBytes { unsafe ($0, TapeWorkspace.index($0, TapeRules(options))) }
        switch result {
        case .success(let index):
            self.bytes = bytes
            self.origin = origin
            hasUniqueKeys = options.duplicateKeys == .refuse
            embeddedOptions = options.indexesEmbeddedItems ? options : nil
            rootLength = index.rootLength
            deviations = index.deviations
            unsafe entries = index.entries
            let written = unsafe UnsafeBufferPointer(rebasing: index.entries[..<index.count])
            contents = unsafe TapeContents(bytes: input, entries: written)
        case .failure(let error):
            guard let origin else { throw error }
            throw error.located(under: origin.path, by: origin.offset)
        }
    }

    deinit {
        unsafe HeapMemory.deallocate(entries.baseAddress)
    }

    /// Lends the input and the index.
    @inline(__always)
    func read<Result>(_ body: (TapeContents) throws -> Result) rethrows -> Result {
        defer { extendLifetime(self) }
        return try body(contents)
    }

    /// The received bytes of a range that is counted from the start of the input.
    func slice(_ range: Range<Int>) -> ArraySlice<UInt8> {
        bytes[bytes.startIndex + range.lowerBound..<bytes.startIndex + range.upperBound]
    }

    /// The offset of the input in the outermost one.
    var baseOffset: Int { origin?.offset ?? 0 }

    /// The path from the root of the outermost input to an item.
    func path(to entry: Int) -> CBORPath {
        let prefix = origin?.path ?? CBORPath()
        return prefix + CBORPath(read { places.steps(to: entry, in: $0) })
    }
}
