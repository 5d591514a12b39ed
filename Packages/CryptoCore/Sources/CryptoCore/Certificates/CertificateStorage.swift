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

    func publicKey() throws(CryptoError) -> PublicKey {
        let result = importedKey.withLock { imported in
            if let imported { return imported }
            let result: Result<PublicKey, CryptoError>
            do throws(CryptoError) {
                result = .success(try PublicKey(subjectPublicKeyInfo: bytes[fields.subjectPublicKeyInfo], options: []))
            } catch {
                result = .failure(error.inside("Certificate"))
            }
            imported = result
            return result
        }
        return try result.get()
    }
}
