public import IRMAMessages
import KeyshareServer

/// The settings of the server of a user's own pages; each default is the reference's.
public struct MyIRMAServiceOptions: Sendable {
    /// The attributes that log in: each has the name of an account.
    public var loginAttributes: [AttributeIdentifier]
    /// The attributes whose values are added as addresses.
    public var emailAttributes: [AttributeIdentifier]
    /// The lifetime of a session in seconds, from its last use on: 900.
    public var sessionLifetime: Int64
    /// The days before the deletion of an account or an address takes effect: 0.
    ///
    /// In that time, the owner of a stolen device can still find out, and log in by e-mail.
    public var deleteDelay: Int64
    /// Indicates that cookies are sent over TLS alone; `false` is for development.
    public var usesSecureCookies: Bool

    /// Sets the settings; those left out have their default.
    public init(
        loginAttributes: [AttributeIdentifier],
        emailAttributes: [AttributeIdentifier],
        sessionLifetime: Int64 = 900,
        deleteDelay: Int64 = 0,
        usesSecureCookies: Bool = true
    ) {
        self.loginAttributes = loginAttributes
        self.emailAttributes = emailAttributes
        self.sessionLifetime = sessionLifetime
        self.deleteDelay = deleteDelay
        self.usesSecureCookies = usesSecureCookies
    }

    /// Checks the settings.
    ///
    /// - Throws: `KeyshareServerError`: `invalidConfiguration`.
    func check() throws(KeyshareServerError) {
        func require(_ isValid: Bool, _ name: String) throws(KeyshareServerError) {
            guard isValid else { throw KeyshareServerError(.invalidConfiguration, "out of its range", path: [name]) }
        }
        try require((1...86_400).contains(sessionLifetime), "sessionLifetime")
        try require((0...36_500).contains(deleteDelay), "deleteDelay")
        for (name, attributes) in [("loginAttributes", loginAttributes), ("emailAttributes", emailAttributes)] {
            try require((1...64).contains(attributes.count), name)
            try require(attributes.allSatisfy { $0.isWellFormed && $0.attribute != nil }, name)
        }
    }
}
