#if Server
public import CredentialServing
import NIOCore
public import NIOSSL
import Synchronization

/// The certificate of a server, which can be replaced while it runs.
///
/// ```swift
/// let certificate = try ServerCertificate(chainFile: "server.pem", keyFile: "server.key")
/// // After a renewal:
/// try certificate.reload()
/// ```
///
/// Handshakes that begin after a reload use the new certificate; connections that exist stay as they are.
public final class ServerCertificate: Sendable {
    private struct Identity: Sendable {
        let chain: [NIOSSLCertificate]
        let key: NIOSSLPrivateKey
    }

    private let identity: Mutex<Identity>
    private let load: @Sendable () throws -> (chain: [NIOSSLCertificate], key: NIOSSLPrivateKey)

    /// A certificate from two files, in PEM.
    ///
    /// - Parameters:
    ///   - chainFile: The path of the server's certificate, followed by those of its issuers.
    ///   - keyFile: The path of its private key.
    /// - Throws: `ServingError` with code `invalidCertificate`.
    public convenience init(chainFile: String, keyFile: String) throws(ServingError) {
        try self.init {
            (try NIOSSLCertificate.fromPEMFile(chainFile), try NIOSSLPrivateKey(file: keyFile, format: .pem))
        }
    }

    /// A certificate from elsewhere.
    ///
    /// - Parameter load: Loads the server's certificate with those of its issuers, and its private key; it is called now and
    ///   for each ``reload()``.
    /// - Throws: `ServingError` with code `invalidCertificate`.
    public init(
        load: @escaping @Sendable () throws -> (chain: [NIOSSLCertificate], key: NIOSSLPrivateKey)
    ) throws(ServingError) {
        self.load = load
        identity = Mutex(try Self.identity(load))
    }

    /// Loads the certificate again.
    ///
    /// - Throws: `ServingError` with code `invalidCertificate`; the certificate so far then stays in use.
    public func reload() throws(ServingError) {
        let loaded = try Self.identity(load)
        identity.withLock { $0 = loaded }
    }

    /// The certificate in use, followed by those of its issuers.
    public var chain: [NIOSSLCertificate] { identity.withLock { $0.chain } }

    /// The configuration of a server's TLS: TLS 1.2 and later, with the certificate of the time of each handshake.
    var configuration: TLSConfiguration {
        let (chain, key) = identity.withLock { ($0.chain, $0.key) }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) },
            privateKey: .privateKey(key)
        )
        configuration.minimumTLSVersion = .tlsv12
        // The side that closes first need not wait for the other's close_notify (RFC 5246 section 7.2.1, RFC 8446 section 6.1).
        // The handler next to the socket waits for the end of the connection itself.
        configuration.shutdownTimeout = .zero
        configuration.sslContextCallback = { [self] _, promise in
            var override = NIOSSLContextConfigurationOverride()
            let (chain, key) = identity.withLock { ($0.chain, $0.key) }
            override.certificateChain = chain.map { .certificate($0) }
            override.privateKey = .privateKey(key)
            promise.succeed(override)
        }
        return configuration
    }

    /// Loads a certificate, and makes sure that its key belongs to it before any handshake relies on it.
    private static func identity(
        _ load: () throws -> (chain: [NIOSSLCertificate], key: NIOSSLPrivateKey)
    ) throws(ServingError) -> Identity {
        do {
            let (chain, key) = try load()
            guard !chain.isEmpty else { throw ServingError(.invalidCertificate, "no certificate") }
            let configuration = TLSConfiguration.makeServerConfiguration(
                certificateChain: chain.map { .certificate($0) },
                privateKey: .privateKey(key)
            )
            do {
                _ = try NIOSSLContext(configuration: configuration)
            } catch {
                throw ServingError(
                    .invalidCertificate,
                    "the private key does not belong to the certificate, or one of them is not supported",
                    cause: error
                )
            }
            return Identity(chain: chain, key: key)
        } catch let error as ServingError {
            throw error
        } catch {
            throw ServingError(.invalidCertificate, "the certificate or its private key cannot be read", cause: error)
        }
    }
}
#endif
