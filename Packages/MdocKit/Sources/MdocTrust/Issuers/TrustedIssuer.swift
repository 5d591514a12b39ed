public import CryptoCore
public import MdocKit
import VerificationCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An entry of ``TrustedIssuers``: a certificate, its purpose, and where it came from.
public struct TrustedIssuer: Sendable, Identifiable {
    /// The purpose that a certificate is trusted for.
    public enum Purpose: String, Hashable, Sendable {
        /// The certificate anchors issuers of documents.
        case issuing
        /// The certificate is that of an authority for readers, as a RICAL lists them.
        case reading
    }

    /// A list of a provider, such as a VICAL, that brought entries.
    public struct List: Hashable, Sendable {
        /// The kind of the list, such as `VICAL`.
        public let format: String
        /// The provider of the list; a later list of the same format and provider replaces the entries of this one.
        public let provider: String
        /// The number of the issue, which grows from issue to issue; nil if the list has none.
        public let issue: UInt64?
        /// When the list was issued.
        public let date: Date
        /// When the provider expects to issue the next one.
        public let nextUpdate: Date?
        /// The last moment at which the entries may be used; nil for no end.
        public let notAfter: Date?
        /// The address of the list.
        public let url: String?
        /// The SHA-256 digest of the public key (SubjectPublicKeyInfo) of the trust anchor above the list's signer; nil
        /// if it is not known.
        ///
        /// A provider names itself in its lists. A list with its name and a signer below another anchor is refused.
        public let anchorKeyDigest: [UInt8]?

        /// Describes a list.
        public init(
            format: String,
            provider: String,
            issue: UInt64? = nil,
            date: Date,
            nextUpdate: Date? = nil,
            notAfter: Date? = nil,
            url: String? = nil,
            anchorKeyDigest: [UInt8]? = nil
        ) {
            self.format = format
            self.provider = provider
            self.issue = issue
            self.date = date
            self.nextUpdate = nextUpdate
            self.notAfter = notAfter
            self.url = url
            self.anchorKeyDigest = anchorKeyDigest
        }

        /// Returns `true` for a list of the same format and provider, whatever its issue.
        public func isIssue(of other: List) -> Bool {
            format.hasSameBytes(as: other.format) && provider.hasSameBytes(as: other.provider)
        }
    }

    /// The source of an entry.
    public enum Origin: Hashable, Sendable {
        /// The verifier's own configuration.
        case configuration
        /// A provider's list.
        case list(List)
    }

    /// The certificate with its identifier and document types.
    public let anchor: TrustAnchor
    /// The purpose that the certificate is trusted for.
    public let purpose: Purpose
    /// The name of the authority, for people: the one given or listed, or else that of the certificate's subject.
    public let name: String
    /// The source of the entry.
    public let origin: Origin
    /// The authority for readers; nil for an issuer.
    public let readerAuthority: ReaderAuthority?

    /// The identifier: a name of the caller's choice, or the SHA-256 digest of the certificate's DER in lower-case
    /// hexadecimal digits, after the list's name if a list brought the entry.
    public var id: String { anchor.id }
    /// The certificate of the authority.
    public var certificate: Certificate { anchor.certificate }
    /// The document types that an issuer is trusted for; nil for all.
    public var docTypes: Set<DocType>? { anchor.docTypes }
    /// The country of the certificate's subject.
    public var countryName: String? { certificate.subject.countryName }
    /// The state or province of the certificate's subject.
    public var stateOrProvinceName: String? { certificate.subject.stateOrProvinceName }
    /// The first and the last moment of the certificate's validity.
    public var validity: ClosedRange<Date> {
        min(certificate.notValidBefore, certificate.notValidAfter)...certificate.notValidAfter
    }

    /// Trusts an issuing authority.
    ///
    /// - Parameters:
    ///   - anchor: The certificate with its identifier and document types.
    ///   - name: The name of the authority; nil for that of the certificate's subject.
    ///   - origin: The source of the entry.
    public init(_ anchor: TrustAnchor, name: String? = nil, origin: Origin = .configuration) {
        self.anchor = anchor
        self.name = name ?? anchor.certificate.subject.readableName
        self.origin = origin
        purpose = .issuing
        readerAuthority = nil
    }

    /// Trusts an authority for readers.
    public init(_ authority: ReaderAuthority, origin: Origin = .configuration) {
        anchor = TrustAnchor(authority.certificate, id: authority.id)
        name = authority.name ?? authority.certificate.subject.readableName
        self.origin = origin
        purpose = .reading
        readerAuthority = authority
    }

    /// The list that brought the entry; nil for the verifier's own configuration.
    public var list: List? {
        guard case .list(let list) = origin else { return nil }
        return list
    }

    /// Returns `true` while the list that brought the entry may be used; the certificate has its own validity.
    public func isUsable(at time: Date) -> Bool {
        list?.notAfter.map { time <= $0 } ?? true
    }

    /// Returns `true` if another entry trusts the same certificate for the same purpose and document types.
    func hasSameTrust(as other: TrustedIssuer) -> Bool {
        anchor == other.anchor && purpose == other.purpose
    }
}

extension DistinguishedName {
    /// The common name, or else the organization, or else the whole name.
    fileprivate var readableName: String { commonName ?? organizationName ?? description }
}
