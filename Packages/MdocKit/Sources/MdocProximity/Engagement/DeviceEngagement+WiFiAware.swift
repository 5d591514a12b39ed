public import MdocKit

extension DeviceEngagement {
    /// The service name for Wi-Fi Aware: HKDF-SHA-256 of EDeviceKeyBytes for "NANService" in upper-case hexadecimal
    /// (ISO/IEC 18013-5, 11.3.2).
    public func wifiAwareServiceName() throws(MdocError) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        let text = try derive("NANService", length: 16).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        return String(decoding: text, as: UTF8.self)
    }

    /// The pass-phrase for Wi-Fi Aware where ``WiFiAwareOptions`` give none: HKDF-SHA-256 of EDeviceKeyBytes for
    /// "NANPassphrase" in base64url without padding.
    public func wifiAwarePassPhrase() throws(MdocError) -> String {
        Base64URL.encode(try derive("NANPassphrase", length: 32))
    }

    /// The pass-phrase for a way to retrieve data: the one that it gives, or the derived one.
    public func passPhrase(for options: WiFiAwareOptions) throws(MdocError) -> String {
        if let passPhrase = options.passPhrase { return passPhrase }
        return try wifiAwarePassPhrase()
    }
}
