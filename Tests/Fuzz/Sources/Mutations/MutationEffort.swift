/// The extent of the damage that is tried on a file.
struct MutationEffort: Sendable {
    /// The number of mutations of each file.
    let mutations: Int
    /// The largest number of truncations of each file; nil to try all.
    let truncations: Int?

    /// A sample small enough for every test run.
    static let sample = MutationEffort(mutations: 250, truncations: 250)
    /// All truncations.
    static let full = MutationEffort(mutations: 100_000, truncations: nil)
}
