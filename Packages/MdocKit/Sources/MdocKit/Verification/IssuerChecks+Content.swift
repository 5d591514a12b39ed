import CBORKit
import COSEKit
import CryptoCore
import VerificationCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension IssuerChecks {
    /// Every item against its digest, over the bytes as received (12.3.5).
    mutating func digests() -> CheckResult.Outcome {
        guard let hash = mobileSecurityObject.digestAlgorithm.hash else { return .notReached }
        let valueDigests = mobileSecurityObject.valueDigests
        for group in issuerSigned.nameSpaces {
            if let message = duplicate(in: group) { return .failed(.duplicateElement, message) }
            let digests = valueDigests.digests(of: group.nameSpace).map { DigestFinder($0, for: group.items.count) }
            work.digestsCompared += digests?.comparisons ?? 0
            let fault = digests == nil ? group.items.indices.first : digests?.firstFault(in: group.items, hash)
            work.digests += fault.map { $0 + 1 } ?? group.items.count
            if let fault {
                let item = group.items[fault]
                let message = Self.fault(of: item, digests, hash)
                return .failed(.digestMismatch, "\(group.nameSpace)/\(item.elementIdentifier): \(message)")
            }
        }
        return .passed
    }

    /// The reason that an item is refused.
    private static func fault(of item: IssuerSignedItem, _ digests: DigestFinder?, _ hash: HashAlgorithm) -> String {
        switch digests?.digest(item.digestID).map({ hash.isDigest($0, of: item.taggedBytes) }) {
        case nil: "the issuer signed no digest \(item.digestID)"
        case false: "not what the issuer signed"
        case true: "\(item.randomSize) random bytes, fewer than \(IssuerSignedItem.minimumRandomSize)"
        }
    }

    /// No element twice in a namespace, be it signed by the issuer or by the device (10.3.3).
    private func duplicate(in group: IssuerSigned.Group) -> String? {
        let deviceSigned = document?.deviceSigned.nameSpaces[group.nameSpace] ?? []
        let repeated =
            deviceSigned.isEmpty
            ? group.items.firstRepeatedIdentifier
            : (group.items.map(\.elementIdentifier) + deviceSigned.map(\.identifier)).firstRepeated
        return repeated.map { "\(group.nameSpace)/\($0) is a duplicate" }
    }

    func credentialType() -> CheckResult.Outcome {
        let signed = mobileSecurityObject.docType
        if let document, document.docType != signed {
            return .failed(.unexpectedType, "the document says \(document.docType), the issuer \(signed)")
        }
        if let requested, !requested.contains(signed) {
            return .failed(.unexpectedType, "\(signed) was not asked for")
        }
        return .passed
    }

    func signingTime() -> CheckResult.Outcome {
        guard let certificate = signer.certificate else { return .notReached }
        guard certificate.isValid(at: mobileSecurityObject.validityInfo.signed) else {
            return .failed(.invalidSigningTime, "signed while the issuer's certificate was not valid")
        }
        return .passed
    }

    /// The period includes both ends, and nothing is valid before it is signed.
    ///
    /// The standard has `signed` at or before `validFrom`: a credential may be signed before it becomes valid (12.3.5).
    /// A later `signed` is noted in reading, see ``MdocTolerance/signedAfterValidFrom``, and the credential is refused
    /// while that time lies in the future.
    func validityPeriod() -> CheckResult.Outcome {
        let validity = mobileSecurityObject.validityInfo
        let text = VerificationTime.text
        let skew = max(0, policy.clockSkew)
        if validity.validFrom.timeIntervalSince(now) > skew {
            return .failed(.notYetValid, "it is valid from \(text(validity.validFrom)), and it is \(text(now))")
        }
        if now.timeIntervalSince(validity.validUntil) > skew {
            return .failed(.expired, "it is valid until \(text(validity.validUntil)), and it is \(text(now))")
        }
        if validity.signed.timeIntervalSince(now) > skew {
            return .failed(.issuedInFuture, "it was signed at \(text(validity.signed)), and it is \(text(now))")
        }
        if policy.requiresValidityWithinSignerCertificate, let end = signer.certificate?.notValidAfter,
            validity.validUntil > end
        {
            return .failed(.invalidSigningTime, "valid for longer than the issuer's certificate")
        }
        return .passed
    }

    func deviceKey(expecting expected: PublicKey?) -> CheckResult.Outcome {
        switch deviceKey {
        case .success(let key):
            guard let expected, expected != key else { return .passed }
            return .failed(.invalidDeviceKey, "bound to another key than the one asked for")
        case .failure(let error) where error.code == .unsupportedKey:
            return .notReached
        case .failure(let error):
            return .failed(.invalidDeviceKey, error.message)
        }
    }

    /// Country and jurisdiction of a driving licence (13.4.2): if returned, those of the issuer's certificate.
    mutating func issuingCountry() -> CheckResult.Outcome {
        guard mobileSecurityObject.docType == .mDL else { return .notApplicable("a rule for driving licences") }
        guard let subject = signer.certificate?.locality else { return .notReached }
        if let message = countryContradiction(subject) { return .failed(.issuingCountryMismatch, message) }
        if let message = jurisdictionContradiction(subject) { return .failed(.issuingCountryMismatch, message) }
        return .passed
    }

    private mutating func countryContradiction(_ subject: CertificateLocality) -> String? {
        contradiction("issuing_country", subject.country.map { [$0.uppercasedASCII] } ?? [], "country")
    }

    /// The element holds the code of ISO 3166-2; certificates have it with or without the country.
    private mutating func jurisdictionContradiction(_ subject: CertificateLocality) -> String? {
        guard let state = subject.state else { return nil }
        return contradiction(
            "issuing_jurisdiction",
            [state, "\(subject.country?.uppercasedASCII ?? "")-\(state)"],
            "state"
        )
    }

    /// The contradiction between an element and the spellings that the issuer's certificate allows; nil for a match, or
    /// for an element that was not returned.
    ///
    /// Elements are in upper case, whatever the certificate's spelling; the check of the certificate judges that.
    private mutating func contradiction(
        _ identifier: DataElementIdentifier,
        _ spellings: @autoclosure () -> [String],
        _ attribute: String
    ) -> String? {
        // The second edition lets a device sign these elements too (13.4.2).
        let signedByDevice = document?.deviceSigned.nameSpaces[.mDL, identifier]
        guard let view = issuerSigned[.mDL, identifier]?.elementValue ?? signedByDevice else { return nil }
        let spellings = spellings()
        let text: String
        do throws(CBORError) {
            text = try view.text()
        } catch {
            return "\(identifier) is no text"
        }
        if spellings.contains(where: { $0.hasSameBytes(as: text) }) { return nil }
        guard spellings.contains(where: { $0.equalsIgnoringCase(text) }) else {
            return "\(identifier) is not the \(attribute) of the issuer's certificate"
        }
        guard !tolerates(.countryCase, at: view) else { return nil }
        return "\(identifier) is in another case than the \(attribute) of the issuer's certificate"
    }
}

/// Finds digests of a namespace by their numbers, with an index if there are many.
private struct DigestFinder {
    private let digests: CBORMapView
    private let index: CBORIntegerKeys?
    /// The largest number of digests that all look-ups together examine.
    let comparisons: Int

    /// The largest number of comparisons that cost less than an index.
    private static let fewComparisons = 512

    /// Indexes the digests of a namespace if needed.
    ///
    /// - Parameter items: The number of items to look up.
    init(_ digests: CBORMapView, for items: Int) {
        self.digests = digests
        let (product, isTooLarge) = digests.count.multipliedReportingOverflow(by: items)
        index = isTooLarge || product > Self.fewComparisons ? digests.integerKeys() : nil
        comparisons = index == nil ? product : digests.count
    }

    /// The digest of a number, or nil for a missing one.
    func digest(_ number: DigestID) -> ArraySlice<UInt8>? {
        try? digests.value(forKey: Int(number.value))?.bytes()
    }

    /// The first item whose digest is missing or wrong, or whose random is too short.
    func firstFault(in items: IssuerSignedItems, _ hash: HashAlgorithm) -> Int? {
        // The choice is made once, and not for each item.
        if let index {
            return items.firstIndex(failing: { number, message, randomSize in
                index.hasBytes(forKey: Int(number.value)) { hash.isDigest($0, of: message) }
                    && randomSize >= IssuerSignedItem.minimumRandomSize
            })
        }
        return items.firstIndex(failing: { number, message, randomSize in
            digests.hasBytes(forKey: Int(number.value)) { hash.isDigest($0, of: message) }
                && randomSize >= IssuerSignedItem.minimumRandomSize
        })
    }
}
