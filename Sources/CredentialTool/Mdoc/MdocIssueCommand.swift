import ArgumentParser
import CryptoCore
import Foundation
import JSONKit
import MdocKit

/// `credential mdoc issue`: signs a document from claims in JSON.
struct MdocIssueCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "issue",
        abstract: "Issues a document from claims in JSON; prints the IssuerSigned.",
        discussion: """
            The claims: { "docType": "org.iso.18013.5.1.mDL", "nameSpaces": { "org.iso.18013.5.1": { "family_name": "Doe", … } } }. \
            In members whose name ends with _date, YYYY-MM-DD becomes a full-date and an RFC 3339 time a tdate; \
            { "base64url": "…" } becomes a byte string.
            """
    )

    @Argument(help: "The claims, or - for standard input.")
    var claims = InputFile(argument: "-")

    @Option(name: .long, help: "The document signer's private key: PEM.")
    var issuerKey: InputFile

    @Option(name: .long, help: "The document signer's certificate, and intermediate ones after it: PEM.")
    var issuerCertificate: InputFile

    @Option(name: .long, help: "The key that the document is bound to: PEM or COSE_Key.")
    var deviceKey: InputFile

    @Option(name: .long, help: "When the validity begins, in RFC 3339; now without it.")
    var validFrom: Timestamp?

    @Option(name: .long, help: "When the validity ends, in RFC 3339; with the signer's certificate without it.")
    var validUntil: Timestamp?

    @Option(name: .long, help: "The hash function of the digests: SHA-256, SHA-384 or SHA-512.")
    var digest = "SHA-256"

    @OptionGroup var encoding: BinaryOutputOptions

    func run() async throws {
        let claims = try MdocClaims(json: claims.read())
        let chain = try issuerCertificate.certificates()
        guard let signerCertificate = chain.first else { throw ToolError("\(issuerCertificate.path) is empty") }
        let now = Console.current.now()
        let validity = ValidityInfo(
            signed: now,
            validFrom: validFrom?.date ?? now,
            validUntil: validUntil?.date ?? signerCertificate.notValidAfter
        )
        var builder = IssuerSignedBuilder(
            docType: claims.docType,
            deviceKey: try deviceKey.publicKey(),
            validityInfo: validity
        )
        builder.digestAlgorithm = DigestAlgorithm(digest)
        for (nameSpace, identifier, value) in claims.elements {
            try builder.add(value, as: identifier, in: nameSpace)
        }
        let credential = try await builder.sign(with: SoftwareSigner(try issuerKey.privateKey()), x5chain: chain)
        encoding.print(credential.encodedBytes, as: "mdoc IssuerSigned")
    }
}
