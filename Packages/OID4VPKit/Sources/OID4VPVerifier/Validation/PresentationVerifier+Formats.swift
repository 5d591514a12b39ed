import COSEKit
import CryptoCore
import JOSEKit
public import JSONKit
import MdocKit
import MdocResults
import SDJWTKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension PresentationVerifier {
    /// Verifies one presentation, outside of any transaction.
    ///
    /// The verification of the format is a part of the answer.
    ///
    /// - Parameters:
    ///   - presentation: The presentation: a text, or the object of a linked-data presentation.
    ///   - format: The format of the credentials in it.
    ///   - expectation: The expectation of the holder's proof; nil for a credential alone, or a presentation that was
    ///     made for no verifier.
    public func verify(
        _ presentation: JSONValue,
        as format: CredentialFormat,
        expecting expectation: HolderProofExpectation?
    ) async -> Verification<[PresentedCredential]> {
        await verify(presentation, as: format, expecting: expectation, named: "presentation")
    }

    /// Verifies one presentation, whose credentials get names that begin with its own.
    func verify(
        _ presentation: JSONValue,
        as format: CredentialFormat,
        expecting expectation: HolderProofExpectation?,
        named name: String
    ) async -> Verification<[PresentedCredential]> {
        let item = Item(presentation: presentation, expectation: expectation, name: name, time: clock())
        do throws(CheckFault) {
            // A response has many presentations, and each may have keys and status lists to fetch.
            guard !Task.isCancelled else { throw .unavailable(.incomplete, "the verification was cancelled") }
            switch format.credential {
            case .mdoc: return try await verifyMdoc(item)
            case .sdJWT: return try await verifySDJWT(item)
            case .linkedData, .jwt: return try await verifyW3C(item, format.credential)
            default: throw Self.notTaken(format)
            }
        } catch {
            var checklist = Checklist(Self.presentationChecks, at: item.time)
            checklist.record(.structure, error.outcome, at: error.path)
            return checklist.verification(of: nil)
        }
    }

    /// A presentation to verify.
    struct Item {
        let presentation: JSONValue
        let expectation: HolderProofExpectation?
        let name: String
        let time: Date

        /// The presentation as a text.
        func text() throws(CheckFault) -> String {
            guard let text = presentation.stringValue else {
                throw .failed(.malformed, "a presentation of this format is a text")
            }
            return text
        }
    }

    /// The check of the structure: a presentation that could be read meets the demands of the profile.
    ///
    /// Without a profile, the traits of the presentation are not even read.
    func checkProfile(_ traits: @autoclosure () -> PresentationTraits, in checklist: inout Checklist) {
        let deviations = checklist.check(.structure) { () throws(CheckFault) -> [Deviation] in
            guard let profile = policy.profile else { return [] }
            let traits = traits()
            return try CheckFault.converting { () throws(OID4VPError) in try profile.check(traits) }
        }
        for deviation in deviations ?? [] { checklist.add(deviation) }
    }

    static func notTaken(_ format: CredentialFormat) -> CheckFault {
        .failed(.unexpectedFormat, "the format \(format) is not taken")
    }
}

// MARK: SD-JWT VC

extension PresentationVerifier {
    private func verifySDJWT(_ item: Item) async throws(CheckFault) -> Verification<[PresentedCredential]> {
        guard let verifier = verifiers.sdJWT else { throw Self.notTaken(.sdJWT) }
        let text = try item.text()
        let sdJWT: SDJWT
        do throws(SDJWTError) {
            sdJWT = try SDJWT(compact: text, limits: policy.sdJWTLimits)
        } catch {
            throw .failed(error.code == .limitExceeded ? .limitExceeded : .malformed, error.message, path: error.path)
        }
        let (expected, authorized) = keyBinding(item.expectation, of: sdJWT)
        let verification = await verifier.verify(sdJWT, expecting: expected)
        var checklist = Checklist(
            Self.presentationChecks,
            refusedBy: [verification.refusal].compactMap { $0 },
            at: item.time
        )
        checkProfile(
            PresentationTraits(sdJWT, requiresHolderBinding: item.expectation?.isRequired == true),
            in: &checklist
        )
        checklist.add(verification, named: "sdJWT")
        guard let verified = verification.verified, !checklist.isRefused else {
            return checklist.verification(of: nil)
        }
        checklist.check(.transactionData) { () throws(CheckFault) in
            guard !authorized.isEmpty else { throw .notApplicable("the holder authorizes no transaction") }
            guard verified.keyBinding != nil else {
                throw .failed(.transactionNotAuthorized, "nothing is signed by the holder")
            }
        }
        return checklist.verification(
            of: [PresentedCredential(verified, named: item.name, authorizing: authorized)]
        )
    }

    /// The expectation of a Key Binding JWT, and the transactions that it must authorize.
    ///
    /// Those that another credential may authorize instead are expected if their hashes are present.
    private func keyBinding(
        _ expectation: HolderProofExpectation?,
        of sdJWT: SDJWT
    ) -> (SDJWTExpectation, authorized: [String]) {
        guard let expectation else { return (.noKeyBinding, []) }
        let hashes = expectation.optionalTransactions.isEmpty ? [] : sdJWT.unverifiedTransactionHashes
        let authorized = expectation.transactionData.filter { entry in
            guard expectation.optionalTransactions.contains(ExactText(entry)) else { return true }
            return SDHashAlgorithm.supported.contains { algorithm in
                guard let digest = algorithm.hash?.digest(of: Array(entry.utf8)) else { return false }
                return hashes.contains(Base64URL.encode(digest))
            }
        }
        let binding = KeyBindingExpectation(
            audience: expectation.audience,
            nonce: expectation.nonce,
            maximumAge: policy.maximumProofAge,
            transactionData: authorized,
            transactionDataHashAlgorithms: Self.hashAlgorithms(of: authorized)
        )
        return (expectation.isRequired ? .keyBinding(binding) : .keyBindingIfPresent(binding), authorized)
    }

    /// The hash functions that all entries of transaction data permit; nil if none lists any.
    ///
    /// An entry without a list permits SHA-256 alone (OpenID4VP, Appendix B.3.3.1).
    private static func hashAlgorithms(of entries: [String]) -> Set<SDHashAlgorithm>? {
        let lists = entries.map { TransactionMembers($0)?.hashAlgorithms }
        guard let first = lists.lazy.compactMap({ $0 }).first else { return nil }
        return lists.reduce(first) { $0.intersection($1 ?? [.sha256]) }
    }
}

extension SDJWT {
    /// The hashes of the Key Binding JWT, before anything of it is verified: they only choose what to expect of it.
    fileprivate var unverifiedTransactionHashes: Set<String> {
        guard let payload = keyBindingJWT?.unverifiedPayload, let claims = try? JSONValue(parsing: payload) else {
            return []
        }
        return Set((claims["transaction_data_hashes"]?.arrayValue ?? []).compactMap(\.stringValue))
    }
}

// MARK: mdoc

extension PresentationVerifier {
    private func verifyMdoc(_ item: Item) async throws(CheckFault) -> Verification<[PresentedCredential]> {
        guard let verifier = verifiers.mdoc else { throw Self.notTaken(.mdoc) }
        guard let expectation = item.expectation, let transcript = expectation.sessionTranscript else {
            let message = "the expectation has no session transcript, which for drafts needs the wallet's nonce (apu)"
            throw .failed(.invalidHolderBinding, message)
        }
        let response = try deviceResponse(item.text())
        guard response.zkDocuments.isEmpty, response.unreadableZkDocuments.isEmpty, response.encryptedDocuments.isEmpty
        else {
            throw .failed(.unrequestedCredential, "the response has documents in a form that was not asked for")
        }
        let verification = await verifier.verify(
            response,
            sessionTranscript: transcript,
            readerKeys: expectation.readerKeys
        )
        let fit = await transcriptThatFits(response, verification, expectation)
        var checklist = Checklist(
            Self.presentationChecks,
            refusedBy: [verification.refusal].compactMap { $0 },
            at: item.time
        )
        let areSigned = response.documents.allSatisfy {
            if case .deviceSignature = $0.deviceSigned.deviceAuth { true } else { false }
        }
        checkProfile(
            PresentationTraits(
                format: .mdoc,
                kind: .mdoc(
                    documents: response.documents.count + response.unreadableDocuments.count,
                    areSigned: areSigned
                )
            ),
            in: &checklist
        )
        checklist.add(verification, named: "deviceResponse", isMandatory: fit == nil)
        if let fit, let refusal = verification.refusal {
            checklist.record(
                refusal.check,
                .failed(refusal.reason, "\(refusal.message); it is made over the transcript of \(fit)"),
                at: ["deviceResponse"] + refusal.path
            )
        }
        guard let documents = verification.verified, documents.count == response.documents.count,
            !checklist.isRefused
        else { return checklist.verification(of: nil) }
        var authorized: [[String]] = []
        checklist.check(.transactionData) { () throws(CheckFault) in
            authorized = try documents.map { document throws(CheckFault) in
                try authorizations(by: document, expectation)
            }
            guard authorized.contains(where: { !$0.isEmpty }) else {
                throw .notApplicable("the holder authorizes no transaction")
            }
        }
        guard !checklist.isRefused else { return checklist.verification(of: nil) }
        let credentials = zip(documents, response.documents).enumerated().map { place, pair in
            PresentedCredential(
                pair.0,
                algorithm: try? pair.1.issuerSigned.issuerAuth.headers.algorithm(),
                named: documents.count == 1 ? item.name : "\(item.name).documents[\(place)]",
                authorizing: authorized.indices.contains(place) ? authorized[place] : []
            )
        }
        return checklist.verification(of: credentials)
    }

    private func deviceResponse(_ text: String) throws(CheckFault) -> DeviceResponse {
        guard let bytes = try? Base64URL.decode(text) else {
            throw .failed(.malformed, "the presentation is not in base64url")
        }
        do throws(MdocError) {
            return try DeviceResponse(decoding: bytes, options: policy.mdocReading)
        } catch {
            throw .failed(.malformed, error.description)
        }
    }

    /// The transactions that a document authorizes.
    private func authorizations(
        by document: VerifiedMdocDocument,
        _ expectation: HolderProofExpectation
    ) throws(CheckFault) -> [String] {
        var authorized: [String] = []
        for entry in expectation.transactionData {
            do throws(CheckFault) {
                guard let type = TransactionMembers(entry)?.type, let rule = policy.mdocTransactions[type] else {
                    throw .failed(.transactionNotAuthorized, "an mdoc cannot authorize a transaction of this type")
                }
                try rule.check(entry, document)
                authorized.append(entry)
            } catch {
                guard expectation.optionalTransactions.contains(ExactText(entry)) else { throw error }
            }
        }
        return authorized
    }

    /// The flow whose transcript a device has signed in the place of the session's; nil if that is not the fault.
    private func transcriptThatFits(
        _ response: DeviceResponse,
        _ verification: Verification<[VerifiedMdocDocument]>,
        _ expectation: HolderProofExpectation
    ) async -> String? {
        guard policy.diagnosesTranscripts, let knowledge = expectation.knowledge,
            response.unreadableDocuments.isEmpty, verification.refusal?.reason == .invalidHolderBinding
        else { return nil }
        let failed = zip(verification.documents, response.documents).first {
            $0.0.refusal?.check == .holderBinding && $0.0.refusal?.reason == .invalidHolderBinding
        }
        guard let document = failed?.1 else { return nil }
        let diagnosis = await DeviceAuthenticationDiagnosis(
            of: document,
            knowing: knowledge,
            readerKeys: expectation.readerKeys
        )
        guard let fit = diagnosis.fit, fit.form != .given || !fit.variations.isEmpty else { return nil }
        // Its own description has the signed elements, which do not belong into a verdict.
        return ([fit.form.description] + fit.variations.map(\.description)).joined(separator: "; ")
    }
}
