/// How much of the damage that a file can take is tried.
struct MutationEffort: Sendable {
    /// The number of mutations of each file.
    let mutations: Int
    /// The most truncations of each file; nil to try all.
    let truncations: Int?

    /// What every run of the tests can afford.
    static let sample = MutationEffort(mutations: 2_000, truncations: 2_000)
    /// Everything.
    static let full = MutationEffort(mutations: 100_000, truncations: nil)
}
