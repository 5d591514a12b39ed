/// An e-mail address of an account; the fields are those of the reference's table `irma.emails`.
public struct KeyshareEmail: Hashable, Sendable {
    /// The address: `email`.
    public let address: String
    /// The time from which the address is looked at again, since mail could not be sent, in seconds since 1970: `revalidate_on`.
    ///
    /// The reference's servers set it; this server leaves such accounts to them.
    public let revalidateOn: Int64?
    /// The time at which the address is deleted, in seconds since 1970: `delete_on`.
    public let deleteOn: Int64?

    /// Describes an address.
    public init(_ address: String, revalidateOn: Int64? = nil, deleteOn: Int64? = nil) {
        self.address = address
        self.revalidateOn = revalidateOn
        self.deleteOn = deleteOn
    }

    /// The longest address in bytes.
    public static let maximumSize = 254

    /// Checks size and characters, which a store does before it writes.
    ///
    /// - Throws: ``KeyshareServerError/Code-swift.struct/invalidMailAddress``.
    public static func check(_ address: String) throws(KeyshareServerError) {
        guard KeyshareAccount.isName(address), (1...maximumSize).contains(address.utf8.count) else {
            throw KeyshareServerError(
                .invalidMailAddress,
                "an address has 1 to \(maximumSize) bytes, none of them 0",
                path: ["email"]
            )
        }
    }
}

/// A token that was mailed; the fields are those of the reference's tables `irma.email_verification_tokens` and
/// `irma.email_login_tokens`.
public struct KeyshareEmailToken: Hashable, Sendable {
    /// The token: `token`.
    public let token: String
    /// The address that it was mailed to: `email`.
    public let address: String
    /// The last second in which it is valid, since 1970: `expiry`.
    public let expiry: Int64

    /// Describes a token.
    public init(_ token: String, for address: String, expiry: Int64) {
        self.token = token
        self.address = address
        self.expiry = expiry
    }

    /// Checks sizes and characters, which a store does before it writes.
    ///
    /// - Throws: ``KeyshareServerError/Code-swift.struct/invalidMailAddress``,
    ///   ``KeyshareServerError/Code-swift.struct/invalidAccount`` for a token that none is.
    public func checkSizes() throws(KeyshareServerError) {
        try KeyshareEmail.check(address)
        guard Self.isToken(token) else {
            throw KeyshareServerError(.invalidAccount, "a token has 1 to 128 bytes, none of them 0", path: ["token"])
        }
    }

    /// Indicates a text that may be a token.
    public static func isToken(_ text: String) -> Bool {
        (1...128).contains(text.utf8.count) && KeyshareAccount.isName(text)
    }
}

extension KeyshareEmailToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The expiry, without token and address.
    public var description: String { "token valid until \(expiry)" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The number of tokens that are mailed to one address in a time.
public struct KeyshareTokenLimit: Hashable, Sendable {
    /// The number of tokens.
    public let count: Int
    /// The time in seconds.
    public let interval: Int64

    /// A limit.
    public init(_ count: Int, in interval: Int64) {
        self.count = count
        self.interval = interval
    }

    /// Three tokens in an hour that verify an address, as in the reference.
    public static let verification = KeyshareTokenLimit(3, in: 3600)
    /// One token in two minutes that logs in, as in the reference.
    public static let login = KeyshareTokenLimit(1, in: 120)
}

/// An account that a token logs in to.
public struct KeyshareLoginCandidate: Hashable, Sendable {
    /// The name of the account.
    public let username: String
    /// The last time that the account was used, in seconds since 1970.
    public let lastSeen: Int64

    /// Describes an account.
    public init(username: String, lastSeen: Int64) {
        self.username = username
        self.lastSeen = lastSeen
    }
}

/// An account as its user sees it on the operator's pages; its secrets may have been deleted.
public struct KeyshareAccountSummary: Hashable, Sendable {
    /// The name.
    public let username: String
    /// The language of messages to the user.
    public let language: String
    /// The addresses, the oldest first, without those whose deletion is due.
    public let emails: [KeyshareEmail]
    /// Indicates an account without secrets, which is deleted after a time.
    public let isBeingDeleted: Bool

    /// Describes an account.
    public init(username: String, language: String, emails: [KeyshareEmail], isBeingDeleted: Bool) {
        self.username = username
        self.language = language
        self.emails = emails
        self.isBeingDeleted = isBeingDeleted
    }
}
