import JSONKit
import MdocElements
public import MdocKit
public import VerificationCore

extension MobileCredentialResponse {
    /// Maps the verification of a response to a result per requested credential.
    ///
    /// A verified document that was not requested, or whose issuer the request does not accept, is refused here. A
    /// document with an unreadable type counts as not returned.
    ///
    /// - Parameters:
    ///   - verification: The verification of the response.
    ///   - response: The response, for what it states about refused documents.
    ///   - request: The request that the response answers.
    ///   - branding: Finds the display properties of a credential.
    public init(
        _ verification: Verification<[VerifiedMdocDocument]>,
        of response: DeviceResponse,
        request: DeviceRequest,
        branding: Branding.Lookup = { _ in nil }
    ) {
        let results = PresentationResult.results(verification, of: response)
        let outcome = RequestOutcome(results, to: request)
        let returned = Set(results.compactMap(\.docType))
        var absent: [DocType] = []
        for docType in outcome.docRequests.map(\.docType) where !returned.contains(docType) {
            if !absent.contains(docType) { absent.append(docType) }
        }
        self.init(
            credentials: results.compactMap {
                MobileCredentialPresentation($0, outcome.items(ofDocument: $0.index), branding)
            },
            credentialErrors: absent.map { CredentialError(docType: $0, errorCode: .notReturned) },
            deviations: verification.deviations
        )
    }

    /// Maps the verification of a response to several requests.
    ///
    /// - Throws: `MdocError` with code `invalidValue` for no request, or for a request without elements.
    public init(
        _ verification: Verification<[VerifiedMdocDocument]>,
        of response: DeviceResponse,
        requests: [MobileCredentialRequest],
        branding: Branding.Lookup = { _ in nil }
    ) throws(MdocError) {
        self.init(verification, of: response, request: try DeviceRequest(requests), branding: branding)
    }
}

extension MobileCredentialPresentation {
    /// One document; nil if it does not say its type.
    ///
    /// - Parameter answers: The answer to each document request that is answered.
    fileprivate init?(
        _ result: PresentationResult,
        _ answers: [ItemsOutcome],
        _ branding: Branding.Lookup
    ) {
        guard let docType = result.docType else { return nil }
        let validityInfo = result.validityInfo?.inWholeSeconds
        switch result.verification.verdict {
        case .refused(let refusal):
            let reason = VerificationResult.Reason(FailureReason(refusal.reason))
            self = .refused(RefusedCredential(docType: docType, reason: reason, validityInfo: validityInfo))
        case .verified(let document):
            if let reason = VerificationResult.Reason(objectingTo: answers) {
                self = .refused(RefusedCredential(docType: docType, reason: reason, validityInfo: validityInfo))
            } else {
                self = .verified(VerifiedCredential(document, answers.filter(\.isIssuerAccepted), branding))
            }
        }
    }
}

extension MobileCredentialPresentation.VerificationResult.Reason {
    /// The reason that a verified document does not answer the request; nil if it does.
    fileprivate init?(objectingTo answers: [ItemsOutcome]) {
        if answers.isEmpty {
            self.init(.mobileCredentialInvalid, message: "Credential was not asked for")
        } else if !answers.contains(where: \.isIssuerAccepted) {
            self.init(.issuerNotTrusted, message: "Issuer of the credential is not one that was asked for")
        } else {
            return nil
        }
    }
}

extension MobileCredentialPresentation.VerifiedCredential {
    fileprivate init(_ document: VerifiedMdocDocument, _ answers: [ItemsOutcome], _ branding: Branding.Lookup) {
        docType = document.docType
        let asked = Set(answers.flatMap { $0.elements.flatMap(\.answeredBy) })
        var claims: [NameSpace: [DataElementIdentifier: MobileCredentialClaim]] = [:]
        for group in document.elements.groups {
            for (identifier, element) in group.elements
            where asked.contains(DataElementReference(group.nameSpace, identifier)) {
                let claim = MobileCredentialClaim(JSONValue(dataElement: element.view))
                claims[group.nameSpace, default: [:]][identifier] = claim
            }
        }
        self.claims = claims
        var claimErrors: [NameSpace: [DataElementIdentifier: ClaimError]] = [:]
        for missing in answers.flatMap(\.missing) {
            claimErrors[missing.nameSpace, default: [:]][missing.identifier] = .notReturned
        }
        self.claimErrors = claimErrors
        validityInfo = document.validityInfo.inWholeSeconds
        issuerInfo = IssuerInfo(document.trustAnchor)
        self.branding = branding(document)
    }
}
