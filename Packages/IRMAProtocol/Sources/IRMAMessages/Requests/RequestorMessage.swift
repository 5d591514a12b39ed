public import JSONKit

/// A requestor's options for a session, beside the request itself.
public struct RequestorOptions: Hashable, Sendable {
    /// The validity of the signed result in seconds, or nil for 120.
    public var resultValidity: UInt64?
    /// The time in seconds that the wallet has to connect, or nil for the server's default.
    public var timeout: UInt64?
    /// The URL that the result is posted to.
    public var callbackURL: String?
    /// The URL that gives the next session of a chain.
    public var nextSessionURL: String?

    /// Options with every default.
    public init() {}

    /// The validity of the signed result where none is asked for, in seconds.
    public static let defaultResultValidity: UInt64 = 120

    init(_ members: MessageMembers) throws(IRMAError) {
        resultValidity = try members.positiveNumber("validity")
        timeout = try members.positiveNumber("timeout")
        callbackURL = try members.nonEmptyText("callbackUrl")
        nextSessionURL = try members.optional("nextSession") { json throws(IRMAError) in
            try MessageMembers(json).requiredText("url")
        }.flatMap { $0.isEmpty ? nil : $0 }
    }

    func write(to object: inout JSONObject) {
        object.write("validity", ifPresent: resultValidity)
        object.write("timeout", ifPresent: timeout)
        object.write("callbackUrl", ifPresent: callbackURL)
        if let nextSessionURL { object["nextSession"] = ["url": .string(nextSessionURL)] }
    }
}

/// The message with which a requestor starts a session: a request, bare or with options, in the present or the older form.
///
/// A body with `@context` at its top is the bare request; one with `request.@context` has options; any other is read in the
/// older form.
public struct RequestorMessage: Hashable, IRMAMessage {
    /// The request in one of its two forms.
    public enum Body: Hashable, Sendable {
        /// The present form.
        case present(SessionRequest)
        /// The form before protocol 2.5.
        case legacy(LegacySessionRequest)
    }

    /// The request.
    public var body: Body
    /// The options, or nil for a bare request.
    public var options: RequestorOptions?

    /// A message with a request in the present form.
    public init(_ request: SessionRequest, options: RequestorOptions? = nil) {
        body = .present(request)
        self.options = options
    }

    /// The request in the present form.
    ///
    /// - Throws: ``IRMAError/Code/malformed`` for a request in the older form that has no meaning.
    public func request() throws(IRMAError) -> SessionRequest {
        switch body {
        case .present(let request): request
        case .legacy(let request): try LegacyRequestConverter.request(from: request)
        }
    }

    /// Reads the message.
    public init(json: JSONValue) throws(IRMAError) {
        let members = try MessageMembers(json)
        if try members.value("@context") != nil {
            body = .present(try SessionRequest(json: json))
            options = nil
            return
        }
        guard let inner = try members.value("request") else {
            body = .legacy(try LegacySessionRequest(json: json))
            options = nil
            return
        }
        do throws(IRMAError) {
            body =
                try MessageMembers(inner).value("@context") != nil
                ? .present(try SessionRequest(json: inner)) : .legacy(try LegacySessionRequest(json: inner))
        } catch {
            throw error.inside("request")
        }
        options = try RequestorOptions(members)
    }

    /// The message as an object.
    public func json() throws(IRMAError) -> JSONValue {
        let request =
            switch body {
            case .present(let request): try request.json()
            case .legacy(let request): try request.json()
            }
        guard let options else { return request }
        var object = JSONObject()
        options.write(to: &object)
        object["request"] = request
        return .object(object)
    }
}
