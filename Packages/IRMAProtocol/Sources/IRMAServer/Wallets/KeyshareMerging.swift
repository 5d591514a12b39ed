import IRMAMessages
import IdemixCore
import JOSEKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The merging of the keyshare servers' answers into the proofs of an issuance session.
struct KeyshareMerging {
    let schemes: SchemeSnapshot
    let commitments: IssuanceCommitments
    let time: Date

    /// The proofs of user and keyshare servers together.
    ///
    /// - Throws: `KEYSHARE_PROOF_MISSING` without a valid answer of a scheme's server, `INVALID_PROOFS` for one that does not
    ///   fit the proofs, `MALFORMED_INPUT` for a disclosure of an unknown key.
    func merged(issuing expectations: [IdemixIssuanceExpectation]) throws(RemoteError) -> IdemixProofList {
        var proofs = commitments.combinedProofs
        for (scheme, keys) in try keys(issuing: expectations).sorted(by: { $0.key < $1.key }) {
            let response = try response(of: scheme)
            do throws(IdemixError) {
                proofs = try proofs.merging(response, at: keys, multiplyingShare: true)
            } catch {
                throw RemoteError(.invalidProofs)
            }
        }
        return proofs
    }

    /// The issuers' keys of the proofs that a keyshare server takes part in, by scheme and position.
    private func keys(
        issuing expectations: [IdemixIssuanceExpectation]
    ) throws(RemoteError) -> [SchemeIdentifier: [Int: IdemixIssuerPublicKey]] {
        var keys: [SchemeIdentifier: [Int: IdemixIssuerPublicKey]] = [:]
        let disclosures = commitments.combinedProofs.proofs.count - expectations.count
        for (position, proof) in commitments.combinedProofs.proofs.enumerated() {
            if position >= disclosures {
                let expectation = expectations[position - disclosures]
                guard let scheme = expectation.keyshareServer else { continue }
                keys[SchemeIdentifier(scheme), default: [:]][position] = expectation.publicKey
            } else if case .disclosure(let proof) = proof {
                do throws(IdemixError) {
                    let expectation = try IdemixDisclosureExpectation(for: proof, from: schemes)
                    guard let scheme = expectation.credentialType?.keyshareServer else { continue }
                    keys[SchemeIdentifier(scheme), default: [:]][position] = expectation.publicKey
                } catch {
                    throw RemoteError(.malformedInput, message: error.message)
                }
            }
        }
        return keys
    }

    /// The largest number of characters of a keyshare server's answer: several times as many as one for a key of 4096 bits has.
    private static let maximumTokenSize = 8 << 10

    /// The verified answer of a scheme's keyshare server.
    private func response(of scheme: SchemeIdentifier) throws(RemoteError) -> KeyshareResponse {
        func missing(_ message: String) -> RemoteError {
            RemoteError(.keyshareProofMissing, message: "\(message) for scheme \(scheme.text)")
        }
        guard let token = commitments.keyshareTokens[scheme] ?? commitments.keyshareToken else {
            throw missing("no keyshare proof included")
        }
        guard token.utf8.count <= Self.maximumTokenSize else { throw missing("a keyshare proof that is too long") }
        do {
            let token = try JWT(compact: token)
            let number = try token.unverifiedHeader().keyID().map { UInt($0) } ?? 0
            guard let number, let key = schemes.schemes[scheme]?.keyshareKeys[number] else {
                throw missing("keyshare proof of an unknown key")
            }
            let claims = try KeyshareProofClaims(decoding: token.jws.verify(with: key, policy: [.rs256]).payload)
            let isFromFuture = claims.issuedAt.map {
                Double($0) > time.timeIntervalSince1970 + VerificationTime.defaultClockSkew
            }
            guard isFromFuture != true else { throw missing("keyshare proof from the future") }
            return claims.response
        } catch let error as RemoteError {
            throw error
        } catch {
            throw missing("invalid keyshare proof included")
        }
    }
}
