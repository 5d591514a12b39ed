extension CertificateReview {
    mutating func reviewSubject() {
        let attributes = certificate.subject.attributes
        for type in profile.subjectAttributes.sorted(by: { $0.description < $1.description })
        where !attributes.contains(where: { $0.type == type }) {
            note(.missingSubjectAttribute, "the subject (\(certificate.subject)) has no \(type.attributeName)")
        }
        guard profile.requiresUpperCaseCountry else { return }
        for country in attributes where country.type == .countryName && !country.isUpperCaseCountry {
            note(.countryName, "countryName is not two upper-case letters in a PrintableString")
        }
    }

    /// The rules that compare a certificate with that of its issuer; a root is its own issuer.
    mutating func reviewIssuer() {
        let isRoot = if case .certificateAuthority = profile.authority { true } else { false }
        let issuerSubject = issuer?.subject ?? (isRoot ? certificate.subject : nil)
        guard let issuerSubject else { return }
        if profile.requiresSameNameBytes, certificate.issuer != issuerSubject {
            note(.issuerName, "the issuer (\(certificate.issuer)) is not byte by byte \(issuerSubject)")
        }
        if profile.requiresIssuersCountry { compareCountries(with: issuerSubject) }
    }

    private mutating func compareCountries(with issuer: DistinguishedName) {
        let subject = certificate.subject
        if !Self.same(subject.countryName, issuer.countryName) {
            let names = (subject.countryName ?? "none", issuer.countryName ?? "none")
            note(.countryMismatch, "countryName is \(names.0) and the issuer's is \(names.1)")
        }
        guard let state = issuer.stateOrProvinceName, !Self.same(subject.stateOrProvinceName, state) else { return }
        let own = subject.stateOrProvinceName ?? "missing"
        note(.stateOrProvinceMismatch, "stateOrProvinceName is \(own) and the issuer's is \(state)")
    }

    /// Country codes are upper case by the profile and compared without regard to case in practice.
    private static func same(_ one: String?, _ other: String?) -> Bool {
        one.map { ASCII.lowercased($0) } == other.map { ASCII.lowercased($0) }
    }
}

extension NameAttribute {
    fileprivate var isUpperCaseCountry: Bool {
        tag == DERReader.Tag.printableString && contents.count == 2
            && contents.allSatisfy { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 }
    }
}
