import CryptoCore
import DIDKit
import JOSEKit
import JSONKit
import VerificationCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension W3CCredentialVerifier {
    /// Checks the structure, the proofs and the graph of a credential with linked-data proofs.
    func check(
        _ document: SecuredDocument,
        within budget: CanonicalizationBudget?,
        in checklist: inout Checklist
    ) async -> SecuredContent<W3CCredentialContent>? {
        let time = checklist.time
        let content = checklist.check(.structure) { () throws(CheckFault) in
            guard documents != nil else { throw CheckFault.proofsNotAccepted }
            let content = try CheckFault.converting { () throws(LinkedDataError) in
                try W3CCredentialContent(json: document.unverifiedDocument)
            }
            try policy.checkVersion(content.version)
            return content
        }
        guard let content, let documents else { return nil }
        var expectation = LinkedDataExpectation()
        expectation.ignoresOthers = true
        let verification = await documents.verify(
            document,
            expecting: expectation,
            at: time,
            within: budget ?? documents.newBudget()
        )
        checklist.add(verification, named: "document", isMandatory: false)
        let verified = checklist.check(.issuerSignature) { () throws(CheckFault) in try verification.value() }
        guard let verified else { return nil }
        let deviations = checklist.check(.claims) { () throws(CheckFault) in
            guard verified.expanded != nil else { throw CheckFault.notExpanded }
            return try CheckFault.converting { () throws(LinkedDataError) in
                let deviations = try policy.deviations(of: verified, content)
                try verified.node().requireAgreement(with: content)
                return deviations
            }
        }
        for deviation in deviations ?? [] { checklist.add(deviation) }
        return SecuredContent(
            content: content,
            securing: .linkedData(verified),
            controllers: verified.proofs.map(\.controller),
            claims: nil
        )
    }

    /// Checks the structure, the signature and the claims of a credential in a token.
    func check(_ token: JWT, in checklist: inout Checklist) async -> SecuredContent<W3CCredentialContent>? {
        let time = checklist.time
        let read = checklist.check(.structure) { () throws(CheckFault) in
            let token = try self.token(token, .credential)
            let completed = token.completedDocument(tolerating: policy.tolerances)
            // Without what the claims say the document may lack members: the check of the claims gives the reason.
            guard case .success(let document) = completed else { return (token, completed, W3CCredentialContent?.none) }
            let content = try CheckFault.converting { () throws(LinkedDataError) in
                try W3CCredentialContent(json: document.members)
            }
            try requireVersion(content.version, of: token)
            return (token, completed, content)
        }
        guard let (read, completed, content) = read else { return nil }
        let document = checklist.check(.claims) { () throws(CheckFault) in
            try CheckFault.converting { () throws(LinkedDataError) in try completed.get() }
        }
        guard !checklist.isRefused, let document, let content else { return nil }
        for deviation in document.deviations { checklist.add(deviation) }
        let signature = await checklist.check(.issuerSignature) { () async throws(CheckFault) in
            try await self.signature(of: read, signer: content.issuer.id.text, at: time)
        }
        guard let signature else { return nil }
        return SecuredContent(
            content: content,
            securing: .token(signature.jws),
            controllers: [signature.controller],
            claims: read.claims
        )
    }

    /// Reads the document of a token.
    func token(_ token: JWT, _ kind: CredentialToken.Kind) throws(CheckFault) -> CredentialToken {
        guard policy.tokens != nil else {
            throw .failed(.unexpectedType, "the policy accepts no tokens")
        }
        return try CheckFault.converting { () throws(LinkedDataError) in
            try CredentialToken(token, kind, limits: policy.limits)
        }
    }

    /// Refuses a token whose form is of another version than the document in it.
    func requireVersion(_ version: DataModelVersion, of token: CredentialToken) throws(CheckFault) {
        try policy.checkVersion(version)
        guard version == token.version else {
            throw .failed(.unexpectedType, "a token of this type holds no \(version.rawValue) document", path: ["typ"])
        }
    }

    /// Verifies the signature of a token with the key of its signer.
    ///
    /// A failed signature may show that the signer has a new key, under the same name or as its only one: the document is then
    /// asked for again.
    ///
    /// - Parameter signer: The identifier of the party that must have signed, as the token names it; nil for none.
    func signature(
        of token: CredentialToken,
        signer: String?,
        purpose: VerificationRelationship? = nil,
        at time: Date
    ) async throws(CheckFault) -> (jws: VerifiedJWS, controller: DID) {
        let purpose = purpose ?? token.kind.purpose
        let (url, did) = try token.keyName(of: signer)
        let method = try await method(url, did, for: purpose, at: time)
        do throws(CheckFault) {
            return try verify(token, with: method)
        } catch {
            guard case .failed(.invalidSignature, _) = error.outcome,
                let renewed = await renewedMethod(url, did, for: purpose, at: time), renewed.members != method.members
            else { throw error }
            return try verify(token, with: renewed)
        }
    }

    private func verify(
        _ token: CredentialToken,
        with method: VerificationMethod
    ) throws(CheckFault) -> (jws: VerifiedJWS, controller: DID) {
        guard method.controller == method.id.did else {
            throw .failed(.controllerMismatch, "\(method.controller) controls a key of \(method.id.did)", path: ["kid"])
        }
        let jwk = try CheckFault.converting { () throws(DIDError) in try method.jwk() }
        guard let policy = policy.tokens?.withoutMACs else {
            throw .failed(.unexpectedType, "the policy accepts no tokens")
        }
        let jws = try CheckFault.converting { () throws(JOSEError) in
            try token.token.jws.verify(with: jwk, policy: policy)
        }
        return (jws, method.controller)
    }

    private func method(
        _ url: DIDURL?,
        _ did: DID?,
        for purpose: VerificationRelationship,
        at time: Date
    ) async throws(CheckFault) -> VerificationMethod {
        do throws(DIDError) {
            if let url { return try await resolver.verificationMethod(url, for: purpose, at: time) }
            guard let did else { throw DIDError(.verificationMethodNotFound, "the token names no key") }
            return try await resolver.onlyVerificationMethod(of: did, for: purpose, at: time)
        } catch {
            throw error.keyFault
        }
    }

    /// The named method, or the only one of a DID, as it is published now; nil after a failure.
    private func renewedMethod(
        _ url: DIDURL?,
        _ did: DID?,
        for purpose: VerificationRelationship,
        at time: Date
    ) async -> VerificationMethod? {
        if let url { return await resolver.renewedMethod(url, for: purpose, at: time) }
        guard let did else { return nil }
        let document = try? await resolver.renewedDocument(of: did, at: time)
        return try? document?.onlyVerificationMethod(for: purpose, at: time)
    }
}

extension Verification {
    /// The verified value.
    ///
    /// - Throws: The refusal as the fault of a check of something around it.
    func value() throws(CheckFault) -> Value {
        switch verdict {
        case .verified(let value): return value
        case .refused(let refusal): throw refusal.fault
        }
    }
}

extension Refusal {
    /// The refusal as the fault of a check of something around it.
    var fault: CheckFault {
        isUnavailable ? .unavailable(reason, message, path: path) : .failed(reason, message, path: path)
    }
}

extension CheckFault {
    static let proofsNotAccepted = CheckFault.failed(.unexpectedType, "the policy accepts no linked-data proofs")
    static let notExpanded = CheckFault.notApplicable("the document is not expanded, and its proofs cover its JSON")
}

extension JWSVerificationPolicy {
    /// The policy without shared keys, which no DID has.
    fileprivate var withoutMACs: JWSVerificationPolicy {
        var policy = self
        policy.algorithms.subtract([.hs256, .hs384, .hs512])
        return policy
    }
}

extension ExpandedNode {
    /// Refuses a document whose graph says something else than its JSON, about what verifiers act on.
    func requireAgreement(with content: W3CCredentialContent) throws(LinkedDataError) {
        try require(types.contains(CredentialsVocabulary.credential), "type")
        try require(id == content.id, "id")
        try require(ids(of: CredentialsVocabulary.issuer) == [content.issuer.id], "issuer")
        let subjects = ids(of: CredentialsVocabulary.subject)
        try require(subjects.count == content.subjects.count, "credentialSubject")
        try require(Set(subjects) == Set(content.subjects.map(\.id)), "credentialSubject")
        // A limit that only the graph has must not be missed.
        try require(count(of: CredentialsVocabulary.status) == content.statuses.count, "credentialStatus")
        for member in W3CCredentialContent.times {
            let count = content.members.contains(member) ? 1 : 0
            try require(self.count(of: CredentialsVocabulary.property(member)) == count, member)
        }
        for member in ["relatedResource", "termsOfUse", "evidence", "refreshService", "credentialSchema"] {
            let count = content.members[member]?.elements.count ?? 0
            try require(self.count(of: CredentialsVocabulary.property(member)) == count, member)
        }
    }

    /// Refuses a presentation whose graph says something else than its JSON.
    func requireAgreement(with content: W3CPresentationContent) throws(LinkedDataError) {
        try require(types.contains(CredentialsVocabulary.presentation), "type")
        try require(id == content.id, "id")
        let holder = content.holder.map { [$0.id] } ?? []
        try require(ids(of: CredentialsVocabulary.holder) == holder, "holder")
        let count = count(of: CredentialsVocabulary.credentials)
        try require(count == content.unverifiedCredentials.count, "verifiableCredential")
    }

    private func require(_ condition: Bool, _ member: String) throws(LinkedDataError) {
        guard condition else {
            throw LinkedDataError(.claimMismatch, "the graph says something else than the JSON", path: [member])
        }
    }
}
