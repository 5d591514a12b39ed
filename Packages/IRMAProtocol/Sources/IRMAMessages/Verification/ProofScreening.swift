import IdemixCore
package import JSONKit

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// The refusal of a wallet's proofs by their outline in JSON, before their disclosed attributes are read.
///
/// The checks are some of those that the verification makes: the message of a signature, the issuer's key, the number of
/// attributes, the lengths that the key sets for integers, unrequested parts, the common challenge. The first wrong proof
/// ends them.
package struct ProofScreening {
    private let schemes: SchemeSnapshot
    private let request: SessionRequest
    private let limits: IdemixProofList.Limits

    /// The screening of an answer to a request.
    package init(schemes: SchemeSnapshot, policy: DisclosurePolicy, request: SessionRequest) {
        self.schemes = schemes
        self.request = request
        limits = policy.limits
    }

    /// The refusal of the proofs in a member of a message, or nil for proofs that have to be verified.
    ///
    /// - Throws: ``IRMAError/Code/malformed`` for a proof that lacks a member or has one of another kind.
    package func refusal(
        of message: JSONValue,
        member name: String,
        at time: Date
    ) throws(IRMAError) -> DisclosureOutcome? {
        let members = try MessageMembers(message)
        let proofs = try members.value(name)?.arrayValue ?? []
        let text = try members.value("message")?.stringValue
        do throws(ScreeningFault) {
            guard request.kind != .signing || proofs.isEmpty || text == request.message else {
                throw .refused(.matchingRequest, .failed(.claimMismatch, "the message is not that of the request"))
            }
            try check(proofs, named: name)
            return nil
        } catch {
            switch error {
            case .malformed(let error): throw error
            case .refused(let check, let fault):
                let checks = request.kind == .signing ? SignatureVerifier.checks : DisclosureVerifier.checks
                var checklist = Checklist(checks, at: time)
                checklist.record(check, fault.outcome, at: fault.path)
                return DisclosureOutcome(checklist.verification(of: nil), disclosed: [])
            }
        }
    }

    private func check(_ proofs: [JSONValue], named name: String) throws(ScreeningFault) {
        // A list that is too short is refused by its reader's count.
        guard proofs.count >= request.credentials.count else { return }
        var challenge: BigInteger?
        var disclosedSize = 0
        for (position, json) in proofs.enumerated() {
            do throws(ScreeningFault) {
                let outline = try ProofOutline(json)
                let proof = try content(of: outline, at: position, of: proofs.count)
                // A keyshare server's answer may replace the challenges of an issuance.
                guard request.kind == .issuing || challenge.map({ $0 == proof.challenge }) ?? true else {
                    throw .refused(.structure, .failed(.invalidProof, "the challenge differs from the first proof's"))
                }
                challenge = proof.challenge
                disclosedSize += proof.disclosedSize
                // A character of base64 stands for six bits.
                guard disclosedSize <= limits.disclosedBits / 6 + 4 * proofs.count else {
                    throw .refused(.structure, .failed(.limitExceeded, "the disclosed integers are too long"))
                }
            } catch {
                throw error.inside("\(name)[\(position)]")
            }
        }
    }

    /// Checks a proof: a commitment for each of the credentials at the end of the list, and disclosures before them.
    private func content(
        of outline: ProofOutline,
        at position: Int,
        of count: Int
    ) throws(ScreeningFault) -> ProofOutline.Content {
        let credentials = request.credentials
        let place = position - (count - credentials.count)
        guard outline.isDisclosure == (place < 0) else {
            throw .refused(.structure, .failed(.unexpectedType, "a proof of another kind than the expected one"))
        }
        return try place < 0 ? disclosure(outline) : commitment(outline, for: credentials[place])
    }

    private func disclosure(_ outline: ProofOutline) throws(ScreeningFault) -> ProofOutline.Content {
        let disclosed = try outline.integers("a_disclosed")
        let (type, publicKey) = try issuer(of: disclosed)
        let parameters = publicKey.parameters
        let hidden = try outline.integers("a_responses")
        guard hidden.count + disclosed.count <= publicKey.elements.R.count else {
            throw .refused(.structure, .failed(.malformed, "there are more attributes than the key has bases"))
        }
        guard try outline.isEmpty("rangeproofs") else {
            throw .refused(.structure, .failed(.unrequestedProof, "a range proof that was not asked for"))
        }
        if let size = try outline.size("nonrev_proof") {
            guard request.parameters.revocation?[CredentialTypeIdentifier(type.identifier)] != nil else {
                throw .refused(
                    .structure,
                    .failed(.unrequestedProof, "a proof of non-revocation that was not asked for")
                )
            }
            guard size <= Self.nonRevocationSize else {
                throw .refused(.structure, .failed(.malformed, "the proof of non-revocation is too long"))
            }
        }
        let challenge = try outline.integer("c", bits: parameters.challenge)
        guard try outline.integer("A", bits: parameters.modulus) > 0 else {
            throw .refused(.structure, .failed(.malformed, "A is 0", path: ["A"]))
        }
        _ = try outline.integer("e_response", bits: parameters.eCommitment + 1)
        _ = try outline.integer("v_response", bits: parameters.vCommitment + 1)
        for (name, response) in hidden {
            _ = try outline.integer(response, bits: parameters.attributeCommitment + 1, ["a_responses", name])
        }
        let size = disclosed.reduce(0) { $0 + ($1.value.stringValue?.utf8.count ?? 0) }
        return ProofOutline.Content(challenge: challenge, disclosedSize: size)
    }

    /// The largest number of characters of a proof of non-revocation: twice as many as one for a key of 4096 bits has.
    private static let nonRevocationSize = 16 << 10

    /// The credential type and the key that the metadata names.
    private func issuer(
        of disclosed: JSONObject
    ) throws(ScreeningFault) -> (IdemixCredentialType, IdemixIssuerPublicKey) {
        // Of 24 bytes.
        guard let json = disclosed["1"], json.stringValue?.utf8.count ?? 0 <= 64,
            let integer = try? BigInteger(json: json), let metadata = try? MetadataAttribute(integer: integer)
        else {
            throw .refused(.issuerKey, .failed(.malformed, "the metadata is missing or malformed"))
        }
        guard let type = schemes.credentialType(hash: metadata.credentialTypeHash),
            let publicKey = schemes.publicKey(of: type, counter: UInt(metadata.keyCounter))
        else {
            throw .refused(
                .issuerKey,
                .failed(.issuerKeyNotFound, "the credential type or the issuer's key is unknown")
            )
        }
        return (type, publicKey)
    }

    private func commitment(
        _ outline: ProofOutline,
        for credential: CredentialRequest
    ) throws(ScreeningFault) -> ProofOutline.Content {
        guard let type = schemes.proofType(credential.credential),
            let publicKey = schemes.publicKey(of: credential.credential.issuer, counter: credential.keyCounter ?? 0)
        else {
            throw .refused(
                .issuerKey,
                .failed(.issuerKeyNotFound, "the credential type or the issuer's key is unknown")
            )
        }
        let parameters = publicKey.parameters
        let responses = try outline.integers("m_user_responses")
        guard responses.count == type.blindIndices.count else {
            throw .refused(.structure, .failed(.malformed, "the indices are not those of the random-blind attributes"))
        }
        let challenge = try outline.integer("c", bits: parameters.challenge)
        _ = try outline.integer("U", bits: parameters.modulus)
        _ = try outline.integer("v_prime_response", bits: parameters.vPrimeCommitment + 1)
        _ = try outline.integer("s_response", bits: parameters.secretKeyCommitment + 1)
        for (name, response) in responses {
            _ = try outline.integer(response, bits: parameters.attributeCommitment + 1, ["m_user_responses", name])
        }
        return ProofOutline.Content(challenge: challenge, disclosedSize: 0)
    }
}
