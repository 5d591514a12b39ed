/// A Wycheproof file or group is about an algorithm that this layer has no engine for.
struct UnknownAlgorithm: Error {
    let name: String?

    /// Why the tests are passed over.
    var reason: String { "no engine here for \(name ?? "an algorithm without a name")" }
}
