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
    /// The lists that the signature of a presentation must be on: that of the verifier's metadata, and those of the definition.
    func holderLists(
        _ metadata: [ExactText]?,
        _ queries: [QueryID],
        _ format: CredentialFormat
    ) -> [[ExactText]] {
        let definition = request.query.definition
        let stated = queries.flatMap { definition?.holderAlgorithms(of: format, for: $0) ?? [] }
        // A list of the metadata that is empty says nothing.
        return [metadata ?? []].filter { !$0.isEmpty } + stated
    }

    /// The first of the holder's algorithms that is on all lists; the first of all where there are none.
    ///
    /// - Throws: `OID4VPError` with code `missingHolderKey` for a key without algorithms, `formatsNotSupported` if none is
    ///   listed.
    func algorithm(
        _ own: [JWSAlgorithm],
        amongListed lists: [[ExactText]],
        _ format: CredentialFormat
    ) throws(OID4VPError) -> JWSAlgorithm {
        guard let first = own.first else {
            throw OID4VPError(.missingHolderKey, "the holder's key cannot sign", path: [format.text])
        }
        guard !lists.isEmpty else { return first }
        let algorithm = own.first { algorithm in lists.allSatisfy { $0.contains(ExactText(algorithm.rawValue)) } }
        guard let algorithm else { throw Self.notTaken(format) }
        return algorithm
    }

    /// The error for a holder whose signature the verifier's metadata or its definition exclude.
    static func notTaken(_ format: CredentialFormat) -> OID4VPError {
        OID4VPError(
            .formatsNotSupported,
            "the verifier takes no signature of the holder's key",
            path: [format.text]
        )
    }
}
