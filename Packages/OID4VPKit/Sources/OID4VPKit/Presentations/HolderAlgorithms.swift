import CryptoCore
import JOSEKit
import OID4VPMessages

extension JWSAlgorithm {
    /// The algorithms that a holder's key signs with, its own or natural one first; none for a key that cannot sign.
    ///
    /// - Parameter name: The only algorithm that the key is for, with its equivalents; nil for any.
    static func signing(with key: PublicKey, named name: String? = nil) -> [JWSAlgorithm] {
        let natural = key.curve?.naturalSignatureAlgorithm ?? .rsaPSSSHA256
        let first = name.map(JWSAlgorithm.init(rawValue:)) ?? JWSAlgorithm(natural, for: key)
        guard let first, let signature = first.signatureAlgorithm(for: key) else { return [] }
        let others = all.filter { other in
            let algorithm = other.signatureAlgorithm(for: key)
            return other != first && (name == nil ? algorithm != nil : algorithm == signature)
        }
        return [first] + others
    }
}

extension PresentationPreparation {
    /// The first of the holder's algorithms that is listed; the first of all where nothing is listed.
    ///
    /// - Throws: `OID4VPError` with code `missingHolderKey` for a key without algorithms, `formatsNotSupported` if none is
    ///   listed.
    func algorithm(
        _ own: [JWSAlgorithm],
        amongListed listed: [ExactText]?,
        _ format: CredentialFormat
    ) throws(OID4VPError) -> JWSAlgorithm {
        guard let first = own.first else {
            throw OID4VPError(.missingHolderKey, "the holder's key cannot sign", path: [format.text])
        }
        guard let listed, !listed.isEmpty else { return first }
        guard let algorithm = own.first(where: { listed.contains(ExactText($0.rawValue)) }) else {
            throw Self.notTaken(format)
        }
        return algorithm
    }

    /// The error for a holder whose signature the verifier's metadata exclude.
    static func notTaken(_ format: CredentialFormat) -> OID4VPError {
        OID4VPError(
            .formatsNotSupported,
            "the verifier takes no signature of the holder's key",
            path: ["client_metadata", format.text]
        )
    }
}
