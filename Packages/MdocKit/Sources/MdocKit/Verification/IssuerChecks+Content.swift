import CBORKit
import COSEKit
import CryptoCore

extension IssuerChecks {
    /// Every item against its digest, over the bytes as received (12.3.5).
    mutating func digests() -> CheckOutcome.Verdict {
        guard let hash = mobileSecurityObject.digestAlgorithm.hash else { return .notMade("unknown hash function") }
        let valueDigests = mobileSecurityObject.valueDigests
        for group in issuerSigned.nameSpaces {
            if let message = duplicate(in: group) { return .failed(.mobileCredentialInvalid, message) }
            let digests = valueDigests.digests(of: group.nameSpace).map { DigestFinder($0, for: group.items.count) }
            work.digestsCompared += digests?.comparisons ?? 0
            for item in group.items {
                work.digests += 1
                if let message = Self.fault(of: item, in: group.nameSpace, digests, hash) {
                    return .failed(.mobileCredentialInvalid, message)
                }
            }
        }
        return .passed
    }

    private static func fault(
        of item: borrowing IssuerSignedItem,
        in nameSpace: NameSpace,
        _ digests: DigestFinder?,
        _ hash: HashAlgorithm
    ) -> String? {
        guard let digest = digests?.digest(item.digestID) else {
            return "\(nameSpace)/\(item.elementIdentifier): the issuer signed no digest \(item.digestID)"
        }
        guard hash.isDigest(digest, of: item.taggedBytes) else {
            return "\(nameSpace)/\(item.elementIdentifier): not what the issuer signed"
        }
        guard item.randomSize >= 16 else {
            return "\(nameSpace)/\(item.elementIdentifier): \(item.randomSize) random bytes, fewer than 16"
        }
        return nil
    }

    /// No element twice in a namespace, be it signed by the issuer or by the device (10.3.3).
    private func duplicate(in group: IssuerSigned.Group) -> String? {
        let deviceSigned = document?.deviceSigned.nameSpaces[group.nameSpace] ?? []
        let repeated =
            deviceSigned.isEmpty
            ? group.items.firstRepeatedIdentifier
            : (group.items.map(\.elementIdentifier) + deviceSigned.map(\.identifier)).firstRepeated
        return repeated.map { "\(group.nameSpace)/\($0) stands there twice" }
    }

    func docType() -> CheckOutcome.Verdict {
        let signed = mobileSecurityObject.docType
        if let document, document.docType != signed {
            return .failed(.mobileCredentialInvalid, "the document says \(document.docType), the issuer \(signed)")
        }
        if let requested, !requested.contains(signed) {
            return .failed(.mobileCredentialInvalid, "\(signed) was not asked for")
        }
        return .passed
    }

    func signingTime() -> CheckOutcome.Verdict {
        guard let certificate = signer.certificate else { return Self.withoutCertificate }
        guard certificate.isValid(at: mobileSecurityObject.validityInfo.signed) else {
            return .failed(.mobileCredentialInvalid, "signed while the issuer's certificate was not valid")
        }
        return .passed
    }

    /// Both ends of the period belong to it.
    func validityPeriod() -> CheckOutcome.Verdict {
        let validity = mobileSecurityObject.validityInfo
        if now < validity.validFrom {
            return .failed(.mobileCredentialNotYetValid, "valid from \(validity.validFrom)")
        }
        if now > validity.validUntil {
            return .failed(.mobileCredentialExpired, "valid until \(validity.validUntil)")
        }
        if endsWithSignerCertificate, let end = signer.certificate?.notValidAfter, validity.validUntil > end {
            return .failed(.mobileCredentialInvalid, "valid for longer than the issuer's certificate")
        }
        return .passed
    }

    func deviceKey(expecting expected: PublicKey?) -> CheckOutcome.Verdict {
        switch deviceKey {
        case .success(let key):
            guard let expected, expected != key else { return .passed }
            return .failed(.deviceKeyInvalid, "bound to another key than the one asked for")
        case .failure(let error) where error.code == .unsupportedKey:
            return .notMade("the device key is not supported")
        case .failure(let error):
            return .failed(.deviceKeyInvalid, error.message)
        }
    }

    /// Country and jurisdiction of a driving licence (13.4.2).
    func issuingCountry() -> CheckOutcome.Verdict {
        guard mobileSecurityObject.docType == .mDL else { return .notMade("a rule for driving licences") }
        guard let subject = signer.certificate?.locality else { return Self.withoutCertificate }
        if let country = text("issuing_country"), subject.country?.equalsIgnoringCase(country) != true {
            return .failed(.mobileCredentialInvalid, "issuing_country is not the country of the issuer's certificate")
        }
        if let jurisdiction = text("issuing_jurisdiction"), let state = subject.state,
            !isState(state, of: subject.country, jurisdiction)
        {
            return .failed(
                .mobileCredentialInvalid,
                "issuing_jurisdiction is not the state of the issuer's certificate"
            )
        }
        return .passed
    }

    /// The element holds the code of ISO 3166-2; certificates have it with or without the country before it.
    private func isState(_ state: String, of country: String?, _ jurisdiction: String) -> Bool {
        state.equalsIgnoringCase(jurisdiction) || "\(country ?? "")-\(state)".equalsIgnoringCase(jurisdiction)
    }

    private func text(_ identifier: DataElementIdentifier) -> String? {
        try? issuerSigned[.mDL, identifier]?.elementValue.text()
    }
}

/// Finds digests of a namespace by their numbers: by comparing where there are few, else by an index.
private struct DigestFinder {
    private let digests: CBORMapView
    private let index: CBORIntegerKeys?
    /// How many digests are looked at in all, at most.
    let comparisons: Int

    /// Up to this many comparisons cost less than an index.
    private static let fewComparisons = 512

    /// Takes the digests of a namespace.
    ///
    /// - Parameter items: How many items are looked up.
    init(_ digests: CBORMapView, for items: Int) {
        self.digests = digests
        let (product, isTooLarge) = digests.count.multipliedReportingOverflow(by: items)
        index = isTooLarge || product > Self.fewComparisons ? digests.integerKeys() : nil
        comparisons = index == nil ? product : digests.count
    }

    func digest(_ number: DigestID) -> ArraySlice<UInt8>? {
        let key = Int(number.value)
        guard let index else { return try? digests.value(forKey: key)?.bytes() }
        return try? index.value(forKey: key)?.bytes()
    }
}
