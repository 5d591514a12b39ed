public import JSONKit

/// A purpose of a bitstring status list, of an open set (Bitstring Status List 1.0, section 2.1).
public struct StatusPurpose: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The name as received.
    public let rawValue: String

    /// A purpose by its name, known or not.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The credential is revoked for good.
    public static let revocation = StatusPurpose(rawValue: "revocation")
    /// The credential is suspended, which its issuer can undo.
    public static let suspension = StatusPurpose(rawValue: "suspension")
    /// The status is a message, whose meaning the application defines unless it is 0.
    public static let message = StatusPurpose(rawValue: "message")
    /// An updated credential is available, unless the status is 0; this one stays valid.
    public static let refresh = StatusPurpose(rawValue: "refresh")

    /// The name, with invisible characters escaped.
    public var description: String { rawValue.escapedForDisplay() }

    /// Compares the bytes.
    public static func == (left: StatusPurpose, right: StatusPurpose) -> Bool {
        left.rawValue.hasSameBytes(as: right.rawValue)
    }

    /// Hashes the bytes.
    public func hash(into hasher: inout Hasher) { ExactText(rawValue).hash(into: &hasher) }
}

/// A credential's reference to its place in a bitstring status list: an object of `credentialStatus` (Bitstring Status
/// List 1.0, section 2.1; Status List 2021).
public struct BitstringStatusListEntry: Hashable, Sendable {
    /// The standard of the list.
    public let form: BitstringStatusList.Form
    /// The purpose (`statusPurpose`).
    public let purpose: StatusPurpose
    /// The place in the list, counted from 0 (`statusListIndex`).
    public let index: Int
    /// The URL of the list's credential (`statusListCredential`).
    public let listURL: ExactText
    /// The number of bits of the status (`statusSize`); 1 by default, and at most 10 in Bitstring Status List 1.0, since
    /// each value has a message.
    public let size: Int
    /// The messages of statuses (`statusMessage`), one for each value that the status can have, and at most 1024; empty
    /// if there are none.
    ///
    /// A status of several bits has messages. One of a single bit without messages means `unset` or `set`.
    public let messages: [UInt64: String]

    private static let maximumMessages = 1024

    /// Reads an object of `credentialStatus`.
    ///
    /// - Returns: Nil for an object of another type.
    /// - Throws: ``StatusListError/Code/invalidReference``, ``StatusListError/Code/unsupportedBits``.
    public init?(json members: JSONObject) throws(StatusListError) {
        let types = members["type"].map { $0.arrayValue ?? [$0] } ?? []
        if types.contains("BitstringStatusListEntry") {
            form = .bitstring
        } else if types.contains("StatusList2021Entry") {
            form = .statusList2021
        } else {
            return nil
        }
        guard let purpose = members["statusPurpose"]?.stringValue else { throw Self.invalid("statusPurpose") }
        self.purpose = StatusPurpose(rawValue: purpose)
        index = try Self.index(members["statusListIndex"])
        guard let url = members["statusListCredential"]?.stringValue, !url.isEmpty else {
            throw Self.invalid("statusListCredential")
        }
        listURL = ExactText(url)
        size = try Self.size(members["statusSize"])
        messages = try Self.messages(members["statusMessage"])
        if members.contains("statusMessage"), messages.isEmpty { throw Self.invalid("statusMessage") }
        try requireAllMessages()
    }

    /// Makes a reference.
    ///
    /// - Throws: ``StatusListError/Code/invalidReference`` for a negative index, an empty URL, messages that are not
    ///   those of each possible status, and more than 1024 messages; ``StatusListError/Code/unsupportedBits``.
    public init(
        form: BitstringStatusList.Form = .bitstring,
        purpose: StatusPurpose,
        index: Int,
        listURL: ExactText,
        size: Int = 1,
        messages: [UInt64: String] = [:]
    ) throws(StatusListError) {
        guard index >= 0 else { throw Self.invalid("statusListIndex") }
        guard !listURL.text.isEmpty else { throw Self.invalid("statusListCredential") }
        try BitstringStatusList.require(entrySize: size)
        self.form = form
        self.purpose = purpose
        self.index = index
        self.listURL = listURL
        self.size = size
        self.messages = messages
        try requireAllMessages()
    }

    /// Refuses an entry with too many messages, and one of Bitstring Status List 1.0 with messages for some of the
    /// possible statuses only, or without the messages that a status of several bits has (section 2.1).
    private func requireAllMessages() throws(StatusListError) {
        guard messages.count <= Self.maximumMessages else { throw Self.invalid("statusMessage") }
        guard form == .bitstring, size > 1 || !messages.isEmpty else { return }
        // Where Int has 32 bits, 1 << 32 is 0.
        guard UInt64(messages.count) == UInt64(1) << UInt64(size),
            messages.keys.allSatisfy({ $0 >> UInt64(size) == 0 })
        else { throw Self.invalid("statusMessage") }
    }

    /// The object for `credentialStatus`.
    ///
    /// - Parameter id: The identifier of the object, which the data model 1.1 demands.
    public func json(id: String? = nil) -> JSONObject {
        var members: JSONObject = [:]
        if let id { members["id"] = .string(id) }
        members["type"] = form == .bitstring ? "BitstringStatusListEntry" : "StatusList2021Entry"
        members["statusPurpose"] = .string(purpose.rawValue)
        members["statusListIndex"] = .string(String(index))
        members["statusListCredential"] = .string(listURL.text)
        if size != 1 { members["statusSize"] = .integer(size) }
        if !messages.isEmpty {
            members["statusMessage"] = .array(
                messages.sorted { $0.key < $1.key }.map { value, message in
                    ["status": .string("0x" + String(value, radix: 16)), "message": .string(message)]
                }
            )
        }
        return members
    }

    /// An integer from 0 in base 10, as a text.
    private static func index(_ value: JSONValue?) throws(StatusListError) -> Int {
        guard let text = value?.stringValue, !text.isEmpty,
            text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }), let index = Int(text)
        else { throw invalid("statusListIndex") }
        return index
    }

    private static func size(_ value: JSONValue?) throws(StatusListError) -> Int {
        guard let value else { return 1 }
        guard let size = try? value.numberValue?.integer(as: Int.self) else { throw invalid("statusSize") }
        try BitstringStatusList.require(entrySize: size)
        return size
    }

    /// Objects with a number in base 16 and a text.
    private static func messages(_ value: JSONValue?) throws(StatusListError) -> [UInt64: String] {
        guard let value else { return [:] }
        guard let elements = value.arrayValue, elements.count <= maximumMessages else { throw invalid("statusMessage") }
        var messages: [UInt64: String] = [:]
        for element in elements {
            guard let status = element["status"]?.stringValue.flatMap(Self.number),
                let message = element["message"]?.stringValue,
                messages.updateValue(message, forKey: status) == nil
            else { throw invalid("statusMessage") }
        }
        return messages
    }

    /// The number of a text `0x…`, of digits alone.
    private static func number(_ text: String) -> UInt64? {
        let digits = text.utf8.dropFirst(2)
        let isDigit: (UInt8) -> Bool = { "0123456789abcdefABCDEF".utf8.contains($0) }
        guard text.utf8.starts(with: "0x".utf8), digits.allSatisfy(isDigit) else { return nil }
        return UInt64(Substring(digits), radix: 16)
    }

    private static func invalid(_ member: String) -> StatusListError {
        StatusListError(
            .invalidReference,
            "it is missing, or not of the form that it must have",
            path: ["credentialStatus", member]
        )
    }
}
