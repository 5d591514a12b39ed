public import DIDKit
import JOSEKit
import JSONKit
public import VerificationCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Verifies credentials and presentations of the data model 1.1 and 2.0, with linked-data proofs and as tokens.
///
/// ```swift
/// let verifier = W3CCredentialVerifier(
///     policy: W3CCredentialPolicy(tokens: [.edDSA, .es256]),
///     trust: .issuers(["did:web:university.example"]),
///     resolver: resolver
/// )
/// let expectation = W3CPresentationExpectation(nonce: nonce, audience: "https://verifier.example")
/// let verification = await verifier.verify(try VerifiablePresentation(decoding: bytes), expecting: expectation)
/// switch verification.verdict {
/// case .verified(let presentation): print(presentation.credentials)
/// case .refused(let refusal): print(refusal)
/// }
/// ```
///
/// A verifier keeps nothing but processed contexts between two calls. It can be kept and used from many tasks.
public struct W3CCredentialVerifier: Sendable {
    /// The demands on credentials and presentations.
    public private(set) var policy: W3CCredentialPolicy

    let trust: W3CCredentialTrust
    let resolver: any DIDResolver
    let documents: LinkedDataVerifier?
    private let processor: JSONLDProcessor
    let statusSource: (any CredentialStatusSource)?
    private let additionalChecks: [AdditionalCheck<VerifiedW3CCredential>]
    private let clock: @Sendable () -> Date
    /// Indicates that the caller decides by names in the JSON, which then must not be open.
    private var actsUponNames = false

    /// The checks of a credential, in their order.
    public static let credentialChecks: [Check] = [
        .structure, .issuerSignature, .claims, .relatedResources, .contexts, .controller, .issuerTrust, .validity,
        .credentialType, .status,
    ]

    /// The checks of a presentation, in their order.
    ///
    /// Each credential is a part with checks of its own.
    public static let presentationChecks: [Check] = [
        .structure, .nonce, .audience, .issuedAt, .validity, .holderBinding, .claims, .controller, .credentials,
        .subject,
    ]

    /// Makes a verifier.
    ///
    /// - Parameters:
    ///   - policy: The demands on credentials and presentations.
    ///   - trust: Decides which issuers are trusted.
    ///   - resolver: Finds the keys of DIDs. By default those of the methods that nothing is fetched for.
    ///   - processor: Expands documents; its contexts are those that documents may name.
    ///   - statusSource: Finds out the status of credentials. Without one, the status of a credential that names one is
    ///     unknown, and the credential is refused unless the policy waives the check.
    ///   - additionalChecks: The user's own checks of each credential, made after all others.
    ///   - clock: Returns the time; read once per verification.
    public init(
        policy: W3CCredentialPolicy = W3CCredentialPolicy(),
        trust: W3CCredentialTrust,
        resolver: any DIDResolver = DIDMethods.local,
        processor: JSONLDProcessor = JSONLDProcessor(),
        statusSource: (any CredentialStatusSource)? = nil,
        additionalChecks: [AdditionalCheck<VerifiedW3CCredential>] = [],
        clock: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.policy = policy
        self.trust = trust
        self.resolver = resolver
        self.processor = processor
        self.statusSource = statusSource
        self.additionalChecks = additionalChecks
        self.clock = clock
        documents = policy.proofs.map { proofs in
            LinkedDataVerifier(policy: proofs, resolver: resolver, processor: processor, clock: clock)
        }
    }

    /// The same verifier for documents in tokens that may be longer than its policy says.
    func taking(documentSize size: Int) -> W3CCredentialVerifier {
        var verifier = self
        verifier.policy.limits.size = max(policy.limits.size, size)
        return verifier
    }

    /// The same verifier for a caller that decides by names in the JSON.
    ///
    /// It refuses a credential that uses names which it defines itself and no signature of its issuer covers, unless the policy lists the
    /// contexts or has the tolerance ``W3CCredentialTolerance/ownContext``.
    @_spi(Layers) public func actingUponNames() -> W3CCredentialVerifier {
        var verifier = self
        verifier.actsUponNames = true
        return verifier
    }

    /// Verifies a credential.
    ///
    /// - Parameter credential: The credential as read.
    public func verify(_ credential: VerifiableCredential) async -> Verification<VerifiedW3CCredential> {
        await verify(credential, purpose: .issue, at: clock())
    }

    /// Verifies a presentation, with each of its credentials.
    ///
    /// The parts of the answer are the credentials, named `verifiableCredential[0]` and so on.
    ///
    /// - Parameters:
    ///   - presentation: The presentation as read.
    ///   - expectation: The expectation of the presentation.
    public func verify(
        _ presentation: VerifiablePresentation,
        expecting expectation: W3CPresentationExpectation
    ) async -> Verification<VerifiedW3CPresentation> {
        await verify(presentation, expecting: expectation, at: clock())
    }

    /// Verifies a credential for a purpose and a time.
    ///
    /// - Parameter budget: The work of the verification that this one is a part of; nil for one of its own.
    func verify(
        _ credential: VerifiableCredential,
        purpose: W3CCredentialTrust.Purpose,
        at time: Date,
        within budget: CanonicalizationBudget? = nil
    ) async -> Verification<VerifiedW3CCredential> {
        var checklist = Checklist(Self.credentialChecks, at: time)
        let secured: SecuredContent<W3CCredentialContent>? =
            switch credential.form {
            case .linkedData(let document): await check(document, within: budget, in: &checklist)
            case .token(let token): await check(token, in: &checklist)
            }
        guard let secured, !checklist.isRefused else { return checklist.verification(of: nil) }
        let content = secured.content
        checklist.check(.relatedResources) { () throws(CheckFault) in try checkRelatedResources(of: content) }
        let leavesNamesOpen = policy.leavesNamesOpen(of: content, secured.securing)
        checklist.check(.contexts) { () throws(CheckFault) in
            if actsUponNames, leavesNamesOpen { try policy.tolerances.checkOwnContext() }
            try policy.checkContexts(of: content, secured.securing)
        }
        guard !checklist.isRefused else { return checklist.verification(of: nil) }
        if leavesNamesOpen { checklist.add(.ownContext) }
        let controller = checklist.check(.controller) { () throws(CheckFault) in
            try secured.controller(of: content.issuer.id, named: "issuer", policy)
        }
        guard let controller else { return checklist.verification(of: nil) }
        await checklist.check(.issuerTrust) { () async throws(CheckFault) in
            let question = W3CCredentialTrust.Question(
                issuer: content.issuer.id,
                controller: controller,
                purpose: purpose,
                types: content.types,
                expandedTypes: secured.securing.expandedTypes
            )
            try await trust.check(question, at: time)
        }
        guard !checklist.isRefused else { return checklist.verification(of: nil) }
        checklist.check(.validity) { () throws(CheckFault) in
            try content.checkValidity(VerificationTime(time, clockSkew: policy.clockSkew))
            try secured.claims?.checkTimes(VerificationTime(time, clockSkew: policy.clockSkew))
        }
        for deviation in content.members.timeDeviations(of: W3CCredentialContent.times) { checklist.add(deviation) }
        checklist.check(.credentialType) { () throws(CheckFault) in
            try policy.checkType(of: content, secured.securing.expandedTypes, areNamesOpen: leavesNamesOpen)
        }
        let statuses = content.statuses.isEmpty ? nil : content.statuses
        var isUpdateAvailable = false
        let status = await checklist.checkStatus(policy.status, named: statuses) { statements in
            let finding = await self.status(of: statements, issuer: content.issuer.id, at: time)
            isUpdateAvailable = finding.isUpdateAvailable
            return finding
        }
        let verified = VerifiedW3CCredential(
            content: content,
            controller: controller,
            securing: secured.securing,
            status: status,
            isUpdateAvailable: isUpdateAvailable
        )
        await checklist.make(additionalChecks, of: verified)
        return checklist.verification(of: verified)
    }

    /// Compares the digests that a credential states of contexts with the known ones (Verifiable Credentials Data Model
    /// 2.0, section 5.3).
    private func checkRelatedResources(of content: W3CCredentialContent) throws(CheckFault) {
        var isCompared = false
        for resource in content.relatedResources {
            guard let digests = processor.digests(ofContextAt: resource.id) else { continue }
            try resource.requireMatch(with: digests)
            isCompared = true
        }
        guard isCompared else { throw .notApplicable("the credential states no digest of a known context") }
    }

    /// The worst status that the statements of a credential lead to.
    private func status(of statements: [JSONObject], issuer: ExactText, at time: Date) async -> StatusFinding {
        guard let statusSource else { return .unknown("nothing here finds out the status of credentials") }
        var worst: StatusFinding?
        for statement in statements {
            let found = await statusSource.status(of: statement, issuer: issuer, at: time)
            let finding = policy.accepting(found, about: statement, at: time)
            worst = worst.map { $0.combined(with: finding) } ?? finding
        }
        return worst ?? .unknown("the credential names no status")
    }
}

/// A document whose signature was verified, before its content is checked.
struct SecuredContent<Content: Sendable>: Sendable {
    let content: Content
    let securing: W3CCredentialSecuring
    /// The parties that control the keys of the signatures.
    let controllers: [DID]
    /// The claims of a token; nil for a document.
    let claims: JWTClaims?

    /// The controller that may sign for a party.
    func controller(
        of party: ExactText,
        named name: String,
        _ policy: W3CCredentialPolicy
    ) throws(CheckFault) -> DID {
        guard let controller = controllers.first(where: { policy.permits($0, toSignFor: party) }) else {
            throw .failed(.controllerMismatch, "the signature is not that of \(party)", path: [name])
        }
        return controller
    }
}

extension W3CCredentialContent {
    fileprivate func checkValidity(_ time: VerificationTime) throws(CheckFault) {
        if let validUntil { try time.requireNotExpired(at: validUntil, named: version.validUntilMember) }
        if let validFrom { try time.requireBegun(at: validFrom, named: version.validFromMember) }
    }
}

extension JWTClaims {
    /// Checks the times of a token: `exp`, `nbf` and `iat`.
    func checkTimes(_ time: VerificationTime) throws(CheckFault) {
        let claims = RegisteredJWTClaims(self)
        if let expiration = try claims.expirationTime() { try time.requireNotExpired(at: expiration) }
        if let start = try claims.notBefore() { try time.requireBegun(at: start) }
        if let issued = try claims.issuedAt() { try time.requireIssued(at: issued) }
    }
}

extension W3CCredentialPolicy {
    /// Refuses a credential of other types, and one whose type has an accepted name by its own definition alone.
    ///
    /// - Parameters:
    ///   - content: The credential.
    ///   - expandedTypes: The IRIs of its types, which a proof covers; nil for a token, and for a document that is not
    ///     expanded.
    ///   - areNamesOpen: Pass `true` if no signature of the issuer covers the names that the document defines.
    fileprivate func checkType(
        of content: W3CCredentialContent,
        _ expandedTypes: [ExactText]?,
        areNamesOpen: Bool
    ) throws(CheckFault) {
        guard let credentialTypes else { throw .notApplicable("any type of credential is accepted") }
        if expandedTypes?.contains(where: credentialTypes.contains) == true { return }
        guard content.types.contains(where: credentialTypes.contains) else {
            throw .failed(.unexpectedType, "the credential is of none of the accepted types", path: ["type"])
        }
        guard !areNamesOpen else {
            throw .failed(
                .unexpectedContext,
                "the document may have given its type this name itself; accept its contexts, or the IRI of the type",
                path: ["type"]
            )
        }
    }

    /// Returns `true` if a proof of the issuer covers the JSON; anyone can add proofs of their own.
    func covers(_ verified: VerifiedSecuredDocument, namesOf issuer: ExactText) -> Bool {
        verified.proofs.contains { $0.coversNames && permits($0.controller, toSignFor: issuer) }
    }

    /// Refuses contexts that the policy does not list, and any inside the document, unless a signature of the issuer
    /// covers the names.
    fileprivate func checkContexts(
        of content: W3CCredentialContent,
        _ securing: W3CCredentialSecuring
    ) throws(CheckFault) {
        guard let contexts else { throw .notApplicable("any contexts are accepted") }
        guard case .linkedData(let verified) = securing, !covers(verified, namesOf: content.issuer.id) else {
            throw .notApplicable("the signature covers the names")
        }
        guard let context = content.members["@context"], contexts.contains(context) else {
            throw .failed(.unexpectedContext, "the contexts are not among the accepted ones", path: ["@context"])
        }
        guard !OwnNames.none.areUsed(in: content.members) else {
            throw .failed(.unexpectedContext, "there is a context inside the document", path: ["@context"])
        }
    }

    /// Returns `true` if a document uses names that it defines itself and that no signature of its issuer covers, and the policy
    /// lists no contexts.
    fileprivate func leavesNamesOpen(of content: W3CCredentialContent, _ securing: W3CCredentialSecuring) -> Bool {
        guard contexts == nil, case .linkedData(let verified) = securing,
            !covers(verified, namesOf: content.issuer.id)
        else { return false }
        return OwnNames(definedBy: content.members["@context"]).areUsed(in: content.members)
            || verified.expanded?.hasIRINames == true
    }

    /// Refuses a version of the data model that is not accepted.
    func checkVersion(_ version: DataModelVersion) throws(CheckFault) {
        guard versions.contains(version) else {
            throw .failed(.unexpectedType, "the data model \(version.rawValue) is not accepted", path: ["@context"])
        }
    }
}
