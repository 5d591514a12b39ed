import CryptoCore

extension Certificate {
    /// The certificate's fingerprint in lower-case hexadecimal digits.
    var fingerprintText: String {
        fingerprint.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
