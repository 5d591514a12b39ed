import CredentialServingHummingbird
import Credentials
import Foundation
import NIOSSL

/// The key and the certificate of the server's TLS, made for one run.
struct ServerIdentity: Sendable {
    private let certificate: NIOSSLCertificate
    private let key: NIOSSLPrivateKey

    /// Makes a certificate of its own issuer for an address.
    static func make(for address: String, now: Date) async throws -> ServerIdentity {
        let key = try PrivateKey.generate(.p256)
        guard case .v4(let bits) = IPAddress(address) else {
            throw Settings.Fault(description: "\(address) is no IPv4 address")
        }
        let octets = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: bits >> UInt32($0)) }
        let certificate = try await CertificateBuilder(
            subject: try DistinguishedName(commonName: address),
            publicKey: key.publicKey,
            validity: now - 86_400...now + 30 * 86_400,
            extensions: [.subjectAlternativeName([.ipAddress(octets[...])])]
        ).selfSigned(by: SoftwareSigner(key))
        return ServerIdentity(
            certificate: try NIOSSLCertificate(bytes: certificate.derBytes, format: .der),
            key: try NIOSSLPrivateKey(bytes: Array(key.pem.utf8), format: .pem)
        )
    }

    /// The certificate for the listener.
    func serverCertificate() throws -> ServerCertificate {
        let (certificate, key) = (certificate, key)
        return try ServerCertificate { ([certificate], key) }
    }

    /// The network of the demo's wallets: this server's ports, and nothing else, so that no text that they are made to scan leads
    /// them elsewhere.
    func transport(to ports: [Int]) throws -> any HTTPStreamingTransport {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.trustRoots = .certificates([certificate])
        return GuardedHTTPTransport(
            connector: AsyncHTTPClientConnector(tls: configuration),
            addressGuard: AddressGuard(
                allowing: [.loopback, .privateUse],
                literalAddresses: true,
                plainHTTP: true,
                ports: .only(Set(ports.compactMap { UInt16(exactly: $0) }))
            )
        )
    }
}
