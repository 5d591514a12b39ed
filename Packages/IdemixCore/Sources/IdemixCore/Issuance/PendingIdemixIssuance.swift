public import CryptoCore

/// A holder's state between its commitments for several credentials and the issuers' signatures.
///
/// ``IdemixProofListBuilder/addIssuance(of:secretKey:context:)`` makes it. The signature at a position belongs to the commitment
/// at that position.
public struct PendingIdemixIssuance: Sendable {
    /// A commitment with the content of its credential.
    struct Entry: Sendable {
        let attributes: [BigInteger]
        let revocationIndex: Int?
        let credential: PendingIdemixCredential
    }

    /// The context of the session: 1.
    public let context: BigInteger
    /// The nonce n_2 for the issuers' proofs, to be sent with the commitments.
    public let nonce: BigInteger
    let entries: [Entry]

    /// The number of credentials.
    public var count: Int { entries.count }

    /// The keys of the issuers, by position.
    public var publicKeys: [IdemixIssuerPublicKey] { entries.map(\.credential.publicKey) }

    /// Checks the issuers' messages and makes the credentials.
    ///
    /// - Parameters:
    ///   - signatures: The issuers' messages, in the order of the commitments.
    ///   - randomness: The source of the Miller–Rabin bases that each e is tested with; by default the system's.
    /// - Returns: The credentials, in the order of the commitments; all of them or none.
    /// - Throws: ``IdemixError/Code/countMismatch`` for more or fewer signatures than commitments, and the errors of
    ///   ``PendingIdemixCredential/finish(with:attributes:revocationIndex:context:nonce:using:)`` with the position in the path.
    public func finish(
        with signatures: [IssuedCLSignature],
        using randomness: some RandomSource = .system
    ) throws(IdemixError) -> [IdemixCredential] {
        guard signatures.count == entries.count else {
            throw IdemixError(
                .countMismatch,
                "\(signatures.count) signatures for \(entries.count) commitments",
                path: ["sigs"]
            )
        }
        var credentials: [IdemixCredential] = []
        for (position, (entry, signature)) in zip(entries, signatures).enumerated() {
            do throws(IdemixError) {
                credentials.append(
                    try entry.credential.finish(
                        with: signature,
                        attributes: entry.attributes,
                        revocationIndex: entry.revocationIndex,
                        context: context,
                        nonce: nonce,
                        using: randomness
                    )
                )
            } catch {
                throw error.inside("sigs[\(position)]")
            }
        }
        return credentials
    }
}
