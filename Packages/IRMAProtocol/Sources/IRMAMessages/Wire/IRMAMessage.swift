public import JSONKit

/// A message of the IRMA protocol, in the JSON that its parties send each other.
///
/// Readers take `null` for absence, pass over unknown members, and take names in any letter case, as the Go
/// implementation does; they refuse a member that is there in two letter cases. Writers leave out absent members,
/// except where the reference writes `null`.
public protocol IRMAMessage: Codable, Sendable {
    /// Reads the message.
    ///
    /// - Throws: ``IRMAError/Code/malformed`` with the path of the member.
    init(json: JSONValue) throws(IRMAError)

    /// The message in JSON.
    ///
    /// - Throws: ``IRMAError/Code/malformed`` for a negative integer, which has no form in JSON.
    func json() throws(IRMAError) -> JSONValue
}

extension JSONLimits {
    /// The limits of a message: 10 MiB, as the servers of the protocol have it, 32 levels and 65,536 values.
    public static let irmaMessage = JSONLimits(size: 10 << 20, depth: 32, values: 65_536)

    /// The limits of a file of a requestor scheme, which its signature covers: those of a message, with any number of values.
    static let requestorScheme = JSONLimits(size: 10 << 20, depth: 32)
}

extension IRMAMessage {
    /// Reads the message from a JSON text.
    ///
    /// - Parameters:
    ///   - bytes: The text in UTF-8.
    ///   - limits: The limits of the text.
    /// - Throws: ``IRMAError/Code/malformed`` for text that is not JSON or exceeds the limits, with the reason as its
    ///   cause, and the errors of ``init(json:)``.
    public init(
        decoding bytes: some Collection<UInt8>,
        limits: JSONLimits = .irmaMessage
    ) throws(IRMAError) {
        try self.init(json: JSONValue(message: bytes, limits: limits))
    }

    /// The message as a JSON text without white space.
    ///
    /// - Throws: The errors of ``json()``.
    public func encoded() throws(IRMAError) -> [UInt8] { try json().encoded() }

    /// Reads the message as a part of a larger one.
    public init(from decoder: any Decoder) throws {
        try self.init(json: JSONValue(from: decoder))
    }

    /// Writes the message as a part of a larger one.
    public func encode(to encoder: any Encoder) throws {
        try json().encode(to: encoder)
    }
}

extension JSONValue {
    /// The number of elements of a member, none of which is read; 0 for a value that is not an array.
    package func elementCount(ofMember name: String) -> Int {
        (try? MessageMembers(self).value(name))?.arrayValue?.count ?? 0
    }

    /// The number of elements of the arrays in a member, none of which is read; 0 for a value that is not an array.
    package func elementCount(ofLists name: String) -> Int {
        let lists = (try? MessageMembers(self).value(name))?.arrayValue ?? []
        return lists.reduce(0) { $0 + 1 + ($1.arrayValue?.count ?? 0) }
    }

    /// Reads a JSON text, and turns an error of the reader into one of this module.
    package init(message bytes: some Collection<UInt8>, limits: JSONLimits = .irmaMessage) throws(IRMAError) {
        do {
            self = try JSONValue(parsing: bytes, limits: limits)
        } catch {
            throw IRMAError(.malformed, "the text is not JSON", cause: error)
        }
    }
}
