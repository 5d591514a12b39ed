public import CryptoCore
import JSONKit
public import OID4VPMessages

/// The presentations of a response, which lack signatures.
///
/// ```swift
/// let unsigned = try await builder.prepare(plan, of: credentials, keys: keys, at: now)
/// for pending in unsigned.pendingSignatures { signatures[pending.id] = .bytes(try await sign(pending.bytesToSign)) }
/// let token = try unsigned.completed(with: signatures)
/// ```
public struct UnsignedPresentations: Sendable {
    /// The signatures to make, in the order of the presentations.
    public let pendingSignatures: [PendingSignature]

    let parts: [PresentationPart]
    let layout: Layout

    /// The places of the presentations in the response.
    enum Layout: Sendable {
        /// For each query the numbers of its presentations.
        case queries([(query: QueryID, parts: [Int])])
        /// The presentations as they come.
        case definition(PresentationSubmission)
    }

    /// The presentations with their signatures.
    ///
    /// - Parameter signatures: A signature for each that is pending, by its name.
    /// - Throws: `OID4VPError` with code `signingFailed` for a missing or unknown signature, and for one that the
    ///   holder's key did not make.
    public func completed(
        with signatures: [PendingSignature.ID: PresentationSignature]
    ) throws(OID4VPError) -> VPToken {
        guard signatures.count == pendingSignatures.count else {
            throw OID4VPError(
                .signingFailed,
                "there are \(signatures.count) signatures for \(pendingSignatures.count) that are pending"
            )
        }
        var presentations: [JSONValue] = []
        for part in parts { presentations.append(try part.completed(with: signatures)) }
        switch layout {
        case .queries(let queries):
            return .queries(
                queries.map { query, parts in
                    VPToken.Answer(query: query, presentations: parts.map { presentations[$0] })
                }
            )
        case .definition(let submission):
            return .definition(presentations: presentations, submission: submission)
        }
    }

    /// Signs with the holder's keys.
    ///
    /// - Parameter signers: The keys, wherever they live; each signature is made by the one with the key that it needs.
    /// - Throws: `OID4VPError` with code `missingHolderKey` if none has the key or signs with the algorithm, and
    ///   `signingFailed`.
    public func signed(with signers: [any Signer]) async throws(OID4VPError) -> VPToken {
        try await signed { pending in
            let signer = signers.first { $0.makes(pending) }
            guard let signer else {
                throw OID4VPError(.missingHolderKey, "no signer has the holder's key", path: [pending.format.text])
            }
            return signer
        }
    }

    /// Signs with keys that are looked up one by one, such as those of the copies that a store gave out.
    ///
    /// - Parameters:
    ///   - isolation: The actor of the caller, on which `signer` runs.
    ///   - signer: The holder's key for a signature; ``PendingSignature/credentials`` names the credential.
    /// - Throws: `OID4VPError` with code `missingHolderKey` for a signer with another key or algorithm, and with an error of another
    ///   type that `signer` throws as its cause; `signingFailed`.
    public func signed(
        isolation: isolated (any Actor)? = #isolation,
        by signer: (PendingSignature) async throws -> any Signer
    ) async throws(OID4VPError) -> VPToken {
        var signatures: [PendingSignature.ID: PresentationSignature] = [:]
        for pending in pendingSignatures {
            let path = [pending.format.text]
            let key: any Signer
            do {
                key = try await signer(pending)
            } catch let error as OID4VPError {
                throw error
            } catch {
                throw OID4VPError(.missingHolderKey, "the holder's key is not found", path: path, cause: error)
            }
            guard key.makes(pending) else {
                throw OID4VPError(.missingHolderKey, "the signer has another key", path: path)
            }
            do {
                signatures[pending.id] = .bytes(try await key.signature(for: pending.bytesToSign))
            } catch {
                throw OID4VPError(.signingFailed, "the signer failed", path: path, cause: error)
            }
        }
        return try completed(with: signatures)
    }
}

extension Signer {
    /// Returns `true` for the key and the algorithm that a signature needs.
    fileprivate func makes(_ pending: PendingSignature) -> Bool {
        publicKey == pending.key && algorithm == pending.algorithm
    }
}
