/// The names that certificates below a certificate authority may have (RFC 5280, 4.2.1.10).
public struct NameConstraints: Hashable, Sendable {
    /// The subtrees that names of their form must lie in; a form that is not among them is not constrained by this.
    public let permitted: [GeneralName]

    /// The subtrees that no name may lie in.
    public let excluded: [GeneralName]

    init(permitted: [GeneralName], excluded: [GeneralName]) {
        self.permitted = permitted
        self.excluded = excluded
    }
}

extension NameConstraints: EncodableExtensionValue {
    init(from reader: inout DERReader) throws(CryptoError) {
        var sequence = try reader.enter(DERReader.Tag.sequence, "NameConstraints")
        let permitted = try sequence.nextIfPresent(DERReader.Tag.context(0))
        let excluded = try sequence.nextIfPresent(DERReader.Tag.context(1))
        try sequence.finish()
        guard permitted != nil || excluded != nil else { throw sequence.failure("NameConstraints is empty") }
        self.init(permitted: try Self.subtrees(permitted), excluded: try Self.subtrees(excluded))
    }

    /// GeneralSubtrees; `minimum` other than 0 and `maximum` are refused, as RFC 5280 forbids them.
    private static func subtrees(_ element: DERElement?) throws(CryptoError) -> [GeneralName] {
        guard var reader = element?.reader else { return [] }
        var names: [GeneralName] = []
        guard !reader.isAtEnd else { throw reader.failure("GeneralSubtrees is empty") }
        while !reader.isAtEnd {
            var subtree = try reader.enter(DERReader.Tag.sequence, "GeneralSubtree")
            let name = try GeneralName(from: &subtree)
            if case .ipAddress(let bytes) = name, bytes.count != 8, bytes.count != 32 {
                throw subtree.failure("an iPAddress subtree is no address with a mask")
            }
            guard subtree.isAtEnd else { throw subtree.failure("minimum and maximum must not be there") }
            names.append(name)
        }
        return names
    }

    var derValue: DERValue {
        .sequence(
            [permitted, excluded].enumerated().filter { !$0.element.isEmpty }.map { number, subtrees in
                .context(UInt8(number), subtrees.map { .sequence([$0.derValue]) })
            }
        )
    }
}
