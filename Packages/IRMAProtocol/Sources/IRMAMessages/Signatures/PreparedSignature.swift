public import IdemixCore

/// An attribute-based signature in the making: its proofs are committed to, and wait for the timestamp.
///
/// ```swift
/// let prepared = try PreparedSignature(of: request, showing: disclosures, indices: indices, schemes: snapshot)
/// let stamp = try await fetch(prepared.timestampRequest, from: prepared.timestampServer)
/// let message = try prepared.completed(with: stamp)
/// ```
public struct PreparedSignature: Sendable {
    /// The request to the timestamp server.
    public let timestampRequest: TimestampRequest
    /// The URL of the timestamp server, which the schemes name.
    public let timestampServer: String
    /// The contributions of the proofs to the challenge, for a keyshare server.
    public let contributions: [IdemixProofContributions]

    private let builder: IdemixProofListBuilder
    private let request: SessionRequest
    private let text: String
    private let indices: [[AttributePosition]]

    /// Commits to the proofs.
    ///
    /// - Parameters:
    ///   - request: The request for a signature.
    ///   - disclosures: The disclosures, in the order in which `indices` counts them.
    ///   - indices: The places of the attributes that answer the request.
    ///   - schemes: The schemes of the credentials.
    ///   - builder: The builder of the proofs, for randomness of one's own; it must be empty.
    /// - Throws: ``IRMAError/Code/invalidRequest`` for another kind of request, ``IRMAError/Code/invalidTimestamp`` for schemes
    ///   with several timestamp servers or none, ``IRMAError/Code/proofFailed``.
    public init(
        of request: SessionRequest,
        showing disclosures: [IdemixDisclosureRequest],
        indices: [[AttributePosition]],
        schemes: SchemeSnapshot,
        builder: IdemixProofListBuilder = IdemixProofListBuilder()
    ) throws(IRMAError) {
        guard let text = request.message else {
            throw IRMAError(.invalidRequest, "the request is not one for a signature")
        }
        var types: [CredentialTypeIdentifier] = []
        do throws(IdemixError) {
            for disclosure in disclosures {
                try builder.add(disclosure)
                let metadata = try MetadataAttribute(integer: disclosure.credential.attributes.first ?? 0)
                let type = schemes.credentialType(hash: metadata.credentialTypeHash)?.identifier ?? ""
                types.append(CredentialTypeIdentifier(type))
            }
            contributions = try builder.contributions
            let proofs = zip(contributions, disclosures).map { contributions, disclosure in
                (contributions.value, disclosure.disclosedAttributes, disclosure.credential.publicKey)
            }
            timestampRequest = TimestampRequest(
                nonce: try IdemixSignatureNonce.timestamp(message: Array(text.utf8), proofs: proofs)
            )
        } catch {
            throw IRMAError(.proofFailed, error.message, path: error.path, cause: error)
        }
        timestampServer = try schemes.timestampServer(of: types)
        self.builder = builder
        self.request = request
        self.text = text
        self.indices = indices
    }

    /// The challenge that the proofs answer, which a keyshare server is asked about.
    public func challenge(with timestamp: SignatureTimestamp) -> IdemixChallenge {
        .signature(
            of: Array(text.utf8),
            context: request.parameters.context ?? 1,
            nonce: request.parameters.nonce ?? 0,
            timestampSignature: timestamp.signature.data
        )
    }

    /// The signed message; the commitments are used up.
    ///
    /// The timestamp's signature is not verified here, since only verifiers know the keys of timestamp servers.
    ///
    /// - Parameters:
    ///   - timestamp: The timestamp.
    ///   - keyshareCommitments: A keyshare server's commitments, by the position of the proofs that it takes part in. Its answer
    ///     is merged into the proofs afterwards.
    /// - Throws: ``IRMAError/Code/proofFailed``, also for a second attempt.
    public func completed(
        with timestamp: SignatureTimestamp,
        keyshareCommitments: [Int: BigInteger] = [:]
    ) throws(IRMAError) -> SignedMessage {
        let proofs: IdemixProofList
        do throws(IdemixError) {
            proofs = try builder.prove(
                challenge: challenge(with: timestamp),
                keyshareCommitments: keyshareCommitments
            )
        } catch {
            throw IRMAError(.proofFailed, error.message, path: error.path, cause: error)
        }
        return SignedMessage(
            signature: proofs,
            indices: indices,
            nonce: request.parameters.nonce,
            context: request.parameters.context,
            message: text,
            timestamp: timestamp
        )
    }
}

extension IdemixDisclosureRequest {
    /// The integers of the disclosed attributes, by base index.
    fileprivate var disclosedAttributes: [Int: BigInteger] {
        var attributes: [Int: BigInteger] = [:]
        for index in disclosed where credential.attributes.indices.contains(index - 1) {
            attributes[index] = credential.attributes[index - 1]
        }
        return attributes
    }
}
