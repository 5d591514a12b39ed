/// The strictness of a pass: the loop is compiled once for each.
protocol TapeStrictness {
    /// Indicates any check beyond well-formedness, UTF-8, limits and duplicate keys.
    static var isStrict: Bool { get }
}

/// The pass of most readers.
enum UsualTape: TapeStrictness {
    static var isStrict: Bool { false }
}

/// The pass of readers that demand more.
enum StrictTape: TapeStrictness {
    static var isStrict: Bool { true }
}
