#if Client && SQLite
import ArgumentParser
import CommandSupport
import Foundation
import IRMAClient
import IRMAMessages

/// `irma wallet enrol`: enrols at the keyshare server of a scheme.
struct WalletEnrolCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "enrol",
        abstract: "Enrols at the keyshare server of a scheme.",
        discussion: "The command asks for the PIN, or takes it from IRMA_WALLET_PIN.",
        aliases: ["enroll"]
    )

    @Argument(help: "The scheme.")
    var scheme: String

    @OptionGroup var wallet: WalletFileOptions
    @OptionGroup var outputOptions: OutputOptions

    func outcome() async throws -> Outcome {
        let id = SchemeIdentifier(scheme)
        guard let known = try await wallet.schemes.readableSnapshot().schemes[id] else {
            throw ToolError("unknown scheme: \(id)")
        }
        guard known.keyshareScheme != nil else { throw ToolError("the scheme \(id) has no keyshare server") }
        return try await wallet.use { wallet in
            guard try await wallet.account(at: id)?.isComplete != true else {
                throw ToolError("the wallet has an account at the keyshare server of \(id)")
            }
            guard let pin = await WalletFileOptions.pin("New PIN:"), !pin.isEmpty else { throw ToolError("no PIN") }
            let session = try await wallet.enroll(at: id, pin: pin)
            return try await WalletSessionRun(choose: nil, answersAtOnce: true).run(session)
        }
    }
}

/// `irma wallet renew`: renews the login attribute of an account.
struct WalletRenewCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "renew",
        abstract: "Renews the login attribute of an account at a keyshare server.",
        discussion: """
            It is renewed from 30 days before its expiry. The command asks for the PIN, or takes it from IRMA_WALLET_PIN.
            """
    )

    @Argument(help: "The scheme.")
    var scheme: String

    @OptionGroup var wallet: WalletFileOptions
    @OptionGroup var outputOptions: OutputOptions

    func outcome() async throws -> Outcome {
        try await wallet.use { wallet in
            let outcome = try await wallet.renewLoginAttribute(at: SchemeIdentifier(scheme)) {
                await WalletFileOptions.pin($0)
            }
            guard let outcome else { return Outcome(report: .fields(["status": "not due"])) }
            return Outcome(report: .fields(["status": "done", "sessions": .list([outcome.entry.outline])]))
        }
    }
}

/// `irma wallet change-pin`: changes the PIN of an account.
struct WalletChangePINCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "change-pin",
        abstract: "Changes the PIN of an account at a keyshare server.",
        discussion: """
            The command asks for the PINs, or takes the present one from IRMA_WALLET_PIN and the new one from \
            IRMA_WALLET_NEW_PIN. A wrong present PIN counts as an attempt.
            """
    )

    @Argument(help: "The scheme.")
    var scheme: String

    @OptionGroup var wallet: WalletFileOptions
    @OptionGroup var outputOptions: OutputOptions

    func outcome() async throws -> Outcome {
        let id = SchemeIdentifier(scheme)
        return try await wallet.use { wallet in
            guard try await wallet.account(at: id) != nil else {
                throw ToolError("the wallet has no account at a keyshare server of \(id)")
            }
            guard let old = await WalletFileOptions.pin("Present PIN:"), !old.isEmpty,
                let new = await WalletFileOptions.pin("New PIN:", variable: WalletFileOptions.newPINVariable),
                !new.isEmpty
            else { throw ToolError("no PIN") }
            try await wallet.changePIN(at: id, from: old, to: new)
            return Outcome(report: .fields(["status": "done"]))
        }
    }
}

/// `irma wallet unenrol`: forgets an account.
struct WalletUnenrolCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "unenrol",
        abstract: "Forgets an account at a keyshare server, and deletes the credentials of its scheme.",
        discussion: """
            The credentials cannot be shown without the account. The keyshare server is not told. Use it where the server \
            has deleted the account; then the user can enrol anew.
            """,
        aliases: ["unenroll"]
    )

    @Argument(help: "The scheme.")
    var scheme: String

    @Flag(name: [.customShort("y"), .long], help: "Delete without asking.")
    var yes = false

    @OptionGroup var wallet: WalletFileOptions
    @OptionGroup var outputOptions: OutputOptions

    func outcome() async throws -> Outcome {
        try await wallet.use { wallet in
            let id = SchemeIdentifier(scheme)
            // Without an account there is nothing to ask about: the removal refuses.
            if !yes, try await wallet.account(at: id) != nil {
                let count = await wallet.credentials().count { $0.type.scheme == id }
                let name = id.text.escapedForDisplay()
                let question = "Delete the account and the credentials of \(name) (\(count))? [y/N]"
                guard await Console.current.confirms([question]) else {
                    return Outcome(report: .fields(["status": "cancelled"]), isRefusal: true)
                }
            }
            let entry = try await wallet.removeAccount(at: id)
            return Outcome(
                report: .fields(["account": .text(id.text), "deleted": .list(entry.removed.map(\.outline))])
            )
        }
    }
}

extension IRMAWallet {
    /// The account at the keyshare server of a scheme, or nil.
    fileprivate func account(at scheme: SchemeIdentifier) async throws -> WalletKeyshareAccount? {
        try await accounts().first { $0.scheme == scheme }
    }
}
#endif
