#if Client && SQLite
import JSONKit
import ArgumentParser
import CommandSupport
import Foundation
import IRMAClient
import IRMAMessages

/// `irma wallet`: a wallet in a file.
struct WalletCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "wallet",
        abstract: "A wallet in a file.",
        discussion: """
            The file is encrypted with the wallet's key; without the key it is lost. One command at a time works with a \
            wallet: another waits for it for ten seconds. The file FILE.lock beside the wallet's is for that.
            """,
        subcommands: [
            WalletListCommand.self, WalletShowCommand.self, WalletSessionCommand.self, WalletDeleteCommand.self,
            WalletLogCommand.self, WalletEnrolCommand.self, WalletRenewCommand.self,
            WalletChangePINCommand.self, WalletUnenrolCommand.self,
        ]
    )
}

/// `irma wallet list`: lists the credentials.
struct WalletListCommand: ReportingCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "Lists the credentials.")

    @OptionGroup var wallet: WalletFileOptions
    @OptionGroup var outputOptions: OutputOptions

    func outcome() async throws -> Outcome {
        try await wallet.use { wallet in
            let now = Console.current.now()
            let credentials = await wallet.credentials().map { credential in
                Outline.fields([
                    "id": .text(credential.shortName), "type": .text(credential.type.text),
                    "expires": .text(credential.expiresAt.utcText),
                    "state": .text(credential.state(at: now)),
                ])
            }
            let accounts = try await wallet.accounts().map { account in
                Outline.fields([
                    "scheme": .text(account.scheme.text), "username": .verbatim(account.username),
                    "complete": .flag(account.isComplete),
                ])
            }
            return Outcome(report: .fields(["credentials": .list(credentials), "accounts": .list(accounts)]))
        }
    }
}

/// `irma wallet show`: shows the attributes of a credential.
struct WalletShowCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Shows the attributes of a credential."
    )

    @Argument(help: "The credential's id, or its beginning.")
    var id: String

    @OptionGroup var wallet: WalletFileOptions
    @OptionGroup var outputOptions: OutputOptions

    func outcome() async throws -> Outcome {
        let credential = try await wallet.use { wallet in try await wallet.credential(id) }
        let type = try await wallet.schemes.readableSnapshot().credentialType(credential.type)
        let attributes = credential.values.sorted { $0.key < $1.key }.map { index, value in
            (
                name: type?.attribute(at: index)?.name ?? "\(index)",
                value: value.map { Outline.verbatim($0) } ?? Outline.forms(people: "absent", machines: .null)
            )
        }
        return Outcome(
            report: .fields([
                "id": .text(credential.fullName), "type": .text(credential.type.text),
                "expires": .text(credential.expiresAt.utcText), "revoked": .flag(credential.isRevoked),
                "revocable": .flag(credential.hasWitness), "attributes": .fields(attributes),
            ])
        )
    }
}

/// `irma wallet delete`: deletes a credential.
struct WalletDeleteCommand: ReportingCommand {
    static let configuration = CommandConfiguration(commandName: "delete", abstract: "Deletes a credential.")

    @Argument(help: "The credential's id, or its beginning.")
    var id: String

    @OptionGroup var wallet: WalletFileOptions
    @OptionGroup var outputOptions: OutputOptions

    func outcome() async throws -> Outcome {
        try await wallet.use { wallet in
            let credential = try await wallet.credential(id)
            try await wallet.delete(credential: credential.hash)
            return Outcome(
                report: .fields(["deleted": .text(credential.fullName), "type": .text(credential.type.text)])
            )
        }
    }
}

/// `irma wallet log`: prints the log of sessions.
struct WalletLogCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "log",
        abstract: "Prints the log of sessions, the newest first."
    )

    @Option(name: [.customShort("n"), .long], help: "The largest number of entries.")
    var limit = 20

    @OptionGroup var wallet: WalletFileOptions
    @OptionGroup var outputOptions: OutputOptions

    func validate() throws {
        guard (1...10_000).contains(limit) else { throw ValidationError("--limit must be 1 to 10000") }
    }

    func outcome() async throws -> Outcome {
        let entries = try await wallet.use { wallet in try await wallet.log(limit: limit) }
        return Outcome(report: .list(entries.map(\.outline)))
    }
}

extension IRMAWallet {
    /// The credential with an id, or the only one whose id begins so.
    func credential(_ id: String) async throws -> HeldCredential {
        let found = await credentials().filter { $0.fullName.hasPrefix(id.lowercased()) }
        guard !id.isEmpty, let credential = found.first else { throw ToolError("no credential has the id \(id)") }
        guard found.count == 1 else { throw ToolError("\(found.count) credentials have an id that begins with \(id)") }
        return credential
    }
}

extension HeldCredential {
    /// The identity in hexadecimal.
    var fullName: String {
        hash.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// The state in a report.
    fileprivate func state(at time: Date) -> String {
        if isRevoked { return "revoked" }
        return expiresAt <= time ? "expired" : "valid"
    }

    /// The beginning of the identity, long enough for one wallet.
    var shortName: String { String(fullName.prefix(16)) }
}

extension SessionLogEntry {
    /// The entry as a report.
    var outline: Outline {
        .fields([
            "time": .text(time.utcText), "kind": .text(kind?.description ?? "removal"),
            "requestor": host.isEmpty ? nil : .verbatim(host),
            "disclosed": disclosed.isEmpty ? nil : .list(disclosed.map { .fields($0.map(\.member)) }),
            "issued": issued.isEmpty ? nil : .list(issued.map(\.outline)),
            "SD-JWT copies": copyRefusal.map { .verbatim("refused: \($0)") },
            "removed": removed.isEmpty ? nil : .list(removed.map(\.outline)),
            "message": signature.map { .verbatim($0.message) },
        ])
    }
}

extension LoggedAttribute {
    /// The attribute as a member of a report: without a value, a credential as a whole is present, and an attribute is absent.
    var member: (name: String, value: Outline) {
        let people: Outline = id.attribute == nil ? "present" : "absent"
        return (id.text, value.map { .verbatim($0) } ?? .forms(people: people, machines: .null))
    }
}

extension LoggedCredential {
    /// The credential as a report.
    var outline: Outline {
        .fields(["type": .text(type.text), "attributes": .fields(attributes.map(\.member))])
    }
}
#endif
