import CryptoCore

/// The commitment to the secret key that a list's proofs share: R_0^(m~_0) in the group of one key.
struct KeyCommitment: Sendable {
    /// m~_0, of as many bits as a key of 1024 bits allows: the same for all keys of a list.
    let randomizer: BigInteger
    /// R_0^(m~_0) mod n.
    let power: BigInteger
    /// The modulus and the base that the power belongs to.
    private let n: BigInteger
    private let base: BigInteger

    /// A fresh randomizer: large enough for any proof of the list to be one of non-revocation.
    static func randomizer(using randomness: some RandomSource) -> BigInteger {
        BigInteger.random(
            bits: IdemixSystemParameters.Common.secretKeyRandomizer,
            atLeast: RevocationParameters.smallestOtherRandomizer,
            using: randomness
        )
    }

    init(_ randomizer: BigInteger, publicKey: IdemixIssuerPublicKey) {
        self.randomizer = randomizer
        (n, base) = (publicKey.elements.n, publicKey.elements.R[0])
        var power = GroupProduct(publicKey.group, timing: .constant)
        power.multiply(.secretKey, to: randomizer, bits: IdemixSystemParameters.Common.secretKeyRandomizer)
        self.power = power.value()
    }

    /// The same randomizer in the group of another key; computed only where it is another.
    func moved(to publicKey: IdemixIssuerPublicKey) -> KeyCommitment {
        publicKey.elements.n == n && publicKey.elements.R[0] == base
            ? self : KeyCommitment(randomizer, publicKey: publicKey)
    }

    /// The response m_0^ = m_0~ + c·m_0 for the secret key.
    func response(challenge c: BigInteger, secretKey: IdemixHolderSecretKey) -> BigInteger {
        .response(randomizer: randomizer, challenge: c, secret: secretKey.limbs)
    }
}
