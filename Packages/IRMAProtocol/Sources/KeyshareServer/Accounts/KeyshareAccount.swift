/// An account as a store keeps it; the fields are those of the reference's table `irma.users`.
public struct KeyshareAccount: Hashable, Sendable {
    /// The name, with which wallets call: `username`.
    public let username: String
    /// The language of messages to the user: `language`.
    public var language: String
    /// The sealed secrets: `coredata`.
    public var coreData: [UInt8]
    /// The last time that the account was used, in seconds since 1970: `last_seen`.
    public var lastSeen: Int64
    /// The number of PINs tried since the last right one: `pin_counter`.
    public var pinCounter: Int64
    /// The end of a block, in seconds since 1970: `pin_block_date`.
    public var pinBlockDate: Int64
    /// The time at which an unused account is deleted, in seconds since 1970: `delete_on`.
    public var deleteOn: Int64?

    /// Describes an account.
    public init(
        username: String,
        language: String,
        coreData: [UInt8],
        lastSeen: Int64,
        pinCounter: Int64 = 0,
        pinBlockDate: Int64 = 0,
        deleteOn: Int64? = nil
    ) {
        self.username = username
        self.language = language
        self.coreData = coreData
        self.lastSeen = lastSeen
        self.pinCounter = pinCounter
        self.pinBlockDate = pinBlockDate
        self.deleteOn = deleteOn
    }

    /// The longest name in bytes; names are not empty.
    public static let maximumNameSize = 128
    /// The longest language in bytes.
    public static let maximumLanguageSize = 64
    /// The longest record of secrets in bytes.
    public static let maximumCoreDataSize = 4096

    /// Indicates a text that may be the name of an account: without U+0000, at which some databases would end it.
    public static func isName(_ text: String) -> Bool { !text.utf8.contains(0) }

    /// Checks sizes and characters, which a store does before it writes.
    ///
    /// - Throws: ``KeyshareServerError/Code-swift.struct/invalidAccount``.
    public func checkSizes() throws(KeyshareServerError) {
        guard Self.isName(username), Self.isName(language) else {
            throw KeyshareServerError(.invalidAccount, "a text with the character U+0000")
        }
        guard (1...Self.maximumNameSize).contains(username.utf8.count) else {
            throw KeyshareServerError(
                .invalidAccount,
                "a name has 1 to \(Self.maximumNameSize) bytes",
                path: ["username"]
            )
        }
        guard language.utf8.count <= Self.maximumLanguageSize else {
            throw KeyshareServerError(
                .invalidAccount,
                "a language has at most \(Self.maximumLanguageSize) bytes",
                path: ["language"]
            )
        }
        guard (1...Self.maximumCoreDataSize).contains(coreData.count) else {
            throw KeyshareServerError(
                .invalidAccount,
                "a record has 1 to \(Self.maximumCoreDataSize) bytes",
                path: ["coredata"]
            )
        }
    }
}

extension KeyshareAccount: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The size of the record, without name and content.
    public var description: String { "account with a record of \(coreData.count) bytes" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// An account with the version that it was read at.
public struct StoredKeyshareAccount: Sendable {
    /// The account.
    public var account: KeyshareAccount
    /// The version of the row.
    public let version: KeyshareAccountVersion

    /// An account as read.
    public init(_ account: KeyshareAccount, version: KeyshareAccountVersion) {
        self.account = account
        self.version = version
    }
}

/// The version of an account's row.
///
/// No two states of a store have the same version of one account, not even after it was deleted and made again.
public struct KeyshareAccountVersion: Hashable, Sendable {
    /// The row's identifier: `id`.
    public let id: Int64
    /// The number of the row's state; of PostgreSQL, its `xmin`.
    public let number: Int64

    /// A version as stored.
    public init(id: Int64, number: Int64) {
        self.id = id
        self.number = number
    }
}

/// An event in an account's log; the fields are those of the reference's table `irma.log_entry_records`.
public struct KeyshareAccountEvent: Hashable, Sendable {
    /// The kind of an event: an open set.
    public struct Kind: Hashable, Sendable {
        /// The name in upper case: `event`.
        public let name: String

        /// Names a kind.
        public init(_ name: String) {
            self.name = name
        }

        /// A PIN was refused unread, since the account is blocked.
        public static let pinCheckRefused = Kind("PIN_CHECK_REFUSED")
        /// A PIN was right.
        public static let pinCheckSuccess = Kind("PIN_CHECK_SUCCESS")
        /// A PIN was wrong; the parameter is the number of attempts that are left.
        public static let pinCheckFailed = Kind("PIN_CHECK_FAILED")
        /// A wrong PIN blocked the account; the parameter is the number of seconds.
        public static let pinCheckBlocked = Kind("PIN_CHECK_BLOCKED")
        /// The server took part in a session.
        public static let session = Kind("IRMA_SESSION")
    }

    /// The time in seconds since 1970: `time`.
    public let time: Int64
    /// The kind: `event`.
    public let kind: Kind
    /// The parameter as a JSON text, or nil: `param`.
    public let parameter: String?

    /// Describes an event.
    public init(_ kind: Kind, at time: Int64, parameter: Int64? = nil) {
        self.init(kind, at: time, text: parameter.map { String($0) })
    }

    /// An event as stored.
    public init(_ kind: Kind, at time: Int64, text: String?) {
        self.kind = kind
        self.time = time
        parameter = text
    }
}
