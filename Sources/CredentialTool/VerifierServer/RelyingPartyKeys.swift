#if Server
import CredentialServingOperations

/// The members of a relying party: options of `credential oid4vp request` and `credential oid4vp verify`.
///
/// Files are named, so that no key of a party stands in the configuration.
enum RelyingPartyKeys {
    static let certificateFile = ConfigurationKey.text(
        "\(table).*.certificate_file",
        help: "File with the certificate of the key and intermediate ones in PEM."
    )
    static let trustFiles = ConfigurationKey.list(
        "\(table).*.trust_files",
        help: "Files of trusted issuing authorities: PEM, DER or a VICAL."
    )

    private static let texts = [
        text("client", "client", "Client identifier towards wallets, such as x509_hash or x509_san_dns:HOST."),
        text("key_file", "key", "File with the private key that signs requests: PEM or JWK."),
        Member(key: certificateFile, option: "certificate"),
        text("attestation_file", "attestation", "File with the verifier attestation."),
        text("key_id", "key-id", "Name of the key among those that wallets know."),
        text("trust_chain_file", "trust-chain", "File with the statements of a federation, a JSON array."),
        text("encryption_key_file", "encryption-key", "File with the JWK that answers are encrypted to."),
        text("profile", "profile", "Profile to keep to: haip or iso18013-7."),
        text("issuer_key_file", "issuer-key", "File with the public key of the issuer of SD-JWTs."),
        text("status_key_file", "status-key", "File with the public key of the signer of status lists for SD-JWTs."),
    ]
    private static let lists = [
        list("origins", "origin", "Origins of the party's pages, for the Digital Credentials API."),
        list("tolerated_rules", "tolerate-rule", "Rules of the profile whose breach is no refusal."),
        list("profile_algorithms", "profile-algorithm", "Further algorithms for requests under the profile."),
        Member(key: trustFiles, option: "trust"),
        list("retired_encryption_key_files", "retired-encryption-key", "Files with JWKs of earlier answers."),
        list("trusted_issuers", "trust-issuer", "Trusted issuers of W3C credentials, by their identifiers."),
        list("did_document_files", "did-document", "Files with the documents of DIDs that are not keys themselves."),
        list("status", "status", "Files and URLs of status lists."),
        list("status_trust_files", "status-trust", "Files of trusted authorities for signers of status lists."),
        list("status_list_files", "status-list", "Files with the credentials of bitstring status lists, as url=file."),
        list("context_files", "context", "Files with contexts of JSON-LD, as url=file."),
        list("vocabularies", "vocabulary", "Vocabularies of JSON-LD that may give a meaning to undefined terms."),
    ]
    private static let flags = [
        flag("online_status", "online-status", "Fetches the status lists that credentials name."),
        flag("ignore_status", "ignore-status", "Takes credentials whatever their status; the result says so."),
        flag("tolerant", "tolerant", "Reads the known deviations of deployed wallets."),
    ]

    /// The path of the table of relying parties.
    static let table = "relying_parties"

    static let all =
        texts.map(\.key.declaration) + lists.map(\.key.declaration) + flags.map(\.key.declaration)

    /// A relying party as words of the command line.
    static func words(of name: String, in configuration: ServerConfiguration) throws(OperationsError) -> [String] {
        var words: [String] = []
        for text in texts {
            if let value = try configuration.valueIfPresent(of: text.key, named: name) {
                words.append("--\(text.option)=\(value)")
            }
        }
        for list in lists {
            let values = try configuration.valueIfPresent(of: list.key, named: name) ?? []
            words += values.map { "--\(list.option)=\($0)" }
        }
        for flag in flags where try configuration.valueIfPresent(of: flag.key, named: name) == true {
            words.append("--\(flag.option)")
        }
        return words
    }

    /// Indicates that a relying party names an issuer that it trusts.
    static func trusts(_ name: String, in configuration: ServerConfiguration) throws(OperationsError) -> Bool {
        let trusting = ["--trust=", "--trust-issuer=", "--issuer-key="]
        return try words(of: name, in: configuration).contains { word in trusting.contains { word.hasPrefix($0) } }
    }

    /// A message about options, with the names of the members instead.
    static func namingMembers(in message: String) -> String {
        let names = texts.map(\.named) + lists.map(\.named) + flags.map(\.named)
        // Of two options of which one begins with the other, the longer one is first.
        return names.sorted { $0.option.count > $1.option.count }.reduce(message) { text, named in
            text.replacing("--" + named.option, with: named.member)
        }
    }

    private struct Member<Value: Sendable>: Sendable {
        let key: ConfigurationKey<Value>
        let option: String

        /// The option and the name of the member.
        var named: (option: String, member: String) { (option, key.declaration.path.last ?? option) }
    }

    private static func text(_ name: String, _ option: String, _ help: String) -> Member<String> {
        Member(key: .text("\(table).*.\(name)", help: help), option: option)
    }

    private static func list(_ name: String, _ option: String, _ help: String) -> Member<[String]> {
        Member(key: .list("\(table).*.\(name)", help: help), option: option)
    }

    private static func flag(_ name: String, _ option: String, _ help: String) -> Member<Bool> {
        Member(key: .boolean("\(table).*.\(name)", help: help), option: option)
    }
}
#endif
