/// The input of a document and the index of its items, in the order in which they begin.
///
/// An array, map, tag or string in chunks is followed by what it holds; an indefinite length ends with an entry for its
/// break. So the last entry within an item always tells where the item's bytes end.
@safe
final class Tape: @unchecked Sendable {
    // Sendable although it owns memory: nothing changes after init, and only deinit frees it.

    /// The received bytes, those after the root included.
    let bytes: ArraySlice<UInt8>
    /// How many of the bytes belong to the root.
    let rootLength: Int
    /// The byte string that holds the bytes, if they are content of another document.
    let origin: Origin?
    private let entries: UnsafeMutableBufferPointer<TapeEntry>
    private let count: Int

    /// A byte string of another document, and where its content begins in the outermost input.
    struct Origin: Sendable {
        let view: CBORView
        let offset: Int
    }

    /// Checks and indexes the bytes.
    init(_ bytes: ArraySlice<UInt8>, options: CBORReadingOptions, origin: Origin? = nil) throws(CBORError) {
        let (builder, error) = unsafe bytes.withUnsafeBytes { buffer in
            let builder = unsafe TapeBuilder.build(from: buffer, options: options)
            let error = builder.failure.map { builder.error(for: $0) }
            return (builder, error)
        }
        if let error {
            unsafe builder.entries.deallocate()
            guard let origin else { throw error }
            throw error.located(under: origin.view.path + CBORPath([.embedded]), by: origin.offset)
        }
        self.bytes = bytes
        self.origin = origin
        rootLength = builder.position
        unsafe entries = builder.entries
        count = builder.count
    }

    deinit {
        unsafe entries.deallocate()
    }

    /// Lends the input and the index.
    @inline(__always)
    func read<Result>(_ body: (TapeContents) throws -> Result) rethrows -> Result {
        try unsafe bytes.withUnsafeBytes { buffer in
            let entries = unsafe UnsafeBufferPointer(rebasing: entries[..<count])
            return try unsafe body(TapeContents(bytes: buffer, entries: entries))
        }
    }

    /// The received bytes of a range that is counted from the start of the input.
    func slice(_ range: Range<Int>) -> ArraySlice<UInt8> {
        bytes[bytes.startIndex + range.lowerBound..<bytes.startIndex + range.upperBound]
    }

    /// Where the input begins in the outermost one.
    var baseOffset: Int { origin?.offset ?? 0 }

    /// The path from the root of the outermost input to an item.
    func path(to entry: Int) -> CBORPath {
        let prefix = origin.map { $0.view.path + CBORPath([.embedded]) } ?? CBORPath()
        return prefix + CBORPath(read { $0.steps(to: entry) })
    }
}

extension TapeContents {
    /// The steps from the root to a closed item.
    func steps(to target: Int) -> [CBORPath.Step] {
        var steps: [CBORPath.Step] = []
        var parent = 0
        while parent < target {
            guard let child = child(of: parent, holding: target) else { break }
            steps.append(step(from: parent, to: child))
            parent = child
        }
        return steps
    }

    /// The item directly within a closed item that is or holds another.
    private func child(of parent: Int, holding target: Int) -> Int? {
        children(of: parent).first { target < next(after: $0) }
    }
}
