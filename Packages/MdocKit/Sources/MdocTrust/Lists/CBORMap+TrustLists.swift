import CBORKit
import CryptoCore
import MdocKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension CBORMap {
    /// Adds a text, if there is one.
    mutating func append(_ name: String, _ text: String?) {
        if let text { append(.text(name), .text(text)) }
    }

    /// Adds a time as a tdate, if there is one.
    ///
    /// - Throws: `MdocError` with code `invalidValue` if it is outside of the years 0 to 9999.
    mutating func append(_ name: String, _ date: Date?) throws(MdocError) {
        if let date { append(.text(name), .tagged(0, .text(try date.tdateText()))) }
    }

    /// Starts the entry of a certificate with what every entry must have (C.1.7.1 and F.3.2.2).
    init(listing certificate: Certificate) {
        let identifier = certificate.subjectKeyIdentifier ?? certificate.computedKeyIdentifier[...]
        self = [
            "certificate": .bytes(certificate.derBytes),
            // Tag 2 even for a number that would fit an integer: the list's type is biguint.
            "serialNumber": .tagged(2, .bytes(certificate.serialNumberInteger.argument)),
            "ski": .bytes(Array(identifier)),
        ]
    }

    /// Adds what a certificate says about itself: country and state, names and validity.
    mutating func appendStatements(of certificate: Certificate) throws(MdocError) {
        append("issuingCountry", certificate.subject.countryName)
        append("stateOrProvinceName", certificate.subject.stateOrProvinceName)
        append("issuer", .bytes(Array(certificate.issuer.encodedBytes)))
        append("subject", .bytes(Array(certificate.subject.encodedBytes)))
        try append("notBefore", certificate.notValidBefore)
        try append("notAfter", certificate.notValidAfter)
    }
}

extension Certificate {
    /// Refuses a certificate that a list has no form for.
    func requireListable() throws(MdocError) {
        guard !serialNumberInteger.isNegative else {
            throw MdocError(.invalidValue, "the serial number of a listed certificate must not be negative")
        }
    }
}
