public import CryptoCore

/// A keyshare server's share of one user's secret key.
///
/// It is wiped when the last copy goes away, and nothing prints it.
public struct KeyshareSecret: Sendable {
    let value: BigInteger

    /// A fresh share of 255 bits.
    public static func random(using randomness: some RandomSource = .system) -> KeyshareSecret {
        KeyshareSecret(unchecked: BigInteger.random(bits: IdemixSystemParameters.Common.secretKey, using: randomness))
    }

    private init(unchecked value: BigInteger) {
        self.value = value
    }

    /// A share that was stored.
    ///
    /// - Throws: ``IdemixError/Code/outOfRange`` for a negative number or one of more than 256 bits.
    public init(_ value: BigInteger) throws(IdemixError) {
        guard !value.isNegative, value.bitCount <= IdemixSystemParameters.Common.secretKey + 1 else {
            throw IdemixError(.outOfRange, "a keyshare secret has at most 256 bits", path: ["keyshareSecret"])
        }
        self.init(unchecked: value)
    }

    /// The secret as a number; ``encodedBytes`` is its form for storage.
    public var secretInteger: BigInteger { value }

    /// P = R_0^s in the group of a key.
    public func share(for publicKey: IdemixIssuerPublicKey) -> BigInteger {
        var power = GroupProduct(publicKey.group, timing: .constant)
        power.multiply(.secretKey, to: value, bits: IdemixSystemParameters.Common.secretKey + 1)
        return power.value()
    }

    /// Commits to one randomizer ρ for several keys.
    ///
    /// - Parameters:
    ///   - keys: The keys of the proofs that the server takes part in; its answer names the share P of the last one.
    ///   - inputHash: h_W in the protocol in which the user commits to its own part first; nil in the older one.
    ///   - randomness: The source of ρ; by default the system's.
    /// - Throws: ``IdemixError/Code/keyshareMismatch`` for no keys or a hash that is not 32 bytes long.
    public func commit(
        to keys: [(identifier: KeyshareKeyIdentifier, publicKey: IdemixIssuerPublicKey)],
        inputHash: [UInt8]? = nil,
        using randomness: some RandomSource = .system
    ) throws(IdemixError) -> KeyshareCommitment {
        guard let last = keys.last, inputHash.map({ $0.count == 32 }) ?? true else {
            throw IdemixError(.keyshareMismatch, "there are no keys, or the hash is not 32 bytes long")
        }
        // As long as the shortest of the keys allows.
        let shortest =
            keys.contains { $0.publicKey.parameters == .bits1024 } ? IdemixSystemParameters.bits1024 : .bits2048
        let randomizer = BigInteger.random(bits: shortest.attributeCommitment, using: randomness)
        var commitments: [KeyshareKeyIdentifier: BigInteger] = [:]
        for (identifier, publicKey) in keys {
            var power = GroupProduct(publicKey.group, timing: .constant)
            power.multiply(.secretKey, to: randomizer, bits: shortest.attributeCommitment)
            commitments[identifier] = power.value()
        }
        return KeyshareCommitment(
            secret: self,
            randomizer: randomizer,
            share: share(for: last.publicKey),
            commitments: commitments,
            moduli: Dictionary(keys.map { ($0.identifier, $0.publicKey.group.modulus) }, uniquingKeysWith: { $1 }),
            inputHash: inputHash
        )
    }
}
