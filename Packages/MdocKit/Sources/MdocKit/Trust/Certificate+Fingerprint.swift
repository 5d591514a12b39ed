import CryptoCore

extension Certificate {
    /// The SHA-256 digest of the certificate's DER in lower-case hexadecimal digits.
    var fingerprint: String {
        HashAlgorithm.sha256.digest(of: derBytes)
            .map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
            .joined()
    }
}
