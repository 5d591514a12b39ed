import CredentialTransport
import CryptoCore
import IRMAMessages
import IdemixCore

/// The parts that a wallet and its sessions share.
struct WalletCore: Sendable {
    let vault: WalletVault
    let schemes: WalletSchemes
    let transport: any HTTPStreamingTransport
    let options: WalletOptions
    let clock: WalletClock
    let randomness: any RandomSource
    let deviceKey: (any Signer)?
    let copyHolder: (any SDJWTCopyHolder)?
    let tokens = KeyshareTokens()
    /// The turns from a commitment to the answer.
    let turns = KeyshareTurns()
    /// The turns from the challenge of a login to its end.
    let logins = KeyshareTurns()
    /// The turns of sessions that ask the user for a PIN; nothing that a PIN handler does waits for them.
    let prompts = KeyshareTurns()
    let prepared: PreparedDisclosures
    let advances = WitnessAdvances()

    /// Forgets what was computed for a credential.
    func forget(_ hash: [UInt8]) async {
        await prepared.remove(hash)
        await advances.remove(hash)
    }

    /// Keeps the way of a credential's witness, unless the credential is gone.
    ///
    /// It is looked for after that, so that nothing stays of one that is deleted at the same time.
    func keep(_ advance: RevocationWitnessAdvance, _ hash: [UInt8], schemes: SchemeSnapshot) async {
        await advances.keep(advance, hash)
        guard await !vault.credentials(schemes).contains(where: { $0.hash == hash }) else { return }
        await advances.remove(hash)
    }

    /// Keeps the token of an account, unless the account was removed or replaced meanwhile.
    func keepToken(_ text: String, expiresAt: Double, of account: WalletKeyshareAccount) async {
        guard await isKept(account) else { return }
        await tokens.put(text, expiresAt: expiresAt, of: account)
        // Once more, for an account that is removed at the same time.
        if await !isKept(account) { await tokens.remove(of: account) }
    }

    private func isKept(_ account: WalletKeyshareAccount) async -> Bool {
        let current = try? await vault.account(of: account.scheme)
        return current?.username == account.username
    }

    /// A channel to a server that is not a session's.
    func channel(to url: String) throws(WalletError) -> ServerChannel {
        try channel(to: url, over: transport)
    }

    /// A channel over a transport, such as one that keeps its connection.
    func channel(to url: String, over transport: any HTTPTransport) throws(WalletError) -> ServerChannel {
        try ServerChannel(to: url, over: transport, options: options, pause: retryPause)
    }

    /// The time between a request that failed and its repetition.
    var retryPause: RetryPause { RetryPause(clock: clock, randomness: randomness) }

    /// The key of the device: the app's, or one in software that the storage keeps.
    func deviceSigner() async throws(WalletError) -> any Signer {
        if let deviceKey { return deviceKey }
        let key = try await vault.softwareDeviceKey()
        do {
            return try SoftwareSigner(key)
        } catch {
            throw WalletError(.crypto, "the device's key cannot sign", cause: error)
        }
    }

    /// The account at the keyshare server of a scheme whose enrolment is complete.
    func account(of scheme: SchemeIdentifier) async throws(WalletError) -> WalletKeyshareAccount {
        guard let account = try await vault.account(of: scheme), account.isComplete else {
            throw WalletError(.keyshareUnenrolled, "the user is not enrolled", path: [scheme.text])
        }
        return account
    }
}
