#if Client
package import CredentialTransport
import NIOSSL

extension GuardedHTTPTransport {
    /// The transport of the command that is running: directly, or through the proxies that its environment names.
    ///
    /// - Parameters:
    ///   - addressGuard: The addresses that may be contacted.
    ///   - authorities: The authorities that vouch for servers, beside the system's.
    /// - Throws: ``ToolError`` for a malformed variable of the environment, and for files without certificates.
    package static func ofCommand(
        _ addressGuard: AddressGuard = AddressGuard(),
        trusting authorities: AuthorityOptions? = nil
    ) throws(ToolError) -> GuardedHTTPTransport {
        try ofCommand(addressGuard, trusting: authorities?.files ?? [], of: "--ca-file")
    }

    /// The transport of the command that is running, with authorities of a setting.
    ///
    /// - Parameters:
    ///   - addressGuard: The addresses that may be contacted.
    ///   - files: The files of authorities that vouch for servers, beside the system's.
    ///   - setting: The name of the setting, for errors.
    /// - Throws: ``ToolError`` for a malformed variable of the environment, and for files without certificates.
    package static func ofCommand(
        _ addressGuard: AddressGuard,
        trusting files: [InputFile],
        of setting: String
    ) throws(ToolError) -> GuardedHTTPTransport {
        let proxies = try HTTPProxyRules(environment: Console.current.environment)
        var tls = TLSConfiguration.makeClientConfiguration()
        let certificates = try certificates(in: files, of: setting)
        if !certificates.isEmpty { tls.additionalTrustRoots = [.certificates(certificates)] }
        return GuardedHTTPTransport(
            connector: AsyncHTTPClientConnector(tls: tls, proxies: proxies),
            addressGuard: addressGuard,
            clock: Console.current.timer
        )
    }

    /// The certificates of all files.
    private static func certificates(
        in files: [InputFile],
        of setting: String
    ) throws(ToolError) -> [NIOSSLCertificate] {
        var certificates: [NIOSSLCertificate] = []
        for file in files {
            let bytes = try file.read(sizeLimit: 1 << 22)
            do {
                let found = try NIOSSLCertificate.fromPEMBytes(bytes)
                guard !found.isEmpty else { throw ToolError("there is no certificate") }
                certificates += found
            } catch {
                throw ToolError("\(setting): \(file.name): \(error)")
            }
        }
        return certificates
    }
}
#endif
