import CryptoCore
import JOSEKit

/// base64url without padding (RFC 4648, section 5), as `mdoc:` URIs use it.
package enum MdocBase64URL {
    /// The characters of some bytes.
    package static func encode(_ bytes: some Collection<UInt8>) -> String { Base64URL.encode(bytes) }

    /// The bytes; nil for any other character, for a length that none has, and if unused bits are not zero.
    package static func decode(_ text: some Collection<UInt8>) -> [UInt8]? { try? Base64URL.decode(text) }
}

extension [UInt8] {
    /// Two lower-case hexadecimal digits for each byte.
    package var hexadecimal: String {
        let digits = [UInt8]("0123456789abcdef".utf8)
        return String(decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}

extension Certificate {
    /// The certificate's fingerprint in lower-case hexadecimal digits.
    var fingerprintText: String {
        fingerprint.hexadecimal
    }
}
