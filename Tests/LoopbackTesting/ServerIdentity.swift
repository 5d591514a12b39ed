#if Server && Client
public import CredentialServingHummingbird
import CryptoCore
import Foundation
public import NIOSSL

/// A certificate of its own issuer for this machine, made for one run of the tests, and its key.
public struct ServerIdentity: Sendable {
    /// The certificate.
    public let chain: [NIOSSLCertificate]
    private let key: NIOSSLPrivateKey

    /// Makes a certificate for 127.0.0.1.
    ///
    /// - Parameter names: The DNS names of the certificate.
    public init(names: [String] = []) async throws {
        let privateKey = try PrivateKey.generate(.p256)
        let certificate = try await CertificateBuilder(
            subject: try DistinguishedName(commonName: "127.0.0.1"),
            publicKey: privateKey.publicKey,
            validity: Date(timeIntervalSince1970: 0)...Date(timeIntervalSince1970: 4e9),
            extensions: [.subjectAlternativeName([.ipAddress([127, 0, 0, 1])] + names.map { .dns($0) })]
        ).selfSigned(by: SoftwareSigner(privateKey))
        chain = [try NIOSSLCertificate(bytes: certificate.derBytes, format: .der)]
        key = try NIOSSLPrivateKey(bytes: Array(privateKey.pem.utf8), format: .pem)
    }

    /// The certificate for a server.
    public func certificate() throws -> ServerCertificate {
        let (chain, key) = (chain, key)
        return try ServerCertificate { (chain, key) }
    }

    /// The configuration of a client that trusts this certificate alone.
    public var clientConfiguration: TLSConfiguration {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.trustRoots = .certificates(chain)
        return configuration
    }
}
#endif
