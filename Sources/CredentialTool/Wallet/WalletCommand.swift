import ArgumentParser
import CommandSupport
import CryptoCore
import Foundation
import MdocKit
import MdocWallet

/// `credential wallet`: a wallet of mobile documents in an encrypted file.
struct WalletCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "wallet",
        abstract: "Keeps mobile documents in an encrypted file: several copies of each, counted as they are presented.",
        discussion: """
            `credential mdoc engage` and `credential oid4vp present` present from it with --wallet FILE --wallet-key KEY. The key \
            file opens the wallet, and the wallet holds the private keys of its documents: keep both to yourself.
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
    var key: String

    @OptionGroup var outputOptions: OutputOptions

    func outcome() async throws -> Outcome {
        guard !FileManager.default.fileExists(atPath: wallet) else {
            throw ToolError("\(wallet.escapedForDisplay(backslash: true)) exists already")
        }
        let makesKey = !FileManager.default.fileExists(atPath: key)
        if makesKey {
            let random = SecretBytes.random(count: 32)
            var text = random.withUnsafeBytes { bytes in
                bytes.flatMap { Array((($0 < 16 ? "0" : "") + String($0, radix: 16)).utf8) }
            }
            defer { wipe(&text) }
            try OutputFile(path: key).write(text, mode: 0o600, replacing: false)
        }
        let secret = SecretBytes(try InputFile(argument: key).decoded().bytes)
        try FileMdocStorage(path: wallet, key: secret).create()
        return Outcome(
            report: .fields(["wallet": .verbatim(wallet), "key": .verbatim(key), "key made": .flag(makesKey)])
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
        let credentials = try await wallet.store().credentials()
        return Outcome(report: .fields(["credentials": .list(credentials.map { $0.outline(at: now) })]))
    }
}

/// `credential wallet show`: one credential.
struct WalletShowCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Shows a credential: its copies with their uses, and its elements."
    )

    @OptionGroup var wallet: StoredWallet

    @Argument(help: "The identifier of the credential.")
    var id: String

    @OptionGroup var outputOptions: OutputOptions

    func outcome() async throws -> Outcome {
        let now = Console.current.now()
        let store = try wallet.store()
        let credential = try await StoredWallet.credential(id, in: store)
        let elements = try await store.document(of: id)?.nameSpaces.map { group in
            let items = group.items.map {
                (name: $0.elementIdentifier.text, value: Outline.text($0.elementValue.readableText))
            }
            return (name: group.nameSpace.text, value: Outline.fields(items))
        }
        return Outcome(
            report: .fields([
                "credential": credential.outline(at: now),
                "copies": credential.copiesOutline(at: now),
                "elements": elements.map { .fields($0) },
            ])
        )
    }
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
        let store = try wallet.store()
        let credential = try await StoredWallet.credential(id, in: store)
        try await store.remove(credential.id)
        return Outcome(
            report: .fields(["removed": .text(credential.id), "docType": .verbatim(credential.docType.text)])
        )
    }
}
