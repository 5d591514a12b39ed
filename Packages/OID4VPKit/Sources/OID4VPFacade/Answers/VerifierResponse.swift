import JSONKit

/// The verifier's answer to a response of the wallet.
public struct VerifierResponse: Sendable {
    /// The status of the answer.
    public let statusCode: Int
    /// The address that the user is to be sent to; nil for none, and for one that must not be opened.
    public let redirectUri: String?
    /// The other members of the answer, each a `String`, `Bool`, `Int`, `Double`, `[any Sendable]` or
    /// `[String: any Sendable]`; those that are null are left out.
    public let additionalParams: [String: any Sendable]
    /// The other members of the answer as JSON text, and a body that is not a JSON object as it came; nil for none.
    public let additionalParamsText: String?
    /// The names of the header's fields with their values.
    public let headers: [String: String]

    private let rawBody: [UInt8]

    init(
        statusCode: Int,
        redirectUri: String?,
        members: JSONObject?,
        headers: [String: String],
        rawBody: [UInt8]
    ) {
        self.statusCode = statusCode
        self.redirectUri = redirectUri
        self.headers = headers
        self.rawBody = rawBody
        if let members {
            additionalParams = members.plain
            additionalParamsText = members.isEmpty ? nil : JSONValue.object(members).text()
        } else {
            additionalParams = [:]
            additionalParamsText = rawBody.isEmpty ? nil : String(validating: rawBody, as: UTF8.self)
        }
    }

    /// The body as it came; empty for one that is not text.
    public func body() -> String { String(validating: rawBody, as: UTF8.self) ?? "" }
}
