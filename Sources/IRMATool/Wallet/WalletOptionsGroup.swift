#if Client && SQLite
import ArgumentParser
import CommandSupport
import CredentialTransport
import CredentialWalletSQLite
import CryptoCore
import Foundation
import IRMAClient
import IRMAMessages

/// The flags that name a wallet: its file, its key and its schemes.
struct WalletFileOptions: ParsableArguments {
    /// The environment variable with the key.
    static let keyVariable = "IRMA_WALLET_KEY"
    /// The environment variable with the PIN.
    static let pinVariable = "IRMA_WALLET_PIN"
    /// The environment variable with the PIN that takes its place.
    static let newPINVariable = "IRMA_WALLET_NEW_PIN"

    @Option(
        name: [.customShort("w"), .customLong("wallet")],
        help: "The wallet's file; it is created if missing."
    )
    var file = "wallet.sqlite"

    @Option(
        name: .long,
        help: """
            The file with the wallet's key: 32 bytes, or their base64 or hexadecimal. By default the environment variable \
            IRMA_WALLET_KEY has it.
            """
    )
    var walletKey: String?

    @Flag(name: .customLong("dev"), help: "Developer mode: takes servers in developer mode, by plain http as well.")
    var isDeveloperMode = false

    @Option(
        name: .customLong("copies"),
        help: """
            The folder that keeps the SD-JWT copies of issued credentials, each with its key; it is created if missing. Without \
            one, issuers are asked for none.
            """,
        completion: .directory
    )
    var copies: String?

    @Option(
        name: .customLong("copies-trust"),
        help: "A file of certificates in PEM, of authorities that vouch for the issuers of copies; may be repeated.",
        completion: .file()
    )
    var copiesTrust: [InputFile] = []

    @OptionGroup var authorities: AuthorityOptions
    @OptionGroup var schemes: SchemesOptions

    func validate() throws {
        guard (copies == nil) == copiesTrust.isEmpty else {
            throw ValidationError("--copies and --copies-trust go together")
        }
    }

    /// Opens the wallet for a closure, and first finishes the issuances whose answers an earlier command did not see.
    ///
    /// Other commands wait until the closure has ended.
    ///
    /// - Throws: ``ToolError``, `WalletError`, `CredentialStoreError`, and the errors of the closure.
    func use<Value>(_ body: (IRMAWallet) async throws -> Value) async throws -> Value {
        let lock = try await WalletLock.take(of: file)
        defer { withExtendedLifetime(lock) {} }
        let wallet = try await open()
        try await Self.resumeIssuances(of: wallet)
        return try await body(wallet)
    }

    private func open() async throws -> IRMAWallet {
        let directory = try SchemeFolder.opened(schemes.path ?? SchemeFolder.standard())
        let storage = try SQLiteCredentialStorage(path: file, key: try key())
        let transport = try transport()
        // The keys that lie in the folder: who put them there is not checked, as for every command.
        let schemes = try await WalletSchemes(directory, transport: transport, pinned: [:])
        for (scheme, error) in await schemes.unreadable.sorted(by: { $0.key < $1.key }) {
            Console.current.error(
                "The scheme \(scheme.text) cannot be read, and its credentials wait until it is updated: \(error)"
            )
        }
        return try await IRMAWallet(
            storage: storage,
            schemes: schemes,
            transport: transport,
            copyHolder: try copyHolder(),
            options: WalletOptions(isDeveloperMode: isDeveloperMode, preparedDisclosures: 0),
            clock: WalletClock(now: Console.current.now, timer: Console.current.timer)
        )
    }

    private static func resumeIssuances(of wallet: IRMAWallet) async throws {
        for result in try await wallet.resumeIssuances() {
            switch result {
            case .finished(let entry):
                let types = entry.issued.map(\.type.text).joined(separator: ", ")
                Console.current.error("An earlier issuance is finished now: \(types)")
                if let reason = entry.copyRefusal {
                    Console.current.error("Its SD-JWT copies are not kept: \(reason.escapedForDisplay())")
                }
            // The descriptions of errors are escaped; the server's own words may be in them.
            case .kept(let error):
                Console.current.error("An earlier issuance is not finished yet; the next command tries again: \(error)")
            case .forgotten(let error):
                Console.current.error("An earlier issuance cannot be finished and is forgotten: \(error)")
            case .endedElsewhere: Console.current.error("An earlier issuance was ended by another program.")
            }
        }
    }

    private func copyHolder() throws -> FolderCopyHolder? {
        guard let copies else { return nil }
        let authorities = try copiesTrust.flatMap { file in
            do {
                return try Certificate.all(inPEM: String(decoding: try file.read(sizeLimit: 1 << 20), as: UTF8.self))
            } catch {
                throw ToolError("--copies-trust: \(file.name): \(error)")
            }
        }
        guard !authorities.isEmpty else { throw ToolError("--copies-trust: there is no certificate") }
        return try FolderCopyHolder(path: copies, trusting: authorities, clock: Console.current.now)
    }

    private func transport() throws -> any HTTPStreamingTransport {
        guard !isDeveloperMode else { return try RequestorClient.transport(trusting: authorities) }
        return try GuardedHTTPTransport.ofCommand(trusting: authorities)
    }

    /// The key of the file or of the environment.
    func key(environment: [String: String] = ProcessInfo.processInfo.environment) throws(ToolError) -> SecretBytes {
        var bytes: [UInt8]
        let place: String
        if let walletKey {
            bytes = try InputFile(argument: walletKey).read(sizeLimit: 1024)
            place = walletKey
        } else if let text = environment[Self.keyVariable], !text.isEmpty {
            bytes = Array(text.utf8)
            place = Self.keyVariable
        } else {
            throw ToolError("the wallet has a key: name its file with --wallet-key, or set \(Self.keyVariable)")
        }
        defer { wipe(&bytes) }
        if bytes.count == 32 { return SecretBytes(bytes) }
        let text = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        if text.utf8.count == 64, let hex = HexBytes(argument: text) { return SecretBytes(hex.bytes) }
        guard let key = Base64Key.decoded(text), key.count == 32 else {
            throw ToolError("\(place) has no key of 32 bytes, raw, in base64 or in hexadecimal")
        }
        return key
    }

    /// Asks for a PIN: the environment has it, or the user types it.
    static func pin(_ question: String, variable: String = pinVariable) async -> String? {
        if let pin = ProcessInfo.processInfo.environment[variable], !pin.isEmpty { return pin }
        return await Console.current.readSecret(question)
    }

    /// Answers the wallet's question for a PIN.
    ///
    /// A wrong PIN of the environment is not given again: three attempts block the account.
    static func pin(
        _ prompt: KeysharePINPrompt,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) async -> String? {
        let left = prompt.remainingAttempts.map { " (attempts left: \($0))" } ?? ""
        if let pin = environment[pinVariable], !pin.isEmpty {
            guard prompt.isRepeated else { return pin }
            Console.current.error("The PIN in \(pinVariable) is wrong\(left).")
            return nil
        }
        if prompt.isRepeated { Console.current.error("The PIN is wrong\(left).") }
        return await Console.current.readSecret("PIN for \(prompt.scheme.text):")
    }
}
#endif
