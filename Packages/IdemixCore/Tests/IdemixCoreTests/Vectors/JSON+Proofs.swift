import Foundation
import IdemixCore
import Testing

extension JSON {
    /// A proof of a list: with `A` a disclosure, with `U` a commitment.
    func readProof() throws -> Proof {
        if !self["A"].isNull { return .disclosure(try readDisclosureProof()) }
        return .issuance(
            IssuanceCommitmentProof(
                challenge: try self["c"].base64Integer(),
                U: try self["U"].base64Integer(),
                vPrimeResponse: try self["v_prime_response"].base64Integer(),
                secretKeyResponse: try self["s_response"].base64Integer(),
                attributeResponses: try self["m_user_responses"].indexedIntegers()
            )
        )
    }

    func readDisclosureProof() throws -> DisclosureProof {
        DisclosureProof(
            challenge: try self["c"].base64Integer(),
            A: try self["A"].base64Integer(),
            eResponse: try self["e_response"].base64Integer(),
            vResponse: try self["v_response"].base64Integer(),
            attributeResponses: try self["a_responses"].indexedIntegers(),
            disclosedAttributes: try self["a_disclosed"].indexedIntegers(),
            nonRevocation: self["nonrev_proof"].isNull ? nil : try self["nonrev_proof"].nonRevocationProof()
        )
    }

    private func nonRevocationProof() throws -> NonRevocationProof {
        NonRevocationProof(
            Cr: try self["C_r"].base64Integer(),
            Cu: try self["C_u"].base64Integer(),
            responses: NonRevocationProof.Responses(
                beta: try self["responses"]["beta"].base64Integer(),
                delta: try self["responses"]["delta"].base64Integer(),
                epsilon: try self["responses"]["epsilon"].base64Integer(),
                zeta: try self["responses"]["zeta"].base64Integer()
            ),
            signedAccumulator: try self["sacc"].signedAccumulator()
        )
    }

    func signedAccumulator() throws -> SignedAccumulator {
        let text = try #require(self["data"].text)
        let data = try #require(Data(base64Encoded: text))
        return SignedAccumulator(data: [UInt8](data), keyCounter: UInt(try #require(self["pk"].int)))
    }

    func witness() throws -> ReceivedWitness {
        ReceivedWitness(
            u: try self["u"].base64Integer(),
            e: try self["e"].base64Integer(),
            signedAccumulator: try self["sacc"].signedAccumulator()
        )
    }

    func update() throws -> RevocationUpdate {
        let events = self["e"]
        var list: RevocationEventList?
        if !events.isNull {
            let url = try #require(events["hash"].text)
            let standard = url.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
            let hash = try #require(Data(base64Encoded: standard))
            list = try RevocationEventList(
                firstIndex: UInt64(try #require(events["i"].int)),
                firstParent: EventHash(bytes: [UInt8](hash)),
                primes: events["e"].array.map { try $0.base64Integer() }
            )
        }
        return RevocationUpdate(signedAccumulator: try self["sacc"].signedAccumulator(), events: list)
    }

    /// The signature in an issuer's message, integers in base64.
    func issuedSignature() throws -> (signature: CLSignature, proof: IssuerSignatureProof) {
        let signature = CLSignature(
            A: try self["signature"]["A"].base64Integer(),
            e: try self["signature"]["e"].base64Integer(),
            v: try self["signature"]["v"].base64Integer()
        )
        let proof = IssuerSignatureProof(
            challenge: try self["proof"]["c"].base64Integer(),
            eResponse: try self["proof"]["e_response"].base64Integer()
        )
        return (signature, proof)
    }

    func keyshareResponse() throws -> KeyshareResponse {
        KeyshareResponse(
            P: self["P"].isNull ? nil : try self["P"].base64Integer(),
            challenge: try self["c"].base64Integer(),
            secretKeyResponse: try self["s_response"].base64Integer()
        )
    }
}
