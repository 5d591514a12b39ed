import CryptoCore
import DIDKit
import JOSEKit
import JSONKit
@_spi(Layers) import VerificationCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The checks of one proof, in their order and without I/O: its key is handed in.
struct ProofChecks: ~Copyable {
    private let proof: LinkedDataProof
    private let policy: LinkedDataProofPolicy
    private let expectation: LinkedDataExpectation
    private var checklist: Checklist

    // The results of the checks, for later checks.
    private var scheme: ProofScheme?
    private var signature: ProofSignature?
    private var name: DIDURL?
    private var method: VerificationMethod?
    private var key: (publicKey: PublicKey, algorithm: SignatureAlgorithm)?
    private var isVerified = false

    init(_ proof: LinkedDataProof, _ policy: LinkedDataProofPolicy, _ expectation: LinkedDataExpectation, at time: Date)
    {
        self.proof = proof
        self.policy = policy
        self.expectation = expectation
        checklist = Checklist(LinkedDataVerifier.proofChecks, at: time)
    }

    private var isRefused: Bool { checklist.isRefused }

    /// Makes the checks that need nothing but the proof and the time.
    ///
    /// - Returns: The name of the key, unless a check has failed.
    mutating func checkMembers() -> DIDURL? {
        let (proof, policy, expectation) = (proof, policy, expectation)
        let limits = policy.disclosure
        let time = VerificationTime(checklist.time, clockSkew: policy.clockSkew)
        checklist.check(.structure) { () throws(CheckFault) in if let fault = proof.fault { throw fault.fault } }
        guard !isRefused else { return nil }
        for deviation in proof.members.timeDeviations(of: LinkedDataProof.times) { checklist.add(deviation) }
        scheme = checklist.check(.proofSuite) { () throws(CheckFault) in
            guard let scheme = ProofScheme(proof.suite), policy.suites.contains(proof.suite) else {
                throw LinkedDataError(.unsupportedSuite, "\(proof.suite) is not implemented, or not accepted").fault
            }
            return scheme
        }
        guard let scheme, !isRefused else { return nil }
        signature = checklist.check(.proofValue) { () throws(CheckFault) in
            try CheckFault.converting { () throws(LinkedDataError) in try ProofSignature(proof, scheme, limits) }
        }
        guard !isRefused else { return nil }
        checklist.check(.proofPurpose) { () throws(CheckFault) in try expectation.checkPurpose(of: proof) }
        checklist.check(.nonce) { () throws(CheckFault) in try expectation.checkChallenge(of: proof) }
        checklist.check(.audience) { () throws(CheckFault) in try expectation.checkDomain(of: proof) }
        checklist.check(.issuedAt) { () throws(CheckFault) in try expectation.checkCreated(of: proof, time) }
        checklist.check(.validity) { () throws(CheckFault) in
            guard let expires = proof.expires else { throw .notApplicable("the proof does not expire") }
            try time.requireNotExpired(at: expires, named: "expires")
        }
        guard !isRefused else { return nil }
        return keyName()
    }

    /// The name of the key, whose check fails here where it is not a DID URL.
    private mutating func keyName() -> DIDURL? {
        do throws(CheckFault) {
            guard let text = proof.verificationMethod else {
                throw .failed(.missingClaim, "the proof names no key", path: ["verificationMethod"])
            }
            name = try CheckFault.converting { () throws(DIDError) in try DIDURL(text) }
        } catch {
            checklist.record(.verificationMethod, error.outcome, at: error.path)
        }
        return name
    }

    /// Makes the checks of the key.
    mutating func checkKey(_ result: Result<VerificationMethod, DIDError>) {
        let (proof, expectation) = (proof, expectation)
        method = checklist.check(.verificationMethod) { () throws(CheckFault) in
            do throws(DIDError) {
                return try result.get()
            } catch {
                throw error.keyFault
            }
        }
        guard let method, let name, let scheme, let signature else { return }
        checklist.check(.controller) { () throws(CheckFault) in
            guard method.controller == name.did else {
                throw .failed(.controllerMismatch, "\(method.controller) controls a key of \(name.did)")
            }
            guard expectation.controllers?.contains(method.controller) ?? true else {
                throw .failed(.controllerMismatch, "\(method.controller) is not the party that must sign")
            }
        }
        let algorithms = policy.algorithms
        key = checklist.check(.algorithm) { () throws(CheckFault) in
            try signature.key(of: method, scheme, accepting: algorithms, suite: proof.suite)
        }
    }

    /// Makes the checks of the proofs that this one covers, and of its signature.
    ///
    /// - Parameters:
    ///   - previous: The proofs that this one covers; the fault where one is missing or does not verify.
    ///   - inputs: Makes the signed bytes.
    mutating func checkSignature(
        covering previous: Result<[LinkedDataProof], CheckFault>,
        _ inputs: inout ProofInputs
    ) {
        let (proof, isSelective) = (proof, scheme?.isSelective == true)
        let covered = checklist.check(.previousProof) { () throws(CheckFault) in
            guard !proof.previousProofs.isEmpty else { throw .notApplicable("the proof covers no other proof") }
            guard !isSelective else { throw LinkedDataError.derivedChain.fault }
            return try previous.get()
        }
        guard !isRefused, let scheme, let signature, let key else { return }
        // The closure of a check cannot change the caller's value.
        var working = inputs
        let forms = inputs.forms(of: proof, covering: covered ?? [])
        let signed = checklist.check(.signature) { () throws(CheckFault) -> StatementForm in
            for form in forms {
                let input = try CheckFault.converting { () throws(LinkedDataError) in
                    try working.input(
                        options: proof.options,
                        scheme: scheme,
                        hash: scheme.hash(for: key.publicKey),
                        covering: (covered ?? []).map { .object($0.members) },
                        disclosing: signature.disclosure,
                        as: form
                    )
                }
                if signature.isValid(input, key: key.publicKey, algorithm: key.algorithm) { return form }
            }
            throw .failed(.invalidSignature, "the signature does not verify")
        }
        inputs = working
        isVerified = signed != nil
        if let signed, signed.languageTags != forms[0].languageTags {
            checklist.add(Deviation("languageTags", "their letter case differs from the usual form"))
        }
        if signed?.controls == .raw {
            checklist.add(Deviation("controlCharacters", "they are signed without escapes, as before RDFC-1.0"))
        }
    }

    /// Draws the verdict.
    consuming func verification() -> Verification<VerifiedLinkedDataProof> {
        var verified: VerifiedLinkedDataProof?
        if isVerified, let method, let key {
            verified = VerifiedLinkedDataProof(
                proof: proof,
                verificationMethod: method,
                publicKey: key.publicKey,
                algorithm: key.algorithm
            )
        }
        return checklist.verification(of: verified)
    }
}

extension LinkedDataExpectation {
    fileprivate func checkPurpose(of proof: LinkedDataProof) throws(CheckFault) {
        guard let purpose = proof.purpose, purpose == self.purpose else {
            let found = proof.purpose?.rawValue ?? "no purpose"
            throw .failed(.unexpectedPurpose, "\(self.purpose) is expected, and not \(found)", path: ["proofPurpose"])
        }
    }

    fileprivate func checkChallenge(of proof: LinkedDataProof) throws(CheckFault) {
        switch (challenge, proof.challenge) {
        case (nil, nil): throw .notApplicable("neither the verifier nor the proof has a challenge")
        case (nil, _?) where ignoresOthers: throw .notApplicable("the verifier expects no challenge")
        case (let expected?, let found?) where expected == found: return
        case (_?, nil): throw .failed(.missingClaim, "the proof has no challenge", path: ["challenge"])
        default: throw .failed(.claimMismatch, "the challenge is not the verifier's", path: ["challenge"])
        }
    }

    fileprivate func checkDomain(of proof: LinkedDataProof) throws(CheckFault) {
        guard let domain else {
            guard proof.domains.isEmpty || ignoresOthers else {
                throw .failed(.claimMismatch, "the proof is for a domain, and none is expected", path: ["domain"])
            }
            throw .notApplicable("the verifier expects no domain")
        }
        guard !proof.domains.isEmpty else {
            throw .failed(.missingClaim, "the proof is for no domain", path: ["domain"])
        }
        guard proof.isFor(domain: domain) else {
            throw .failed(.claimMismatch, "the proof is for another domain", path: ["domain"])
        }
    }

    fileprivate func checkCreated(of proof: LinkedDataProof, _ time: VerificationTime) throws(CheckFault) {
        guard let created = proof.created else {
            guard maximumAge == nil else {
                throw .failed(.missingClaim, "the proof does not say when it was made", path: ["created"])
            }
            throw .notApplicable("the proof does not say when it was made")
        }
        try time.requireIssued(at: created, maximumAge: maximumAge, named: "created")
    }
}

extension ProofSignature {
    /// The key of a method, with the algorithm that the signature is checked with.
    fileprivate func key(
        of method: VerificationMethod,
        _ scheme: ProofScheme,
        accepting algorithms: Set<JWSAlgorithm>,
        suite: LinkedDataProofSuite
    ) throws(CheckFault) -> (publicKey: PublicKey, algorithm: SignatureAlgorithm) {
        let jwk = try CheckFault.converting { () throws(DIDError) in try method.jwk() }
        let key = try CheckFault.converting { () throws(JOSEError) in try jwk.publicKey() }
        guard let algorithm = algorithm(for: key, scheme) else {
            throw LinkedDataError(.keyMismatch, "\(key) does not go with \(suite) and the signature").fault
        }
        if let name = name(algorithm, for: key) {
            if scheme.jwsAlgorithms != nil, !algorithms.contains(name) {
                throw .failed(.algorithmNotAllowed, "\(name) is not accepted")
            }
            guard jwk.permitsVerification(with: name) else {
                throw LinkedDataError(.keyMismatch, "the key is restricted to another use").fault
            }
        }
        return (key, algorithm)
    }
}

extension JWK {
    /// Returns `true` if the key's own `use`, `key_ops` and `alg` permit to verify signatures of an algorithm.
    func permitsVerification(with name: JWSAlgorithm) -> Bool {
        guard use == nil || use == .signature, keyOperations?.contains(.verify) ?? true else { return false }
        guard let own = algorithm.map(JWSAlgorithm.init(rawValue:)) else { return true }
        guard own != name else { return true }
        // Ed25519 and EdDSA are two names for the same signatures of an Ed25519 key.
        guard let key = try? publicKey(), let ownAlgorithm = own.signatureAlgorithm(for: key) else { return false }
        return ownAlgorithm == name.signatureAlgorithm(for: key)
    }
}

extension DIDError {
    /// The result of a check for a key that cannot be retrieved: unavailable where another attempt may succeed.
    var keyFault: CheckFault {
        code == .retrievalFailed ? .unavailable(.issuerKeyNotFound, messageWithCause, path: path) : fault
    }
}
