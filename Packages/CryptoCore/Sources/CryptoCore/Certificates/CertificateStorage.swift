import Synchronization

/// The one copy of a certificate that all values of it share.
final class CertificateStorage: Sendable {
    let bytes: [UInt8]
    let fields: CertificateFields

    /// The subject's key, imported when it is first needed: for some curves that costs more than a verification.
    private let importedKey = Mutex<Result<PublicKey, CryptoError>?>(nil)

    init(_ bytes: [UInt8], limits: CertificateLimits) throws(CryptoError) {
        fields = try CertificateFields(bytes, limits: limits)
        self.bytes = bytes
    }

    func publicKey(options: KeyImportOptions) throws(CryptoError) -> PublicKey {
        let key = try anyPublicKey()
        guard options.contains(.insecureShortRSA) || key.rsaModulusBits ?? .max >= RSANumbers.minimumModulusBits else {
            throw RSANumbers.weakKey(bits: key.rsaModulusBits ?? 0).inside("Certificate")
        }
        return key
    }

    /// The key without a minimum size; callers apply their own.
    private func anyPublicKey() throws(CryptoError) -> PublicKey {
        let result = importedKey.withLock { imported in
            if let imported { return imported }
            let result: Result<PublicKey, CryptoError>
            do throws(CryptoError) {
                let info = bytes[fields.subjectPublicKeyInfo]
                result = .success(try PublicKey(subjectPublicKeyInfo: info, options: .insecureShortRSA))
            } catch {
                result = .failure(error.inside("Certificate"))
            }
            imported = result
            return result
        }
        return try result.get()
    }
}
