import IRMAMessages
import JSONKit
import KeyshareServer

extension KeyshareAccountSummary {
    /// The account as pages read it: `{"username", "emails": [{"email", …}], "delete_in_progress"}`.
    var json: JSONValue {
        let emails = emails.map { email -> JSONValue in
            [
                "email": .string(email.address), "delete_in_progress": .bool(email.deleteOn != nil),
                "revalidate_in_progress": .bool(email.revalidateOn != nil),
            ]
        }
        return [
            "username": .string(username), "emails": .array(emails), "delete_in_progress": .bool(isBeingDeleted),
        ]
    }
}

extension KeyshareLoginCandidate {
    /// The account as pages read it: `{"username", "last_active"}`.
    var json: JSONValue { ["username": .string(username), "last_active": .integer(Int(clamping: lastSeen))] }
}

extension KeyshareAccountEvent {
    /// The event as pages read it: `{"timestamp", "event", "param"?}`.
    var json: JSONValue {
        var object: JSONObject = ["timestamp": .integer(Int(clamping: time)), "event": .string(kind.name)]
        if let parameter { object["param"] = .string(parameter) }
        return .object(object)
    }
}

extension SessionPackage {
    /// The package as browsers get it, without the requestor's token: `{"sessionPtr", "frontendRequest"}`.
    func frontendJSON() throws(IRMAError) -> JSONValue {
        guard case .object(var object) = try json() else { throw IRMAError(.malformed, "a package that is no object") }
        object["token"] = nil
        return .object(object)
    }
}

/// A request for a login by e-mail: `{"email", "language"}`.
struct EmailLoginRequest {
    let email: String
    let language: String

    init(json: JSONValue) throws(RemoteError) {
        email = try json.text("email")
        language = json["language"]?.stringValue ?? ""
    }
}

/// A login with a token from an e-mail: `{"token", "username"}`.
struct TokenLoginRequest {
    let token: String
    let username: String

    init(json: JSONValue) throws(RemoteError) {
        token = try json.text("token")
        username = try json.text("username")
    }
}

extension JSONValue {
    fileprivate func text(_ name: String) throws(RemoteError) -> String {
        guard let text = self[name]?.stringValue else {
            throw RemoteError(.invalidRequest, message: "\(name): the member is missing")
        }
        return text
    }
}
