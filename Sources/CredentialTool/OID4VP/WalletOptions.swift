import ArgumentParser
import COSEKit
import CommandSupport
import CryptoCore
import DIDKit
import Foundation
import JOSEKit
import JSONKit
import LinkedDataKit
import MdocKit
import OID4VPKit
import OID4VPMessages
import SDJWTKit

/// A wallet on the command line: credentials in files with the keys that they are bound to, and a wallet in a file.
struct WalletOptions: ParsableArguments {
    @Option(
        name: .long,
        help: """
            A credential to choose from: an IssuerSigned, an SD-JWT, or a W3C credential with proofs or as a token; may \
            be repeated.
            """
    )
    var credential: [InputFile] = []

    @Option(name: .long, help: "A private key of the holder: PEM or JWK; may be repeated.")
    var holderKey: [InputFile] = []

    @Option(
        name: .customLong("wallet"),
        help: "The file of a wallet of `credential wallet` to choose from; it counts the copies.",
        completion: .file()
    )
    var storedWallet: String?

    @Option(name: .long, help: "The file of the wallet's key.")
    var walletKey: InputFile?

    @Option(
        name: .long,
        help: "The holder of W3C credentials: the DID URL of the first key; by default that of a DID that is the key."
    )
    var holder: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The suite for linked-data presentations; by default one that fits the key.",
            valueName: "name"
        )
    )
    var suite: ProofSuiteArgument?

    @Option(
        name: .long,
        help: ArgumentHelp(
            """
            A type of transaction that may be authorized, with the members that it defines; may be repeated. By default \
            every request with a transaction is refused.
            """,
            valueName: "type[=member,member]"
        )
    )
    var transactionType: [TransactionTypeArgument] = []

    @OptionGroup var contexts: LinkedDataOptions

    /// The types of transactions that may be authorized.
    var transactionTypes: TransactionDataTypes {
        TransactionDataTypes(Dictionary(transactionType.map { ($0.name, $0.members) }) { $0.union($1) })
    }

    func validate() throws {
        guard (storedWallet == nil) == (walletKey == nil), !credential.isEmpty || storedWallet != nil else {
            throw ValidationError("name credentials with --credential, or --wallet with --wallet-key")
        }
        guard !credential.contains(where: \.isStandardInput) else {
            throw ValidationError("--credential takes files: standard input is for the request, or for the answer")
        }
    }

    /// The wallet, with the copies that can be presented at a time.
    func wallet(at time: Date) async throws -> FileWallet {
        let keys = try holderKey.map { file in try file.reading("private key") { try file.jwk().privateKey() } }
        let processor = try contexts.processor()
        var wallet = FileWallet(signers: try keys.map { try SoftwareSigner($0) })
        let holder = CommandLineHolder(keys: keys, name: try holder.map { try DIDURL($0) }, suite: suite?.suite)
        for file in credential {
            let name = CredentialName(file.path)
            let credential = try file.credential(named: name, using: processor, contexts.linkedData) { subject in
                holder.identity(as: subject).map { wallet.holders[name] = $0 } != nil
            } hasKey: {
                holder.hasKey(of: $0)
            }
            wallet.files.append(credential)
        }
        if let storedWallet, let walletKey {
            try await wallet.add(from: StoredCredentials(at: storedWallet, key: walletKey), at: time)
        }
        wallet.prover = LinkedDataProver(processor: processor, options: contexts.linkedData)
        return wallet
    }
}

/// A type of transactions on the command line, with the members that it defines: `payment=amount,payee`.
struct TransactionTypeArgument: ExpressibleByArgument, Sendable {
    let name: ExactText
    let members: Set<ExactText>

    init?(argument: String) {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard let name = parts.first, !name.isEmpty else { return nil }
        self.name = ExactText(String(name))
        members = Set(parts.dropFirst().flatMap { $0.split(separator: ",") }.map { ExactText(String($0)) })
    }
}

extension InputFile {
    /// A credential of any format.
    ///
    /// - Parameters:
    ///   - name: The name in the wallet.
    ///   - processor: Expands the types of W3C credentials.
    ///   - options: The options of JSON-LD.
    ///   - isBound: Takes the subject of a W3C credential, and tells that the wallet has its key.
    ///   - hasKey: Takes the key that another credential is bound to, and tells that the wallet has it.
    fileprivate func credential(
        named name: CredentialName,
        using processor: JSONLDProcessor,
        _ options: JSONLDOptions,
        isBound: (String) -> Bool,
        hasKey: (CommandLineHolder.Binding) -> Bool
    ) throws -> PresentableCredential {
        let text = Array(TextClass.trimmed(try read()))
        if text.first == UInt8(ascii: "{") || isToken(text) {
            return try reading("credential") {
                if text.contains(UInt8(ascii: "~")) || isSDJWTInJSON(text) {
                    let sdJWT = try sdJWT()
                    let confirmation = try? JWTClaims(try sdJWT.unverifiedPayload().claims).confirmation()
                    let hasHolderKey = confirmation.map { hasKey(.confirmation($0)) } ?? false
                    return .sdJWT(try SDJWTCredential(name: name, sdJWT, hasHolderKey: hasHolderKey))
                }
                let credential = try VerifiableCredential(decoding: text)
                func w3c(isHolderBound: Bool) throws -> W3CCredential {
                    try W3CCredential(
                        name: name,
                        credential,
                        isHolderBound: isHolderBound,
                        using: processor,
                        options: options
                    )
                }
                let unbound = try w3c(isHolderBound: false)
                let subject = unbound.claims["credentialSubject"]
                let id = (subject?[0] ?? subject)?["id"]?.stringValue
                guard let id, isBound(id) else { return .w3c(unbound) }
                return .w3c(try w3c(isHolderBound: true))
            }
        }
        let stored = StoredMdoc(id: name.text, issuerSigned: try issuerSigned())
        let deviceKey = try? stored.issuerSigned.deviceKeyInfo.deviceKey.publicKey()
        return .mdoc(MdocCredential(stored, hasDeviceKey: deviceKey.map { hasKey(.key($0)) } ?? false))
    }

    /// Returns `true` for an SD-JWT, compact or in JSON.
    func holdsSDJWT() throws -> Bool {
        let text = Array(TextClass.trimmed(try read()))
        return text.contains(UInt8(ascii: "~")) && isToken(text) || isSDJWTInJSON(text)
    }

    /// Returns `true` for a JWS, with the Disclosures of an SD-JWT or without.
    private func isToken(_ text: [UInt8]) -> Bool {
        let token = String(decoding: text.prefix { $0 != UInt8(ascii: "~") }, as: UTF8.self)
        return (try? JWT(compact: token)) != nil
    }

    /// Returns `true` for a JWS in JSON.
    private func isSDJWTInJSON(_ text: [UInt8]) -> Bool {
        guard let value = try? JSONValue(parsing: text) else { return false }
        return value["payload"] != nil && (value["signature"] != nil || value["signatures"] != nil)
    }
}
