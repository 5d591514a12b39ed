import IdemixCore

/// The numbers of a disclosure proof in a row, so that any of them can be changed.
struct IdemixProofNumbers {
    private var fixed: [BigInteger]
    private var hidden: [Int: BigInteger]
    private var disclosed: [Int: BigInteger]
    private var signedAccumulator: SignedAccumulator?

    init(_ proof: IdemixDisclosureProof) {
        fixed = [proof.challenge, proof.A, proof.eResponse, proof.vResponse]
        if let part = proof.nonRevocation {
            let responses = part.responses
            fixed += [part.Cr, part.Cu, responses.beta, responses.delta, responses.epsilon, responses.zeta]
        }
        hidden = proof.attributeResponses
        disclosed = proof.disclosedAttributes
        signedAccumulator = proof.nonRevocation?.signedAccumulator
    }

    /// Changes one number; the indices above the fixed numbers are those of the hidden and the disclosed attributes.
    mutating func change(_ target: Int, how: Int, operand: BigInteger, n: BigInteger) {
        func changed(_ number: BigInteger) -> BigInteger? {
            switch how % 7 {
            case 0: operand
            case 1: number + operand
            case 2: number - operand
            case 3: -operand
            case 4: number + operand * n
            case 5: n - operand
            default: nil
            }
        }
        if target < fixed.count {
            if let new = changed(fixed[target]) { fixed[target] = new } else { signedAccumulator = nil }
        } else if target.isMultiple(of: 2) {
            let index = target / 2 - 8
            hidden[index] = changed(hidden[index] ?? 0)
        } else {
            let index = target / 2 - 8
            disclosed[index] = changed(disclosed[index] ?? 0)
        }
    }

    /// Removes the response for a hidden attribute if it is zero.
    mutating func dropZeroResponse(forAttribute index: Int) {
        if hidden[index] == 0 { hidden[index] = nil }
    }

    /// The proof that the numbers make up.
    var proof: IdemixDisclosureProof {
        let part = signedAccumulator.map { accumulator in
            NonRevocationProof(
                Cr: fixed[4],
                Cu: fixed[5],
                responses: NonRevocationProof.Responses(
                    beta: fixed[6],
                    delta: fixed[7],
                    epsilon: fixed[8],
                    zeta: fixed[9]
                ),
                signedAccumulator: accumulator
            )
        }
        return IdemixDisclosureProof(
            challenge: fixed[0],
            A: fixed[1],
            eResponse: fixed[2],
            vResponse: fixed[3],
            attributeResponses: hidden,
            disclosedAttributes: disclosed,
            nonRevocation: part
        )
    }
}
