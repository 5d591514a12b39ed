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
    ///   - options: The options for reading the values of claims: one in a form that is neither the standard's nor
    ///     tolerated is a claim error.
    ///   - branding: Finds the display properties of a credential.
    public init(
        _ verification: Verification<[VerifiedMdocDocument]>,
        of response: DeviceResponse,
        request: DeviceRequest,
        options: MdocReadingOptions = .strict,
        branding: Branding.Lookup = { _ in nil }
    ) {
        let results = PresentationResult.results(verification, of: response)
        let outcome = RequestOutcome(results, to: request)
        let returned = Set(results.compactMap(\.docType))
        var absent: [DocType] = []
        for docType in outcome.docRequests.map(\.docType) where !returned.contains(docType) {
            if !absent.contains(docType) { absent.append(docType) }
        }
        var deviations = verification.deviations
        let credentials = results.compactMap { result in
            var reading = DataElementReading(options: options)
            let answers = outcome.items(ofDocument: result.index)
            let presentation = MobileCredentialPresentation(result, answers, &reading, branding)
            deviations += reading.deviations.map { Deviation($0) }
            return presentation
        }
        self.init(
            credentials: credentials,
            credentialErrors: absent.map { CredentialError(docType: $0, errorCode: .notReturned) },
            deviations: deviations
        )
    }

    /// Maps the verification of a response to several requests.
    ///
    /// - Throws: `MdocError` with code `invalidValue` for no request, or for a request without elements.
    public init(
        _ verification: Verification<[VerifiedMdocDocument]>,
        of response: DeviceResponse,
        requests: [MobileCredentialRequest],
        options: MdocReadingOptions = .strict,
        branding: Branding.Lookup = { _ in nil }
    ) throws(MdocError) {
        let request = try DeviceRequest(requests)
        self.init(verification, of: response, request: request, options: options, branding: branding)
    }
}

extension MobileCredentialPresentation {
    /// One document; nil if it does not say its type.
    ///
    /// - Parameter answers: The answer to each document request that is answered.
    fileprivate init?(
        _ result: PresentationResult,
        _ answers: [ItemsOutcome],
        _ reading: inout DataElementReading,
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
                let accepted = answers.filter(\.isIssuerAccepted)
                self = .verified(VerifiedCredential(document, accepted, &reading, branding))
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
    fileprivate init(
        _ document: VerifiedMdocDocument,
        _ answers: [ItemsOutcome],
        _ reading: inout DataElementReading,
        _ branding: Branding.Lookup
    ) {
        docType = document.docType
        let asked = Set(answers.flatMap { $0.elements.flatMap(\.answeredBy) })
        var claims: [NameSpace: [DataElementIdentifier: MobileCredentialClaim]] = [:]
        var claimErrors: [NameSpace: [DataElementIdentifier: ClaimError]] = [:]
        for (nameSpace, elements) in document.elements {
            for (identifier, element) in elements {
                let reference = DataElementReference(nameSpace, identifier)
                guard asked.contains(reference) else { continue }
                let type = DataElementSchema.type(of: reference, in: document.docType)
                do throws(MdocError) {
                    let claim = try MobileCredentialClaim(element, type, &reading)
                    claims[nameSpace, default: [:]][identifier] = claim
                } catch {
                    claimErrors[nameSpace, default: [:]][identifier] = .invalidValue
                }
            }
        }
        self.claims = claims
        for missing in answers.flatMap(\.missing) {
            claimErrors[missing.nameSpace, default: [:]][missing.identifier] = .notReturned
        }
        self.claimErrors = claimErrors
        validityInfo = document.validityInfo.inWholeSeconds
        issuerInfo = IssuerInfo(document.trustAnchor)
        self.branding = branding(document)
    }
}
