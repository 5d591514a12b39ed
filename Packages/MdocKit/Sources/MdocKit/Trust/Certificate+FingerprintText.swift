import CryptoCore

extension Certificate {
    /// The certificate's fingerprint in lower-case hexadecimal digits.
    var fingerprintText: String {
        fingerprint.hexadecimal
    }
}
