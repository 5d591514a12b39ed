extension CertificateReview {
    mutating func reviewSubject() {
        guard profile.restrictsNames else { return }
        let attributes = certificate.subject.attributes
        let missing = profile.subjectAttributes.filter { type in !attributes.contains { $0.type == type } }
        for type in missing.sorted(by: { $0.description < $1.description }) {
            note(.missingSubjectAttribute, "the subject (\(certificate.subject)) has no \(type.attributeName)")
        }
        for country in attributes where country.type == .countryName { review(country: country) }
        for attribute in attributes { reviewEncoding(of: attribute, isSubjects: true) }
        certificate.issuer.forEachAttribute { _, attribute in reviewEncoding(of: attribute, isSubjects: false) }
    }

    private mutating func review(country: NameAttribute) {
        if profile.requiresUpperCaseCountry, !country.isUpperCaseCountry {
            note(.countryName, "countryName is not two upper-case letters in a PrintableString")
        }
        let code = country.stringValue ?? ""
        if profile.requiresAssignedCountry, !CountryCode.isAssigned(code) {
            note(.unassignedCountry, "countryName \(code.debugDescription) is no code that ISO 3166-1 assigns")
        }
    }

    /// The kind of string of an attribute (ISO/IEC 18013-5, Annex B).
    private mutating func reviewEncoding(of attribute: NameAttribute, isSubjects: Bool) {
        let fault: String
        if profile.requiresModernStrings, !attribute.isModernString {
            fault = "is in a kind of string that the profile does not allow"
        } else if isSubjects, profile.utf8Attributes.contains(attribute.type), !attribute.isUTF8String {
            fault = "is no UTF8String"
        } else {
            return
        }
        note(.nameEncoding, "\(attribute.type.attributeName) of the \(isSubjects ? "subject" : "issuer") \(fault)")
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
        if profile.requiresIssuersSignature { reviewSignature(by: issuer ?? certificate) }
    }

    private mutating func reviewSignature(by issuer: Certificate) {
        do throws(CryptoError) {
            guard certificate.isSigned(by: try issuer.publicKey()) else {
                return note(.signature, "the signature is not one by the key of \(issuer.subject)")
            }
        } catch {
            note(.signature, "the key of \(issuer.subject) cannot be used: \(error.message)")
        }
    }

    private mutating func compareCountries(with issuer: DistinguishedName) {
        let subject = certificate.subject
        let (own, issuers) = (subject.countryName, issuer.countryName)
        let names = (own: own ?? "none", issuer: issuers ?? "none")
        if !Self.same(own, issuers) {
            note(.countryMismatch, "countryName is \(names.own) and the issuer's is \(names.issuer)")
        } else if !names.own.hasSameBytes(as: names.issuer), names.own.utf8.elementsEqual(upper(names.own)) {
            // A lower-case spelling in the certificate itself is noted already.
            note(.countryName, "countryName is \(names.own) and the issuer spells it \(names.issuer)")
        }
        guard let state = issuer.stateOrProvinceName, !Self.same(subject.stateOrProvinceName, state) else { return }
        let ownState = subject.stateOrProvinceName ?? "missing"
        note(.stateOrProvinceMismatch, "stateOrProvinceName is \(ownState) and the issuer's is \(state)")
    }

    private func upper(_ text: String) -> [UInt8] {
        text.utf8.map { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) ? $0 - 0x20 : $0 }
    }

    /// Country codes are upper case by the profile and compared without regard to case in practice.
    private static func same(_ one: String?, _ other: String?) -> Bool {
        if let one, let other, one.hasSameBytes(as: other) { return true }
        return one.map { ASCII.lowercased($0) } == other.map { ASCII.lowercased($0) }
    }
}

extension CertificateProfile {
    /// Indicates a demand on the attributes of names, which are read for it.
    fileprivate var restrictsNames: Bool {
        !subjectAttributes.isEmpty || requiresUpperCaseCountry || requiresAssignedCountry || requiresModernStrings
            || !utf8Attributes.isEmpty
    }
}

extension NameAttribute {
    fileprivate var isUpperCaseCountry: Bool {
        tag == DERReader.Tag.printableString && contents.count == 2
            && contents.allSatisfy { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 }
    }

    fileprivate var isUTF8String: Bool { tag == DERReader.Tag.utf8String }

    /// Indicates that the string has the type that its attribute defines, or for a DirectoryString one of the two
    /// current types.
    fileprivate var isModernString: Bool {
        switch type {
        case .serialNumberAttribute: tag == DERReader.Tag.printableString
        // Two upper-case letters in a PrintableString are a rule of their own.
        case .countryName: true
        case .domainComponent, .emailAddress: tag == DERReader.Tag.ia5String
        default: isUTF8String || tag == DERReader.Tag.printableString || !isText
        }
    }

    /// Indicates that the value is text; attributes of other types are not checked.
    private var isText: Bool { stringValue != nil }
}
