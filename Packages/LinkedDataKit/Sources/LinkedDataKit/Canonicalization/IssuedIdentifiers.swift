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

    /// The number in the canonical label of the blank node that has a label in the dataset.
    func number(of label: ExactText) -> Int? { canonicalLabels[label].flatMap { Int($0.text.dropFirst(4)) } }
}

/// An identifier issuer (RDFC-1.0, section 4.5) for blank nodes that are numbered from 0.
///
/// Runs of Hash N-Degree Quads copy issuers at every step and keep the copies. Copies share the identifiers that were
/// issued long ago; each has only the few last ones of its own.
struct IdentifierIssuer {
    private static let mostRecent = 64

    private let prefix: StaticString
    private var settled: [Int] = []
    private var settledNumbers: [Int: Int] = [:]
    private var recent: [Int] = []

    /// An issuer of temporary identifiers.
    static let temporary = IdentifierIssuer(prefix: "_:b")
    /// The issuer of the canonical identifiers.
    static let canonical = IdentifierIssuer(prefix: "_:c14n")

    private init(prefix: StaticString) {
        self.prefix = prefix
    }

    /// The nodes in the order in which they got their identifiers.
    var order: [Int] { settled + recent }

    func hasIssued(to node: Int) -> Bool { number(of: node) != nil }

    private func number(of node: Int) -> Int? {
        if let index = recent.lastIndex(of: node) { return settled.count + index }
        return settledNumbers[node]
    }

    /// Gives a node an identifier, unless it has one.
    mutating func issue(to node: Int) {
        guard !hasIssued(to: node) else { return }
        recent.append(node)
        guard recent.count == Self.mostRecent else { return }
        for node in recent {
            settledNumbers[node] = settled.count
            settled.append(node)
        }
        recent = []
    }

    /// Appends the identifier of a node with its `_:`, and returns `false` if it has none.
    @discardableResult
    func appendIdentifier(of node: Int, to bytes: inout [UInt8]) -> Bool {
        guard let number = number(of: node) else { return false }
        prefix.withUTF8Buffer { bytes.append(contentsOf: $0) }
        NQuadsForm.append(decimal: number, to: &bytes)
        return true
    }
}
