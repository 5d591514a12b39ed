package import CBORKit

/// A statement `age_over_NN` on a credential, and the rule by which one answers another (ISO/IEC 18013-5, 7.2.5).
public struct AgeAttestation: Hashable, Sendable {
    /// The statements of a driving licence that a wallet returns and a reader asks for, at most: more would tell the age
    /// itself.
    static let mostAnswers = 2

    /// The age in years, 0 to 99.
    public let age: Int
    /// Indicates that the holder has that age.
    public let isOver: Bool

    /// States that the holder is over an age, or is not.
    public init(age: Int, isOver: Bool) {
        self.age = age
        self.isOver = isOver
    }

    /// Reads an element; nil if it is no such statement.
    package init?(_ identifier: DataElementIdentifier, _ value: CBORView) {
        guard let age = Self.age(in: identifier), let isOver = try? value.bool() else { return nil }
        self.init(age: age, isOver: isOver)
    }

    /// The element that says it: two digits always.
    public var identifier: DataElementIdentifier {
        DataElementIdentifier("age_over_\(age < 10 ? "0" : "")\(age)")
    }

    /// The NN of `age_over_NN`; nil for other identifiers.
    public static func age(in identifier: DataElementIdentifier) -> Int? {
        let prefix = "age_over_"
        guard identifier.text.utf8.starts(with: prefix.utf8) else { return nil }
        let digits = identifier.text.utf8.dropFirst(prefix.utf8.count)
        guard digits.count == 2, digits.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains) else { return nil }
        return Int(String(Substring(digits)))
    }

    /// Returns `true` for a statement that ``mostAnswers`` limits: one of a driving licence (13.4.6).
    ///
    /// Other documents have no such rule.
    static func isLimited(_ element: DataElementReference, in docType: DocType) -> Bool {
        docType == .mDL && age(in: element.identifier) != nil
    }

    /// The statement that answers whether the holder is over an age: the nearest true one at that age or above, else
    /// the nearest false one at that age or below, else nil.
    public static func answer(to age: Int, from attestations: [AgeAttestation]) -> AgeAttestation? {
        let over = attestations.filter { $0.isOver && $0.age >= age }.min { $0.age < $1.age }
        return over ?? attestations.filter { !$0.isOver && $0.age <= age }.max { $0.age < $1.age }
    }
}

extension AgeAttestation: CustomStringConvertible {
    /// The statement in words, such as `18 or over` or `under 21`.
    public var description: String { isOver ? "\(age) or over" : "under \(age)" }
}
