/// A store of accounts with their e-mail addresses, and with the tokens that were mailed to them.
///
/// Addresses, names and tokens compare as bytes. A token is redeemed once, also by several processes at a time. Times are in seconds
/// since 1970: a token is valid, and an address there, up to the second of its expiry or deletion.
public protocol KeyshareEmailStore: KeyshareAccountStore {
    // MARK: Verification of addresses

    /// Keeps a token that verifies an address of an account.
    ///
    /// - Throws: ``KeyshareServerError/Code-swift.struct/tooManyTokens`` for as many tokens for the address as the limit says, which
    ///   expire within its interval before this one; ``KeyshareServerError/Code-swift.struct/accountNotFound``;
    ///   ``KeyshareServerError/Code-swift.struct/invalidMailAddress``.
    func insertVerificationToken(
        _ token: KeyshareEmailToken,
        of username: String,
        limit: KeyshareTokenLimit
    ) async throws(KeyshareServerError)

    /// Adds the address that a token verifies to its account, and deletes the token.
    ///
    /// - Returns: The name of the account, or `nil` for a token that is unknown or has expired.
    func redeemVerificationToken(_ token: String, at now: Int64) async throws(KeyshareServerError) -> String?

    // MARK: Login by e-mail

    /// Keeps a token that logs in to the accounts of an address.
    ///
    /// - Throws: ``KeyshareServerError/Code-swift.struct/addressNotFound`` for an address of no account,
    ///   ``KeyshareServerError/Code-swift.struct/tooManyTokens`` as
    ///   ``insertVerificationToken(_:of:limit:)``.
    func insertLoginToken(
        _ token: KeyshareEmailToken,
        limit: KeyshareTokenLimit,
        at now: Int64
    ) async throws(KeyshareServerError)

    /// The accounts that a token logs in to; none for a token that is unknown or has expired.
    func loginCandidates(_ token: String, at now: Int64) async throws(KeyshareServerError) -> [KeyshareLoginCandidate]

    /// Deletes a token that logs in to an account.
    ///
    /// - Returns: `false` for a token that is unknown, has expired, or is for other accounts; it is kept then.
    func redeemLoginToken(
        _ token: String,
        for username: String,
        at now: Int64
    ) async throws(KeyshareServerError) -> Bool

    // MARK: Accounts on the operator's pages

    /// The account with a name, also without secrets; nil for an unknown one.
    func summary(of username: String, at now: Int64) async throws(KeyshareServerError) -> KeyshareAccountSummary?

    /// Notes an account's use, which takes the deletion of an unused one back.
    ///
    /// - Returns: `false` for an unknown account.
    @discardableResult
    func markSeen(_ username: String, at now: Int64) async throws(KeyshareServerError) -> Bool

    /// Adds an address to an account, or takes its deletion back.
    ///
    /// - Throws: ``KeyshareServerError/Code-swift.struct/accountNotFound``,
    ///   ``KeyshareServerError/Code-swift.struct/invalidMailAddress``.
    func addEmail(_ address: String, to username: String) async throws(KeyshareServerError)

    /// Lets an address of an account be deleted at a time.
    ///
    /// - Returns: `false` for an unknown address, and one whose deletion is under way.
    func scheduleDeletion(
        ofEmail address: String,
        of username: String,
        on time: Int64
    ) async throws(KeyshareServerError) -> Bool

    /// Deletes the secrets of an account at once, and lets the rest of it be deleted at a time.
    ///
    /// - Returns: `false` for an unknown account, and one without secrets.
    func scheduleDeletion(of username: String, on time: Int64) async throws(KeyshareServerError) -> Bool

    // MARK: Periodic tasks

    /// Deletes the tokens that have expired.
    func deleteExpiredTokens(at now: Int64) async throws(KeyshareServerError)

    /// Deletes the addresses whose time of deletion has passed.
    func deleteExpiredEmails(at now: Int64) async throws(KeyshareServerError)

    /// Deletes the accounts whose time of deletion has passed, without secrets or unused in the time before it.
    ///
    /// - Parameters:
    ///   - now: The time.
    ///   - delay: The time in seconds before that of its deletion in which an account must not have been used.
    func deleteExpiredAccounts(at now: Int64, unusedFor delay: Int64) async throws(KeyshareServerError)

    /// Accounts that were last used before a time, have addresses to write to and are not being deleted.
    ///
    /// Accounts with an address that mail could not be sent to (``KeyshareEmail/revalidateOn``) are left out.
    func unusedAccounts(
        since time: Int64,
        atMost count: Int
    ) async throws(KeyshareServerError) -> [KeyshareAccountSummary]

    /// Lets an account be deleted at a time, unless it was used after another, or is being deleted.
    ///
    /// - Returns: `false` if it stays as it is.
    func scheduleDeletion(
        ofUnused username: String,
        since lastUse: Int64,
        on time: Int64
    ) async throws(KeyshareServerError) -> Bool
}

extension KeyshareServerError {
    /// The refusal of an unknown name.
    package static var unknownAccount: KeyshareServerError {
        KeyshareServerError(.accountNotFound, "no account with the name")
    }
}
