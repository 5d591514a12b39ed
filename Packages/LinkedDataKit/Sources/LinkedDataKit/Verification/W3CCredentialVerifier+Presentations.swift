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
    /// Verifies a presentation for a time.
    func verify(
        _ presentation: VerifiablePresentation,
        expecting expectation: W3CPresentationExpectation,
        at time: Date
    ) async -> Verification<VerifiedW3CPresentation> {
        var checklist = Checklist(Self.presentationChecks, at: time)
        let budget = documents?.newBudget()
        let secured: SecuredContent<W3CPresentationContent>? =
            switch presentation.form {
            case .linkedData(let document): await check(document, expectation, within: budget, in: &checklist)
            case .token(let token): await check(token, expectation, in: &checklist)
            }
        guard let secured, !checklist.isRefused else { return checklist.verification(of: nil) }
        let holder = checklist.check(.controller) { () throws(CheckFault) in try self.holder(of: secured) }
        guard let holder else { return checklist.verification(of: nil) }
        var parts: [Verification<VerifiedW3CCredential>] = []
        for (index, credential) in secured.content.unverifiedCredentials.enumerated() {
            let part = await verify(credential, purpose: .issue, at: time, within: budget)
            checklist.add(part, named: Self.partName(index), isMandatory: false)
            parts.append(part)
        }
        let credentials = checklist.check(.credentials) { () throws(CheckFault) in
            var credentials: [VerifiedW3CCredential] = []
            for (index, part) in parts.enumerated() {
                do throws(CheckFault) {
                    credentials.append(try part.value())
                } catch {
                    throw error.inside(Self.partName(index))
                }
            }
            return credentials
        }
        guard let credentials else { return checklist.verification(of: nil) }
        checklist.check(.subject) { () throws(CheckFault) in try checkSubjects(of: credentials, holder) }
        let verified = VerifiedW3CPresentation(
            content: secured.content,
            holder: holder,
            securing: secured.securing,
            credentials: credentials
        )
        return checklist.verification(of: verified)
    }

    private static func partName(_ index: Int) -> String { "verifiableCredential[\(index)]" }

    /// Checks the structure, the proofs and the graph of a presentation with linked-data proofs.
    private func check(
        _ document: SecuredDocument,
        _ expectation: W3CPresentationExpectation,
        within budget: CanonicalizationBudget?,
        in checklist: inout Checklist
    ) async -> SecuredContent<W3CPresentationContent>? {
        let time = checklist.time
        let content = checklist.check(.structure) { () throws(CheckFault) in
            guard documents != nil else { throw CheckFault.proofsNotAccepted }
            return try self.content(document.unverifiedDocument)
        }
        guard let content, let documents else { return nil }
        let proofs = LinkedDataExpectation(
            purpose: expectation.purpose,
            challenge: expectation.nonce,
            domain: expectation.audience,
            maximumAge: expectation.maximumAge
        )
        let verification = await documents.verify(
            document,
            expecting: proofs,
            at: time,
            within: budget ?? documents.newBudget()
        )
        checklist.add(verification, named: "document", isMandatory: false)
        checklist.record(verification)
        guard let verified = verification.verified else { return nil }
        checklist.check(.claims) { () throws(CheckFault) in
            guard verified.expanded != nil else { throw CheckFault.notExpanded }
            try CheckFault.converting { () throws(LinkedDataError) in
                try verified.node().requireAgreement(with: content)
            }
        }
        return SecuredContent(
            content: content,
            securing: .linkedData(verified),
            controllers: verified.proofs.map(\.controller),
            claims: nil
        )
    }

    /// Checks the structure, the signature and the claims of a presentation in a token.
    private func check(
        _ token: JWT,
        _ expectation: W3CPresentationExpectation,
        in checklist: inout Checklist
    ) async -> SecuredContent<W3CPresentationContent>? {
        let time = checklist.time
        let read = checklist.check(.structure) { () throws(CheckFault) in
            let token = try self.token(token, .presentation)
            try requireVersion(self.content(token.document).version, of: token)
            return token
        }
        guard let read else { return nil }
        let claims = RegisteredJWTClaims(read.claims)
        let instant = VerificationTime(time, clockSkew: policy.clockSkew)
        checklist.check(.nonce) { () throws(CheckFault) in try expectation.checkNonce(of: read.claims) }
        checklist.check(.audience) { () throws(CheckFault) in try expectation.checkAudience(of: claims) }
        checklist.check(.issuedAt) { () throws(CheckFault) in try expectation.checkIssuedAt(of: claims, instant) }
        checklist.check(.validity) { () throws(CheckFault) in try read.claims.checkTimes(instant) }
        let completed = checklist.check(.claims) { () throws(CheckFault) in
            let document = try CheckFault.converting { () throws(LinkedDataError) in
                try read.completedDocument().get()
            }
            return (try self.content(document.members), document.deviations)
        }
        guard let (completed, deviations) = completed, !checklist.isRefused else { return nil }
        for deviation in deviations { checklist.add(deviation) }
        let signer = completed.holder?.id.text ?? read.claims["iss"]?.stringValue
        let signature = await checklist.check(.holderBinding) { () async throws(CheckFault) in
            try await self.signature(of: read, signer: signer, purpose: expectation.purpose, at: time)
        }
        guard let signature else { return nil }
        return SecuredContent(
            content: completed,
            securing: .token(signature.jws),
            controllers: [signature.controller],
            claims: read.claims
        )
    }

    private func content(_ members: JSONObject) throws(CheckFault) -> W3CPresentationContent {
        let content = try CheckFault.converting { () throws(LinkedDataError) in
            try W3CPresentationContent(json: members, limits: policy.limits)
        }
        try policy.checkVersion(content.version)
        return content
    }

    /// The party that signed, which must be the holder that the presentation names.
    private func holder(of secured: SecuredContent<W3CPresentationContent>) throws(CheckFault) -> DID {
        if let issuer = secured.claims?["iss"]?.stringValue {
            _ = try secured.controller(of: ExactText(issuer), named: "iss", policy)
        }
        if let holder = secured.content.holder {
            return try secured.controller(of: holder.id, named: "holder", policy)
        }
        guard let controller = secured.controllers.first, Set(secured.controllers).count == 1 else {
            throw .failed(.controllerMismatch, "several parties signed, and none is named as the holder")
        }
        return controller
    }

    /// Refuses a credential that another party than its subject presents, where the policy demands the subject.
    private func checkSubjects(of credentials: [VerifiedW3CCredential], _ holder: DID) throws(CheckFault) {
        guard policy.holder != .anyone else { throw .waived(by: "holder") }
        for (index, credential) in credentials.enumerated() {
            let ids = credential.content.subjects.compactMap(\.id)
            if ids.isEmpty, policy.holder == .subjectWhenNamed { continue }
            guard ids.contains(where: { policy.permits(holder, toSignFor: $0) }) else {
                throw .failed(
                    .invalidHolderBinding,
                    "the holder is no subject of the credential",
                    path: [Self.partName(index), "credentialSubject", "id"]
                )
            }
        }
    }
}

extension Checklist {
    /// Records what the proofs of a presentation say under the names that presentations of all formats have.
    fileprivate mutating func record(_ verification: Verification<VerifiedSecuredDocument>) {
        let shared: [Check] = [.nonce, .audience, .issuedAt, .validity]
        for name in shared {
            let results = verification.parts.flatMap { part in
                part.verification.results(of: name).map { (part.name, $0) }
            }
            // Proofs that a rule does without must not refuse a verified document.
            let counted = verification.verified == nil ? results : results.filter { $0.1.permitsSuccess }
            if let (part, result) = counted.first(where: { $0.1.hasFailed }) {
                record(name, result.outcome, at: [part] + result.path)
            } else if let (_, result) = counted.first(where: { $0.1.outcome == .passed }) ?? counted.first {
                record(name, result.outcome)
            }
        }
        check(.holderBinding) { () throws(CheckFault) in _ = try verification.value() }
    }
}

extension W3CPresentationExpectation {
    fileprivate func checkNonce(of claims: JWTClaims) throws(CheckFault) {
        let found = try CheckFault.converting { () throws(JOSEError) in try claims.nonce() }
        switch (nonce, found.map { ExactText($0) }) {
        case (nil, nil): throw .notApplicable("neither the verifier nor the presentation has a nonce")
        case (let expected?, let found?) where expected == found: return
        case (_?, nil): throw .missingClaim("nonce")
        default: throw .failed(.claimMismatch, "the nonce is not the verifier's", path: ["nonce"])
        }
    }

    fileprivate func checkAudience(of claims: RegisteredJWTClaims) throws(CheckFault) {
        let found = try claims.audience()
        guard let audience else {
            guard found == nil else {
                throw .failed(
                    .claimMismatch,
                    "the presentation is for an audience, and none is expected",
                    path: ["aud"]
                )
            }
            throw .notApplicable("neither the verifier nor the presentation names an audience")
        }
        guard let found else { throw .missingClaim("aud") }
        guard found.contains(where: { audience == ExactText($0) }) else {
            throw .failed(.claimMismatch, "the audience does not include the verifier", path: ["aud"])
        }
    }

    fileprivate func checkIssuedAt(
        of claims: RegisteredJWTClaims,
        _ time: VerificationTime
    ) throws(CheckFault) {
        guard let issued = try claims.issuedAt() else {
            guard maximumAge == nil else { throw .missingClaim("iat") }
            throw .notApplicable("the presentation does not say when it was made")
        }
        try time.requireIssued(at: issued, maximumAge: maximumAge)
    }
}
