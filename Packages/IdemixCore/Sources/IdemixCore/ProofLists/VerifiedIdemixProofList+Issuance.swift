extension IdemixIssuanceOrder {
    /// The expectation about the holder's commitment.
    public var expectation: IdemixProofExpectation {
        .issuance(
            IdemixIssuanceExpectation(
                publicKey: issuer.keys.publicKey,
                blindIndices: blindIndices,
                keyshareServer: keyshareServer
            )
        )
    }
}

extension VerifiedIdemixProofList {
    /// The commitments of the list, in its order.
    public var commitments: [VerifiedIdemixCommitment] {
        proofs.compactMap { if case .issuance(let commitment) = $0 { commitment } else { nil } }
    }

    /// The disclosures of the list, in its order.
    public var disclosures: [VerifiedIdemixDisclosure] {
        proofs.compactMap { if case .disclosure(let disclosure) = $0 { disclosure } else { nil } }
    }

    /// Signs several credentials: the order at a position for the commitment at that position.
    ///
    /// - Parameters:
    ///   - orders: The credentials, in the order of the session's request.
    ///   - context: The context of the session: 1.
    ///   - nonce: The holder's nonce n_2.
    /// - Returns: The messages for the holder, in the same order; all of them or none.
    /// - Throws: ``IdemixError/Code/countMismatch`` for more or fewer commitments than orders,
    ///   ``IdemixError/Code/invalidIndices`` for a commitment with other random-blind attributes, and the errors of
    ///   ``IdemixIssuer/sign(attributes:commitment:context:nonce:witness:)``, all with the position in the path.
    public func sign(
        _ orders: [IdemixIssuanceOrder],
        context: BigInteger = 1,
        nonce: BigInteger
    ) throws(IdemixError) -> [IssuedCLSignature] {
        let commitments = commitments
        guard commitments.count == orders.count else {
            throw IdemixError(
                .countMismatch,
                "\(commitments.count) commitments for \(orders.count) credentials",
                path: ["credentials"]
            )
        }
        var signatures: [IssuedCLSignature] = []
        for (position, (order, commitment)) in zip(orders, commitments).enumerated() {
            do throws(IdemixError) {
                guard commitment.blindIndices == order.blindIndices else {
                    throw IdemixError(.invalidIndices, "the commitment has other random-blind attributes")
                }
                signatures.append(
                    try order.issuer.sign(
                        attributes: order.attributes,
                        commitment: commitment,
                        context: context,
                        nonce: nonce,
                        witness: order.witness
                    )
                )
            } catch {
                throw error.inside("credentials[\(position)]")
            }
        }
        return signatures
    }
}
