/// The options on the command line.
struct MutationOptions: Sendable {
    private(set) var effort = MutationEffort.sample
    /// The seed of the mutations; the same seed damages in the same way.
    private(set) var seed: UInt64 = 8949
    /// Parts of the names of the requested files; all files for an empty list.
    private(set) var parts: [String] = []

    /// Reads the arguments; nil for unknown ones.
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

    /// Returns `true` for a requested file.
    func includes(_ name: String) -> Bool {
        parts.isEmpty || parts.contains { name.contains($0) }
    }
}
