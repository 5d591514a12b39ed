public import IRMAMessages
public import IdemixCore

/// The newest accumulators and events, for the requests of verifiers.
public protocol RevocationUpdateSource: Sendable {
    /// The newest accumulators of a type with their last events, by the counter of the key.
    ///
    /// A key whose accumulator the source cannot give is left out.
    ///
    /// - Parameters:
    ///   - type: The credential type.
    ///   - count: The largest number of events of each.
    ///   - tolerance: The age in seconds of an accumulator that the session's request tolerates; nil for that of the source.
    ///   - schemes: The schemes of the session.
    /// - Throws: The reason if the source can give none of the accumulators.
    func updates(
        of type: CredentialTypeIdentifier,
        lastEvents count: Int,
        tolerance: UInt64?,
        schemes: SchemeSnapshot
    ) async throws(IRMAServerError) -> [UInt: RevocationUpdate]

    /// The newest accumulators of a type that the source has, with the time of its last look for newer ones.
    ///
    /// A proof for one of them is as fresh as that look. By default there are none, and the accumulators' own times count.
    func knownAccumulators(of type: CredentialTypeIdentifier) async -> [UInt: KnownAccumulator]
}

extension RevocationUpdateSource {
    /// No accumulators.
    public func knownAccumulators(of type: CredentialTypeIdentifier) async -> [UInt: KnownAccumulator] { [:] }
}
