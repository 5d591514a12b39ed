#if Server
import CommandSupport
import CredentialServing
import CredentialServingHummingbird
package import Foundation
package import Logging
import NIOSSL

/// Loads the certificates of a server's listeners again when the process gets a signal.
package struct CertificateRenewal: Sendable {
    private let certificates: [ListenerCertificate]
    private let logger: Logger
    private let now: @Sendable () -> Date

    /// A renewal.
    ///
    /// - Parameters:
    ///   - certificates: The certificates of the listeners; none for listeners without TLS.
    ///   - logger: The log of each certificate that was loaded again, and of each that stays.
    ///   - now: The time, for certificates that have expired.
    package init(_ certificates: [ListenerCertificate], logger: Logger, now: @escaping @Sendable () -> Date) {
        self.certificates = certificates
        self.logger = logger
        self.now = now
    }

    /// Loads the certificates again at each signal, until the signals end or the task is cancelled.
    package func run(at signals: some AsyncSequence<some Sendable, Never>) async {
        for await _ in signals { renew() }
    }

    /// Loads the certificates again; one that cannot be used leaves the earlier one in use.
    private func renew() {
        let replaceable = certificates.filter(\.isInFile)
        if replaceable.isEmpty { logger.info("no certificate of a listener is in a file: nothing is loaded again") }
        for listener in replaceable {
            do throws(ServingError) {
                try listener.certificate.reload()
                logger.notice("\(listener.name): the certificate was loaded again\(validity(of: listener))")
                warn(of: listener)
            } catch {
                logger.error("\(listener.name): the certificate so far stays in use", error: error)
            }
        }
    }

    private func validity(of listener: ListenerCertificate) -> String {
        listener.certificate.chain.first.map { ", and is valid until \($0.expiry.utcText)" } ?? ""
    }

    private func warn(of listener: ListenerCertificate) {
        var expiries = ServerExpiries(at: now())
        for certificate in listener.certificate.chain {
            expiries.add("\(listener.name): a certificate", expiringAt: certificate.expiry)
        }
        for warning in expiries.warnings { logger.warning("\(warning)") }
    }
}

extension NIOSSLCertificate {
    fileprivate var expiry: Date { Date(timeIntervalSince1970: TimeInterval(notValidAfter)) }
}
#endif
