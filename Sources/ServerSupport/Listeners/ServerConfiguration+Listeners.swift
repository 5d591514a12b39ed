#if Server
import CommandSupport
package import CredentialServing
import CredentialServingHummingbird
package import CredentialServingOperations
import NIOSSL

extension ServerConfiguration {
    /// The certificate of two keys, or nil if neither is given; a reload reads the files of both again.
    package func certificate(
        _ chainKey: ConfigurationKey<String>,
        _ keyKey: ConfigurationKey<Sensitive<String>>
    ) throws -> ListenerCertificate? {
        let name = chainKey.declaration.name
        let chain = try valueIfPresent(of: chainKey) ?? ""
        let key = try valueIfPresent(of: keyKey)
        guard !chain.isEmpty || key != nil else { return nil }
        guard !chain.isEmpty, key != nil else {
            throw ToolError("\(name): a certificate and its private key go together")
        }
        do {
            return ListenerCertificate(
                name: name,
                certificate: try ServerCertificate { (try currentChain(chainKey), try currentKey(keyKey)) },
                isInFile: file(of: chainKey) != nil || file(of: keyKey) != nil
            )
        } catch {
            throw ToolError("\(name): \(error)")
        }
    }

    private func currentChain(_ key: ConfigurationKey<String>) throws(ServingError) -> [NIOSSLCertificate] {
        do {
            return try NIOSSLCertificate.fromPEMBytes(Array((try currentValueIfPresent(of: key) ?? "").utf8))
        } catch {
            throw Self.unreadable("no certificate in PEM can be read", key.declaration, error)
        }
    }

    private func currentKey(_ key: ConfigurationKey<Sensitive<String>>) throws(ServingError) -> NIOSSLPrivateKey {
        do {
            let text = try currentValueIfPresent(of: key) ?? Sensitive("")
            return try text.withValue { try NIOSSLPrivateKey(bytes: Array($0.utf8), format: .pem) }
        } catch {
            throw Self.unreadable("no private key in PEM can be read", key.declaration, error)
        }
    }

    private static func unreadable(
        _ message: String,
        _ key: ConfigurationDeclaration,
        _ cause: any Error
    ) -> ServingError {
        ServingError(.invalidCertificate, message, path: [key.name], cause: cause)
    }

    /// The proxies whose word on a client's address is taken, or nil for none.
    package func trustedProxies() throws -> TrustedProxies? {
        let texts = try value(of: ListenerKeys.trustedProxies)
        guard !texts.isEmpty else { return nil }
        do {
            return TrustedProxies(try texts.map { try AddressRange($0) }, field: .xForwardedFor)
        } catch {
            throw ToolError("trusted_proxies: \(error)")
        }
    }
}
#endif
