import ArgumentParser
import CommandSupport
import CryptoCore
import Foundation
import JSONKit
import MdocKit
import MdocWallet
import SDJWTKit
import SDJWTWallet

/// `credential wallet`: a wallet of mdocs and SD-JWT VCs in an encrypted file.
struct WalletCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "wallet",
        abstract:
            "Keeps mdocs and SD-JWT VCs in an encrypted file: several copies of each, counted as they are presented.",
        discussion: """
            `credential mdoc engage` and `credential oid4vp present` present from it with --wallet FILE --wallet-key KEY. The key \
            file opens the wallet, and the wallet holds the private keys of its credentials: keep both to yourself.
            """,
        subcommands: [
            WalletInitCommand.self, WalletAddCommand.self, WalletListCommand.self, WalletShowCommand.self,
            WalletRemoveCommand.self,
        ]
    )
}

/// `credential wallet init`: makes an empty wallet.
struct WalletInitCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Makes an empty wallet, and its key unless the key file exists."
    )

    @Argument(help: "The file of the wallet to make.", completion: .file())
    var wallet: String

    @Option(name: .long, help: "The file of the key: one that exists, or one to make.", completion: .file())
    var walletKey: String

    @OptionGroup var outputOptions: OutputOptions

    func outcome() async throws -> Outcome {
        guard !FileManager.default.fileExists(atPath: wallet) else {
            throw ToolError("\(wallet.escapedForDisplay(backslash: true)) exists already")
        }
        let makesKey = !FileManager.default.fileExists(atPath: walletKey)
        if makesKey {
            let random = SecretBytes.random(count: 32)
            var text = random.withUnsafeBytes { bytes in
                bytes.flatMap { Array((($0 < 16 ? "0" : "") + String($0, radix: 16)).utf8) }
            }
            defer { wipe(&text) }
            try OutputFile(path: walletKey).write(text, mode: 0o600, replacing: false)
        }
        let secret = SecretBytes(try InputFile(argument: walletKey).decoded().bytes)
        try FileCredentialStorage(path: wallet, key: secret).create()
        return Outcome(
            report: .fields(["wallet": .verbatim(wallet), "key": .verbatim(walletKey), "key made": .flag(makesKey)])
        )
    }
}

/// `credential wallet list`: the credentials.
struct WalletListCommand: ReportingCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "Lists the credentials.")

    @OptionGroup var wallet: StoredWallet

    @OptionGroup var outputOptions: OutputOptions

    func outcome() async throws -> Outcome {
        let now = Console.current.now()
        let credentials = try await wallet.credentials().all()
        return Outcome(report: .fields(["credentials": .list(credentials.map { $0.outline(at: now) })]))
    }
}

/// `credential wallet show`: one credential.
struct WalletShowCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Shows a credential: its copies with their uses, and its elements or claims."
    )

    @OptionGroup var wallet: StoredWallet

    @Argument(help: "The identifier of the credential.")
    var id: String

    @OptionGroup var outputOptions: OutputOptions

    func outcome() async throws -> Outcome {
        let now = Console.current.now()
        let credentials = try wallet.credentials()
        let found = try await credentials.credential(id)
        var elements: Outline?
        var claims: Outline?
        switch found {
        case .mdoc: elements = try await credentials.mdocs.copyToShow(of: id)?.elements
        case .sdJWT: claims = try await credentials.sdJWTs.copyToShow(of: id)?.claims()
        }
        return Outcome(
            report: .fields([
                "credential": found.credential.outline(at: now),
                "copies": found.credential.copiesOutline(at: now),
                "elements": elements,
                "claims": claims,
            ])
        )
    }
}

extension StoredMdoc {
    /// The elements by namespace.
    fileprivate var elements: Outline {
        .fields(
            issuerSigned.nameSpaces.map { group in
                let items = group.items.map {
                    (name: $0.elementIdentifier.text, value: Outline.text($0.elementValue.readableText))
                }
                return (name: group.nameSpace.text, value: .fields(items))
            }
        )
    }
}

extension StoredSDJWT {
    /// The claims, those of the Disclosures among them.
    fileprivate func claims() throws -> Outline { .json(.object(try sdJWT.unverifiedPayload().claims)) }
}

/// `credential wallet remove`: removes a credential.
struct WalletRemoveCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Removes a credential with all its copies and their keys."
    )

    @OptionGroup var wallet: StoredWallet

    @Argument(help: "The identifier of the credential.")
    var id: String

    @OptionGroup var outputOptions: OutputOptions

    func outcome() async throws -> Outcome {
        let credentials = try wallet.credentials()
        let found = try await credentials.credential(id)
        switch found {
        case .mdoc(let credential): try await credentials.mdocs.remove(credential.id)
        case .sdJWT(let credential): try await credentials.sdJWTs.remove(credential.id)
        }
        return Outcome(
            report: .fields(["removed": .text(found.credential.id), "type": .verbatim(found.credential.type)])
        )
    }
}
