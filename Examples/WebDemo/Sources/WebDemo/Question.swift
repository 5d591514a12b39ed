import Credentials

/// A way to ask a wallet, and a wallet that can answer.
protocol Question: Sendable {
    /// Starts a transaction or session.
    func ask() async throws -> AskedQuestion

    /// Lets the demo's wallet answer what it scans.
    ///
    /// - Returns: The code for pairing that the wallet shows; nil for none. The wallet then waits for it to be typed.
    func answer(_ scanned: String) async throws -> String?

    /// The outcome of a transaction or session; nil before its end.
    func outcome(of token: String) async throws -> Outcome?

    /// Gives a transaction or session up.
    func cancel(_ token: String) async throws
}

/// A transaction or session, as the page needs it.
struct AskedQuestion {
    /// The requestor's name for it.
    ///
    /// A shop's backend would keep it to itself; here the visitor is the shop, too.
    let token: String
    /// The content of the QR code.
    let text: String
    /// The link for a wallet on this device.
    let link: String
    /// The path of the state.
    let statusPath: String
    /// The path of the state's changes as events.
    let eventsPath: String
    /// The path that is deleted to cancel.
    let cancelPath: String
    /// The frontend's authorization; nil for paths that are open to all that know them.
    var authorization: String?
    /// The path of the options for pairing, and that which completes it; nil without pairing.
    var pairingPaths: (options: String, completed: String)?

    /// The question in JSON, with a QR code as SVG.
    func json(qrCode: String) -> JSONValue {
        var object: JSONObject = [
            "token": .string(token), "text": .string(text), "link": .string(link), "qr": .string(qrCode),
            "status": .string(statusPath), "events": .string(eventsPath), "cancel": .string(cancelPath),
        ]
        object["authorization"] = authorization.map { .string($0) }
        if let pairingPaths {
            object["pairing"] = [
                "options": .string(pairingPaths.options), "completed": .string(pairingPaths.completed),
            ]
        }
        return .object(object)
    }
}

/// The outcome of a transaction or session.
struct Outcome {
    /// A claim that was disclosed.
    struct Claim {
        let source: String
        let name: String
        let value: String
    }

    /// The final state.
    let status: String
    /// Indicates that the claims can be relied on.
    let isVerified: Bool
    /// The reason of another outcome; nil for a verified one.
    let reason: String?
    /// The checks, in the JSON form of `VerificationReport`; nil if nothing was verified.
    let verification: JSONValue?
    /// The claims; none unless verified.
    let claims: [Claim]

    var json: JSONValue {
        var object: JSONObject = [
            "status": .string(status), "verified": .bool(isVerified),
            "claims": .array(
                claims.map {
                    ["source": .string($0.source), "name": .string($0.name), "value": .string($0.value)]
                }
            ),
        ]
        object["reason"] = reason.map { .string($0) }
        object["verification"] = verification
        return .object(object)
    }
}
