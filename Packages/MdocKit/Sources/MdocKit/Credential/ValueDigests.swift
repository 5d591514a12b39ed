package import CBORKit

/// The digests of a mobile security object by namespace and number.
public struct ValueDigests: Sendable {
    /// The namespaces and their digests, checked to be numbers and byte strings.
    private let groups: [(nameSpace: NameSpace, digests: CBORMapView)]
    /// The indices of the namespaces; nil for so few that comparing them costs less than hashing.
    private let places: [NameSpace: Int]?

    /// The largest number of namespaces that are compared one by one.
    private static let fewNameSpaces = 8

    private init(_ groups: [(nameSpace: NameSpace, digests: CBORMapView)]) {
        self.groups = groups
        places =
            groups.count > Self.fewNameSpaces
            ? Dictionary(groups.enumerated().map { ($0.element.nameSpace, $0.offset) }) { first, _ in first } : nil
    }

    /// The namespaces.
    public var nameSpaces: [NameSpace] { groups.map(\.nameSpace) }

    /// The digest with a number in a namespace, or nil.
    ///
    /// Searches the namespace's digests linearly.
    public func digest(_ digestID: DigestID, in nameSpace: NameSpace) -> ArraySlice<UInt8>? {
        try? digests(of: nameSpace)?.value(forKey: Int(digestID.value))?.bytes()
    }

    /// The map from numbers to digests of a namespace, or nil if absent.
    func digests(of nameSpace: NameSpace) -> CBORMapView? {
        guard let places else { return groups.first { $0.nameSpace == nameSpace }?.digests }
        return places[nameSpace].map { groups[$0].digests }
    }

    /// All digests of a namespace, in the order received; empty for a missing namespace.
    public subscript(nameSpace: NameSpace) -> [(digestID: DigestID, digest: ArraySlice<UInt8>)] {
        guard let digests = digests(of: nameSpace) else { return [] }
        return digests.compactMap { key, value in
            guard let digestID = try? DigestID(key), let digest = try? value.bytes() else { return nil }
            return (digestID, digest)
        }
    }
}

extension ValueDigests: MdocReadable {
    package init(_ view: CBORView, _ reading: inout Reading) throws(MdocError) {
        let map = try cbor(view.map())
        guard map.count > 0 else {
            throw MdocError(.invalidValue, "there must be at least one namespace", at: view)
        }
        try reading.checkNameSpaces(map.count, at: view)
        var groups: [(nameSpace: NameSpace, digests: CBORMapView)] = []
        groups.reserveCapacity(map.count)
        var total = 0
        var firstLarge: CBORView?
        for (key, value) in map {
            let digests = try cbor(value.map())
            total += digests.count
            try reading.check(total, limit: reading.options.limits.digests, "digests", at: view)
            guard digests.count > 0 else {
                throw MdocError(.invalidValue, "the namespace has no digests", at: value)
            }
            let large = try Self.firstLargeID(in: digests)
            firstLarge = firstLarge ?? large
            groups.append((try reading.name(key), digests))
        }
        self.init(groups)
        // Noted once: there can be very many, and each place would have to be looked for.
        if let firstLarge { try reading.tolerate(.largeDigestID, at: firstLarge, breaking: DigestID.limit) }
    }

    /// The first number that is too large to be a digestID, but not by much; nil if all are as they must be.
    ///
    /// - Throws: ``MdocError`` for a map of anything but byte strings by numbers.
    private static func firstLargeID(in digests: CBORMapView) throws(MdocError) -> CBORView? {
        let isExpected = digests.allHeads { key, value in
            guard key.kind == .unsigned, value.kind == .byteString, let number = key.argument else { return false }
            return DigestID(number) != nil
        }
        guard !isExpected else { return nil }
        // Finds the unexpected number or digest, and the reason.
        var firstLarge: CBORView?
        for (digestID, digest) in digests {
            if try DigestID(digestID).isLarge, firstLarge == nil { firstLarge = digestID }
            guard digest.kind == .byteString else {
                throw MdocError(reading: .typeMismatch(expected: "byte string", at: digest))
            }
        }
        return firstLarge
    }
}
