import CommandSupport
import IdemixCore

/// The kind and the outline of a proof; responses are not shown.
struct IdemixProofOutline {
    let kind: String
    let outline: Outline

    init(_ proof: IdemixProof) throws {
        switch proof {
        case .disclosure(let proof):
            kind = "Idemix disclosure proof (ProofD)"
            outline = try Self.outline(proof)
        case .issuance(let proof):
            kind = "Idemix commitment proof (ProofU)"
            outline = .fields([
                "U": .text("\(proof.U.bitCount) bits"),
                "random-blind": .text(Self.indices(proof.attributeResponses)),
            ])
        }
    }

    private static func outline(_ proof: IdemixDisclosureProof) throws -> Outline {
        let metadata = IdemixOutline.Metadata(proof.disclosedAttributes[1])
        let attributes = proof.disclosedAttributes.filter { $0.key != 1 }.sorted { $0.key < $1.key }
            .map { (name: "\($0.key)", value: IdemixOutline.attribute($0.value, metadata.encoding)) }
        let ranges = proof.rangeProofs.sorted { $0.key < $1.key }.map { index, proofs in
            (name: "\(index)", value: Outline.list(proofs.map { statement($0.statement) }))
        }
        return .fields([
            "A": .text("\(proof.A.bitCount) bits"),
            "metadata": metadata.outline ?? "not disclosed",
            "disclosed": .fields(attributes),
            "hidden": .text(indices(proof.attributeResponses)),
            "non-revocation": try proof.nonRevocation.map { try IdemixOutline.outline($0.signedAccumulator) },
            "range proofs": ranges.isEmpty ? nil : .fields(ranges),
        ])
    }

    private static func statement(_ statement: RangeStatement) -> Outline {
        let relation = statement.relation == .atMost ? "≤" : "≥"
        return .text("\(statement.factor)·m \(relation) \(statement.bound.decimal)")
    }

    /// The indices of some integers.
    static func indices(_ integers: [Int: BigInteger]) -> String {
        integers.isEmpty ? "none" : integers.keys.sorted().map(String.init).joined(separator: ", ")
    }
}
