public import CryptoCore

/// A verifier's input to the challenge of a list of proofs: the context, the nonce, and the kind of proof.
///
/// The challenge c, which all proofs of a list answer, is the hash of the context, the contributions of all proofs and
/// the nonce.
public struct IdemixChallenge: Hashable, Sendable {
    /// The kind of proof, which enters the hash, so that no disclosure can be passed off as a signature.
    public enum Kind: Hashable, Sendable, CaseIterable {
        /// A proof to one verifier: disclosures, and commitments for credentials to be issued.
        case proof
        /// An attribute-based signature, which anyone can verify.
        case signature
    }

    /// The context of the session: 1.
    public let context: BigInteger
    /// The verifier's nonce n_1; for attribute-based signatures the one computed from the message.
    public let nonce: BigInteger
    /// The kind of proof.
    public let kind: Kind

    /// Collects the input of a challenge.
    ///
    /// - Parameters:
    ///   - context: The context of the session: 1.
    ///   - nonce: The verifier's nonce n_1; for attribute-based signatures the one computed from the message.
    ///   - kind: The kind of proof; by default a proof to one verifier.
    public init(context: BigInteger = 1, nonce: BigInteger, kind: Kind = .proof) {
        self.context = context
        self.nonce = nonce
        self.kind = kind
    }

    /// The challenge of an attribute-based signature, with the nonce of
    /// ``IdemixSignatureNonce/challenge(nonce:message:timestampSignature:)``.
    ///
    /// - Parameters:
    ///   - message: The message in UTF-8.
    ///   - context: The context of the session: 1.
    ///   - nonce: The nonce of the request, 0 if absent.
    ///   - timestampSignature: The signature bytes of the timestamp, or `nil` without one.
    public static func signature(
        of message: [UInt8],
        context: BigInteger = 1,
        nonce: BigInteger,
        timestampSignature: [UInt8]?
    ) -> IdemixChallenge {
        let nonce = IdemixSignatureNonce.challenge(
            nonce: nonce,
            message: message,
            timestampSignature: timestampSignature
        )
        return IdemixChallenge(context: context, nonce: nonce, kind: .signature)
    }

    /// A challenge to one verifier with a fresh nonce of 128 bits.
    public static func random(
        context: BigInteger = 1,
        using randomness: some RandomSource = .system
    ) -> IdemixChallenge {
        IdemixChallenge(
            context: context,
            nonce: BigInteger.random(bits: IdemixSystemParameters.Common.nonce, using: randomness)
        )
    }

    /// The challenge c of a list of proofs.
    ///
    /// - Parameter contributions: The contributions of all proofs, in the list's order; none of them is negative.
    public func hash(of contributions: [BigInteger]) -> BigInteger {
        FiatShamir.hash([context] + contributions + [nonce], kind: kind)
    }
}
