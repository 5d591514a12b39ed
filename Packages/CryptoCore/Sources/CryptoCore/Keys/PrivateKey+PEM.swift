extension PrivateKey {
    /// A key from PEM that is not encrypted: `PRIVATE KEY` (PKCS #8), `EC PRIVATE KEY` (SEC 1) or `RSA PRIVATE KEY`
    /// (PKCS #1).
    ///
    /// A block `EC PARAMETERS`, as OpenSSL writes it before a SEC 1 key, is skipped: the key names its curve itself.
    /// The text is the caller's to wipe.
    /// - Throws: ``CryptoError`` with the code `invalidPEM`, `unsupported` for encrypted keys, and as for the DER form.
    public init(pem: some StringProtocol, options: KeyImportOptions = []) throws(CryptoError) {
        let found = try PEM.all(in: pem).filter { $0.label != "EC PARAMETERS" }
        guard let block = found.first, found.count == 1 else {
            throw CryptoError(.invalidPEM, "one private key was expected and \(found.count) structures were found")
        }
        var der = block.bytes
        defer { wipe(&der) }
        switch block.label {
        case "PRIVATE KEY": try self.init(pkcs8: der[...], options: options)
        case "EC PRIVATE KEY": try self.init(sec1: der[...], curve: nil)
        case "RSA PRIVATE KEY":
            try self.init(rsaComponents: RSAPrivateComponents(pkcs1: der[...]), options: options)
        case "ENCRYPTED PRIVATE KEY": throw CryptoError(.unsupported, "encrypted private keys are not supported")
        default: throw CryptoError(.invalidPEM, "\(block.label) is no private key")
        }
    }

    /// PKCS #8 in PEM; text cannot be wiped, so that it should be short-lived.
    public var pem: String {
        var der = pkcs8.copied()
        defer { wipe(&der) }
        return PEM(label: "PRIVATE KEY", bytes: der).text
    }
}
