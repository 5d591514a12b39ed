extension EllipticCurve {
    /// The content octets of the curve's object identifier.
    var encodedObjectIdentifier: [UInt8] { Self.encodedIdentifiers.first { $0.curve == self }?.content ?? [] }

    /// The curve of the content octets of an object identifier, or nil for any other.
    init?(encodedObjectIdentifier content: ArraySlice<UInt8>) {
        guard let match = Self.encodedIdentifiers.first(where: { $0.content.elementsEqual(content) }) else {
            return nil
        }
        self = match.curve
    }

    /// In the order of ``all``, so that P-256 is found first.
    private static let encodedIdentifiers: [(curve: EllipticCurve, content: [UInt8])] =
        all.map { ($0, ObjectIdentifiers.encode($0.objectIdentifier)) }
}
