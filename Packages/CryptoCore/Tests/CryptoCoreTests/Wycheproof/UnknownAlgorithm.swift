/// A Wycheproof file or group is about an algorithm that this layer has no engine for.
struct UnknownAlgorithm: Error {
    let name: String?

    /// The reason that the tests are skipped.
    var reason: String { "no engine here for \(name ?? "an algorithm without a name")" }
}
