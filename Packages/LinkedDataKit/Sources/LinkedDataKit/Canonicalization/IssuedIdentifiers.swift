public import VerificationCore

/// The identifiers that canonicalization gave to the blank nodes of a dataset (RDFC-1.0, section 4.3,
/// "issued identifiers map").
public struct IssuedIdentifiers: Hashable, Sendable {
    private let canonicalLabels: [ExactText: ExactText]

    init(_ canonicalLabels: [ExactText: ExactText]) {
        self.canonicalLabels = canonicalLabels
    }

    /// The number of blank nodes.
    public var count: Int { canonicalLabels.count }

    /// The labels that the blank nodes had in the dataset, without `_:`.
    public var labels: some Collection<ExactText> { canonicalLabels.keys }

    /// The canonical label, such as `c14n0`, of the blank node that has a label in the dataset, both without `_:`.
    public subscript(label: ExactText) -> ExactText? { canonicalLabels[label] }
}

/// An identifier issuer (RDFC-1.0, section 4.5) for blank nodes that are numbered from 0.
struct IdentifierIssuer {
    private let prefix: StaticString
    /// The nodes in the order in which they got their identifiers.
    private(set) var order: [Int] = []
    private var numbers: [Int: Int] = [:]

    /// An issuer of temporary identifiers.
    static let temporary = IdentifierIssuer(prefix: "_:b")
    /// The issuer of the canonical identifiers.
    static let canonical = IdentifierIssuer(prefix: "_:c14n")

    private init(prefix: StaticString) {
        self.prefix = prefix
    }

    func hasIssued(to node: Int) -> Bool { numbers[node] != nil }

    /// Gives a node an identifier, unless it has one.
    mutating func issue(to node: Int) {
        guard numbers[node] == nil else { return }
        numbers[node] = order.count
        order.append(node)
    }

    /// Appends the identifier of a node with its `_:`, and returns `false` if it has none.
    @discardableResult
    func appendIdentifier(of node: Int, to bytes: inout [UInt8]) -> Bool {
        guard let number = numbers[node] else { return false }
        prefix.withUTF8Buffer { bytes.append(contentsOf: $0) }
        NQuadsForm.append(decimal: number, to: &bytes)
        return true
    }
}
