public import JSONKit

/// A pointer to a session, the content of a QR code: `{"u", "irmaqr"}`.
public struct SessionPointer: Hashable, IRMAMessage {
    /// The URL of the session for the wallet.
    public var url: String
    /// The kind of session; ``SessionKind/redirect`` for a static pointer, whose URL gives the pointer of a session.
    public var kind: SessionKind

    /// Describes a pointer.
    public init(url: String, kind: SessionKind) {
        self.url = url
        self.kind = kind
    }

    /// Reads the object.
    ///
    /// - Throws: ``IRMAError/Code/malformed``, also for an empty URL.
    public init(json: JSONValue) throws(IRMAError) {
        let members = try MessageMembers(json)
        url = try members.requiredText("u")
        kind = try members.requiredMessage("irmaqr")
        guard !url.isEmpty else { throw IRMAError(.malformed, "the URL is empty", path: ["u"]) }
    }

    /// The pointer as an object.
    public func json() throws(IRMAError) -> JSONValue {
        var object: JSONObject = ["u": .string(url)]
        try object.write("irmaqr", kind)
        return .object(object)
    }

    /// Returns `true` for a static pointer, which is followed once: its target must not be another one.
    public var isRedirect: Bool { kind == .redirect }

    /// The text of the QR code.
    ///
    /// - Throws: Nothing for a pointer that was read; see ``IRMAMessage/json()``.
    public func qrText() throws(IRMAError) -> String { try json().text(.compact) }

    /// The pointer that a static pointer's URL answered.
    ///
    /// - Throws: ``IRMAError/Code/malformed``, also for another static pointer, since redirects are followed once.
    public init(redirectTarget bytes: some Collection<UInt8>) throws(IRMAError) {
        try self.init(decoding: bytes, limits: JSONLimits(size: SessionLink.maximumLength, depth: 8))
        guard !isRedirect else {
            throw IRMAError(.malformed, "a static pointer leads to another static pointer", path: ["irmaqr"])
        }
    }
}
