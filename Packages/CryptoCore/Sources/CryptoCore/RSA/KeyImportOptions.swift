/// Tolerances when a key is read; each has to be asked for by name.
public struct KeyImportOptions: OptionSet, Sendable {
    /// The bits of the set.
    public let rawValue: Int

    /// Makes a set from its bits.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Accepts RSA keys from 1024 bits on, which can be factored with effort.
    public static let insecureShortRSA = KeyImportOptions(rawValue: 1)
}
