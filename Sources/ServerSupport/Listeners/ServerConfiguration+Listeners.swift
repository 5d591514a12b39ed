#if Server
import CommandSupport
package import CredentialServing
package import CredentialServingHummingbird
package import CredentialServingOperations
import NIOSSL

extension ServerConfiguration {
    /// The certificate of two keys, or nil if neither is given.
    package func certificate(
        _ chainKey: ConfigurationKey<String>,
        _ keyKey: ConfigurationKey<Sensitive<String>>
    ) throws -> ServerCertificate? {
        let chain = try valueIfPresent(of: chainKey) ?? ""
        let key = try valueIfPresent(of: keyKey)
        guard !chain.isEmpty || key != nil else { return nil }
        guard !chain.isEmpty, let key else {
            throw ToolError("\(chainKey.declaration.name): a certificate and its private key go together")
        }
        do {
            return try ServerCertificate {
                (
                    try NIOSSLCertificate.fromPEMBytes(Array(chain.utf8)),
                    try key.withValue { try NIOSSLPrivateKey(bytes: Array($0.utf8), format: .pem) }
                )
            }
        } catch {
            throw ToolError("\(chainKey.declaration.name): \(error)")
        }
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
