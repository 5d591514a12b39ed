import CryptoCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An element of the small part of XML that keys are written in.
struct XMLElement {
    let name: String
    var attributes: [String: String]
    var children: [XMLElement] = []
    /// The runs of text between tags and comments.
    ///
    /// They may be a private key's, so their storage is wiped.
    var text: [SecretBytes] = []

    /// The only child with a name.
    func child(_ name: String) throws(IdemixError) -> XMLElement {
        guard let child = try optionalChild(name) else {
            throw IdemixError(.malformedXML, "the element is missing", path: [self.name, name])
        }
        return child
    }

    /// The only child with a name, or nil if absent.
    func optionalChild(_ name: String) throws(IdemixError) -> XMLElement? {
        let found = children.filter { $0.name == name }
        guard found.count <= 1 else {
            throw IdemixError(.malformedXML, "the element occurs twice", path: [self.name, name])
        }
        return found.first
    }

    /// The number in a child element: decimal and not negative.
    func number(_ name: String) throws(IdemixError) -> BigInteger {
        do throws(IdemixError) { return try child(name).number() } catch { throw error.inside(self.name) }
    }

    /// The number that the element's text is.
    func number() throws(IdemixError) -> BigInteger {
        let number = unsafe joinedText.withUnsafeBytes { text -> BigInteger? in
            let digits = unsafe text.drop(while: XMLReader.isSpace)
            let end = unsafe digits.lastIndex { !XMLReader.isSpace($0) }
            guard let end, unsafe digits.first != UInt8(ascii: "-") else { return nil }
            return unsafe BigInteger(decimalDigits: digits[...end], maximumDigits: Self.maximumDigits)
        }
        guard let number else {
            throw IdemixError(
                .malformedXML,
                "not one decimal number without sign, of at most \(Self.maximumDigits) digits",
                path: [name]
            )
        }
        return number
    }

    /// The bytes that the element's text encodes in base64 with padding.
    func base64() throws(IdemixError) -> SecretBytes {
        guard let bytes = SecretBytes(base64: joinedText) else {
            throw IdemixError(.malformedXML, "the text is not base64", path: [name])
        }
        return bytes
    }

    /// Indicates an element without text; the reader drops text that is only spaces.
    var isEmpty: Bool { text.isEmpty }

    private var joinedText: SecretBytes { SecretBytes(joining: text) }

    /// The largest number of digits in a number: twice as many as a modulus of 4096 bits needs.
    static let maximumDigits = 2_500
}

extension XMLElement {
    /// The key's counter.
    func counter() throws(IdemixError) -> UInt {
        guard let counter = try number("Counter").int, let counter = UInt(exactly: counter) else {
            throw IdemixError(.malformedXML, "the counter is too large", path: ["Counter"])
        }
        return counter
    }

    /// The key's expiry date, in seconds since 1970.
    func expiryDate() throws(IdemixError) -> Date {
        // Dates are kept as floating-point numbers, exact up to 2^53 seconds.
        guard let seconds = try number("ExpiryDate").int, seconds < 1 << 53 else {
            throw IdemixError(.malformedXML, "the date is too far away", path: ["ExpiryDate"])
        }
        return Date(timeIntervalSince1970: Double(seconds))
    }
}
