import ArgumentParser
import CommandSupport
import CryptoCore

/// The key and certificate that a reader signs its requests with, if it does.
struct ReaderKeyOptions: ParsableArguments {
    @Option(name: .long, help: "The reader's private key, to sign the request with: PEM.")
    var readerSigningKey: InputFile?

    @Option(name: .long, help: "The reader's certificate, and intermediate ones after it: PEM.")
    var readerCertificate: InputFile?

    func validate() throws {
        guard (readerSigningKey == nil) == (readerCertificate == nil) else {
            throw ValidationError("--reader-signing-key and --reader-certificate belong together")
        }
    }

    /// A reader's signer with its certificates, leaf first.
    typealias Identity = (signer: SoftwareSigner, x5chain: [Certificate])

    /// The signer of the request; nil for an unsigned one.
    func identity() throws -> Identity? {
        guard let readerSigningKey, let readerCertificate else { return nil }
        return (try SoftwareSigner(try readerSigningKey.privateKey()), try readerCertificate.certificates())
    }
}
