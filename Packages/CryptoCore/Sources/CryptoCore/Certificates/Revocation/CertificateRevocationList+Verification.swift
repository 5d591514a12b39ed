public import VerificationCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Check {
    /// The key of the revocation list's issuer may sign such lists (RFC 5280, 4.2.1.3).
    public static let revocationListSigning: Check = "revocationListSigning"
    /// The revocation list is complete, and about certificates of its own issuer.
    public static let revocationListScope: Check = "revocationListScope"
}

// Beside these there are reasons of certificate paths.
extension Reason {
    /// The list was issued by another authority than the given one, or with another key.
    public static let issuerMismatch: Reason = "issuerMismatch"
    /// The authority's key may not sign revocation lists.
    public static let listSigningNotAllowed: Reason = "listSigningNotAllowed"
    /// The content of an extension cannot be read.
    public static let malformedExtension: Reason = "malformedExtension"
    /// The list is about certificates of other issuers too.
    public static let indirectList: Reason = "indirectList"
    /// The list is a delta, or limited to some reasons or to attribute certificates.
    public static let partialList: Reason = "partialList"
}

extension CertificateRevocationList {
    /// The checks of a list, in the order in which they are made.
    public static let checks: [Check] = [
        .issuer, .revocationListSigning, .criticalExtensions, .revocationListScope, .issuerSignature,
    ]

    /// Verifies that an authority issued this list, and that it is complete and of a kind that can be read here.
    ///
    /// Lists that are indirect, delta, limited to some reasons or to attribute certificates are refused, and so are
    /// critical extensions that are not known, of the list and of its entries. The list may be stale: its age is
    /// checked when it is used.
    ///
    /// - Parameters:
    ///   - issuer: The certificate of the authority, itself validated or an anchor. It must be the one that issued the
    ///     certificates to be looked up.
    ///   - time: The time of the verification.
    public func verify(issuer: Certificate, at time: Date) -> Verification<VerifiedCertificateRevocationList> {
        var checklist = Checklist(Self.checks, at: time)
        checklist.check(.issuer) { () throws(CheckFault) in try requireIssuer(issuer) }
        checklist.check(.revocationListSigning) { () throws(CheckFault) in try requireListSigning(issuer) }
        checklist.check(.criticalExtensions) { () throws(CheckFault) in try requireKnownExtensions() }
        let list = checklist.check(.revocationListScope) { () throws(CheckFault) in
            VerifiedCertificateRevocationList(list: self, issuer: issuer, scope: try fullScope())
        }
        if !checklist.isRefused {
            checklist.check(.issuerSignature) { () throws(CheckFault) in try requireSignature(issuer) }
        }
        return checklist.verification(of: list)
    }

    private func requireIssuer(_ certificate: Certificate) throws(CheckFault) {
        guard issuer.matches(certificate.subject) else {
            let message = "the list is by \(issuer), and the certificate is that of \(certificate.subject)"
            throw .failed(.issuerMismatch, message)
        }
        let identifier: AuthorityKeyIdentifier?
        do throws(CryptoError) {
            identifier = try authorityKeyIdentifier
        } catch {
            throw .failed(.malformedExtension, error.description)
        }
        guard let wanted = identifier?.keyIdentifier, let actual = certificate.subjectKeyIdentifier else { return }
        guard wanted == actual else {
            throw .failed(.issuerMismatch, "the authority key identifier is of another key")
        }
    }

    /// The key may sign lists by its keyUsage, or as that of a certificate authority (RFC 5280, 4.2.1.3).
    private func requireListSigning(_ certificate: Certificate) throws(CheckFault) {
        if let usage = certificate.keyUsage {
            guard usage.contains(.crlSign) else {
                throw .failed(.listSigningNotAllowed, "the issuer's keyUsage (\(usage)) lacks cRLSign")
            }
        } else if certificate.basicConstraints?.isCertificateAuthority != true {
            let message = "the issuer is no certificate authority, and has no keyUsage with cRLSign"
            throw .failed(.listSigningNotAllowed, message)
        }
    }

    private func requireKnownExtensions() throws(CheckFault) {
        if let id = fields.unknownCriticalEntryExtension {
            let message = "an entry has the critical extension \(CertificateExtension.name(of: id))"
            throw .failed(.unknownCriticalExtension, message)
        }
        // The indicator of a delta is judged with the scope.
        let processed: Set<OID> = [.authorityKeyIdentifier, .crlNumber, .issuingDistributionPoint, .deltaCRLIndicator]
        for entry in extensions where entry.isCritical && !processed.contains(entry.id) {
            throw .failed(.unknownCriticalExtension, "the critical extension \(entry.name) is not processed here")
        }
    }

    /// The issuing distribution point of a list that covers all reasons; nil for a list without one.
    private func fullScope() throws(CheckFault) -> IssuingDistributionPoint? {
        guard !extensions.contains(where: { $0.id == .deltaCRLIndicator }) else {
            throw .failed(.partialList, "the list is a delta to another")
        }
        let scope: IssuingDistributionPoint?
        do throws(CryptoError) {
            scope = try value(.issuingDistributionPoint, as: IssuingDistributionPoint.self)
        } catch {
            throw .failed(.malformedExtension, error.description)
        }
        guard let scope else { return nil }
        if scope.isIndirect {
            throw .failed(.indirectList, "the list is about certificates of other issuers too")
        }
        if scope.isLimitedByReasons || scope.onlyAttributeCertificates {
            throw .failed(.partialList, "the list is limited to some reasons or to attribute certificates")
        }
        return scope
    }

    private func requireSignature(_ certificate: Certificate) throws(CheckFault) {
        let key: PublicKey
        do throws(CryptoError) {
            key = try certificate.publicKey()
        } catch {
            throw .failed(.unsupportedSignatureAlgorithm, error.description)
        }
        guard let algorithm = signatureAlgorithm, algorithm.supports(key), algorithm.hash != .sha1 else {
            let message = "the signature algorithm is not known, not allowed or does not fit the issuer's key"
            throw .failed(.unsupportedSignatureAlgorithm, message)
        }
        guard isSigned(by: key) else {
            throw .failed(.invalidSignature, "the signature does not verify with the issuer's key")
        }
    }
}
