#if Server
import CredentialServingOperations
import Foundation
import IRMAServer
import IdemixCore
import ServerSupport

extension ServerExpiries {
    /// Looks at the certificates of TLS and of SD-JWT copies, and at the issuers' keys that sign.
    ///
    /// - Throws: The errors of the configuration.
    init(_ assembly: SessionServerAssembly, at now: Date) throws {
        self.init(at: now)
        let certificates = [ServerKeys.certificate, ServerKeys.clientCertificate]
        try add(certificates, of: assembly.settings.configuration)
        let copies = assembly.copyIssuers?.identities ?? [:]
        for (issuer, identity) in copies.sorted(by: { $0.key < $1.key }) {
            for certificate in identity.chain {
                add(certificate, "\(ServerKeys.certificatesOfCopies.declaration.name): \(issuer)")
            }
        }
        add(assembly.material.issuerKeys)
    }

    mutating func add(_ keys: IssuerKeyRing) {
        for issuer in keys.issuers {
            // The others sign no more.
            guard let key = keys.newest(of: issuer)?.publicKey else { continue }
            add("key \(key.counter) of the issuer \(issuer)", expiringAt: key.expiryDate)
        }
    }
}
#endif
