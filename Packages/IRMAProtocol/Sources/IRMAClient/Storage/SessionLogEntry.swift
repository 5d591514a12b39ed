public import IRMAMessages
public import JSONKit

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An attribute that the log remembers.
public struct LoggedAttribute: Hashable, IRMAMessage {
    /// The attribute, or the credential type as a whole.
    public var id: AttributeIdentifier
    /// The value; `nil` for an absent attribute and for a credential as a whole.
    public var value: String?

    /// Describes an attribute.
    public init(_ id: AttributeIdentifier, value: String?) {
        self.id = id
        self.value = value
    }

    /// Reads the object.
    public init(json: JSONValue) throws(IRMAError) {
        id = try AttributeIdentifier(json: json["id"] ?? .null)
        value = json["value"]?.stringValue
    }

    /// The attribute as an object.
    public func json() -> JSONValue { ["id": id.json(), "value": value.map { .string($0) } ?? .null] }
}

/// A credential that the log remembers: its type and attributes.
public struct LoggedCredential: Hashable, IRMAMessage {
    /// The credential type.
    public var type: CredentialTypeIdentifier
    /// The attributes.
    public var attributes: [LoggedAttribute]

    /// Describes a credential.
    public init(_ type: CredentialTypeIdentifier, attributes: [LoggedAttribute]) {
        self.type = type
        self.attributes = attributes
    }

    /// Reads the object.
    public init(json: JSONValue) throws(IRMAError) {
        type = try CredentialTypeIdentifier(json: json["type"] ?? .null)
        attributes = try SessionLogEntry.list(json["attributes"])
    }

    /// The credential as an object.
    public func json() -> JSONValue {
        ["type": type.json(), "attributes": .array(attributes.map { $0.json() })]
    }
}

/// An entry of the wallet's log: a finished session, or credentials that the user removed.
public struct SessionLogEntry: Hashable, IRMAMessage {
    /// The number of the entry, which grows; set when the entry is written.
    public internal(set) var number: UInt64
    /// The time.
    public var time: Date
    /// The kind of session, or `nil` for a removal.
    public var kind: SessionKind?
    /// The host name of the server; empty for a removal.
    public var host: String
    /// The requestor's name for people, where a scheme knows the host.
    public var requestorName: TranslatedText?
    /// The attributes that were shown, one list for each disjunction.
    public var disclosed: [[LoggedAttribute]]
    /// The credentials that were issued.
    public var issued: [LoggedCredential]
    /// The reason that the wallet did not keep the SD-JWT copies of the issued credentials, which it has without them; `nil` for
    /// none.
    ///
    /// The holder refused them, or the issuance was resumed without a holder.
    public var copyRefusal: String?
    /// The credentials that were removed, also those that issued ones replaced.
    public var removed: [LoggedCredential]
    /// The signed message, or `nil`.
    public var signature: SignedMessage?

    /// Describes an entry.
    public init(
        time: Date,
        kind: SessionKind?,
        host: String,
        requestorName: TranslatedText? = nil,
        disclosed: [[LoggedAttribute]] = [],
        issued: [LoggedCredential] = [],
        copyRefusal: String? = nil,
        removed: [LoggedCredential] = [],
        signature: SignedMessage? = nil
    ) {
        number = 0
        self.time = time
        self.kind = kind
        self.host = host
        self.requestorName = requestorName
        self.disclosed = disclosed
        self.issued = issued
        self.copyRefusal = copyRefusal
        self.removed = removed
        self.signature = signature
    }

    /// Reads the object.
    public init(json: JSONValue) throws(IRMAError) {
        guard let time = json["time"]?.numberValue, let milliseconds = try? time.integer(as: UInt64.self) else {
            throw IRMAError(.malformed, "no time of an entry", path: ["time"])
        }
        self.init(
            time: Date(milliseconds: milliseconds),
            kind: try Self.optional(json["kind"]),
            host: json["host"]?.stringValue ?? "",
            requestorName: try Self.optional(json["requestor"]),
            issued: try Self.list(json["issued"]),
            copyRefusal: json["copyRefusal"]?.stringValue,
            removed: try Self.list(json["removed"]),
            signature: try Self.optional(json["signature"])
        )
        for element in json["disclosed"]?.arrayValue ?? [] { disclosed.append(try Self.list(element)) }
    }

    /// The entry as an object, without its number.
    public func json() throws(IRMAError) -> JSONValue {
        var object: JSONObject = [
            "time": .integer(time.milliseconds),
            "kind": kind?.json() ?? .null,
            "host": .string(host),
            "requestor": try requestorName?.json() ?? .null,
            "disclosed": .array(disclosed.map { .array($0.map { $0.json() }) }),
            "issued": .array(issued.map { $0.json() }),
            "removed": .array(removed.map { $0.json() }),
            "signature": try signature?.json() ?? .null,
        ]
        if let copyRefusal { object["copyRefusal"] = .string(copyRefusal) }
        return .object(object)
    }

    static func list<Element: IRMAMessage>(_ json: JSONValue?) throws(IRMAError) -> [Element] {
        var elements: [Element] = []
        for element in json?.arrayValue ?? [] { elements.append(try Element(json: element)) }
        return elements
    }

    private static func optional<Message: IRMAMessage>(_ json: JSONValue?) throws(IRMAError) -> Message? {
        guard let json, !json.isNull else { return nil }
        return try Message(json: json)
    }
}
