/// A COSE algorithm identifier: an integer of the IANA registry "COSE Algorithms".
///
/// An open set: an identifier that this library does not know can be read, named and refused. Text identifiers, which
/// the registry allows and never assigned, are refused where they occur.
public struct COSEAlgorithm: RawRepresentable, Hashable, Sendable {
    /// The identifier; its sign matters: -7 is ES256, 6 is HMAC 384/384.
    public let rawValue: Int

    /// The algorithm of an identifier, known or not.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Indicates whether this library implements the algorithm.
    public var isSupported: Bool {
        if case .nameOnly = primitive { return false }
        return true
    }
}

extension COSEAlgorithm: CustomStringConvertible {
    /// The name in the registry and the identifier, such as `ES256 (-7)`; the bare identifier where it has no name.
    public var description: String {
        guard let name else { return "algorithm \(rawValue)" }
        return "\(name) (\(rawValue))"
    }
}
