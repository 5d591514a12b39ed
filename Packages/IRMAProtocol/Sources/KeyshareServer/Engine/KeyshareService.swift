public import CredentialServing
public import CryptoCore
import IRMAMessages
import IdemixCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A keyshare server: it holds a part of each user's secret key, and takes part in proofs for a user with the right PIN.
///
/// ```swift
/// let service = try KeyshareService(
///     storageKeys: StorageKeyring(writing: storageKey),
///     signer: SoftwareSigner(rsaKey, algorithm: .rsaPKCS1SHA256),
///     keyID: 0,
///     accounts: accounts,
///     sessions: sessions,
///     issuerKeys: { KeyshareIssuerKeys(of: ["pbdf"], in: try await schemes.snapshot()) },
///     loginAttribute: LoginAttribute("pbdf.pbdf.mijnirma.email"),
///     loginAttributeIssuer: irmaServer
/// )
/// let engine = try service.engine()
/// ```
///
/// Everything that lasts is in the two stores, so that any number of instances may serve behind one address.
public struct KeyshareService: Sendable {
    /// The stores and parts that a server is made of.
    struct Parts: Sendable {
        let options: KeyshareServiceOptions
        let accounts: any KeyshareAccountStore
        let issuerKeys: @Sendable () async throws -> KeyshareIssuerKeys
        let loginAttribute: LoginAttribute
        let loginAttributeIssuer: any LoginAttributeIssuer
        let registrationMail: RegistrationMail?
        let seal: SecretSeal
        let stretcher: PINStretcher
        let tokens: AccountTokens
        let challenges: OneTimeSlot
        let commitments: OneTimeSlot
        let decoy: KeyshareAccount
        let clock: @Sendable () -> Date
        let random: any RandomSource
    }

    let parts: Parts
    let sessions: any SessionStore

    /// A keyshare server.
    ///
    /// - Parameters:
    ///   - storageKeys: The keys that records are sealed with.
    ///   - signer: The RSA key that signs tokens and answers; the scheme has its public key as `kss-<keyID>.pem`.
    ///   - keyID: The number of the signer's key in the scheme.
    ///   - accounts: The accounts.
    ///   - sessions: The challenges and commitments under way, each sealed; shared between the instances of a server.
    ///   - issuerKeys: Gives the issuers' keys that the server takes part in proofs for; asked at each request.
    ///   - loginAttribute: The attribute that wallets get when they enrol.
    ///   - loginAttributeIssuer: The IRMA server that issues it.
    ///   - registrationMail: Verifies the addresses that wallets give when they enrol; `nil` to ignore those.
    ///   - options: Lifetimes, limits and costs.
    ///   - clock: Gives the time.
    ///   - random: The source of secrets, salts, challenges and names.
    /// - Throws: ``KeyshareServerError/Code-swift.struct/invalidConfiguration`` for a signer of another algorithm than RS256,
    ///   and for numbers out of their range.
    public init(
        storageKeys: StorageKeyring,
        signer: any Signer,
        keyID: UInt32,
        accounts: any KeyshareAccountStore,
        sessions: any SessionStore,
        issuerKeys: @escaping @Sendable () async throws -> KeyshareIssuerKeys,
        loginAttribute: LoginAttribute,
        loginAttributeIssuer: any LoginAttributeIssuer,
        registrationMail: RegistrationMail? = nil,
        options: KeyshareServiceOptions = .default,
        clock: @escaping @Sendable () -> Date = { Date() },
        using random: any RandomSource = .system
    ) throws(KeyshareServerError) {
        try options.check()
        guard signer.algorithm == .rsaPKCS1SHA256 else {
            throw KeyshareServerError(.invalidConfiguration, "tokens are signed with RS256", path: ["signer"])
        }
        let seal = SecretSeal(storageKeys, random: random)
        let gate = WorkGate(maximumRunning: options.concurrentPINs, maximumWaiting: options.waitingPINs)
        self.sessions = sessions
        parts = Parts(
            options: options,
            accounts: accounts,
            issuerKeys: issuerKeys,
            loginAttribute: loginAttribute,
            loginAttributeIssuer: loginAttributeIssuer,
            registrationMail: registrationMail,
            seal: seal,
            stretcher: PINStretcher(options.pinCost, gate: gate, random: random),
            tokens: AccountTokens(
                signer: signer,
                keyID: keyID,
                issuer: options.issuer,
                lifetime: options.tokenLifetime
            ),
            challenges: OneTimeSlot(
                "challenge",
                in: sessions,
                seal: seal,
                lifetime: TimeInterval(options.challengeLifetime),
                now: clock
            ),
            commitments: OneTimeSlot(
                "commitment",
                in: sessions,
                seal: seal,
                lifetime: TimeInterval(options.commitmentLifetime),
                now: clock
            ),
            decoy: try Self.decoy(seal),
            clock: clock,
            random: random
        )
    }

    /// The account that stands in for unknown ones, with a key and an identifier that fit nothing.
    private static func decoy(_ seal: SecretSeal) throws(KeyshareServerError) -> KeyshareAccount {
        do {
            let salt = SystemRandomSource().bytes(StretchedPIN.saltSize)
            let key = SecretBytes.random(count: StretchedPIN.keySize)
            let secrets = UserSecrets(
                pin: .stretched(StretchedPIN(salt: salt, parameters: .interactive, key: key)),
                keyshareSecret: .random(),
                id: .random(count: UserSecrets.idSize),
                publicKey: try PrivateKey.generate(.p256).publicKey
            )
            let record = try seal.seal(secrets, of: "")
            return KeyshareAccount(username: "", language: "", coreData: record, lastSeen: 0)
        } catch {
            throw KeyshareServerError(.invalidConfiguration, "no key could be made", cause: error)
        }
    }

    /// Throws an error if the server's stores cannot serve at present.
    public func check() async throws {
        try await parts.accounts.check()
        try await sessions.check()
    }
}

extension KeyshareService.Parts {
    /// The time in seconds since 1970.
    var now: Int64 { Int64(max(0, min(clock().timeIntervalSince1970, 253_402_300_799)).rounded(.down)) }

    /// An account with its secrets, open.
    struct OpenAccount: Sendable {
        let account: KeyshareAccount
        let record: SecretSeal.Record
        /// False for the one that stands in for unknown accounts.
        let isKnown: Bool

        var secrets: UserSecrets { record.secrets }
        var owner: OneTimeSlot.Owner { OneTimeSlot.Owner(username: account.username, id: secrets.id) }

        /// The refusal of a request that is not authentic: unknown accounts go all the way up to here.
        func refusal(_ message: String) -> RemoteError {
            isKnown ? .invalid(message) : RemoteError(.userNotRegistered, message: "could not find specified user")
        }
    }

    /// The account with a name, or the one that stands in for unknown ones.
    func open(_ username: String) async throws -> OpenAccount {
        var found: KeyshareAccount?
        if (1...KeyshareAccount.maximumNameSize).contains(username.utf8.count) {
            found = try await accounts.account(named: username)?.account
        }
        let account = found ?? decoy
        let record = try seal.open(account.coreData, of: account.username)
        return OpenAccount(account: account, record: record, isKnown: found != nil)
    }
}
