import COSEKit
package import CryptoCore
package import MdocKit

extension COSEKey {
    /// The ephemeral key of the other side.
    ///
    /// - Throws: `MdocError` with code `unsupportedKey` if it is malformed or on no curve for key agreement.
    package func keyAgreementKey() throws(MdocError) -> PublicKey {
        let key: PublicKey
        do {
            key = try publicKey()
        } catch {
            throw MdocError(.unsupportedKey, "the ephemeral key cannot be used", cause: error)
        }
        guard let curve = key.curve, MdocAlgorithms.allowsKeyAgreement(on: curve) else {
            throw MdocError(.unsupportedKey, "the ephemeral key is on no curve for key agreement")
        }
        return key
    }
}

extension PublicKey {
    /// Refuses a key of the other side that is this one, or that is on another curve.
    ///
    /// A peer that sends this side's own key reflects it: only its owner knows the private part.
    func requireDifferent(from other: PublicKey) throws(MdocError) {
        guard curve == other.curve else {
            throw MdocError(.unsupportedKey, "the ephemeral keys of the two sides are on different curves")
        }
        guard self != other else {
            throw MdocError(.unsupportedKey, "the other side's ephemeral key is this side's own")
        }
    }
}

extension PrivateKey {
    /// A new ephemeral key.
    ///
    /// - Throws: `MdocError` with code `unsupportedKey` for a curve without key agreement.
    package static func ephemeral(
        on curve: EllipticCurve,
        using random: some RandomSource
    ) throws(MdocError) -> PrivateKey {
        guard MdocAlgorithms.allowsKeyAgreement(on: curve) else {
            throw MdocError(.unsupportedKey, "\(curve.name) is no curve for key agreement")
        }
        do {
            return try PrivateKey.generate(curve, using: random)
        } catch {
            throw MdocError(.unsupportedKey, "no key can be made on \(curve.name)", cause: error)
        }
    }
}
