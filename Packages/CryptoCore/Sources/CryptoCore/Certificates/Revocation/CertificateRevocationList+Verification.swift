extension CertificateRevocationList {
    /// The outcome of a verification.
    public enum VerificationResult: Sendable {
        /// Every check passed.
        case valid(VerifiedCertificateRevocationList)
        /// A check failed: which, and why.
        case invalid(CertificateRevocationListFailure)

        /// The list where it is valid, or nil.
        public var list: VerifiedCertificateRevocationList? {
            if case .valid(let list) = self { list } else { nil }
        }

        /// The failure where it is not, or nil.
        public var failure: CertificateRevocationListFailure? {
            if case .invalid(let failure) = self { failure } else { nil }
        }
    }

    /// Verifies that an authority issued this list, and that it is complete and of a kind that can be read here.
    ///
    /// Lists that are indirect, delta, limited to some reasons or to attribute certificates are refused, and so are
    /// critical extensions that are not known, of the list and of its entries. Whether the list is current is asked when
    /// it is used.
    /// - Parameter issuer: The certificate of the authority, itself validated or an anchor. It must be the one that
    ///   issued the certificates to be looked up.
    public func verify(issuer: Certificate) -> VerificationResult {
        if let failure = checkIssuer(issuer) ?? checkKind() ?? checkSignature(issuer) { return .invalid(failure) }
        do throws(CryptoError) {
            let scope = try value(.issuingDistributionPoint, as: IssuingDistributionPoint.self)
            return .valid(VerifiedCertificateRevocationList(list: self, issuer: issuer, scope: scope))
        } catch {
            return .invalid(CertificateRevocationListFailure(.malformedExtension, error.description))
        }
    }

    private func checkIssuer(_ certificate: Certificate) -> CertificateRevocationListFailure? {
        guard issuer.matches(certificate.subject) else {
            let message = "the list is by \(issuer), and the certificate is that of \(certificate.subject)"
            return CertificateRevocationListFailure(.issuerMismatch, message)
        }
        do throws(CryptoError) {
            if let wanted = try authorityKeyIdentifier?.keyIdentifier, let actual = certificate.subjectKeyIdentifier,
                wanted != actual
            {
                return CertificateRevocationListFailure(
                    .issuerMismatch,
                    "the authority key identifier is of another key"
                )
            }
        } catch {
            return CertificateRevocationListFailure(.malformedExtension, error.description)
        }
        return checkEntitlement(of: certificate)
    }

    /// Checks that the key may sign lists, by its keyUsage or as that of a certificate authority (RFC 5280, 4.2.1.3).
    private func checkEntitlement(of certificate: Certificate) -> CertificateRevocationListFailure? {
        if let usage = certificate.keyUsage {
            guard !usage.contains(.crlSign) else { return nil }
            let message = "the issuer's keyUsage (\(usage)) lacks cRLSign"
            return CertificateRevocationListFailure(.listSigningNotAllowed, message)
        }
        guard certificate.basicConstraints?.isCertificateAuthority != true else { return nil }
        let message = "the issuer is no certificate authority, and has no keyUsage with cRLSign"
        return CertificateRevocationListFailure(.listSigningNotAllowed, message)
    }

    private func checkKind() -> CertificateRevocationListFailure? {
        if let id = fields.unknownCriticalEntryExtension {
            let message = "an entry has the critical extension \(CertificateExtension.name(of: id))"
            return CertificateRevocationListFailure(.unknownCriticalExtension, message)
        }
        let processed: Set<OID> = [.authorityKeyIdentifier, .crlNumber, .issuingDistributionPoint]
        for entry in extensions where entry.id == .deltaCRLIndicator || entry.isCritical {
            if entry.id == .deltaCRLIndicator {
                return CertificateRevocationListFailure(.partialList, "the list is a delta to another")
            }
            guard !processed.contains(entry.id) else { continue }
            let message = "the critical extension \(entry.name) is not processed here"
            return CertificateRevocationListFailure(.unknownCriticalExtension, message)
        }
        return checkScope()
    }

    private func checkScope() -> CertificateRevocationListFailure? {
        let scope: IssuingDistributionPoint?
        do throws(CryptoError) {
            scope = try value(.issuingDistributionPoint, as: IssuingDistributionPoint.self)
        } catch {
            return CertificateRevocationListFailure(.malformedExtension, error.description)
        }
        guard let scope else { return nil }
        if scope.isIndirect {
            return CertificateRevocationListFailure(
                .indirectList,
                "the list is about certificates of other issuers too"
            )
        }
        if scope.isLimitedByReasons || scope.onlyAttributeCertificates {
            let message = "the list is limited to some reasons or to attribute certificates"
            return CertificateRevocationListFailure(.partialList, message)
        }
        return nil
    }

    private func checkSignature(_ certificate: Certificate) -> CertificateRevocationListFailure? {
        let key: PublicKey
        do throws(CryptoError) {
            key = try certificate.publicKey()
        } catch {
            return CertificateRevocationListFailure(.unsupportedSignatureAlgorithm, error.description)
        }
        guard let algorithm = signatureAlgorithm, algorithm.supports(key), algorithm.hash != .sha1 else {
            let message = "the signature algorithm is not known, not allowed or does not fit the issuer's key"
            return CertificateRevocationListFailure(.unsupportedSignatureAlgorithm, message)
        }
        guard !isSigned(by: key) else { return nil }
        return CertificateRevocationListFailure(
            .invalidSignature,
            "the signature does not verify with the issuer's key"
        )
    }
}
