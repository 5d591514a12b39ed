import Foundation
import SwiftASN1
@_spi(FixedExpiryValidationTime) import X509

#if OpenSSL
import CCryptoCoreOpenSSL
#endif

/// The verdicts of other implementations on a chain.
enum SecondOpinions {
    /// swift-certificates with its policy for RFC 5280.
    static func swiftCertificatesAccepts(
        chain: [[UInt8]],
        anchors: [[UInt8]],
        at time: Date
    ) async throws -> Bool {
        let certificates = try chain.map { try X509.Certificate(derEncoded: $0) }
        let roots = CertificateStore(try anchors.map { try X509.Certificate(derEncoded: $0) })
        var verifier = Verifier(rootCertificates: roots) { RFC5280Policy(fixedExpiryValidationTime: time) }
        guard let leaf = certificates.first else { return false }
        let result = await verifier.validate(leaf: leaf, intermediates: CertificateStore(certificates.dropFirst()))
        if case .validCertificate = result { return true }
        return false
    }

    #if OpenSSL
    /// libcrypto's X509_verify_cert.
    static func libcryptoAccepts(chain: [[UInt8]], anchors: [[UInt8]], at time: Date) -> Bool {
        let store = X509_STORE_new()
        defer { X509_STORE_free(store) }
        for anchor in anchors {
            let certificate = read(anchor)
            X509_STORE_add_cert(store, certificate)
            X509_free(certificate)
        }
        let certificates = chain.map(read)
        defer { for certificate in certificates { X509_free(certificate) } }
        let others = OPENSSL_sk_new_null()
        defer { OPENSSL_sk_free(others) }
        for certificate in certificates.dropFirst() {
            OPENSSL_sk_push(others, certificate.map { UnsafeRawPointer($0) })
        }
        let context = X509_STORE_CTX_new()
        defer { X509_STORE_CTX_free(context) }
        guard let leaf = certificates.first, X509_STORE_CTX_init(context, store, leaf, others) == 1 else {
            return false
        }
        X509_STORE_CTX_set_time(context, 0, Int(time.timeIntervalSince1970))
        return X509_verify_cert(context) == 1
    }

    private static func read(_ der: [UInt8]) -> OpaquePointer? {
        der.withUnsafeBufferPointer { buffer in
            var position = buffer.baseAddress
            return d2i_X509(nil, &position, buffer.count)
        }
    }
    #endif
}
