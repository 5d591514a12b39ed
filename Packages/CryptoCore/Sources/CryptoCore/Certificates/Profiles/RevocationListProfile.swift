#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A standard's demands on revocation lists, as data.
public struct RevocationListProfile: Hashable, Sendable {
    /// The name of the profile in errors and reports.
    public var name: String

    /// The longest time in seconds from thisUpdate to nextUpdate, or nil.
    public var maximumUpdateInterval: TimeInterval?

    /// The algorithms that the list may be signed with, or nil for all but those over SHA-1.
    public var signatureAlgorithms: Set<SignatureAlgorithm>?

    /// The required extensions.
    public var requiredExtensions: Set<OID> = [.authorityKeyIdentifier, .crlNumber]

    /// The extensions that may be there, or nil for any.
    public var allowedExtensions: Set<OID>?

    /// Indicates that entries may have extensions.
    public var allowsEntryExtensions = true

    /// A profile with the demands of RFC 5280, chapter 5: version 2, nextUpdate, a number and the issuer's key
    /// identifier.
    public init(name: String) {
        self.name = name
    }

    /// Revocation lists of an IACA (ISO/IEC 18013-5, Table B.10): complete lists, at least every 90 days, with the two
    /// mandatory extensions only.
    public static let iaca: RevocationListProfile = {
        var profile = RevocationListProfile(name: "IACA revocation list")
        profile.maximumUpdateInterval = 90 * 86_400
        profile.signatureAlgorithms = [.ecdsaSHA256, .ecdsaSHA384, .ecdsaSHA512]
        profile.allowedExtensions = profile.requiredExtensions
        profile.allowsEntryExtensions = false
        return profile
    }()

    /// Every departure of a list from this profile, in a fixed order; empty if it keeps the profile.
    ///
    /// - Parameters:
    ///   - list: The list to look at.
    ///   - issuer: The certificate of its issuer, for the rules that compare the two.
    public func deviations(of list: CertificateRevocationList, issuer: Certificate? = nil) -> [CertificateDeviation] {
        formDeviations(of: list) + extensionDeviations(of: list) + issuerDeviations(of: list, issuer: issuer)
    }

    private func formDeviations(of list: CertificateRevocationList) -> [CertificateDeviation] {
        var found: [CertificateDeviation] = []
        if list.version != 2 { found.append(.init(.version, "the version is \(list.version) instead of 2")) }
        if list.fields.hasEmptyEntryList {
            found.append(.init(.encoding, "revokedCertificates is there without an entry"))
        }
        if let nextUpdate = list.nextUpdate {
            let interval = nextUpdate.timeIntervalSince(list.thisUpdate)
            if interval < 0 || interval > maximumUpdateInterval ?? .infinity {
                let days = Int(interval / 86_400)
                found.append(.init(.validityPeriod, "nextUpdate is \(days) days after thisUpdate"))
            }
        } else {
            found.append(.init(.missingNextUpdate, "nextUpdate is missing"))
        }
        let algorithm = list.signatureAlgorithm
        guard let algorithm, signatureAlgorithms?.contains(algorithm) ?? (algorithm.hash != .sha1) else {
            let name = algorithm?.name ?? "an unknown one"
            return found + [.init(.signatureAlgorithm, "the signature algorithm is \(name), which is not allowed")]
        }
        return found
    }

    private func extensionDeviations(of list: CertificateRevocationList) -> [CertificateDeviation] {
        let ids = list.extensions.map(\.id)
        var found = requiredExtensions.subtracting(ids).sorted { "\($0)" < "\($1)" }.map { id in
            CertificateDeviation(.missingExtension, "\(CertificateExtension.name(of: id)) is missing", extension: id)
        }
        for entry in list.extensions where allowedExtensions?.contains(entry.id) == false {
            found.append(.init(.forbiddenExtension, "\(entry.name) must not be there", extension: entry.id))
        }
        if !allowsEntryExtensions, list.fields.hasEntryExtensions {
            found.append(.init(.forbiddenExtension, "an entry has extensions"))
        }
        return found
    }

    private func issuerDeviations(
        of list: CertificateRevocationList,
        issuer: Certificate?
    ) -> [CertificateDeviation] {
        guard let issuer else { return [] }
        var found: [CertificateDeviation] = []
        if list.issuer != issuer.subject {
            found.append(.init(.issuerName, "the issuer (\(list.issuer)) is not byte by byte \(issuer.subject)"))
        }
        do throws(CryptoError) {
            let wanted = issuer.subjectKeyIdentifier ?? issuer.computedKeyIdentifier[...]
            if let authority = try list.authorityKeyIdentifier, authority.keyIdentifier != wanted {
                let message = "authorityKeyIdentifier is not the issuer's subjectKeyIdentifier"
                found.append(.init(.authorityKeyIdentifier, message, extension: .authorityKeyIdentifier))
            }
        } catch {
            found.append(.init(.malformedExtension, error.description, extension: .authorityKeyIdentifier))
        }
        return found
    }
}
