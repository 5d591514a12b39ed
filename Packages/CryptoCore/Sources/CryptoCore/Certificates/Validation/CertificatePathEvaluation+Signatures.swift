import VerificationCore

extension CertificatePathEvaluation {
    func checkAlgorithms() throws(CheckFault) {
        for member in path.members { try checkKey(of: member) }
        for (subject, issuer) in path.links { try checkAlgorithm(of: subject, issuer: issuer) }
    }

    private func checkKey(of member: CertificatePath.Member) throws(CheckFault) {
        guard let bits = try key(of: member).rsaModulusBits, bits < policy.minimumRSAKeySize else { return }
        throw fault(.weakKey, member, "its RSA key has \(bits) bits")
    }

    private func checkAlgorithm(
        of subject: CertificatePath.Member,
        issuer: CertificatePath.Member
    ) throws(CheckFault) {
        guard let algorithm = subject.certificate.signatureAlgorithm else {
            let message = "its signature algorithm is not known here"
            throw fault(.unsupportedSignatureAlgorithm, subject, message)
        }
        guard policy.signatureAlgorithms?.contains(algorithm) ?? (algorithm.hash != .sha1) else {
            let message = "the signature algorithm \(algorithm) is not allowed"
            throw fault(.disallowedSignatureAlgorithm, subject, message)
        }
        guard !algorithm.supports(try key(of: issuer)) else { return }
        let message = "the signature algorithm \(algorithm) does not fit the issuer's key"
        throw fault(.unsupportedSignatureAlgorithm, subject, message)
    }

    private func key(of member: CertificatePath.Member) throws(CheckFault) -> PublicKey {
        do throws(CryptoError) {
            return try member.certificate.publicKey(options: policy.keyImportOptions)
        } catch {
            throw fault(error.code == .weakKey ? .weakKey : .unsupportedKey, member, error.description)
        }
    }

    /// From the anchor down, so that no key is used that nothing above vouches for.
    mutating func checkSignatures() throws(CheckFault) {
        for issuer in path.issuers.reversed() {
            let subject = path.members[issuer.index - 1]
            guard !isSigned(subject, by: issuer) else { continue }
            let message = "its signature does not verify with the key of \(issuer.certificate.subject)"
            throw fault(.invalidSignature, subject, message)
        }
    }

    private mutating func isSigned(_ subject: CertificatePath.Member, by issuer: CertificatePath.Member) -> Bool {
        if !issuer.isAnchor, let known = signatures[subject.index] { return known }
        do throws(CryptoError) {
            let key = try issuer.certificate.publicKey(options: policy.keyImportOptions)
            let isSigned = subject.certificate.isSigned(by: key)
            if !issuer.isAnchor { signatures[subject.index] = isSigned }
            return isSigned
        } catch {
            // The check of the algorithms has refused the path already.
            return false
        }
    }
}
