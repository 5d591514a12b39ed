import VerificationCore

extension CertificatePathEvaluation {
    /// Applies each issuer's constraints to everything below it (RFC 5280, 6.1.3 (b), (c)); self-issued intermediates
    /// are exempt.
    func checkNameConstraints() throws(CheckFault) {
        for issuer in path.issuers where issuer.certificate.extension(.nameConstraints) != nil {
            let matcher: NameConstraintMatcher
            do throws(CryptoError) {
                guard let constraints = try issuer.certificate.nameConstraints else { continue }
                matcher = NameConstraintMatcher(constraints)
            } catch {
                throw fault(.nameConstraintViolated, issuer, error.description)
            }
            for member in path.members.prefix(issuer.index) {
                guard member.index == 0 || !member.certificate.isSelfIssued,
                    let message = matcher.violation(of: member.certificate)
                else { continue }
                throw fault(.nameConstraintViolated, member, message)
            }
        }
    }
}
