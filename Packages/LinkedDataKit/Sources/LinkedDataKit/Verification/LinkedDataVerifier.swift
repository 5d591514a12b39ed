public import CryptoCore
public import DIDKit
import JSONKit
@_spi(Layers) public import VerificationCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Verifies the proofs of linked-data documents: every check in order, with its outcome.
///
/// ```swift
/// let verifier = LinkedDataVerifier(resolver: DIDMethods.local)
/// let verification = await verifier.verify(document, expecting: LinkedDataExpectation())
/// switch verification.verdict {
/// case .verified(let document): print(document.document)
/// case .refused(let refusal): print(refusal)
/// }
/// ```
///
/// JSON without contexts is verified as it is where every proof is of a suite over canonical JSON (Data Integrity EdDSA and
/// ECDSA Cryptosuites 1.0, sections 3.3), and so is JSON-LD with a context that is neither at hand nor on the allow-list, which
/// is reported as the deviation `unknownContext`. ``VerifiedSecuredDocument/expanded`` is nil for both. Any other document must
/// be JSON-LD whose every term has a meaning.
///
/// Credentials and presentations have rules of their own: ``W3CCredentialVerifier`` verifies them. A verifier keeps
/// nothing but processed contexts between two calls. It can be kept and used from many tasks.
public struct LinkedDataVerifier: Sendable {
    /// The demands on documents and proofs.
    public let policy: LinkedDataProofPolicy

    private let resolver: any DIDResolver
    private let settings: LinkedDataSettings
    private let additionalChecks: [AdditionalCheck<VerifiedSecuredDocument>]
    private let clock: @Sendable () -> Date

    /// The checks of a document, in their order.
    ///
    /// Each proof is a part with checks of its own.
    public static let checks: [Check] = [.structure, .linkedData, .proofs]

    /// The checks of a proof, in their order.
    public static let proofChecks: [Check] = [
        .structure, .proofSuite, .proofValue, .proofPurpose, .nonce, .audience, .issuedAt, .validity,
        .verificationMethod, .controller, .algorithm, .previousProof, .signature,
    ]

    /// Makes a verifier.
    ///
    /// - Parameters:
    ///   - policy: The demands on documents and proofs.
    ///   - resolver: Finds the keys of DIDs. By default those of the methods that nothing is fetched for.
    ///   - processor: Expands documents; its contexts are those that documents may name.
    ///   - additionalChecks: The user's own checks, made after all others.
    ///   - clock: Returns the time; read once per verification.
    public init(
        policy: LinkedDataProofPolicy = LinkedDataProofPolicy(),
        resolver: any DIDResolver = DIDMethods.local,
        processor: JSONLDProcessor = JSONLDProcessor(),
        additionalChecks: [AdditionalCheck<VerifiedSecuredDocument>] = [],
        clock: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.policy = policy
        self.resolver = resolver
        settings = LinkedDataSettings(
            processor: processor,
            options: policy.linkedData,
            canonicalization: policy.canonicalization,
            disclosure: policy.disclosure
        )
        self.additionalChecks = additionalChecks
        self.clock = clock
    }

    /// Verifies the proofs of a document.
    ///
    /// The parts of the answer are the proofs, named as in the document: `proof`, or `proof[0]` and so on.
    ///
    /// - Parameters:
    ///   - document: The document as read.
    ///   - expectation: The expectation of its proofs.
    public func verify(
        _ document: SecuredDocument,
        expecting expectation: LinkedDataExpectation
    ) async -> Verification<VerifiedSecuredDocument> {
        await verify(document, expecting: expectation, at: clock(), within: newBudget())
    }

    /// The canonical forms and digests of a proof of an unverified document, for finding out why a signature does not
    /// verify.
    ///
    /// - Parameters:
    ///   - index: The place of the proof.
    ///   - document: The document.
    ///   - hash: The hash function: SHA-384 for P-384 in the ECDSA suites, else SHA-256.
    /// - Throws: ``LinkedDataError/Code/invalidProof`` for a place without a proof,
    ///   ``LinkedDataError/Code/unsupportedSuite``, ``LinkedDataError/Code/invalidProofValue`` for a value of
    ///   `ecdsa-sd-2023` that does not go with the document, and the codes of JSON-LD, of safe mode and of limits.
    public func input(
        ofProofAt index: Int,
        in document: SecuredDocument,
        using hash: HashAlgorithm = .sha256
    ) throws(LinkedDataError) -> LinkedDataProofInput {
        guard document.proofs.indices.contains(index) else {
            throw LinkedDataError(.invalidProof, "the document has no proof \(index)", path: ["proof"])
        }
        let proof = document.proofs[index]
        guard let scheme = ProofScheme(proof.suite) else {
            throw LinkedDataError(.unsupportedSuite, "\(proof.suite) is not implemented", path: ["proof"])
        }
        var inputs = try ProofInputs(document, signedWith: document.proofs.map(\.suite), settings)
        let previous = try document.proofs(named: proof.previousProofs)
        return try inputs.input(
            options: proof.options,
            scheme: scheme,
            hash: hash,
            covering: previous.map { .object($0.members) },
            disclosing: scheme.isSelective ? ProofSignature(proof, scheme, policy.disclosure).disclosure : nil
        )
    }

    /// The work that one verification may do.
    func newBudget() -> CanonicalizationBudget { CanonicalizationBudget(policy.canonicalization) }

    /// Verifies the proofs of a document for a time.
    ///
    /// - Parameter budget: The work of the verification that this one is a part of.
    func verify(
        _ document: SecuredDocument,
        expecting expectation: LinkedDataExpectation,
        at time: Date,
        within budget: CanonicalizationBudget
    ) async -> Verification<VerifiedSecuredDocument> {
        let settings = settings.sharing(budget)
        var checklist = Checklist(Self.checks, at: time)
        checklist.check(.structure) { () throws(CheckFault) in try document.requireDistinctProofs() }
        guard !checklist.isRefused else { return checklist.verification(of: nil) }
        let inputs = await inputs(of: document, settings, in: &checklist)
        guard var inputs else { return checklist.verification(of: nil) }
        let proofs = await verifications(of: document, expectation, &inputs, at: time)
        for (index, proof) in proofs.enumerated() {
            checklist.add(proof, named: document.name(ofProofAt: index), isMandatory: false)
        }
        let rule = policy.rule
        let verified = checklist.check(.proofs) { () throws(CheckFault) in try rule.verified(document, proofs) }
        for (index, proof) in proofs.enumerated() where verified != nil {
            guard let refusal = proof.refusal else { continue }
            let name = document.name(ofProofAt: index)
            checklist.add(Deviation("unverifiedProof", at: [name], "\(refusal)"))
        }
        let value = verified.map { VerifiedSecuredDocument(inputs, proofs: $0) }
        await checklist.make(additionalChecks, of: value)
        return checklist.verification(of: value)
    }

    /// The document, in expanded form unless its proofs cover the JSON itself and it has no contexts or an unknown one; nil if it
    /// does not expand.
    private func inputs(
        of document: SecuredDocument,
        _ settings: LinkedDataSettings,
        in checklist: inout Checklist
    ) async -> ProofInputs? {
        let (suites, members) = (document.proofs.map(\.suite), document.unverifiedDocument)
        let settings = document.isCoveredAsJSON(by: suites) ? settings.coveringJSON() : settings
        var unknownContext: String?
        let inputs = await checklist.check(.linkedData) { () async throws(CheckFault) in
            guard !document.isPlainJSON(signedWith: suites) else {
                throw .notApplicable("the document has no contexts, and its proofs cover the JSON itself")
            }
            do throws(CheckFault) {
                return try await self.inputs(of: members, settings)
            } catch {
                guard document.isCoveredAsJSON(by: suites), let context = settings.unknownContext(of: members) else {
                    throw error
                }
                unknownContext = context
                throw .notApplicable("the context \(context) is unknown, and the proofs cover the JSON itself")
            }
        }
        if let unknownContext {
            let message = "\(unknownContext) is unknown, so that no term has a meaning"
            checklist.add(Deviation("unknownContext", at: ["@context"], message))
        }
        guard !checklist.isRefused else { return nil }
        return inputs ?? ProofInputs(plain: members, settings)
    }

    /// The document in expanded form, once the contexts of the allow-list are at hand.
    private func inputs(
        of document: JSONObject,
        _ settings: LinkedDataSettings
    ) async throws(CheckFault) -> ProofInputs {
        do throws(LinkedDataError) {
            return try ProofInputs(document, settings)
        } catch {
            guard error.code == .loadingRemoteContextFailed, settings.processor.canLoadContexts else {
                throw error.fault
            }
        }
        try await settings.loadContexts(for: document)
        return try CheckFault.converting { () throws(LinkedDataError) in try ProofInputs(document, settings) }
    }

    /// Verifies each proof, those first that others cover.
    private func verifications(
        of document: SecuredDocument,
        _ expectation: LinkedDataExpectation,
        _ inputs: inout ProofInputs,
        at time: Date
    ) async -> [Verification<VerifiedLinkedDataProof>] {
        var results: [Verification<VerifiedLinkedDataProof>?] = Array(repeating: nil, count: document.proofs.count)
        for index in document.orderOfProofs {
            let proof = document.proofs[index]
            let covered = document.proofs(coveredBy: proof, results)
            results[index] = await verification(of: proof, covering: covered, expectation, &inputs, at: time)
        }
        return results.compactMap { $0 }
    }

    /// Verifies a proof; where the key may have been replaced under its name, a second time with the one that is published now.
    private func verification(
        of proof: LinkedDataProof,
        covering covered: Result<[LinkedDataProof], CheckFault>,
        _ expectation: LinkedDataExpectation,
        _ inputs: inout ProofInputs,
        at time: Date
    ) async -> Verification<VerifiedLinkedDataProof> {
        var checks = ProofChecks(proof, policy, expectation, at: time)
        guard let name = checks.checkMembers() else {
            checks.checkSignature(covering: covered, &inputs)
            return checks.verification()
        }
        let method = await method(name, for: expectation.purpose, at: time)
        checks.checkKey(method)
        checks.checkSignature(covering: covered, &inputs)
        let verification = checks.verification()
        guard verification.refusal?.isOfKey == true, case .success(let known) = method,
            let renewed = await resolver.renewedMethod(name, for: expectation.purpose, at: time),
            renewed.members != known.members
        else { return verification }
        var again = ProofChecks(proof, policy, expectation, at: time)
        _ = again.checkMembers()
        again.checkKey(.success(renewed))
        again.checkSignature(covering: covered, &inputs)
        return again.verification()
    }

    private func method(
        _ name: DIDURL,
        for purpose: VerificationRelationship,
        at time: Date
    ) async -> Result<VerificationMethod, DIDError> {
        do throws(DIDError) {
            return .success(try await resolver.verificationMethod(name, for: purpose, at: time))
        } catch {
            return .failure(error)
        }
    }
}

extension Refusal {
    /// Indicates a signature that another key may have made.
    fileprivate var isOfKey: Bool {
        check == .signature && reason == .invalidSignature
            || check == .algorithm && reason == Reason(LinkedDataError.Code.keyMismatch.description)
    }
}

extension DIDResolver {
    /// The method of a name as it is published now; nil after a failure.
    func renewedMethod(
        _ name: DIDURL,
        for purpose: VerificationRelationship,
        at time: Date
    ) async -> VerificationMethod? {
        let document = try? await renewedDocument(of: name.did, at: time)
        return try? document?.verificationMethod(name, for: purpose, at: time)
    }
}

extension LinkedDataSettings {
    /// Loads the contexts of the allow-list that a document needs and that are not at hand.
    func loadContexts(for document: JSONObject) async throws(CheckFault) {
        do {
            try await processor.loadContexts(for: .object(document), options: options)
        } catch let error as LinkedDataError {
            // Only what a loader could not fetch may succeed later.
            guard error.code == .loadingRemoteContextFailed, error.cause != nil else { throw error.fault }
            throw .unavailable(Reason(error.code.description), error.messageWithCause, path: error.path)
        } catch {
            throw .unavailable(.incomplete, "the task was cancelled")
        }
    }
}
