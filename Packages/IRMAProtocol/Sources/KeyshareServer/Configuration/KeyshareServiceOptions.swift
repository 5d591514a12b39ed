public import CryptoCore

/// The numbers of a keyshare server; each default is the reference's where it has one.
public struct KeyshareServiceOptions: Sendable {
    /// The name of the server in its tokens: `keyshare_server`.
    public var issuer: String
    /// The lifetime of an account's token in seconds: 300.
    public var tokenLifetime: Int64
    /// The time in seconds in which a challenge for a login must be answered: 60.
    public var challengeLifetime: Int64
    /// The time in seconds in which a commitment must be answered: 10.
    public var commitmentLifetime: Int64
    /// The largest number of issuers' keys in one request: 64.
    public var maximumKeys: Int
    /// Indicates that wallets without a key can enrol, and that accounts without a key can change their PIN; `false` by default.
    ///
    /// Without a key, the PIN alone protects the account. The reference takes both.
    public var acceptsUnsignedMessages: Bool
    /// The form in which records are written.
    public var recordForm: KeyshareRecordForm
    /// The cost of a PIN: 32 MiB.
    public var pinCost: Scrypt.Parameters
    /// The number of PINs that are stretched at a time: 2.
    public var concurrentPINs: Int
    /// The number of PINs that wait to be stretched before further ones are refused with 429: 128.
    public var waitingPINs: Int

    /// The defaults.
    public static let `default` = KeyshareServiceOptions()

    /// Sets the numbers; those left out have their default.
    public init(
        issuer: String = "keyshare_server",
        tokenLifetime: Int64 = 300,
        challengeLifetime: Int64 = 60,
        commitmentLifetime: Int64 = 10,
        maximumKeys: Int = 64,
        acceptsUnsignedMessages: Bool = false,
        recordForm: KeyshareRecordForm = .stretched,
        pinCost: Scrypt.Parameters = .interactive,
        concurrentPINs: Int = 2,
        waitingPINs: Int = 128
    ) {
        self.issuer = issuer
        self.tokenLifetime = tokenLifetime
        self.challengeLifetime = challengeLifetime
        self.commitmentLifetime = commitmentLifetime
        self.maximumKeys = maximumKeys
        self.acceptsUnsignedMessages = acceptsUnsignedMessages
        self.recordForm = recordForm
        self.pinCost = pinCost
        self.concurrentPINs = concurrentPINs
        self.waitingPINs = waitingPINs
    }

    /// Checks the numbers.
    ///
    /// - Throws: ``KeyshareServerError/Code-swift.struct/invalidConfiguration``.
    func check() throws(KeyshareServerError) {
        func require(_ isValid: Bool, _ name: String) throws(KeyshareServerError) {
            guard isValid else { throw KeyshareServerError(.invalidConfiguration, "out of its range", path: [name]) }
        }
        try require(!issuer.isEmpty && issuer.utf8.count <= 256, "issuer")
        try require((1...86_400).contains(tokenLifetime), "tokenLifetime")
        try require((1...3600).contains(challengeLifetime), "challengeLifetime")
        try require((1...600).contains(commitmentLifetime), "commitmentLifetime")
        try require((1...1024).contains(maximumKeys), "maximumKeys")
        try require((1...256).contains(concurrentPINs), "concurrentPINs")
        try require((0...100_000).contains(waitingPINs), "waitingPINs")
    }
}
