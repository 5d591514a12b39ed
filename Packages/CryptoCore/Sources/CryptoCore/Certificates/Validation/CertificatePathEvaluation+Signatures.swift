extension CertificatePathEvaluation {
    func checkAlgorithms() -> CertificatePathFailure? {
        for member in path.members {
            if let failure = checkKey(of: member) { return failure }
        }
        for (subject, issuer) in path.links {
            if let failure = checkAlgorithm(of: subject, issuer: issuer) { return failure }
        }
        return nil
    }

    private func checkKey(of member: CertificatePath.Member) -> CertificatePathFailure? {
        do {
            let key = try member.certificate.publicKey(options: policy.keyImportOptions)
            guard let bits = key.rsaModulusBits, bits < policy.minimumRSAKeySize else { return nil }
            return failure(.algorithms, .weakKey, member, "its RSA key has \(bits) bits")
        } catch {
            return unsupportedKey(member, error)
        }
    }

    private func checkAlgorithm(
        of subject: CertificatePath.Member,
        issuer: CertificatePath.Member
    ) -> CertificatePathFailure? {
        guard let algorithm = subject.certificate.signatureAlgorithm else {
            let message = "its signature algorithm is not known here"
            return failure(.algorithms, .unsupportedSignatureAlgorithm, subject, message)
        }
        guard policy.signatureAlgorithms?.contains(algorithm) ?? (algorithm.hash != .sha1) else {
            let message = "the signature algorithm \(algorithm) is not allowed"
            return failure(.algorithms, .disallowedSignatureAlgorithm, subject, message)
        }
        do throws(CryptoError) {
            let key = try issuer.certificate.publicKey(options: policy.keyImportOptions)
            guard !algorithm.supports(key) else { return nil }
            let message = "the signature algorithm \(algorithm) does not fit the issuer's key"
            return failure(.algorithms, .unsupportedSignatureAlgorithm, subject, message)
        } catch {
            return unsupportedKey(issuer, error)
        }
    }

    /// From the anchor down, so that no key is used that nothing above vouches for.
    mutating func checkSignatures() -> CertificatePathFailure? {
        for (subject, issuer) in path.links.reversed() where !isSigned(subject, by: issuer) {
            let message = "its signature does not verify with the key of \(issuer.certificate.subject)"
            return failure(.signatures, .invalidSignature, subject, message)
        }
        return nil
    }

    private mutating func isSigned(_ subject: CertificatePath.Member, by issuer: CertificatePath.Member) -> Bool {
        if issuer.position != .anchor, let known = signatures[subject.index] { return known }
        do throws(CryptoError) {
            let key = try issuer.certificate.publicKey(options: policy.keyImportOptions)
            let isSigned = subject.certificate.isSigned(by: key)
            if issuer.position != .anchor { signatures[subject.index] = isSigned }
            return isSigned
        } catch {
            // The check of the algorithms has refused the path already.
            return false
        }
    }
}
