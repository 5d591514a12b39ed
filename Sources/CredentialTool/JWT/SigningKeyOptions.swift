import ArgumentParser
import CommandSupport
import CryptoCore
import JOSEKit
import JSONKit

/// The key that a token is signed with, and how the header names it.
struct SigningKeyOptions: ParsableArguments {
    @Option(name: .long, help: "The issuer's private key: PEM or JWK.")
    var issuerKey: InputFile

    @Option(name: .long, help: "The issuer's certificate, and intermediate ones after it, for x5c: PEM.")
    var issuerCertificate: InputFile?

    @Option(name: .long, help: "The key's identifier, for kid.")
    var keyID: String?

    @Option(name: .long, help: "The signature algorithm; by default the one that fits the key.")
    var algorithm: SignatureAlgorithmName?

    func signer() throws -> SoftwareSigner {
        try issuerKey.jwk().signer(algorithm: algorithm?.algorithm)
    }

    /// A header that names the key.
    func header() throws -> JOSEHeader {
        var header = JOSEHeader()
        if let keyID { header["kid"] = .string(keyID) }
        if let issuerCertificate {
            header.setCertificateChain(try issuerCertificate.certificates().map(\.derBytes))
        }
        return header
    }
}
