/// Names an issuer's key in the keyshare protocol.
public struct KeyshareKeyIdentifier: Hashable, Sendable, CustomStringConvertible {
    /// The issuer: `scheme.issuer`.
    public let issuer: String
    /// The counter of the key.
    public let counter: UInt

    /// Names a key.
    public init(issuer: String, counter: UInt) {
        self.issuer = issuer
        self.counter = counter
    }

    /// Reads the text `scheme.issuer-counter`; nil for any other text.
    public init?(_ text: String) {
        guard let hyphen = text.lastIndex(of: "-") else { return nil }
        let digits = text[text.index(after: hyphen)...]
        guard hyphen > text.startIndex, digits.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }), let counter = UInt(digits)
        else { return nil }
        self.init(issuer: String(text[..<hyphen]), counter: counter)
    }

    /// The text `scheme.issuer-counter`.
    public var description: String { "\(issuer)-\(counter)" }
}
