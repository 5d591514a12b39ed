#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A witness as an issuer sends it: not verified yet.
public struct ReceivedWitness: Hashable, Sendable {
    /// u, with u^e = ν.
    public let u: BigInteger
    /// The prime, which is also the value of the credential's revocation attribute.
    public let e: BigInteger
    /// The accumulator that the witness belongs to.
    public let signedAccumulator: SignedAccumulator
    /// When its holder last updated it, as a wallet notes it down; `nil` in a message of an issuer.
    public let updated: Date?

    /// Keeps the parts of a message; ``verified(by:)`` checks them.
    public init(u: BigInteger, e: BigInteger, signedAccumulator: SignedAccumulator, updated: Date? = nil) {
        self.u = u
        self.e = e
        self.signedAccumulator = signedAccumulator
        self.updated = updated
    }

    /// The witness, after the accumulator's signature, the ranges and u^e = ν have been checked.
    ///
    /// - Throws: The errors of ``SignedAccumulator/verified(by:)``, ``IdemixError/Code/invalidWitness``.
    public func verified(by publicKey: IdemixIssuerPublicKey) throws(IdemixError) -> RevocationWitness {
        let accumulator = try signedAccumulator.verified(by: publicKey)
        try checkRanges(publicKey: publicKey)
        return try RevocationWitness(
            u: u,
            e: e,
            accumulator: accumulator,
            signedAccumulator: signedAccumulator,
            publicKey: publicKey
        )
    }

    /// Refuses numbers outside the ranges of a witness's.
    func checkRanges(publicKey: IdemixIssuerPublicKey) throws(IdemixError) {
        guard e >= RevocationParameters.smallestPrime, e <= RevocationParameters.largestPrime, publicKey.isUnit(u)
        else {
            throw IdemixError(.invalidWitness, "u or e is out of its range")
        }
    }
}
