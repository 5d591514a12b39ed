public import IdemixCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Verifies attribute-based signatures, with the request that they answer or alone, and without a network.
///
/// ```swift
/// let verifier = SignatureVerifier(schemes: snapshot, timestampKeys: keys)
/// let outcome = verifier.verify(signedMessage, at: now)
/// ```
public struct SignatureVerifier: Sendable {
    /// The schemes, whose keys are the only ones that count.
    public let schemes: SchemeSnapshot
    /// The trusted keys of timestamp servers.
    public let timestampKeys: TimestampKeys
    /// The demands.
    public let policy: DisclosurePolicy

    /// A verifier that knows schemes and timestamp servers.
    public init(
        schemes: SchemeSnapshot,
        timestampKeys: TimestampKeys,
        policy: DisclosurePolicy = DisclosurePolicy()
    ) {
        self.schemes = schemes
        self.timestampKeys = timestampKeys
        self.policy = policy
    }

    /// The checks of a signature, in their order; those behind the timestamp are of ``DisclosureVerifier/checks``.
    public static let checks: [Check] = [.matchingRequest, .timestamp] + DisclosureVerifier.checks

    /// Verifies a signed message.
    ///
    /// A signature with a timestamp is verified for the timestamp's time, one without for `time`.
    ///
    /// - Parameters:
    ///   - message: The signed message.
    ///   - request: The request that it has to answer; nil to verify it alone. Then every disclosed attribute is listed.
    ///   - time: The time of the verification.
    ///   - accumulators: The verifier's own knowledge about accumulators.
    public func verify(
        _ message: SignedMessage,
        answering request: SessionRequest? = nil,
        at time: Date,
        accumulators: KnownAccumulators = [:]
    ) -> DisclosureOutcome {
        var checklist = Checklist(Self.checks, at: message.timestamp?.date ?? time)
        var run = DisclosureVerification(
            schemes: schemes,
            policy: policy,
            proofs: message.signature,
            indices: message.indices,
            request: request,
            issuing: [],
            challenge: message.challenge,
            time: message.timestamp?.date ?? time,
            accumulators: accumulators
        )
        guard !message.signature.proofs.isEmpty else {
            checklist.record(.structure, .failed(.malformed, "the signature has no proof"))
            return run.outcome(checklist)
        }
        checklist.check(.matchingRequest) { () throws(CheckFault) in try requireMatch(message, request) }
        guard !checklist.isRefused else { return run.outcome(checklist) }
        checklist.check(.timestamp) { () throws(CheckFault) in try requireTimestamp(message, at: time) }
        guard !checklist.isRefused else { return run.outcome(checklist) }
        run.makeChecks(in: &checklist)
        return run.outcome(checklist)
    }

    private func requireMatch(_ message: SignedMessage, _ request: SessionRequest?) throws(CheckFault) {
        guard let request else { throw .notApplicable("the signature is verified alone") }
        guard let text = request.message else {
            throw .failed(.claimMismatch, "the request is not one for a signature")
        }
        let asked = IdemixChallenge.signature(
            of: Array(text.utf8),
            context: request.parameters.context ?? 1,
            nonce: request.parameters.nonce ?? 0,
            timestampSignature: message.timestamp?.signature.data
        )
        guard asked == message.challenge, message.nonce ?? 0 == request.parameters.nonce ?? 0 else {
            throw .failed(.claimMismatch, "context, nonce or message are not those of the request")
        }
    }

    private func requireTimestamp(_ message: SignedMessage, at time: Date) throws(CheckFault) {
        guard let timestamp = message.timestamp else { throw .notApplicable("there is no timestamp") }
        do throws(IRMAError) {
            let server = try schemes.timestampServer(of: message.signature)
            try timestamp.requireSignature(
                over: try schemes.timestampNonce(of: message),
                by: timestampKeys.keys(of: server)
            )
        } catch {
            // Without the issuers' keys nobody knows what the timestamp should be about.
            let reason: Reason =
                switch (error.cause as? IdemixError)?.code {
                case .unknownKey?, .unknownCredentialType?: .issuerKeyNotFound
                default: .invalidTimestamp
                }
            throw .failed(reason, error.message, path: ["timestamp"] + error.path)
        }
        guard timestamp.date.timeIntervalSince(time) <= policy.clockSkew else {
            throw .failed(.issuedInFuture, "the time of the timestamp has not come", path: ["timestamp", "Time"])
        }
    }
}

extension Reason {
    /// A timestamp that does not verify, or is not about the signature.
    public static let invalidTimestamp: Reason = "invalidTimestamp"
}

extension SchemeSnapshot {
    /// The timestamp server of the schemes whose credentials sign.
    ///
    /// - Throws: ``IRMAError/Code/invalidTimestamp`` for several servers, or none.
    package func timestampServer(of proofs: IdemixProofList) throws(IRMAError) -> String {
        var types: [CredentialTypeIdentifier] = []
        for proof in proofs.proofs { types.append(try expectation(for: proof).type) }
        return try timestampServer(of: types)
    }

    /// The timestamp server of the schemes of credential types.
    ///
    /// - Throws: ``IRMAError/Code/invalidTimestamp`` for several servers, or none.
    public func timestampServer(of types: [CredentialTypeIdentifier]) throws(IRMAError) -> String {
        let servers = Set(types.map { schemes[$0.scheme]?.description.timestampServer.map { ExactText($0) } })
        guard servers.count == 1, let server = servers.first ?? nil else {
            throw IRMAError(.invalidTimestamp, "the schemes name no timestamp server, or several")
        }
        return server.text
    }

    /// The nonce that a signed message's timestamp has to be about.
    func timestampNonce(of message: SignedMessage) throws(IRMAError) -> [UInt8] {
        let text = Array(message.message.utf8)
        var proofs: [(proof: IdemixDisclosureProof, publicKey: IdemixIssuerPublicKey, valueCount: Int)] = []
        for proof in message.signature.proofs {
            let (disclosure, type, publicKey) = try expectation(for: proof)
            proofs.append((disclosure, publicKey, (credentialType(type)?.attributes.count ?? 0) + 2))
        }
        do throws(IdemixError) {
            switch message.version {
            case .version1:
                return try IdemixSignatureNonce.timestampVersion1(
                    message: text,
                    proofs: proofs.map { ($0.proof.A, $0.proof.disclosedAttributes, $0.valueCount) }
                )
            case .version2:
                return try IdemixSignatureNonce.timestamp(
                    message: text,
                    proofs: proofs.map { ($0.proof.A, $0.proof.disclosedAttributes, $0.publicKey) }
                )
            }
        } catch {
            throw IRMAError(.invalidTimestamp, error.message, path: error.path, cause: error)
        }
    }

    private func expectation(
        for proof: IdemixProof
    ) throws(IRMAError) -> (
        proof: IdemixDisclosureProof, type: CredentialTypeIdentifier, publicKey: IdemixIssuerPublicKey
    ) {
        guard case .disclosure(let proof) = proof else {
            throw IRMAError(.invalidTimestamp, "a commitment in a signature", path: ["signature"])
        }
        do throws(IdemixError) {
            let expectation = try IdemixDisclosureExpectation(for: proof, from: self)
            let type = expectation.credentialType?.identifier ?? ""
            return (proof, CredentialTypeIdentifier(type), expectation.publicKey)
        } catch {
            throw IRMAError(.invalidTimestamp, error.message, path: error.path, cause: error)
        }
    }
}
