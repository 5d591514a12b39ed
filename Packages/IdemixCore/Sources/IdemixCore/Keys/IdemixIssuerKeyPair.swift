public import CryptoCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An issuer's public key and the private key that belongs to it.
public struct IdemixIssuerKeyPair: Sendable {
    /// The public part.
    public let publicKey: IdemixIssuerPublicKey
    /// The part that signs.
    public let privateKey: IdemixIssuerPrivateKey
    /// Primes for the signatures of all issuers with this key pair and its copies.
    package let primes: CLSignaturePrimePool

    /// Puts two keys together.
    ///
    /// - Throws: ``IdemixError/Code/keyPairMismatch`` if they are not a pair.
    public init(publicKey: IdemixIssuerPublicKey, privateKey: IdemixIssuerPrivateKey) throws(IdemixError) {
        try privateKey.validate(against: publicKey)
        self.publicKey = publicKey
        self.privateKey = privateKey
        primes = CLSignaturePrimePool(publicKey.parameters, privateKey.group)
    }

    /// The progress of a key's generation.
    public struct Progress: Hashable, Sendable {
        /// The number of safe primes found, of two.
        public let primesFound: Int
        /// The number of candidates tested.
        public let candidatesTested: Int
    }

    /// Generates a key pair with material for revocation.
    ///
    /// The search for safe primes takes a few seconds at 2048 bits and a minute or more at 4096. It ends early when the
    /// task it runs in is cancelled.
    ///
    /// - Parameters:
    ///   - parameters: The lengths of the key's numbers, by the modulus: 1024, 2048 or 4096 bits.
    ///   - counter: The number of this key pair among the issuer's; the metadata of credentials has room for 0 to
    ///     65535.
    ///   - expiryDate: The time after which the key may no longer sign.
    ///   - baseCount: The number of bases R: the largest number of attributes plus two.
    ///   - randomness: The source of the primes, the bases and the ECDSA key; by default the system's.
    ///   - progress: Called before each test of a candidate.
    /// - Throws: ``IdemixError/Code/cancelled``, or ``IdemixError/Code/invalidKey`` for an impossible number of bases.
    public static func generate(
        _ parameters: IdemixSystemParameters,
        counter: UInt,
        expiryDate: Date,
        baseCount: Int,
        using randomness: some RandomSource = .system,
        progress: (Progress) -> Void = { _ in }
    ) throws(IdemixError) -> IdemixIssuerKeyPair {
        try validate(baseCount: baseCount)
        let (p, q) = try safePrimes(parameters, using: randomness, progress: progress)
        return try make(p: p, q: q, counter: counter, expiryDate: expiryDate, baseCount: baseCount, using: randomness)
    }

    /// Makes a key pair of two safe primes, with fresh bases and material for revocation.
    ///
    /// - Throws: ``IdemixError/Code/invalidKey`` for numbers that are no such primes or an impossible number of bases,
    ///   ``IdemixError/Code/unsupportedKeyLength``.
    public static func make(
        p: BigInteger,
        q: BigInteger,
        counter: UInt,
        expiryDate: Date,
        baseCount: Int,
        using randomness: some RandomSource = .system
    ) throws(IdemixError) -> IdemixIssuerKeyPair {
        try validate(baseCount: baseCount)
        let revocationKey = try generateRevocationKey(using: randomness)
        let privateKey = try IdemixIssuerPrivateKey(
            counter: counter,
            expiryDate: expiryDate,
            p: p,
            q: q,
            revocationKey: revocationKey,
            using: randomness
        )
        let parameters = try IdemixSystemParameters(modulusBits: (p * q).bitCount)
        let publicKey = try IdemixIssuerPublicKey(
            counter: counter,
            expiryDate: expiryDate,
            elements: elements(privateKey.group, parameters: parameters, baseCount: baseCount, using: randomness),
            revocationKey: revocationKey.publicKey
        )
        return try IdemixIssuerKeyPair(publicKey: publicKey, privateKey: privateKey)
    }

    /// The same keys with fresh material for revocation: the bases G and H, and an ECDSA key.
    ///
    /// Earlier credentials under the keys stay valid, and cannot be revoked.
    ///
    /// - Throws: ``IdemixError/Code/invalidKey`` for keys of which one supports revocation already.
    public func addingRevocation(
        using randomness: some RandomSource = .system
    ) throws(IdemixError) -> IdemixIssuerKeyPair {
        guard privateKey.revocationKey == nil, !publicKey.supportsRevocation else {
            throw IdemixError(.invalidKey, "the key supports revocation already")
        }
        let revocationKey = try Self.generateRevocationKey(using: randomness)
        let (group, elements) = (privateKey.group, publicKey.elements)
        return try IdemixIssuerKeyPair(
            publicKey: IdemixIssuerPublicKey(
                counter: publicKey.counter,
                expiryDate: publicKey.expiryDate,
                elements: IdemixKeyElements(
                    n: elements.n,
                    Z: elements.Z,
                    S: elements.S,
                    R: elements.R,
                    G: try group.randomSquare(using: randomness),
                    H: try group.randomSquare(using: randomness)
                ),
                revocationKey: revocationKey.publicKey,
                epochLength: publicKey.epochLength
            ),
            privateKey: IdemixIssuerPrivateKey(
                counter: privateKey.counter,
                expiryDate: privateKey.expiryDate,
                p: group.p,
                q: group.q,
                revocationKey: revocationKey,
                // They were checked when the key was made or read.
                validation: .arithmetic
            )
        )
    }

    private static func validate(baseCount: Int) throws(IdemixError) {
        guard (2...IdemixKeyElements.maximumBases).contains(baseCount) else {
            throw IdemixError(.invalidKey, "\(baseCount) bases: not between 2 and \(IdemixKeyElements.maximumBases)")
        }
    }

    /// Two safe primes with p ≠ q modulo 8 and |p·q| = l_n.
    private static func safePrimes(
        _ parameters: IdemixSystemParameters,
        using randomness: some RandomSource,
        progress: (Progress) -> Void
    ) throws(IdemixError) -> (p: BigInteger, q: BigInteger) {
        let search = SafePrimeSearch(bits: parameters.modulus / 2 - 1)
        var tested = 0
        var found: [BigInteger] = []
        while true {
            let half = try search.next(using: randomness) { () throws(IdemixError) in
                if Task.isCancelled { throw IdemixError(.cancelled, "the generation of a key was cancelled") }
                progress(Progress(primesFound: min(1, found.count), candidatesTested: tested))
                tested += 1
            }
            let prime = half.shiftedLeft(by: 1) + 1
            let partner = found.first {
                $0.remainder(dividingBy: 8) != prime.remainder(dividingBy: 8)
                    && ($0 * prime).bitCount == parameters.modulus
            }
            if let partner { return (partner, prime) }
            guard !found.contains(prime) else {
                throw IdemixError(.randomnessFailed, "the same prime twice: the source of randomness repeats itself")
            }
            found.append(prime)
        }
    }

    /// Chooses the bases.
    ///
    /// S: a random square. Z and every R_i: S^x for a random x of l_n / 2 bits that is thrown away. G, H: random squares.
    private static func elements(
        _ group: FactoredGroup,
        parameters: IdemixSystemParameters,
        baseCount: Int,
        using randomness: some RandomSource
    ) throws(IdemixError) -> IdemixKeyElements {
        let S = try group.randomSquare(using: randomness)
        let exponents = (0...baseCount).map { _ in
            3 + BigInteger.random(below: BigInteger.powerOfTwo(parameters.modulus / 2) - 3, using: randomness)
        }
        let element = group.element(S)
        let bases = exponents.map { element.power(LimbBuffer($0, bits: parameters.modulus / 2)) }
        return IdemixKeyElements(
            n: group.p * group.q,
            Z: bases[0],
            S: S,
            R: Array(bases.dropFirst()),
            G: try group.randomSquare(using: randomness),
            H: try group.randomSquare(using: randomness)
        )
    }

    private static func generateRevocationKey(using randomness: some RandomSource) throws(IdemixError) -> PrivateKey {
        do {
            return try PrivateKey.generate(.p256, using: randomness)
        } catch {
            throw IdemixError(.invalidKey, "no ECDSA key could be generated", path: ["ECDSA"], cause: error)
        }
    }
}
