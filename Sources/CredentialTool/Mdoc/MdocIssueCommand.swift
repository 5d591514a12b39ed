import ArgumentParser
import CommandSupport
import CredentialTransport
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
            Elements of known document types are written as their tables have them: dates, times, and bytes from base64. Of \
            others, members whose name ends with _date become dates or times, and { "base64url": "…" } bytes. Elements that \
            are unknown to the tables or missing are warned of on standard error, and so is what contradicts the signer's \
            certificate; with --check nothing is issued.
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

    @Option(name: .long, help: "The start of the validity, in RFC 3339 such as 2024-10-01T12:00:00Z; by default now.")
    var validFrom: TimeArgument?

    @Option(
        name: .long,
        help:
            "The end of the validity, in RFC 3339 such as 2024-10-01T12:00:00Z; by default that of the signer's certificate."
    )
    var validUntil: TimeArgument?

    @Option(
        name: .long,
        help: "The hash function of the digests: SHA-256, SHA-384 or SHA-512.",
        transform: { name in
            guard DigestAlgorithm(name).hash != nil else {
                throw ValidationError("\(name) is none of SHA-256, SHA-384 and SHA-512")
            }
            return DigestAlgorithm(name)
        }
    )
    var digest = DigestAlgorithm.sha256

    @Option(name: .long, help: "The URL of the document's status list.")
    var statusListURI: String?

    @Option(name: .long, help: "The document's place in the status list.")
    var statusListIndex: UInt64?

    @Flag(
        name: .long,
        help: "Issue nothing where the claims depart from the tables of the document type or from the certificate."
    )
    var check = false

    @OptionGroup var encoding: BinaryOutputOptions

    func validate() throws {
        guard (statusListURI == nil) == (statusListIndex == nil) else {
            throw ValidationError("--status-list-uri and --status-list-index belong together")
        }
        if let statusListURI { try Self.requireURI(statusListURI) }
    }

    /// Refuses a URI from which no relying party could fetch a status list.
    private static func requireURI(_ text: String) throws {
        do {
            _ = try HTTPURL(text)
        } catch {
            throw ValidationError("--status-list-uri is no URI of a status list: \(error)")
        }
    }

    func run() async throws {
        let json = try claims.read()
        let claims = try self.claims.reading("set of claims") { try MdocClaims(json: json) }
        if check, !claims.deviations.isEmpty {
            for deviation in claims.deviations { Console.current.output("- \(deviation)") }
            throw ExitCode(1)
        }
        for warning in claims.warnings { Console.current.error("warning: \(warning.escapedForDisplay())") }
        let chain = try issuerCertificate.certificates()
        guard let signerCertificate = chain.first else { throw ToolError("\(issuerCertificate.name) is empty") }
        let now = Console.current.now()
        let validity = ValidityInfo(
            // A start in the past is the time of signing too: the standard forbids signing after it.
            signed: min(now, validFrom?.date ?? now),
            validFrom: validFrom?.date ?? now,
            validUntil: validUntil?.date ?? signerCertificate.notValidAfter
        )
        try report(claims.contradictions(to: signerCertificate, signedAt: validity.signed))
        var builder = IssuerSignedBuilder(
            docType: claims.docType,
            deviceKey: try deviceKey.publicKey(),
            validityInfo: validity
        )
        builder.digestAlgorithm = digest
        if let statusListURI, let statusListIndex {
            builder.status = MobileSecurityObject.Status(
                statusList: MobileSecurityObject.Status.StatusList(index: statusListIndex, uri: statusListURI)
            )
        }
        for group in claims.elements.groups {
            for (identifier, value) in group.elements { try builder.add(value, as: identifier, in: group.nameSpace) }
        }
        let credential = try await builder.sign(with: SoftwareSigner(try issuerKey.privateKey()), x5chain: chain)
        encoding.print(credential.encodedBytes, as: "mdoc IssuerSigned")
    }

    /// Warns of contradictions to the certificate; with `--check` they are the output, and nothing is issued.
    private func report(_ contradictions: [String]) throws {
        for contradiction in contradictions.map({ $0.escapedForDisplay() }) {
            if check {
                Console.current.output("- \(contradiction)")
            } else {
                Console.current.error("warning: \(contradiction)")
            }
        }
        if check, !contradictions.isEmpty { throw ExitCode(1) }
    }
}
