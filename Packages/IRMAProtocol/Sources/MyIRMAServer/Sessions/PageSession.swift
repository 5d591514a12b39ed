import JSONKit

/// The state of a browser's session.
struct PageSession: Hashable, Sendable {
    /// The account that is logged in.
    var username: String?
    /// The requestor's token of the IRMA session that logs in.
    var loginToken: String?
    /// The requestor's token of the IRMA session that adds an address.
    var emailToken: String?

    init(username: String? = nil, loginToken: String? = nil) {
        self.username = username
        self.loginToken = loginToken
    }

    /// Waits for an IRMA session no longer; another one that was started meanwhile stays.
    mutating func forget(_ token: String, _ place: WritableKeyPath<PageSession, String?>) {
        if self[keyPath: place] == token { self[keyPath: place] = nil }
    }

    /// The session as a store has it: `{"username"?, "login"?, "email"?}`.
    func encoded() -> [UInt8] {
        var object = JSONObject()
        if let username { object["username"] = .string(username) }
        if let loginToken { object["login"] = .string(loginToken) }
        if let emailToken { object["email"] = .string(emailToken) }
        return JSONValue.object(object).encoded()
    }

    /// Reads what ``encoded()`` wrote.
    ///
    /// - Throws: An error of JSONKit.
    init(decoding bytes: [UInt8]) throws {
        let json = try JSONValue(parsing: bytes)
        username = json["username"]?.stringValue
        loginToken = json["login"]?.stringValue
        emailToken = json["email"]?.stringValue
    }
}
