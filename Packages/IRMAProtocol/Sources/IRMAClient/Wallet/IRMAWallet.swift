public import CredentialTransport
public import CredentialWallet
public import CryptoCore
public import IRMAMessages
import IdemixCore

/// A wallet: credentials, the sessions that show and receive them, and the accounts at keyshare servers.
///
/// ```swift
/// let wallet = try await IRMAWallet(storage: storage, schemes: schemes, transport: transport)
/// let session = try wallet.session(scanned: text)
/// let request = try await session.request()
/// guard let choice = request.firstChoice else {
///     await session.cancel()
///     return
/// }
/// let outcome = try await session.answer(choice)
/// ```
///
/// Sessions run side by side. The app calls ``run()`` in a task of its own, which updates schemes and witnesses and ends when
/// it is cancelled; sessions work without it.
public final class IRMAWallet: Sendable {
    let core: WalletCore

    /// Opens the wallet of a storage; one without a secret key gets one.
    ///
    /// A storage belongs to one IRMA wallet at a time, beside the stores of other formats. A second wallet over it, such as that
    /// of another process, has the credentials that were there when it was opened. It reads what the first one has written
    /// when a change of its own meets that, so that no change undoes another; if others are faster each time, the change fails
    /// with ``WalletError/Code/storageConflict``.
    ///
    /// - Parameters:
    ///   - storage: The place where the wallet keeps everything.
    ///   - schemes: The schemes.
    ///   - transport: Sends the requests; in production a `GuardedHTTPTransport`.
    ///   - deviceKey: The key of the device for keyshare servers, on P-256 and best in hardware; `nil` for one in software that
    ///     the storage keeps.
    ///   - copyHolder: Keeps the SD-JWT copies of issued credentials; `nil` for none, and then issuers are asked for none.
    ///   - options: The settings.
    ///   - clock: The clocks.
    ///   - randomness: The source of secrets and tokens; by default the system's.
    /// - Throws: ``WalletError/Code/storageFailed``, ``WalletError/Code/storageDamaged``,
    ///   ``WalletError/Code/storageRolledBack``.
    public init(
        storage: any CredentialStorage,
        schemes: WalletSchemes,
        transport: any HTTPStreamingTransport,
        deviceKey: (any Signer)? = nil,
        copyHolder: (any SDJWTCopyHolder)? = nil,
        options: WalletOptions = .default,
        clock: WalletClock = .system,
        using randomness: any RandomSource = .system
    ) async throws(WalletError) {
        core = WalletCore(
            vault: try await WalletVault.open(storage, using: randomness),
            schemes: schemes,
            transport: transport,
            options: options,
            clock: clock,
            randomness: randomness,
            deviceKey: deviceKey,
            copyHolder: copyHolder,
            prepared: PreparedDisclosures(size: options.preparedDisclosures, using: randomness)
        )
    }

    // MARK: Sessions

    /// A session for what a camera or the system hands over: the text of a QR code, or a link of any form.
    ///
    /// Nothing is requested yet.
    ///
    /// - Throws: ``WalletError/Code/unknownAction`` for another text, and as ``session(with:)``.
    public func session(scanned text: some StringProtocol) throws(WalletError) -> WalletSession {
        let pointer: SessionPointer
        do throws(IRMAError) {
            pointer = try SessionPointer(scanned: text)
        } catch {
            throw WalletError(.unknownAction, "no pointer to a session", cause: error)
        }
        return try session(with: pointer)
    }

    /// A session that a pointer points to.
    ///
    /// - Throws: ``WalletError/Code/unknownAction`` for an unknown kind of session, ``WalletError/Code/https`` for a URL that is
    ///   not https.
    public func session(with pointer: SessionPointer) throws(WalletError) -> WalletSession {
        guard [.disclosing, .signing, .issuing, .redirect].contains(pointer.kind) else {
            throw WalletError(.unknownAction, "\(pointer.kind) is no kind of session", path: ["irmaqr"])
        }
        _ = try core.channel(to: pointer.url)
        return WalletSession(pointer, core: core)
    }

    // MARK: Credentials

    /// The credentials whose type the schemes have, the oldest first, without ``unreadableCredentials()``.
    public func credentials() async -> [HeldCredential] {
        await core.vault.credentials(await core.schemes.snapshot).map(\.held)
    }

    /// The credentials that cannot be read, with the reasons.
    ///
    /// Sessions work without them. Look for them after the wallet was opened and after an update of the schemes, and tell the
    /// user.
    public func unreadableCredentials() async -> [UnreadableCredential] {
        await core.vault.unreadable(await core.schemes.snapshot)
    }

    /// Deletes a credential that cannot be read.
    ///
    /// - Throws: ``WalletError/Code/credentialNotAvailable`` for a place without such a credential.
    public func delete(unreadable place: StoragePlace) async throws(WalletError) {
        try await core.vault.remove(unreadable: place, schemes: await core.schemes.snapshot, at: core.clock.now())
    }

    /// Deletes a credential.
    ///
    /// - Throws: ``WalletError/Code/credentialNotAvailable`` for an unknown one, and one whose type does not allow it.
    public func delete(credential hash: [UInt8]) async throws(WalletError) {
        try await core.vault.remove(hash: hash, schemes: await core.schemes.snapshot, at: core.clock.now())
        await core.forget(hash)
    }

    /// Deletes every credential, every account and the log; the secret key stays.
    public func deleteAll() async throws(WalletError) {
        let commitments = try await core.vault.removeAll()
        for message in commitments { await core.removeCopyKeys(of: message) }
        await core.prepared.removeAll()
        await core.advances.removeAll()
        await core.tokens.removeAll()
    }

    /// Entries of the log, the newest first.
    ///
    /// - Parameters:
    ///   - number: The number of the entry to begin before; `nil` for the newest.
    ///   - limit: The largest number of entries.
    public func log(before number: UInt64? = nil, limit: Int = 100) async throws(WalletError) -> [SessionLogEntry] {
        try await core.vault.log(before: number, limit: limit)
    }

    // MARK: Keyshare servers

    /// The accounts at keyshare servers.
    public func accounts() async throws(WalletError) -> [WalletKeyshareAccount] { try await core.vault.accounts() }

    /// Enrols the user at the keyshare server of a scheme.
    ///
    /// If the server's answer is lost, nothing is repeated: the server may have made an account that cannot be used, and makes
    /// another one for each further call. Let the user decide.
    ///
    /// - Parameters:
    ///   - scheme: The scheme.
    ///   - pin: The PIN that the user chose.
    ///   - email: The user's e-mail address, or `nil`.
    ///   - language: The language of messages to the user.
    /// - Returns: The session that issues the login attribute; the enrolment is complete when it is.
    /// - Throws: ``WalletError/Code/unknownScheme``; ``WalletError/Code/keyshare``, also for an account that exists;
    ///   ``WalletError/Code/transport`` for a server that cannot be reached, or whose answer is lost.
    public func enroll(
        at scheme: SchemeIdentifier,
        pin: String,
        email: String? = nil,
        language: String = "en"
    ) async throws(WalletError) -> WalletSession {
        guard !pin.isEmpty else { throw WalletError(.pinRequired, "the PIN is empty", path: [scheme.text]) }
        guard try await core.vault.account(of: scheme)?.isComplete != true else {
            throw WalletError(.keyshare, "the user is enrolled", path: [scheme.text])
        }
        let connection = try core.keyshare(scheme, await core.schemes.snapshot)
        let nonce = newNonce(using: core.randomness)
        let pointer = try await connection.register(pin: pin, nonce: nonce, email: email, language: language)
        _ = try session(with: pointer)
        let account = WalletKeyshareAccount(scheme: scheme, username: "", nonce: nonce)
        return WalletSession(pointer, core: core, enrollment: KeyshareEnrollment(account, pin: pin))
    }

    private func newNonce(using randomness: some RandomSource) -> SecretBytes {
        SecretBytes.random(count: 32, using: randomness)
    }

    /// Logs in at the keyshare server of a scheme, so that sessions of the next minutes ask for no PIN.
    ///
    /// - Throws: ``WalletError/Code/keyshareUnenrolled``; ``WalletError/Code/keyshare`` with a ``KeyshareRefusal`` for a wrong
    ///   PIN, and without one where the server refuses the login otherwise; ``WalletError/Code/keyshareBlocked``;
    ///   ``WalletError/Code/keyshareOverloaded``, which says nothing about the PIN; ``WalletError/Code/transport`` and
    ///   ``WalletError/Code/serverResponse`` where the answer was lost for good. A wrong PIN may have been counted after these
    ///   three.
    ///   ``WalletError/remoteError`` says why a login was refused: for the key of another device, but also for a wrong
    ///   clock of this one. It is no reason by itself to remove the account.
    public func logIn(at scheme: SchemeIdentifier, pin: String) async throws(WalletError) {
        let account = try await core.account(of: scheme)
        _ = try await core.keyshare(scheme, await core.schemes.snapshot).logIn(account, pin: pin)
    }

    /// Changes the PIN at the keyshare server of a scheme.
    ///
    /// If the server's answer is lost, a login with the new PIN finds out whether the change was made. It uses up an attempt if
    /// the old PIN is still the right one. Either PIN may be the right one after ``WalletError/Code/transport``,
    /// ``WalletError/Code/serverResponse`` and ``WalletError/Code/keyshareOverloaded``. Nothing is tried after the last one.
    ///
    /// - Throws: As ``logIn(at:pin:)``, for the present PIN.
    public func changePIN(at scheme: SchemeIdentifier, from old: String, to new: String) async throws(WalletError) {
        guard !new.isEmpty else { throw WalletError(.pinRequired, "the PIN is empty", path: [scheme.text]) }
        let account = try await core.account(of: scheme)
        try await core.keyshare(scheme, await core.schemes.snapshot).changePIN(of: account, from: old, to: new)
    }

    /// Takes over the account of an older wallet, which registers the device's key when it logs in for the first time.
    ///
    /// - Parameters:
    ///   - scheme: The scheme.
    ///   - username: The name of the account.
    ///   - nonce: The 32 bytes that the older wallet hashed with the PIN.
    /// - Throws: ``WalletError/Code/unknownScheme``; ``WalletError/Code/keyshare`` for an account that exists, unless its
    ///   enrolment is not complete, and a nonce of another size.
    public func migrateAccount(
        at scheme: SchemeIdentifier,
        username: String,
        nonce: SecretBytes
    ) async throws(WalletError) {
        _ = try core.keyshare(scheme, await core.schemes.snapshot)
        guard nonce.count == 32 else {
            throw WalletError(.keyshare, "a nonce of \(nonce.count) bytes, 32 are needed", path: [scheme.text])
        }
        try await core.vault.put(
            WalletKeyshareAccount(
                scheme: scheme,
                username: username,
                nonce: nonce,
                isComplete: true,
                hasRegisteredKey: false
            )
        )
    }

    /// Forgets the account at the keyshare server of a scheme, and deletes the credentials of the scheme, which cannot be shown
    /// without the server's part of the secret key.
    ///
    /// The server is not told. Where it has deleted the account itself (``WalletError/Code/keyshareUnenrolled``), the user can
    /// enrol anew after this.
    ///
    /// - Returns: The log's entry, with the credentials that were removed.
    /// - Throws: ``WalletError/Code/keyshareUnenrolled`` if there is no account.
    @discardableResult
    public func removeAccount(at scheme: SchemeIdentifier) async throws(WalletError) -> SessionLogEntry {
        let snapshot = await core.schemes.snapshot
        let (entry, hashes, commitments) = try await core.vault.removeAccount(
            of: scheme,
            schemes: snapshot,
            at: core.clock.now()
        )
        for hash in hashes { await core.forget(hash) }
        for message in commitments { await core.removeCopyKeys(of: message) }
        await core.tokens.remove(of: scheme)
        return entry
    }
}
