import CryptoCore

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
