#if Server
import CommandSupport
package import CredentialServingOperations
package import CryptoCore
package import Foundation

/// The certificates, keys and lists of a server that have expired, or soon will.
package struct ServerExpiries {
    private let now: Date
    /// The warnings, one for each certificate, key and list.
    package private(set) var warnings: [String] = []

    /// The time before an expiry in which it is told.
    package static let notice: TimeInterval = 30 * 86_400

    /// Warns of nothing yet.
    package init(at now: Date) {
        self.now = now
    }

    /// Adds the certificates of listeners, and those of the connection to Redis.
    package mutating func add(_ listeners: [ConfigurationKey<String>], of configuration: ServerConfiguration) throws {
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

    private mutating func add(pem: String, _ name: String) {
        // Certificates that this reader does not take are for TLS to judge.
        for certificate in (try? Certificate.all(inPEM: pem)) ?? [] { add(certificate, name) }
    }

    package mutating func add(_ certificate: Certificate, _ name: String) {
        let subject = "\(name): the certificate of \(certificate.subject)"
        if certificate.notValidBefore > now {
            warnings.append("\(subject) is not valid before \(certificate.notValidBefore.utcText)")
        }
        add(subject, expiringAt: certificate.notValidAfter)
    }

    package mutating func add(_ subject: String, expiringAt expiry: Date) {
        if expiry < now {
            warnings.append("\(subject) has expired on \(expiry.utcText)")
        } else if expiry < now + Self.notice {
            warnings.append("\(subject) expires on \(expiry.utcText)")
        }
    }

    /// Adds something that others have replaced by now, though it may still be used.
    package mutating func add(_ subject: String, replaceableSince time: Date) {
        warnings.append("\(subject) was to be replaced on \(time.utcText): fetch the next one")
    }
}
#endif
