import Credentials
import Foundation

/// The folder that the two processes share.
struct SharedFolder {
    private let url: URL

    init(path: String) {
        url = URL(fileURLWithPath: path)
    }

    /// Where the holder listens; the engagement tells the reader.
    var socket: SocketEndpoint { .unix(path: url.appendingPathComponent("wallet.socket").path) }

    private var authority: URL { url.appendingPathComponent("iaca.pem") }

    /// Puts the certificate of the issuing authority there.
    func publish(_ certificate: Certificate) throws {
        try Data(certificate.pem.utf8).write(to: authority)
    }

    /// The certificate of the issuing authority.
    func issuingAuthority() throws -> Certificate {
        try Certificate(pem: String(contentsOf: authority, encoding: .utf8))
    }
}
