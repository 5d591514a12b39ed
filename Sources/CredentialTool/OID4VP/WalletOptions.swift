import ArgumentParser
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
        for file in credential {
            let name = CredentialName(file.path)
            let credential = try file.credential(named: name, using: processor) { subject in
                try boundHolder(subject, keys).map { wallet.holders[name] = $0 } != nil
            }
            wallet.credentials.append(credential)
        }
        if let storedWallet, let walletKey {
            try await wallet.add(from: StoredCredentials(at: storedWallet, key: walletKey), at: time)
        }
        wallet.prover = LinkedDataProver(processor: processor, options: contexts.linkedData)
        return wallet
    }

    /// The holder by the key that the subject of a credential is bound to; nil if none of the keys is.
    private func boundHolder(_ subject: String, _ keys: [PrivateKey]) throws -> W3CHolder? {
        for (place, key) in keys.enumerated() {
            var names = [DIDURL]()
            if place == 0, let holder { names.append(try DIDURL(holder)) }
            if let did = try? DID.key(key.publicKey) { names.append(try DIDURL(did.text + "#" + did.identifier)) }
            if let did = try? DID.jwk(key.publicKey) { names.append(try DIDURL(did.text + "#0")) }
            guard let name = names.first(where: { $0.did.text == subject }) else { continue }
            return W3CHolder(verificationMethod: name, key: key.publicKey, suite: presentationSuite(for: key))
        }
        return nil
    }

    private func presentationSuite(for key: PrivateKey) -> LinkedDataProofSuite {
        if let suite { return suite.suite }
        switch key.publicKey.curve {
        case .ed25519: return .eddsaRDFC2022
        case .p256, .p384: return .ecdsaRDFC2019
        default: return .jsonWebSignature2020
        }
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
    ///   - isBound: Takes the subject of a W3C credential, and tells that the wallet has its key.
    fileprivate func credential(
        named name: CredentialName,
        using processor: JSONLDProcessor,
        isBound: (String) throws -> Bool
    ) throws -> PresentableCredential {
        let text = Array(TextClass.trimmed(try read()))
        if text.first == UInt8(ascii: "{") || isToken(text) {
            return try reading("credential") {
                if text.contains(UInt8(ascii: "~")) || isSDJWTInJSON(text) {
                    return .sdJWT(try SDJWTCredential(name: name, try sdJWT()))
                }
                let credential = try VerifiableCredential(decoding: text)
                let unbound = try W3CCredential(name: name, credential, isHolderBound: false, using: processor)
                let subject = unbound.claims["credentialSubject"]
                let id = (subject?[0] ?? subject)?["id"]?.stringValue
                guard let id, try isBound(id) else { return .w3c(unbound) }
                return .w3c(try W3CCredential(name: name, credential, isHolderBound: true, using: processor))
            }
        }
        return .mdoc(MdocCredential(StoredMdoc(id: name.text, issuerSigned: try issuerSigned())))
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
