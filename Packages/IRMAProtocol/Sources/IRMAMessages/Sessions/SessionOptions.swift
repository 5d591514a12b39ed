public import JSONKit

/// The method by which a wallet is paired with the browser that shows the QR code: an open set.
public struct PairingMethod: Hashable, IRMAMessage, CustomStringConvertible {
    /// The name in lower case.
    public let name: String

    /// Names a method.
    public init(_ name: String) {
        self.name = name
    }

    /// Without pairing.
    public static let none = PairingMethod("none")
    /// The user types a code of four digits.
    public static let pin = PairingMethod("pin")

    /// The name, with invisible characters escaped.
    public var description: String { name.escapedForDisplay() }

    /// Reads the name.
    public init(json: JSONValue) throws(IRMAError) {
        name = try json.text()
    }

    /// The name as a string.
    public func json() -> JSONValue { .string(name) }
}

/// The options of a session: the pairing of the wallet.
public struct SessionOptions: Hashable, IRMAMessage {
    /// The method of pairing.
    public var pairingMethod: PairingMethod
    /// The code that the wallet shows and the user types in the browser, or nil.
    public var pairingCode: String?

    /// Describes options.
    public init(pairingMethod: PairingMethod = .none, pairingCode: String? = nil) {
        self.pairingMethod = pairingMethod
        self.pairingCode = pairingCode
    }

    /// Reads the object `{"@context", "pairingMethod", "pairingCode"?}`.
    public init(json: JSONValue) throws(IRMAError) {
        let members = try MessageMembers(json)
        try members.requireContext(.sessionOptions)
        pairingMethod = try members.requiredMessage("pairingMethod")
        pairingCode = try members.text("pairingCode")
    }

    /// The options as an object.
    public func json() throws(IRMAError) -> JSONValue {
        var object: JSONObject = ["@context": .string(MessageContext.sessionOptions.text)]
        try object.write("pairingMethod", pairingMethod)
        object.write("pairingCode", ifPresent: pairingCode)
        return .object(object)
    }
}

/// A frontend's message that sets the options of a session (`POST frontend/options`).
public struct FrontendOptionsRequest: Hashable, IRMAMessage {
    /// The method of pairing; nil leaves the options as they are.
    public var pairingMethod: PairingMethod?

    /// Describes options.
    public init(pairingMethod: PairingMethod?) {
        self.pairingMethod = pairingMethod
    }

    /// Reads the object `{"@context", "pairingMethod"?}`; an empty method is left out.
    public init(json: JSONValue) throws(IRMAError) {
        let members = try MessageMembers(json)
        try members.requireContext(.frontendOptions)
        let name = try members.text("pairingMethod") ?? ""
        pairingMethod = name.isEmpty ? nil : PairingMethod(name)
    }

    /// The message as an object.
    public func json() throws(IRMAError) -> JSONValue {
        var object: JSONObject = ["@context": .string(MessageContext.frontendOptions.text)]
        object.write("pairingMethod", ifPresent: pairingMethod?.name)
        return .object(object)
    }
}

extension MessageMembers {
    /// Refuses an object of another kind.
    func requireContext(_ context: MessageContext) throws(IRMAError) {
        guard try requiredText("@context").hasSameBytes(as: context.text) else {
            throw IRMAError(.malformed, "not the context of this message", path: ["@context"])
        }
    }
}
