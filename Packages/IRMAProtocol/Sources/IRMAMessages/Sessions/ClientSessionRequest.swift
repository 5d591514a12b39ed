public import JSONKit

/// The first message of a server to a wallet, from protocol 2.8.
public struct ClientSessionRequest: Hashable, IRMAMessage {
    /// The version of the protocol that was negotiated.
    public var protocolVersion: ProtocolVersion
    /// The options of the session.
    public var options: SessionOptions
    /// The request, or nil while the wallet has to be paired.
    public var request: SessionRequest?

    /// Describes a message.
    public init(protocolVersion: ProtocolVersion, options: SessionOptions, request: SessionRequest?) {
        self.protocolVersion = protocolVersion
        self.options = options
        self.request = request
    }

    /// Reads the object `{"@context", "protocolVersion", "options", "request"?}`.
    public init(json: JSONValue) throws(IRMAError) {
        let members = try MessageMembers(json)
        try members.requireContext(.clientRequest)
        protocolVersion = try members.requiredMessage("protocolVersion")
        options = try members.requiredMessage("options")
        request = try members.message("request")
    }

    /// The message as an object.
    public func json() throws(IRMAError) -> JSONValue {
        var object: JSONObject = ["@context": .string(MessageContext.clientRequest.text)]
        try object.write("protocolVersion", protocolVersion)
        try object.write("options", options)
        try object.write("request", ifPresent: request)
        return .object(object)
    }
}

extension SessionRequest {
    /// Reads a server's first message to a wallet, in the form of any version of the protocol.
    ///
    /// Below 2.8 it is the request itself, at 2.4 in the older form; then the options are without pairing.
    ///
    /// - Throws: ``IRMAError/Code/malformed``, also for a request that does not name the version.
    public static func firstMessage(decoding bytes: some Collection<UInt8>) throws(IRMAError) -> ClientSessionRequest {
        let json = try JSONValue(message: bytes, limits: .irmaMessage)
        let members = try MessageMembers(json)
        let context = try members.text("@context").map { MessageContext($0) }
        guard context != .clientRequest else { return try ClientSessionRequest(json: json) }
        let request =
            context == nil
            ? try LegacyRequestConverter.request(from: LegacySessionRequest(json: json))
            : try SessionRequest(json: json)
        guard let version = request.parameters.protocolVersion else {
            throw IRMAError(.malformed, "the member is missing", path: ["protocolVersion"])
        }
        return ClientSessionRequest(protocolVersion: version, options: SessionOptions(), request: request)
    }
}
