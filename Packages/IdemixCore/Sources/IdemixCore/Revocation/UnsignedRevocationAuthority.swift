public import CryptoCore

/// A revocation authority's next state on its way to being signed.
///
/// ``sign(with:)`` does it in one step. Where the signature comes from elsewhere, sign ``bytesToSign`` and pass the
/// signature to ``completed(with:)``.
public struct UnsignedRevocationAuthority: Sendable {
    private let unsigned: UnsignedAccumulator
    private let events: [RevocationEvent]
    private let keys: IdemixIssuerKeyPair

    init(_ accumulator: RevocationAccumulator, events: [RevocationEvent], keys: IdemixIssuerKeyPair) throws(IdemixError)
    {
        unsigned = try UnsignedAccumulator(accumulator, publicKey: keys.publicKey)
        self.events = events
        self.keys = keys
    }

    /// The bytes that the signature covers: ECDSA with P-256 and SHA-256.
    public var bytesToSign: [UInt8] { unsigned.bytesToSign }

    /// The authority with its accumulator signed.
    ///
    /// - Throws: The errors of ``UnsignedAccumulator/sign(with:)``.
    public func sign(with signer: any Signer) async throws(IdemixError) -> RevocationAuthority {
        authority(try await unsigned.sign(with: signer))
    }

    /// The authority with a signature that was made elsewhere.
    ///
    /// - Parameter signature: The ECDSA signature as a `Signer` gives it: r‖s.
    /// - Throws: ``IdemixError/Code/signingFailed`` for a signature that does not verify with the issuer's key.
    public func completed(with signature: [UInt8]) throws(IdemixError) -> RevocationAuthority {
        authority(try unsigned.completed(with: signature))
    }

    private func authority(_ signed: SignedAccumulator) -> RevocationAuthority {
        RevocationAuthority(
            accumulator: unsigned.accumulator,
            signedAccumulator: signed,
            events: events,
            keys: keys
        )
    }
}
