import CBORKit
import Foundation
import IdemixCore

/// A message between two parties: JSON with numbers in decimal, read back before it is used.
protocol IdemixMessage: Codable {}

extension IdemixMessage {
    /// Reads a received message.
    init(received bytes: [UInt8]) throws {
        self = try JSONDecoder().decode(Self.self, from: Data(bytes))
    }

    /// The bytes to send.
    func sent() throws -> [UInt8] { [UInt8](try JSONEncoder().encode(self)) }
}

/// A number as decimal text.
struct Decimal: Codable {
    let number: BigInteger

    init(_ number: BigInteger) {
        self.number = number
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let number = BigInteger(decimal: try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "no decimal number")
        }
        self.number = number
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(number.decimal)
    }
}

/// The proofs of a list, and the nonce n_2 of a holder that wants credentials.
struct ProofsMessage: IdemixMessage {
    let proofs: [ProofMessage]
    let nonce: Decimal?

    init(_ list: ProofList, nonce: BigInteger? = nil) {
        proofs = list.proofs.map(ProofMessage.init)
        self.nonce = nonce.map(Decimal.init)
    }

    func list() throws -> ProofList { ProofList(try proofs.map { try $0.proof() }) }
}

/// One proof: a disclosure if it has `A`, a commitment if it has `U`.
struct ProofMessage: Codable {
    let c: Decimal
    var A, e_response, v_response: Decimal?
    var a_responses, a_disclosed: [Int: Decimal]?
    var nonrev_proof: NonRevocationMessage?
    var rangeproofs: [Int: [RangeMessage]]?
    var U, v_prime_response, s_response: Decimal?
    var m_user_responses: [Int: Decimal]?

    init(_ proof: Proof) {
        c = Decimal(proof.challenge)
        switch proof {
        case .disclosure(let proof):
            A = Decimal(proof.A)
            e_response = Decimal(proof.eResponse)
            v_response = Decimal(proof.vResponse)
            a_responses = proof.attributeResponses.mapValues(Decimal.init)
            a_disclosed = proof.disclosedAttributes.mapValues(Decimal.init)
            nonrev_proof = proof.nonRevocation.map(NonRevocationMessage.init)
            rangeproofs = proof.rangeProofs.mapValues { $0.map(RangeMessage.init) }
        case .issuance(let proof):
            U = Decimal(proof.U)
            v_prime_response = Decimal(proof.vPrimeResponse)
            s_response = Decimal(proof.secretKeyResponse)
            m_user_responses = proof.attributeResponses.mapValues(Decimal.init)
        }
    }

    func proof() throws -> Proof {
        guard let A else {
            return .issuance(
                IssuanceCommitmentProof(
                    challenge: c.number,
                    U: try present(U),
                    vPrimeResponse: try present(v_prime_response),
                    secretKeyResponse: try present(s_response),
                    attributeResponses: (m_user_responses ?? [:]).mapValues(\.number)
                )
            )
        }
        return .disclosure(
            DisclosureProof(
                challenge: c.number,
                A: A.number,
                eResponse: try present(e_response),
                vResponse: try present(v_response),
                attributeResponses: (a_responses ?? [:]).mapValues(\.number),
                disclosedAttributes: (a_disclosed ?? [:]).mapValues(\.number),
                nonRevocation: try nonrev_proof.map { try $0.proof() },
                rangeProofs: try (rangeproofs ?? [:]).mapValues { try $0.map { try $0.proof() } }
            )
        )
    }

    private func present(_ number: Decimal?) throws -> BigInteger {
        guard let number else { throw RefusedMessage("a number is missing") }
        return number.number
    }
}

/// A message that a party does not accept.
struct RefusedMessage: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// A proof of non-revocation; the signed accumulator as CBOR.
struct NonRevocationMessage: Codable {
    let C_r, C_u: Decimal
    let responses: [String: Decimal]
    let sacc: [UInt8]

    init(_ proof: NonRevocationProof) {
        (C_r, C_u) = (Decimal(proof.Cr), Decimal(proof.Cu))
        let (own, names) = (proof.responses, ["beta", "delta", "epsilon", "zeta"])
        let numbers = [own.beta, own.delta, own.epsilon, own.zeta].map(Decimal.init)
        responses = Dictionary(uniqueKeysWithValues: zip(names, numbers))
        sacc = proof.signedAccumulator.cborEncoded()
    }

    func proof() throws -> NonRevocationProof {
        func response(_ name: String) throws -> BigInteger {
            guard let response = responses[name] else { throw RefusedMessage("the response \(name) is missing") }
            return response.number
        }
        return NonRevocationProof(
            Cr: C_r.number,
            Cu: C_u.number,
            responses: NonRevocationProof.Responses(
                beta: try response("beta"),
                delta: try response("delta"),
                epsilon: try response("epsilon"),
                zeta: try response("zeta")
            ),
            signedAccumulator: try SignedAccumulator(cbor: CBORDocument(sacc).root)
        )
    }
}

/// A range proof.
struct RangeMessage: Codable {
    let Cs, ds, vs: [Decimal]
    let v5, k: Decimal
    let l_d, sign: Int
    let a: UInt32

    init(_ proof: RangeProof) {
        Cs = proof.commitments.map(Decimal.init)
        ds = proof.rootResponses.map(Decimal.init)
        vs = proof.hiderResponses.map(Decimal.init)
        v5 = Decimal(proof.hiderSumResponse)
        k = Decimal(proof.statement.bound)
        l_d = proof.rootBits
        sign = proof.statement.relation.rawValue
        a = proof.statement.factor
    }

    func proof() throws -> RangeProof {
        guard let relation = RangeStatement.Relation(rawValue: sign) else { throw RefusedMessage("no sign") }
        return RangeProof(
            commitments: Cs.map(\.number),
            rootResponses: ds.map(\.number),
            hiderResponses: vs.map(\.number),
            hiderSumResponse: v5.number,
            rootBits: l_d,
            statement: RangeStatement(relation, k.number, factor: a)
        )
    }
}

/// A signature as an issuer sends it.
struct SignatureMessage: IdemixMessage {
    let A, e, v, c, e_response: Decimal
    let m_issuer: [Int: Decimal]
    let nonrev: WitnessMessage?

    init(_ issued: IssuedSignature) {
        (A, e, v) = (Decimal(issued.signature.A), Decimal(issued.signature.e), Decimal(issued.signature.v))
        (c, e_response) = (Decimal(issued.proof.challenge), Decimal(issued.proof.eResponse))
        m_issuer = issued.issuerShares.mapValues(Decimal.init)
        nonrev = issued.witness.map(WitnessMessage.init)
    }

    func issued() throws -> IssuedSignature {
        IssuedSignature(
            signature: CLSignature(A: A.number, e: e.number, v: v.number),
            proof: IssuerSignatureProof(challenge: c.number, eResponse: e_response.number),
            issuerShares: m_issuer.mapValues(\.number),
            witness: try nonrev.map { try $0.witness() }
        )
    }
}

/// A witness as it travels and is stored.
struct WitnessMessage: Codable {
    let u, e: Decimal
    let sacc: [UInt8]

    init(_ witness: ReceivedWitness) {
        (u, e) = (Decimal(witness.u), Decimal(witness.e))
        sacc = witness.signedAccumulator.cborEncoded()
    }

    func witness() throws -> ReceivedWitness {
        ReceivedWitness(
            u: u.number,
            e: e.number,
            signedAccumulator: try SignedAccumulator(cbor: CBORDocument(sacc).root)
        )
    }
}

/// A credential as a wallet stores it.
struct StoredCredential: IdemixMessage {
    let publicKey: [UInt8]
    let A, e, v: Decimal
    let KeyshareP: Decimal?
    let attributes: [Decimal]
    let witness: WitnessMessage?

    init(_ credential: Credential) {
        publicKey = credential.publicKey.xml
        let signature = credential.signature
        (A, e, v) = (Decimal(signature.A), Decimal(signature.e), Decimal(signature.v))
        KeyshareP = signature.keyshareP.map(Decimal.init)
        attributes = credential.attributes.map(Decimal.init)
        witness = credential.witness.map { WitnessMessage($0.message) }
    }

    func credential(_ secretKey: HolderSecretKey) throws -> Credential {
        let publicKey = try IssuerPublicKey(xml: publicKey)
        return try Credential(
            publicKey: publicKey,
            signature: CLSignature(A: A.number, e: e.number, v: v.number, keyshareP: KeyshareP?.number),
            secretKey: secretKey,
            attributes: attributes.map(\.number),
            witness: witness?.witness().verified(by: publicKey)
        )
    }
}
