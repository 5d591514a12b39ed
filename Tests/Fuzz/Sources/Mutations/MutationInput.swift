import FuzzTargets

/// Bytes to damage, and the parsers that the damaged variants go to.
struct MutationInput: Sendable {
    let bytes: [UInt8]
    let targets: [FuzzTarget]

    /// An input of the parsers that read it undamaged, or of all where none does.
    init(_ bytes: [UInt8], among targets: [FuzzTarget]) {
        self.bytes = bytes
        let readers = targets.filter { $0.reads(bytes) }
        self.targets = readers.isEmpty ? targets : readers
    }
}

extension FuzzTarget {
    /// Returns `true` if the parser takes the bytes; what it throws otherwise is its answer.
    func reads(_ bytes: [UInt8]) -> Bool {
        (try? feed(bytes)) != nil
    }
}
