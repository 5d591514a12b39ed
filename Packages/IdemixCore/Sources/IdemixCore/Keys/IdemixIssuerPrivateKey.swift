public import CryptoCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An issuer's private key: the factors of the modulus, and the ECDSA key for revocation.
///
/// The numbers are wiped when the last copy goes away, and nothing prints them.
public struct IdemixIssuerPrivateKey: Sendable {
    /// The number of this key among the issuer's keys.
    public let counter: UInt
    /// After this time the key may no longer sign.
    public let expiryDate: Date
    /// The ECDSA key (P-256) of accumulators and revocation events, where the key supports revocation.
    ///
    /// ``revocationSigner()`` signs with it; a `Signer` elsewhere can take its place.
    public let revocationKey: PrivateKey?
    let group: FactoredGroup

    /// The checks of the factors when a key is made.
    public enum Validation: Sendable {
        /// Both factors are safe primes. For every key that guards anything.
        case safePrimes
        /// Only that the numbers fit each other: enough for the published keys of demonstration schemes.
        case arithmetic
    }

    /// Makes a key of the factors p and q.
    ///
    /// - Throws: ``IdemixError/Code/invalidKey`` for factors that fail the `validation`,
    ///   ``IdemixError/Code/unsupportedKeyLength`` where their product has another length than 1024, 2048 or 4096 bits.
    public init(
        counter: UInt,
        expiryDate: Date,
        p: BigInteger,
        q: BigInteger,
        revocationKey: PrivateKey? = nil,
        validation: Validation = .safePrimes,
        using randomness: some RandomSource = .system
    ) throws(IdemixError) {
        guard !p.isNegative, !q.isNegative, p.bitCount == q.bitCount, p != q else {
            throw IdemixError(.invalidKey, "the factors are not two different numbers of the same length")
        }
        _ = try IdemixSystemParameters(modulusBits: (p * q).bitCount)
        guard let group = FactoredGroup(p: p, q: q), group.pPrime.isOdd, group.qPrime.isOdd else {
            throw IdemixError(.invalidKey, "the factors are not 3 modulo 4 and coprime")
        }
        if validation == .safePrimes {
            for (name, number) in [("p", p), ("pPrime", group.pPrime), ("q", q), ("qPrime", group.qPrime)] {
                guard number.isProbablyPrime(rounds: 40, using: randomness) else {
                    throw IdemixError(.invalidKey, "the number is not prime", path: [name])
                }
            }
        }
        self.counter = counter
        self.expiryDate = expiryDate
        self.revocationKey = revocationKey
        self.group = group
    }

    /// The factors of the modulus.
    ///
    /// Their owner can sign anything.
    public var factors: (p: BigInteger, q: BigInteger) { (group.p, group.q) }

    /// Refuses a public key that does not belong to this one.
    ///
    /// - Throws: ``IdemixError/Code/keyPairMismatch``.
    public func validate(against publicKey: IdemixIssuerPublicKey) throws(IdemixError) {
        guard group.p * group.q == publicKey.elements.n, counter == publicKey.counter else {
            throw IdemixError(.keyPairMismatch, "the private key belongs to another public key")
        }
        guard
            revocationKey == nil || publicKey.revocationKey == nil
                || revocationKey?.publicKey == publicKey.revocationKey
        else {
            throw IdemixError(.keyPairMismatch, "the ECDSA keys do not belong together", path: ["ECDSA"])
        }
    }
}
