public import CredentialServing
public import CryptoCore
import HTTPTypes
import IRMAMessages
public import KeyshareServer

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The server behind the pages on which users of a keyshare server see and change their own account: MyIRMA.
///
/// ```swift
/// let service = try MyIRMAService(
///     accounts: accounts,
///     sessions: sessions,
///     irma: irmaServer,
///     mail: mail,
///     options: MyIRMAServiceOptions(
///         loginAttributes: ["pbdf.pbdf.mijnirma.email"],
///         emailAttributes: ["pbdf.sidn-pbdf.email.email"]
///     )
/// )
/// let engine = try service.engine()
/// ```
///
/// Users log in by disclosing the login attribute of their account, or with a link that is mailed to an address of theirs. Everything
/// that lasts is in the two stores, so that any number of instances may serve behind one address.
public struct MyIRMAService: Sendable {
    let accounts: any KeyshareEmailStore
    let pages: PageSessions
    let deletions: DeletionMarks
    let irma: any DisclosureSessions
    let mail: MyIRMAMail?
    let options: MyIRMAServiceOptions
    let random: any RandomSource
    private let store: any SessionStore
    private let clock: @Sendable () -> Date

    /// A server.
    ///
    /// - Parameters:
    ///   - accounts: The accounts, with addresses and tokens: the store of the keyshare server.
    ///   - sessions: The sessions of browsers; shared between the instances of a server.
    ///   - irma: The IRMA server at which users log in and add addresses.
    ///   - mail: The e-mail; `nil` for a server that sends none.
    ///   - options: Attributes, lifetimes and cookies.
    ///   - clock: Gives the time.
    ///   - random: The source of cookies and tokens.
    /// - Throws: `KeyshareServerError`: `invalidConfiguration` for attributes that are none, and for numbers out of their range.
    public init(
        accounts: any KeyshareEmailStore,
        sessions: any SessionStore,
        irma: any DisclosureSessions,
        mail: MyIRMAMail? = nil,
        options: MyIRMAServiceOptions,
        clock: @escaping @Sendable () -> Date = { Date() },
        using random: any RandomSource = .system
    ) throws(KeyshareServerError) {
        try options.check()
        self.accounts = accounts
        self.irma = irma
        self.mail = mail
        self.options = options
        self.random = random
        self.clock = clock
        store = sessions
        deletions = DeletionMarks(store: sessions, now: clock)
        pages = PageSessions(in: sessions, options, now: clock, random: random)
    }

    /// Throws an error if the server's stores cannot serve at present.
    public func check() async throws {
        try await accounts.check()
        try await store.check()
    }

    /// The time in seconds since 1970.
    var now: Int64 { Int64(max(0, min(clock().timeIntervalSince1970, 253_402_300_799)).rounded(.down)) }

    /// The time at which a deletion that is asked for now takes effect.
    var deletionTime: Int64 { now + options.deleteDelay * 86_400 }
}
