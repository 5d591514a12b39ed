/// Whether a pass checks more than what is always checked: the loop is compiled once for each.
protocol TapeStrictness {
    /// Whether anything beyond well-formedness, UTF-8, limits and duplicate keys is checked.
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
