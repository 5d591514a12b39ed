#if Server
import CommandSupport
import CredentialServingOperations
import CryptoCore
import Foundation
import IRMAServer
import IdemixCore

/// The certificates and keys of a server that have expired, or soon will.
struct ServerExpiries {
    private let now: Date
    /// The warnings, one for each certificate and key.
    private(set) var warnings: [String] = []

    /// The time before an expiry in which it is told.
    static let notice: TimeInterval = 30 * 86_400

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

    /// Warns of nothing yet.
    init(at now: Date) {
        self.now = now
    }

    /// Adds the certificates of listeners, and those of the connection to Redis.
    mutating func add(_ listeners: [ConfigurationKey<String>], of configuration: ServerConfiguration) throws {
        for key in listeners + [StoreKeys.certificate] {
            guard let pem = try configuration.valueIfPresent(of: key), !pem.isEmpty else { continue }
            add(pem: pem, key.declaration.name)
        }
        let file = StoreKeys.clientCertificateFile
        if let path = try configuration.valueIfPresent(of: file), !path.isEmpty {
            let bytes = try InputFile(argument: path).read(sizeLimit: 1 << 20)
            add(pem: String(decoding: bytes, as: UTF8.self), file.declaration.name)
        }
    }

    mutating func add(_ keys: IssuerKeyRing) {
        for issuer in keys.issuers {
            // The others sign no more.
            guard let key = keys.newest(of: issuer)?.publicKey else { continue }
            add("key \(key.counter) of the issuer \(issuer)", expiringAt: key.expiryDate)
        }
    }

    private mutating func add(pem: String, _ name: String) {
        // Certificates that this reader does not take are for TLS to judge.
        for certificate in (try? Certificate.all(inPEM: pem)) ?? [] { add(certificate, name) }
    }

    private mutating func add(_ certificate: Certificate, _ name: String) {
        let subject = "\(name): the certificate of \(certificate.subject)"
        if certificate.notValidBefore > now {
            warnings.append("\(subject) is not valid before \(certificate.notValidBefore.utcText)")
        }
        add(subject, expiringAt: certificate.notValidAfter)
    }

    private mutating func add(_ subject: String, expiringAt expiry: Date) {
        if expiry < now {
            warnings.append("\(subject) has expired on \(expiry.utcText)")
        } else if expiry < now + Self.notice {
            warnings.append("\(subject) expires on \(expiry.utcText)")
        }
    }
}
#endif
