import CBORKit
import MdocKit

extension DataElementChecker {
    /// Checks a text against every rule that it has.
    mutating func checkText(_ view: CBORView, _ rules: TextRules) {
        guard let text = try? view.text() else { return }
        let count = text.unicodeScalars.count
        if let limit = rules.maximumLength, count > limit {
            report(.tooLong, "\(count) characters are more than \(limit)", at: view)
        }
        if rules.isLatin1, let foreign = text.unicodeScalars.first(where: { !$0.isLatin1 }) {
            report(.notLatin1, "ISO/IEC 8859-1 has no U+\(String(foreign.value, radix: 16, uppercase: true))", at: view)
        }
        checkForm(text, rules.form, view)
    }

    private mutating func checkForm(_ text: String, _ form: TextRules.Form, _ view: CBORView) {
        switch form {
        case .free: break
        case .oneOf(let allowed):
            if !allowed.contains(text) {
                report(.notAllowed, "the text is not one of \(allowed.sorted().joined(separator: ", "))", at: view)
            }
        case .countryCode: checkCountry(text, view)
        case .subdivision(let country): checkSubdivision(text, of: country, view)
        case .distinguishingSign:
            // An authority without a sign may leave it empty.
            if text.utf8.count > 3 || !text.utf8.allSatisfy(CountryCode.isCapital) {
                report(.notAllowed, "a distinguishing sign is up to three capital letters", at: view)
            }
        case .dateMask:
            if !BirthDate.isMask(text) { report(.notAllowed, "a mask is eight digits of 0 and 1", at: view) }
        }
    }

    private mutating func checkCountry(_ text: String, _ view: CBORView) {
        if !CountryCode.isWellFormed(text) {
            report(.invalidCountryCode, "a country code is two capital letters", at: view)
        } else if !CountryCode.isAssigned(text) {
            report(.unassignedCountryCode, "ISO 3166-1 does not assign \(text)", at: view)
        }
    }

    private mutating func checkSubdivision(_ text: String, of country: DataElementIdentifier, _ view: CBORView) {
        guard CountryCode.isSubdivision(text) else {
            return report(
                .notAllowed,
                "a subdivision is a country code, a hyphen, and up to three letters or digits",
                at: view
            )
        }
        if let country = siblingText(country), !text.utf8.starts(with: country.utf8) {
            report(.inconsistent, "\(text) is no part of \(country)", at: view)
        }
    }
}

extension Unicode.Scalar {
    /// Indicates that ISO/IEC 8859-1 has the character; it has no control characters.
    fileprivate var isLatin1: Bool { (0x20...0x7e).contains(value) || (0xa0...0xff).contains(value) }
}
