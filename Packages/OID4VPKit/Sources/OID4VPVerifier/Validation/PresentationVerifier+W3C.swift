import DIDKit
import JOSEKit
import JSONKit
@_spi(Layers) import LinkedDataKit
import SDJWTKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension PresentationVerifier {
    /// Verifies a W3C presentation, or a credential without one where no holder is asked for.
    func verifyW3C(
        _ item: Item,
        _ format: CredentialFormat
    ) async throws(CheckFault) -> Verification<[PresentedCredential]> {
        // Queries find claims by their names in the JSON.
        guard let verifier = verifiers.w3c?.actingUponNames(), verifiers.formats.contains(format) else {
            throw Self.notTaken(format)
        }
        switch try received(item.presentation, format) {
        case .presentation(let presentation):
            let expectation = W3CPresentationExpectation(
                nonce: item.expectation.map { ExactText($0.nonce) },
                audience: item.expectation.map { ExactText($0.audience) },
                maximumAge: presentation.statesItsTime ? policy.maximumProofAge : nil
            )
            let verification = await verifier.verify(presentation, expecting: expectation)
            return conclude(verification, named: "presentation", item, format) { verified throws(CheckFault) in
                try credentials(of: verified, item, verifier.policy.holder)
            }
        case .credential(let credential):
            guard item.expectation?.isRequired != true else {
                throw .failed(.invalidHolderBinding, "the credential comes without a presentation by its holder")
            }
            let verification = await verifier.verify(credential)
            return conclude(verification, named: "credential", item, format) { verified throws(CheckFault) in
                [
                    try PresentedCredential(
                        verified,
                        holder: nil,
                        isHolderBound: false,
                        named: item.name,
                        using: policy.processor
                    )
                ]
            }
        }
    }

    private func conclude<Value>(
        _ verification: Verification<Value>,
        named name: String,
        _ item: Item,
        _ format: CredentialFormat,
        _ credentials: (Value) throws(CheckFault) -> [PresentedCredential]
    ) -> Verification<[PresentedCredential]> {
        var checklist = Checklist(
            Self.presentationChecks,
            refusedBy: [verification.refusal].compactMap { $0 },
            at: item.time
        )
        checkProfile(PresentationTraits(format: format, kind: .other), in: &checklist)
        checklist.add(verification, named: name)
        var value: [PresentedCredential]?
        if let verified = verification.verified {
            do throws(CheckFault) {
                value = try credentials(verified)
            } catch {
                checklist.record(.structure, error.outcome, at: error.path)
            }
        }
        guard !checklist.isRefused else { return checklist.verification(of: nil) }
        checklist.check(.transactionData) { () throws(CheckFault) in
            let required = item.expectation?.transactionData.filter {
                item.expectation?.optionalTransactions.contains(ExactText($0)) == false
            }
            guard required?.isEmpty != false else {
                throw .failed(.transactionNotAuthorized, "a W3C presentation cannot authorize a transaction")
            }
            throw .notApplicable("the holder authorizes no transaction")
        }
        return checklist.verification(of: value)
    }

    private func credentials(
        of presentation: VerifiedW3CPresentation,
        _ item: Item,
        _ rule: HolderRule
    ) throws(CheckFault) -> [PresentedCredential] {
        var credentials: [PresentedCredential] = []
        for (place, credential) in presentation.credentials.enumerated() {
            let isSubject = credential.content.subjects.contains { $0.id?.text == presentation.holder.text }
            credentials.append(
                try PresentedCredential(
                    credential,
                    holder: presentation.holder,
                    isHolderBound: isSubject || rule == .anyone,
                    named: presentation.credentials.count == 1
                        ? item.name : "\(item.name).verifiableCredential[\(place)]",
                    using: policy.processor
                )
            )
        }
        return credentials
    }

    /// The values of a holder's proofs against replay, before anything is verified; none for a credential alone, and for what
    /// cannot be read.
    func unverifiedChallenges(of value: JSONValue, _ format: CredentialFormat) -> [String?] {
        guard case .presentation(let presentation) = try? received(value, format) else { return [] }
        switch presentation.form {
        case .linkedData(let document): return document.proofs.map { $0.challenge?.text }
        case .token(let token): return [token.unverifiedClaims["nonce"]?.stringValue]
        }
    }

    /// The object in the place of a presentation.
    private enum Received {
        case presentation(VerifiablePresentation)
        case credential(VerifiableCredential)
    }

    private func received(_ value: JSONValue, _ format: CredentialFormat) throws(CheckFault) -> Received {
        do throws(LinkedDataError) {
            switch (value, format) {
            case (.object(let members), .linkedData):
                let types = members["type"].map { $0.arrayValue ?? [$0] } ?? []
                guard types.contains(where: { $0.stringValue == "VerifiablePresentation" }) else {
                    return .credential(try VerifiableCredential(json: members, limits: policy.documentLimits))
                }
                return .presentation(try VerifiablePresentation(json: members, limits: policy.documentLimits))
            case (.string(let text), .jwt):
                let presentation = try VerifiablePresentation(decoding: text.utf8, limits: policy.documentLimits)
                guard case .token(let token) = presentation.form, !W3CTokenForm(token).isPresentation else {
                    return .presentation(presentation)
                }
                return .credential(VerifiableCredential(.token(token)))
            default: throw LinkedDataError(.malformedDocument, "the presentation has not the form of \(format)")
            }
        } catch {
            throw .failed(error.code == .limitExceeded ? .limitExceeded : .malformed, error.message, path: error.path)
        }
    }
}

extension JWT {
    fileprivate var unverifiedClaims: JSONObject {
        (try? JSONValue(parsing: jws.unverifiedPayload ?? []).objectValue) ?? [:]
    }
}

extension VerifiablePresentation {
    /// Indicates that the holder's proof says when it was made, so that its age can be limited.
    fileprivate var statesItsTime: Bool {
        switch form {
        case .linkedData(let document): document.proofs.allSatisfy { $0.created != nil }
        case .token(let token): token.unverifiedClaims["iat"] != nil
        }
    }
}
