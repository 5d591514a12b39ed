/// What the command line asks for.
struct MutationOptions: Sendable {
    private(set) var effort = MutationEffort.sample
    /// The start of the sequence of mutations; the same seed damages in the same way.
    private(set) var seed: UInt64 = 8949
    /// Parts of the names of the files that are wanted; all files without one.
    private(set) var parts: [String] = []

    /// Reads the arguments; nil where they say nothing that the program knows.
    init?(_ arguments: some Sequence<String>) {
        var rest = Array(arguments)[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--full": effort = .full
            case "--seed":
                guard let seed = rest.popFirst().flatMap({ UInt64($0) }) else { return nil }
                self.seed = seed
            case let part where !part.hasPrefix("-"): parts.append(part)
            default: return nil
            }
        }
    }

    /// Whether a file of this name is wanted.
    func includes(_ name: String) -> Bool {
        parts.isEmpty || parts.contains { name.contains($0) }
    }
}
